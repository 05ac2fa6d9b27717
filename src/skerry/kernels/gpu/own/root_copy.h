// A copy of the roots of all vertices, in the trees of the first joins. It never changes, so it is
// read with plain loads, which L1 caches.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/links.h"
#include "gpu/own/walk.h"

namespace skerry {

constexpr u32 kSettledSteps = 16;  // of a vertex to its root, over L1; later ones over L2

// Links every vertex to its root; settled(v, root). No thread hooks meanwhile.
//
// In ascending order: threads that walk at the same time shorten each other's paths, and those
// after them find short ones. In any other order a long path stays long.
template <class Settled>
SKERRY_INLINE void settle_in_order(Vertex* links, u64 vertices, u64* state, Settled&& settled) {
  Tally tally(state);
  const u64 stretch = u64{vertices <= thread_count() ? 1 : kEach} * kLanes;
  for_each_warp_in_turn((vertices + stretch - 1) / stretch, state + kFlattened, [&](u64 part) {
    for (u64 v = part * stretch + lane(); v < (part + 1) * stretch && v < vertices; v += kLanes) {
      settled(v, settle<kSettledSteps>(links, static_cast<Vertex>(v), 0, tally));
    }
  });
}

SKERRY_INLINE void copy_roots(Vertex* links, u64 vertices, Vertex* roots, u64* state) {
  settle_in_order(links, vertices, state, [&](u64 v, Vertex root) { roots[v] = root; });
}

}  // namespace skerry
