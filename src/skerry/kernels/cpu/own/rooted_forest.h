// A spanning forest that is asked questions: the path between two vertices, and which of its edges
// no other edge of the graph goes around (bridges).
//
// Rooting needs no lists of neighbors: a vertex keeps the number of its edges and the XOR of their
// numbers, so that of a leaf the XOR is its one edge. Leaves are taken off until nothing is left,
// children before their parents.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

// The arrays of a rooted forest, an element for every vertex.
template <class Vertex>
struct RootedForest {
  Vertex* up;     // the parent in the tree; of a root itself
  Vertex* edge;   // the number of the edge to it
  Vertex* depth;  // edges to the root
};

// Roots the trees of these edges. `order` has room for as many vertices as there are edges; it gets
// all but the roots, children first. Returns how many these are: fewer than the edges if those make
// a cycle, and 0 if an end is no vertex.
template <class Vertex>
std::uint64_t root_forest(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* order);

// The path from u to v, which must be in one tree: its vertices, both included, and its edges. Both
// outputs have room for depth[u] + depth[v], and one more for the vertices. Returns the number of
// edges.
template <class Vertex>
std::uint64_t forest_path(const RootedForest<Vertex>& forest, Vertex u, Vertex v, Vertex* vertices,
                          Vertex* edges);

// Notes for edges of the graph which edges of the forest lie on the path between their ends: each
// of those is no bridge. `top[v]` leads from v up to the first edge that none has covered so far;
// in the beginning it is v. An edge between two neighbors in the forest covers nothing: it states
// the same link again. Returns the position of an edge whose ends are in two trees, or no vertices;
// `edges.count` if there is none.
//
// Every step up is taken once for all edges together, but for the walks along `top`, which halve
// their paths. One thread: a walk depends on those before it.
template <class Id, class Vertex>
std::uint64_t cover_paths(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* top);

// Joins the edges of the forest that lie on a cycle together: what an edge of the graph closes,
// with the path between its ends. So the sets are the edges of each biconnected component. An edge
// is named by its lower end, and `block[v]` leads from v to one that is not deeper; in the
// beginning it is v. Returns as cover_paths does.
//
// A walk goes from an end to the top of the set of the edge above it, which may lie above where
// both walks meet: then the other walk comes to the same set.
template <class Id, class Vertex>
std::uint64_t join_cycles(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* block);

// The number of vertices in the subtree of each; `order` is that of root_forest.
template <class Vertex>
void subtree_sizes(const RootedForest<Vertex>& forest, const Vertex* order, std::uint64_t count,
                   std::uint64_t vertices, Vertex* sizes);

}  // namespace skerry
