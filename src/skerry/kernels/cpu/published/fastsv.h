// FastSV: Zhang, Azad & Hu, "FastSV: A Distributed-Memory Connected Component Algorithm with Fast
// Convergence" (SIAM PP 2020).
//
// Every vertex v has a parent f[v] <= v, at first itself, and a grandparent g[v] = f[f[v]] as it
// was when the round began. A round lowers parents in three ways, then computes g anew:
//   1. stochastic hooking: for every edge (u, v), f[f[v]] is lowered to g[u]. Shiloach & Vishkin
//      hook roots only; here any vertex that is a parent moves, so a part of a tree may leave it;
//   2. aggressive hooking: for every edge, f[v] itself is lowered to g[u], too;
//   3. shortcutting: f[v] is lowered to g[v].
// It ends with the round that leaves every g as it was. There is no search for stars.
//
// Why it may end then. After a round f[v] <= g[u] for every edge in either direction, and
// f[v] <= g[v], with the old g. If the new g is the old, then g[v] = f[f[v]] <= f[v] <= g[v]: all
// trees are stars; and f[v] <= g[u] = f[u] for every edge in either direction: f is equal at both
// ends. As f[v] <= v and f[v] is of v's component, f[v] is its smallest member: the labels are
// canonical. Nothing of this needs step 1, which is there to take few rounds.
//
// Departures:
//   - The paper computes with a sparse matrix on distributed memory (CombBLAS, later GraphBLAS):
//     its steps are products over the semiring (select second, min) that make new vectors. Here
//     threads lower f in place by compare-and-swap, so an edge may see what another has done in
//     the same round, and both give the minimum.
//   - An edge whose ends have equal grandparents costs two loads and nothing else: step 3 brings
//     what its hooks would have. Of the others only the end with the larger grandparent is hooked,
//     for the same reason.
//   - f and g are two arrays; the paper keeps f of the last round as well.
// Without step 2 (aggressive=0) it ends rightly, too: a value that f[v] had in the round, at the
// time of the hook, is a root afterwards or was one before, so f[v] <= g[u] follows again.
//
// Options: aggressive (1): 0 leaves out step 2. For rows one_direction (0): 1 promises that every
// edge is stored in both directions.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void fastsv(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options);

template <class Vertex>
void fastsv(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices, Vertex* labels,
            const Options& options);

}  // namespace skerry
