// Spanning forests of weighted edges: what joins first when edges come in order of their weights.
//
// Kruskal, "On the Shortest Spanning Subtree of a Graph" (1956). The order is the caller's, so that
// the same code makes minimum and maximum forests, of weights and of levels.
#pragma once

#include <cstdint>

#include "cpu/context.h"

namespace skerry {

// Goes through edges in the order given, order[0], order[1], ... of them, and writes those that
// join two trees to `kept`, in this order. Returns how many. `parent` holds a tree for each vertex
// when this begins. `kept` needs room for as many as `count`, or vertices - 1 where that is less.
// It ends where there is no such edge among the `edges`, or an end is no vertex, which is a fault
// (Context::add_fault).
template <class Vertex>
std::uint64_t keep_joining(Context& context, const Vertex* src, const Vertex* dst,
                           std::uint64_t edges, const std::int64_t* order, std::uint64_t count,
                           std::uint64_t vertices, Vertex* parent, std::int64_t* kept);

// The merges that edges make, in the order in which they stand: every one must join two trees.
// Clusters are numbered as scipy does: 0..vertices-1 are the vertices, edge i makes
// vertices + i of the clusters left[i] < right[i], with size[i] vertices.
// Returns how many edges were gone through: fewer than `count` where one joins
// nothing, or an end is no vertex.
template <class Vertex>
std::uint64_t merge_clusters(Context& context, const Vertex* src, const Vertex* dst,
                             std::uint64_t count, std::uint64_t vertices, std::int64_t* left,
                             std::int64_t* right, std::int64_t* size);

}  // namespace skerry
