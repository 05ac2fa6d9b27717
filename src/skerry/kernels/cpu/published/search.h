// Kernels that search from one unlabeled vertex after the other, in ascending order, so that a
// label is the smallest member. registry.h has the contract of a kernel.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

// Serial depth-first and breadth-first search; they use one thread whatever the context allows.
template <class Vertex>
void dfs(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options);

template <class Vertex>
void bfs(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options);

// Parallel, direction-optimizing breadth-first search.
template <class Vertex>
void bfscc(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options);

}  // namespace skerry
