// A cache of links in the shared memory of a block, for finds that many threads make at once.
//
// Loads of links that other threads may change are relaxed, hence served by the L2 cache, and all
// loads of one word by one slice of it: where all finds pass the same few vertices, they wait for
// each other. A cached link may be outdated. It still leads to an ancestor, since trees only grow
// together; and a vertex that is taken for a root, but is none any more, is noticed by the
// compare-and-swap that would hook it. So plain loads that L1 may serve, as in ECL-CC, would be
// correct too, but they are data races; this cache is as fast and is none.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/walk.h"

namespace skerry {

class LinkCache {
 public:
  // By all threads of a block, before the first find.
  SKERRY_INLINE void clear() {
    __shared__ u64 slots[kSlots];
    slots_ = slots;
    for (u32 i = threadIdx.x; i < kSlots; i += blockDim.x) slots[i] = kEmpty;
    __syncthreads();
  }

  // The same, with the links of the smallest vertices: links lead downwards and large trees have
  // small roots, so most paths end there. Where a block has few finds, as when it joins second
  // neighbors, it would not come to know them by itself in time.
  SKERRY_INLINE void fill(const Vertex* links, u64 vertices) {
    clear();
    for (u32 v = threadIdx.x; v < kSmallest && v < vertices; v += blockDim.x) {
      keep(static_cast<Vertex>(v), Device::load(links + v));
    }
    __syncthreads();
  }

  // The end of v's path, as far as is known: a root, or a vertex that was one.
  SKERRY_INLINE Vertex find(Vertex* links, Vertex v, Tally& tally) const {
    const Vertex start = v;
    u32 steps = 0;
#pragma unroll 1
    while (v != 0) {
      const Vertex next = link_of(links, v, tally);
      if (next == v) break;
      v = next;
      ++steps;
    }
    if (steps > 1) keep(start, v);
    if (steps > kPatient) Device::store(links + start, v);
    tally.end_find();
    return v;
  }

  // Joins two trees and returns the smaller root. Only the larger one is looked at: the smaller is
  // that of a large tree more often than not. Any smaller vertex of another tree will do to hook
  // to, be that a root or not.
  SKERRY_INLINE Vertex join(Vertex* links, Vertex a, Vertex b, Tally& tally) const {
    a = find(links, a, tally);
    b = find(links, b, tally);
#pragma unroll 1
    for (u32 failures = 0; a != b; ++failures) {
      const Vertex high = a > b ? a : b;
      const Vertex low = a > b ? b : a;
      const Vertex seen = Device::compare_and_swap(links + high, high, low);
      if (seen == high) {
        keep(high, low);
        tally.hooked();
        return low;
      }
      // It was no root any more. The cache mostly knows what comes next, and loads of a root that
      // all threads load take long; but after some hooks that failed they are faster.
      a = failures < kFailures ? find(links, seen, tally)
                               : find_root<kImpatient>(links, seen, tally);
      b = low;
      keep(high, a);
    }
    return a;
  }

  // Joins the trees of two vertices of any kind. Their own links are not kept: that would take the
  // place of those that more finds need.
  SKERRY_INLINE void join_vertices(Vertex* links, Vertex u, Vertex v, Tally& tally) const {
    const Vertex a = Device::load(links + u);
    const Vertex b = Device::load(links + v);
    if (a != b) join(links, a, b, tally);
  }

  // Links v to the root of its path, if that is not `root` already, and returns it. No thread hooks
  // meanwhile, or the root may have become another vertex's child.
  SKERRY_INLINE Vertex settle(Vertex* links, Vertex v, Vertex above, Tally& tally) const {
    const Vertex root = find(links, above, tally);
    if (root != above) Device::store(links + v, root);
    return root;
  }

 private:
  static constexpr u32 kSlots = 1024;
  static constexpr u32 kSmallest = 256;
  static constexpr u32 kFailures = 2;
  static constexpr u64 kEmpty = ~u64{0};

  // A vertex and its link share a word, so that both are read at once. Ids that do not fit in half
  // a word are not kept.
  SKERRY_INLINE void keep(Vertex v, Vertex link) const {
    if (sizeof(Vertex) > 4 && u64{v} >= (u64{1} << 32) - 1) return;
    shared_store(slots_ + v % kSlots, u64{v} << 32 | u64{link});
  }

  SKERRY_INLINE Vertex link_of(Vertex* links, Vertex v, Tally& tally) const {
    const u64 kept = shared_load(slots_ + v % kSlots);
    if (kept >> 32 == v) return static_cast<Vertex>(kept & 0xffffffffu);
    const Vertex next = Device::load(links + v);
    tally.step();
    keep(v, next);
    return next;
  }

  u64* slots_;
};

}  // namespace skerry
