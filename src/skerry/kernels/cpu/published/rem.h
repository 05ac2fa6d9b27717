// Rem's algorithm in parallel, without locks: Patwary, Refsnes & Manne, "Multi-core Spanning Forest
// Algorithms using the Disjoint-set Data Structure" (IPDPS 2012). Rem's algorithm itself is in
// Dijkstra, "A Discipline of Programming" (1976).
//
// An edge's two ends climb together. The one with the larger parent gets the other's parent
// (splicing, which compresses the path while it is climbed) and goes on from its old parent; where
// it was a root, that has hooked it and the trees are one. Always parent[v] <= v, so the labels
// are the smallest members. All stores are plain: when two threads write the same parent, one
// store is lost, and with it the connection that it stood for. Afterwards passes over recorded
// edges look for ends with different roots and unite them again, until there are none.
//
// Which edges must be recorded. Those that have hooked a root, which are enough for one thread's
// spanning forest, are not enough here: an edge that only splices hangs a vertex into a tree which
// its own tree is not yet joined with, and another edge may be taken for settled because of that
// link, or hook on the strength of it; if a later splice moves the vertex on and that hook is lost,
// no edge that hooked shows that the two trees belong together. (Random interleavings of a few
// threads on a dozen vertices find this: rarely, but the labels are wrong.) So every edge that has
// written anything is recorded, and these suffice. Let ~ be the partition that the recorded edges
// make.
//   - Every link that was ever written lies within ~. For when edge (u, v) writes parent[x] = p,
//     it has read the links of a path from u to x and of one from v to p. Those were written
//     before, so by induction u ~ x and v ~ p, and u ~ v as the edge is recorded now: x ~ p.
//     (Before: a store depends on the loads that led to it, and a load comes after the store that
//     it reads from. Relaxed order keeps both.)
//   - An edge that has written nothing has read a path of links between its ends, so they are in ~.
// So ~ is the components, whatever was lost. The passes may lose links in their turn, but not
// recorded edges; when each of those has its ends at one root, the trees are the components too.
// There are finitely many passes: each that finds anything hooks a root (its first edge meets two
// roots, unless one has been hooked meanwhile), and a vertex with a smaller parent never becomes a
// root again. One thread loses nothing, and records nothing.
//
// Departures: edges that only splice are recorded too; and the record is a bit an edge, as a list
// could run out of memory inside a thread.
//
// Options: prefetch (0): fetch the parents of the edges some positions ahead (Cong & Muzio 2014,
// sect. 6: Rem with software prefetching is the fastest on their CPU).
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void parallel_rem(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                  Vertex* labels, const Options& options);

}  // namespace skerry
