// Queries on a forest that is still growing: a parent array between two batches of edges, with
// trees that need not be flat. Other threads may ask a RootReader at the same time.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

// The root of each of `count` vertices, which is the smallest member of its tree so far. Paths are
// halved on the way, so that repeated queries are cheap. What is no vertex is a fault
// (Context::add_fault), and its root the maximum (invalid).
template <class Id, class Vertex>
void find_roots(Context& context, const Id* ids, std::ptrdiff_t step, std::uint64_t count,
                std::uint64_t vertices, Vertex* parent, Vertex* roots);

// Makes every vertex point to its root.
template <class Vertex>
void flatten(Context& context, std::uint64_t vertices, Vertex* parent);

// Sets flags[v] for every vertex that has been joined with another: it has a parent, or is one.
// Flags that are set stay so.
template <class Vertex>
void mark_joined(Context& context, std::uint64_t vertices, const Vertex* parent,
                 std::uint8_t* flags);

// How many flags are set.
std::uint64_t count_flags(Context& context, std::uint64_t vertices, const std::uint8_t* flags);

// Leaves out the vertices without a flag: `kept` gets the others in ascending order, `labels` for
// each of them the position of its label in `kept`. The trees must be flat, and with a vertex its
// root must have a flag. Both have count_flags() elements.
template <class Vertex>
void keep_flagged(Context& context, std::uint64_t vertices, const Vertex* parent,
                  const std::uint8_t* flags, std::int64_t* kept, Vertex* labels);

}  // namespace skerry
