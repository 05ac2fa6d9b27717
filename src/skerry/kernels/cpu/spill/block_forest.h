// Union-find over the upper block of the vertices alone, where the parents of all do not fit in
// memory: those of the block are there, those below it are not.
//
// As everywhere, parent[v] <= v. A path therefore leaves the block at most once, downwards, and the
// vertex that it leaves to stands for its end, though it may not be a root. An edge whose two paths
// leave to different vertices is not joined but becomes an edge between these: what it says is then
// said by the vertices below the block alone. So the block is done for good, and the next one below
// is the upper block of a smaller graph. Sibeyn, "External Connected Components" (SWAT 2004), and
// Dementiev, Sanders, Schultes & Sibeyn, "Engineering an External Memory Minimum Spanning Tree
// Algorithm" (2004), remove vertex by vertex in this way; here a block goes at once.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

// Joins edges; `parent` is of the vertices low..low+size-1. Writes the edges below the block that
// are left, two vertices each, and returns how many. An end of low+size or more is a fault
// (Context::add_fault), and its edge is left out.
template <class Vertex>
std::uint64_t join_block(Context& context, const EdgeView<Vertex>& edges, std::uint64_t low,
                         std::uint64_t size, Vertex* parent, Vertex* left);

// Makes every vertex of the block point to the end of its path: its root, or the vertex below the
// block that it leaves to.
template <class Vertex>
void flatten_block(Context& context, std::uint64_t low, std::uint64_t size, Vertex* parent);

// Adds 1 to counts[v - low] for every v in low..low+size-1.
template <class Vertex>
void count_block(Context& context, const Vertex* values, std::uint64_t count, std::uint64_t low,
                 std::uint64_t size, Vertex* counts);

}  // namespace skerry
