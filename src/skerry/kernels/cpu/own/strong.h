// Strongly connected components of a directed graph: two vertices belong together if each reaches
// the other.
//
// A large component of low diameter is found first, by two searches of a whole team from a pivot
// (forward-backward: L. Fleischer, B. Hendrickson, A. Pinar, "On identifying strongly connected
// components in parallel", 2000). The rest is searched depth first, by the algorithm of D. Pearce,
// "A space-efficient algorithm for finding strongly connected components", 2016: one array of
// numbers beside two stacks. Departures: the backward search needs no transpose, since it looks for
// vertices with a marked successor; what the pivot reaches and what it does not reach are searched
// at the same time; and the rows are checked as they are read.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

// Numbers the components from 0 in a reverse topological order: an edge leads to a component of the
// same or of a smaller number. The numbers do not depend on the number of threads. Without a large
// component found first, they are those of a depth-first search from vertex 0 on that takes the
// last entry of each row first. Returns how many components there are.
//
// Rows may be invalid: context.faulty() says so, and the labels then mean nothing.
template <class Vertex>
std::uint64_t strong_components(Context& context, const CsrView<Vertex>& graph, Vertex* labels);

}  // namespace skerry
