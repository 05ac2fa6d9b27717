// Graft and shortcut over an edge list: Algorithms 1 (CC) and 2 (CC-updt) of Cong & Muzio, "Fast
// Parallel Connected Components Algorithms on GPUs" (2014), sect. 2 and 4.
//
// A round grafts the root of the larger end of every edge onto that of the smaller, then makes
// every vertex point to its root; the last round grafts nothing. CC-updt reads the roots from its
// own copy of the edges, whose ends the update step replaces by their roots after every round.
// The labels are the smallest members.
// Departures: each edge is stored once and looked at both ways (as in the paper's own code);
// a graft that would raise a parent is left out (see graft in rounds.h).
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
                      Vertex* parent);

}  // namespace skerry
