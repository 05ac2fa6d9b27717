// A copy of the roots of all vertices, in the trees of the first joins. It never changes, so it is
// read with plain loads, which L1 caches.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/walk.h"

namespace skerry {

constexpr u32 kSettledSteps = 16;  // of a vertex to its root, over L1; later ones over L2

// Links every vertex to its root; settled(v, root). No thread hooks meanwhile.
//
// In ascending order: threads that walk at the same time shorten each other's paths, and those
// after them find short ones. In any other order a long path stays long: a path of 2 million
// vertices, half of them begun late, took 90 ms instead of 0.1 (H200). A device starts blocks in
// that order.
template <class Settled>
SKERRY_INLINE void settle_in_order(Vertex* links, u64 vertices, u64* state, Settled&& settled) {
  Tally tally(state);
  const auto settle_one = [&](u64 v) {
    if (v >= vertices) return;
    settled(v, settle<kSettledSteps>(links, static_cast<Vertex>(v), 0, tally));
  };
  if (vertices <= thread_count()) {
    settle_one(thread_number());
  } else {
    for_each_in_turn((vertices + kBlock - 1) / kBlock, state + kFlattened,
                     [&](u64 part) { settle_one(part * kBlock + threadIdx.x); });
  }
}

SKERRY_INLINE void copy_roots(Vertex* links, u64 vertices, Vertex* roots, u64* state) {
  settle_in_order(links, vertices, state, [&](u64 v, Vertex root) { roots[v] = root; });
}

}  // namespace skerry
