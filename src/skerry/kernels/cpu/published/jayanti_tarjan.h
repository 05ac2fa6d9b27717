// Randomized concurrent set union: Jayanti & Tarjan, "A Randomized Concurrent Algorithm for
// Disjoint Set Union" (PODC 2016) and "Concurrent Disjoint Set Union" (Distributed Computing 2021).
//
// A union-find without locks. Vertices have a random total order, drawn once. To join two trees,
// both roots are looked up, and the one that comes first in the order is linked below the other by
// a compare-and-swap; where it fails since the root has got a parent meanwhile, both walks go on
// from there. A walk to a root splits its path: each vertex u on it is moved from its parent v to
// its grandparent w by a compare-and-swap. One-try splitting then goes on at v whether or not that
// succeeded. Two-try splitting does it twice before it goes on, and has the better bound:
// expected O(m (log(1 + np/m) + alpha(n, m/(np)))) steps for m operations of p processes. Because
// of the random order no input makes trees deep: their height is O(log n) with high probability,
// without ranks that threads would have to keep consistent.
//
// Departures:
//   - The order is not stored: u comes before v where the hash of u is the smaller. The hash, the
//     finalizer of SplitMix64 of (key + u), is a bijection of 64-bit numbers, so there are no ties
//     and vertices keep their numbers. It is computed for both roots when two trees are to be
//     linked, and nowhere else.
//   - A root is a random member, not the smallest, so the catalog adds the pass that replaces it by
//     the smallest: 3 to 15 % of the time. The order of numbers (random=0) is faster on graphs that
//     are not made against it, 1.02 to 1.42 times on one thread of a Neoverse-N1: its roots are
//     close to each other, and it needs no hash.
//   - The paper has many sets and operations that come at any time. Here edges are united in
//     parallel, all threads end, and a last pass makes every vertex point to its root.
//
// Options: tries (2): how often a walk tries to move a vertex before it goes on, 0 for never (no
// compaction); random (1): 0 orders by number, so that the smallest vertex becomes the root; seed
// (1): of the order. For rows one_direction (0): 1 promises that every edge is stored in both
// directions.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void jayanti_tarjan(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                    const Options& options);

template <class Vertex>
void jayanti_tarjan(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                    Vertex* labels, const Options& options);

}  // namespace skerry
