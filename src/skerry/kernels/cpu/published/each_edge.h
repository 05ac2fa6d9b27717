// Every edge once, from an edge list or from rows: what lets one text of an algorithm read both.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// Rows as edges. `one_direction` promises that every edge is stored in both rows: then the entries
// above their row are left out.
template <class Vertex>
struct RowEdges {
  CsrView<Vertex> graph;
  bool one_direction;
};

// Calls body(u, v, tally) for every edge of the list, on a team.
template <class Tally, class Vertex, class Body>
void for_each_edge(Context& context, const EdgeView<Vertex>& edges, Body&& body) {
  for_ranges(context, edges.count, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    for (std::uint64_t i = begin; i < end; ++i) body(edges.source(i), edges.target(i), tally);
  });
}

// The same for rows, which differ in length: small ranges balance them.
template <class Tally, class Vertex, class Body>
void for_each_edge(Context& context, const RowEdges<Vertex>& rows, Body&& body) {
  const CsrView<Vertex>& graph = rows.graph;
  for_ranges(context, graph.vertices, 1 << 10, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    for (std::uint64_t row = begin; row < end; ++row) {
      for (std::uint64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
        const Vertex u = graph.neighbors[e];
        if (!rows.one_direction || u < row) body(static_cast<Vertex>(row), u, tally);
      }
    }
  });
}

}  // namespace skerry
