// ECLaf, the atomic-free relative of ECL-CC: Jaiganesh, master's thesis (Texas State University,
// 2017), sect. 4.5, Algorithms 14 and 15.
//
// Every vertex begins at its first smaller neighbor. A round finds the representatives of both
// ends of every entry and hooks the larger onto the smaller by a plain store; rounds go on until
// one hooks nothing, then every vertex is made to point to its root: the smallest member.
// Departures: the printed loop would end after one round and counts every edge as a change; here
// a change is a hook. Entries are looked at both ways, so a CSR that stores an edge only once is
// right too; with one_direction only those below their row, as in the thesis.
//
// Why races are harmless: parent[v] <= v always, so there are no cycles. A store may undo another
// thread's hook, but the round counts as changed, and the last round, in which no hook was stored
// at all, has seen both ends of every entry at one root. Rounds end, as a hooked vertex was a root
// in that round and never is one again.
//
// Options: one_direction (0): 1 promises that every edge is stored in both directions.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void eclaf(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options);

}  // namespace skerry
