// Graft and shortcut over an edge list: Algorithms 1 (CC) and 2 (CC-updt) of Cong & Muzio, "Fast
// Parallel Connected Components Algorithms on GPUs" (2014), sect. 2 and 4.
//
// A round grafts the root of the larger end of every edge onto that of the smaller, then makes
// every vertex point to its root; the last round grafts nothing. CC-updt reads the roots from its
// own copy of the edges, whose ends the update step replaces by their roots after every round.
// The labels are the smallest members.
// Departures: each edge is stored once and looked at both ways (as in the paper's own code);
// a graft that would raise a parent is left out (see graft in rounds.h); of a walk only its end is
// stored. Options: keep=last and shortcut=steps undo the last two.
//
// Speed of CC-updt over CC (Neoverse N1, one thread of a shared machine, processor time,
// 2026-11-16): 0.90 on a random graph of 1M vertices and 4M edges, whose parents fit in the cache,
// 1.05 on 4M / 16M, 1.03 on 4M / 8M, 1.12 on R-MAT of 2M / 20M. The paper has 1.66 to 3.0.
// Likely cause, not shown by timing a CC of the other kind: rounds after the first read few
// parents, and there are few of these. A round here sees its own grafts and keeps the least, so CC
// ends after 3 rounds, CC-updt after 4. By the letter of Algorithm 1, all reads before all stores
// and the last store winning, the same graphs take CC 4 to 6 rounds (5, 6, 4 on random 1M / 4M,
// 1M / 2M, R-MAT 1M / 10M).
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/published/rounds.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void graft_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
              Vertex* labels, const Options& options);

template <class Vertex>
void graft_cc_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                   Vertex* labels, const Options& options);

// CC from where `parent` stands: every vertex must point to its root, and to none above itself.
template <class Vertex>
void join_by_grafting(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* parent, const Options& options);

}  // namespace skerry
