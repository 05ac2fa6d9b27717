// Finds, joins and the settling of vertices over the links of a forest, with one vertex known to
// stop at.
//
// Invariant: links[v] <= v, and only roots are hooked; so vertex 0 is always a root. Loads of links
// that other threads may write are relaxed, hence served by the L2 cache, and all loads of one word
// by one slice of it. Where most finds end at the same root, its own link is not looked at again and
// again: a kernel is told a vertex to stop at. What is found is then a root or the stop. Two finds
// with the same end are in one tree either way, and a hook notices by its compare-and-swap where the
// stop is no root any more, and goes on from there (see hook in union_find.h).
#pragma once

#include "gpu/memory.h"
#include "gpu/tally.h"
#include "union_find.h"

namespace skerry {

constexpr Vertex kNobody = ~Vertex{0};

constexpr u32 kPatience = 1;  // steps of a walk before it begins to shorten its path

// The end of v's path: a root or `stop`. The path is halved on the way, but for its first steps: where
// paths are short, as nearly all are, the stores would not pay.
SKERRY_INLINE Vertex find_end(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  Vertex previous = v;
  for (u32 steps = 0; v != stop && v != 0; ++steps) {
    const Vertex next = Device::load(links + v);
    if (next == v) break;
    if (steps >= kPatience) Device::store(links + previous, next);
    previous = v;
    v = next;
    tally.step();
  }
  tally.found();
  return v;
}

// Joins two trees by any of their vertices. `stop` moves on to its root where it turns out to be none
// any more: else every later find that ends there would ask for a compare-and-swap of one word that
// all threads want. A lost race is made good by looking again, as loads are cheaper than that.
SKERRY_INLINE void join(Vertex* links, Vertex a, Vertex b, Vertex& stop, Tally& tally) {
  for (;;) {
    a = find_end(links, a, stop, tally);
    b = find_end(links, b, stop, tally);
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

// Makes v link to the end of its path, and gives that. Whoever comes through v meanwhile gets as far
// in one step as v has come, so a chain that many walk is halved by all of them at once.
SKERRY_INLINE Vertex settle(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  Vertex here = Device::load(links + v);
  if (here == v) return v;
  while (here != stop && here != 0) {
    const Vertex next = Device::load(links + here);
    tally.step();
    if (next == here) break;
    here = next;
    Device::store(links + v, here);
  }
  tally.found();
  return here;
}

// Settles what v links to, then v. Most vertices around a hub link to it: a sample of them settles it,
// and all others will find its root in one step.
SKERRY_INLINE Vertex settle_with_link(Vertex* links, Vertex v, Tally& tally) {
  settle(links, Device::load(links + v), 0, tally);
  return settle(links, v, 0, tally);
}

// Where the smallest vertices lead, as a block saw it when it began: a copy in shared memory. Links
// lead downwards and large trees have small roots, so most paths come through here; their last steps
// then cost no load that all other blocks make too.
class Lowest {
 public:
  SKERRY_INLINE void load(const Vertex* links, u64 vertices) {
    __shared__ Vertex table[kCount];
    table_ = table;
    const u32 t = threadIdx.x;
    if (t < kCount) table[t] = t < vertices ? Device::load(links + t) : 0;
    // Links of the table stay within it. Three doublings shorten paths of 8; of longer ones an
    // ancestor will do.
    for (u32 i = 0; i < 3; ++i) {
      __syncthreads();
      const Vertex next = t < kCount ? table[table[t]] : 0;
      __syncthreads();
      if (t < kCount) table[t] = next;
    }
    __syncthreads();
  }

  // The end of v's path, or an ancestor of v that is in the table.
  SKERRY_INLINE Vertex find(Vertex* links, Vertex v, Tally& tally) const {
    Vertex previous = v;
    for (u32 steps = 0; !holds(v); ++steps) {
      const Vertex next = Device::load(links + v);
      if (next == v) return v;
      if (steps >= kPatience) Device::store(links + previous, next);
      previous = v;
      v = next;
      tally.step();
    }
    tally.found();
    return table_[v];
  }

  // Joins two trees unless another thread is at it: then one of two links may be lost. Nobody waits
  // for the outcome. For a sample of the edges, whose loss costs nothing but a later look.
  SKERRY_INLINE void suggest(Vertex* links, Vertex a, Vertex b, Tally& tally) const {
    a = find(links, a, tally);
    b = find(links, b, tally);
    if (a == b) return;
    // What the table told may be outdated: better to look again than to ask for an atomic in vain.
    a = find_end(links, a, 0, tally);
    b = find_end(links, b, 0, tally);
    if (a == b) return;
    atomicMin(links + (a > b ? a : b), a > b ? b : a);
    tally.hooked();
  }

  // As settle, but the end may be an ancestor in the table.
  SKERRY_INLINE Vertex settle(Vertex* links, Vertex v, Vertex stop, Tally& tally) const {
    const Vertex above = Device::load(links + v);
    if (above == v || above == stop) return above;
    Vertex here = above;
    while (here != stop && !holds(here)) {
      const Vertex next = Device::load(links + here);
      tally.step();
      if (next == here) break;
      here = next;
    }
    if (here != stop && holds(here)) here = table_[here];
    if (here != above) Device::store(links + v, here);
    tally.found();
    return here;
  }

  SKERRY_INLINE bool holds(Vertex v) const { return v < kCount; }
  SKERRY_INLINE Vertex operator[](Vertex v) const { return table_[v]; }

 private:
  static constexpr u32 kCount = 256;
  const Vertex* table_;
};

}  // namespace skerry
