// Finds, joins and the settling of vertices over the links of a forest, with one vertex known to
// stop at.
//
// Invariant: links[v] <= v, and only roots are hooked; so vertex 0 is always a root. Loads of links
// that other threads may write are relaxed, hence served by the L2 cache, and all loads of one word
// by one slice of it. Where most finds end at the same root, its link is not read again and again:
// finds take a vertex to stop at. The result of a find is then a root or the stop. Two finds with
// the same end are in one tree either way, and a hook notices by its compare-and-swap where the
// stop is no root any more, and goes on from there (see hook in union_find.h).
#pragma once

#include "common/union_find.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

constexpr Vertex kInvalidVertex = ~Vertex{0};

// Steps of a walk before it begins to shorten its path. Where paths are short, stores do not pay.
constexpr u32 kPatient = 4;
constexpr u32 kImpatient = 1;

// The first vertex of v's path that is a root or for which is_end(vertex) holds. The path is halved
// on the way, but for its first steps.
template <u32 patience = kPatient, class IsEnd>
SKERRY_INLINE Vertex find_first(Vertex* links, Vertex v, Tally& tally, IsEnd&& is_end) {
  Vertex previous = v;
#pragma unroll 1
  for (u32 steps = 0; !is_end(v); ++steps) {
    const Vertex next = Device::load(links + v);
    if (next == v) break;
    if (steps >= patience) Device::store(links + previous, next);
    previous = v;
    v = next;
    tally.step();
  }
  tally.end_find();
  return v;
}

// The end of v's path: a root or `stop`.
template <u32 patience = kPatient>
SKERRY_INLINE Vertex find_end(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  return find_first<patience>(links, v, tally,
                              [&](Vertex here) { return here == stop || here == 0; });
}

// The root of v's path. If it was long, its vertices, but for the last ones, are linked to the root
// in a second walk: where many threads walk the same paths, such as those of all rows of a mesh,
// that took 0.54 to 0.9 times as long as halving them (H200, docs/benchmarks.md).
template <u32 patience = kPatient>
SKERRY_INLINE Vertex find_root(Vertex* links, Vertex v, Tally& tally) {
  Vertex root = v;
  u32 steps = 0;
#pragma unroll 1
  for (; root != 0; ++steps) {
    const Vertex next = Device::load(links + root);
    if (next == root) break;
    root = next;
    tally.step();
  }
#pragma unroll 1
  for (; steps > patience && v > root; --steps) {
    const Vertex next = Device::load(links + v);
    if (next > root) Device::store(links + v, root);  // another thread may have been further
    v = next;
  }
  tally.end_find();
  return root;
}

// Joins two trees by any of their vertices. `stop` moves on to its root where it turns out to be
// none any more: otherwise every later find that ends there would cause a compare-and-swap on one
// contended word. After a lost race the loop tries again, as loads are cheaper.
template <u32 patience = kPatient>
SKERRY_INLINE void join(Vertex* links, Vertex a, Vertex b, Vertex& stop, Tally& tally) {
#pragma unroll 1
  for (;;) {
    a = find_end<patience>(links, a, stop, tally);
    b = find_end<patience>(links, b, stop, tally);
    if (a == b) return;
    if (a == stop || b == stop) {
      const Vertex root = find_end(links, stop, 0, tally);
      if (root != stop) {
        a = a == stop ? root : a;
        b = b == stop ? root : b;
        stop = root;
        if (a == b) return;
      }
    }
    const Vertex high = a > b ? a : b;
    const Vertex low = a > b ? b : a;
    const Vertex seen = Device::compare_and_swap(links + high, high, low);
    if (seen == high) {
      tally.hooked();
      return;
    }
    a = seen;
    b = low;
  }
}

// Makes v link to the end of its path and returns that end. The link is updated on the way, so
// threads that pass through v meanwhile profit, and a chain that many threads walk is shortened by
// all of them.
SKERRY_INLINE Vertex settle(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  Vertex here = Device::load(links + v);
  if (here == v) return v;
#pragma unroll 1
  while (here != stop && here != 0) {
    const Vertex next = Device::load(links + here);
    tally.step();
    if (next == here) break;
    here = next;
    Device::store(links + v, here);
  }
  tally.end_find();
  return here;
}

// The same, but after a number of steps the vertex that they have led to will do.
SKERRY_INLINE Vertex settle_within(Vertex* links, Vertex v, u32 steps, Tally& tally) {
  Vertex here = Device::load(links + v);
  if (here == v) return v;
#pragma unroll 1
  for (; steps != 0 && here != 0; --steps) {
    const Vertex next = Device::load(links + here);
    tally.step();
    if (next == here) break;
    here = next;
    Device::store(links + v, here);
  }
  tally.end_find();
  return here;
}

constexpr u32 kSampledSteps = 32;  // of a sampled vertex on its way to its root

// Settles what v links to, then v. Most vertices around a hub link to it: a sample of them settles
// it, and all others will find its root in one step. Where paths are long, few threads would take
// long: then v is settled in part, and no tree is found to be the largest.
SKERRY_INLINE Vertex settle_with_link(Vertex* links, Vertex v, Tally& tally) {
  settle_within(links, Device::load(links + v), kSampledSteps, tally);
  return settle_within(links, v, kSampledSteps, tally);
}

}  // namespace skerry
