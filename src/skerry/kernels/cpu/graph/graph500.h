// Plans of Graph500 graphs (common/graph500.h), and their edges written into arrays.
#pragma once

#include <cstdint>

#include "common/graph500.h"
#include "cpu/context.h"

namespace skerry {

// The plan for the two seeds of a user; a thread goes `stride` edges ahead.
Graph500Plan plan_graph500(std::uint64_t seed1, std::uint64_t seed2, std::uint64_t stride);

// The edges number first .. first + count; the plan has a stride of 1.
template <class Vertex>
void fill_graph500(Context& context, const Graph500& graph, std::uint64_t first,
                   std::uint64_t count, Vertex* src, Vertex* dst);

}  // namespace skerry
