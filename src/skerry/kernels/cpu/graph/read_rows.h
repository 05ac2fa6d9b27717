// What is read from compressed sparse rows: edge lists, and whether the rows ascend and hold every
// edge in both directions. Nothing is copied; a few bytes for each block of rows are all the
// memory.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/graph/inputs.h"
#include "cpu/views.h"

namespace skerry {

// The source of every entry: with the neighbors, the edge list of all entries.
template <class Vertex>
void fill_sources(Context& context, const CsrView<Vertex>& graph, Vertex* src);

// The entries (u, v) with u < v: of a symmetric graph, every edge once.
template <class Vertex>
std::uint64_t count_upper(Context& context, const CsrView<Vertex>& graph);
// Writes nothing and returns false if `count` is not their number.
template <class Vertex>
bool fill_upper(Context& context, const CsrView<Vertex>& graph, std::uint64_t count, Vertex* src,
                Vertex* dst);

template <class Vertex>
bool rows_ascend(Context& context, const CsrView<Vertex>& graph);

// The first entry (u, v) without an entry (v, u), or kNowhere. Rows must ascend.
template <class Vertex>
std::uint64_t first_one_way(Context& context, const CsrView<Vertex>& graph);

}  // namespace skerry
