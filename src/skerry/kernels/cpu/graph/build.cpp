// What rows can be built from, and of what. See build.h, and row_builder.h for the work itself.
#include "cpu/graph/build.h"

#include <algorithm>

#include "cpu/graph/row_builder.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// Rows differ in length by many orders, so few of them are taken at a time.
constexpr std::uint64_t kRows = 256;

// The two things that edges can be read from, in pieces of about the same number of edges:
// visit(position, u, v).
template <class Id>
struct FromList {
  using End = Id;
  static constexpr std::uint64_t step = kGrain;
  EdgeView<Id> edges;

  std::uint64_t cut(std::uint64_t piece, std::uint64_t pieces) const {
    return edges.count / pieces * piece + std::min(piece, edges.count % pieces);
  }
  template <class Visit>
  void visit(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
    for (std::uint64_t i = begin; i < end; ++i) visit(i, edges.source(i), edges.target(i));
  }
};

template <class Vertex>
struct FromRows {
  using End = Vertex;
  static constexpr std::uint64_t step = kRows;
  CsrView<Vertex> graph;

  std::uint64_t cut(std::uint64_t piece, std::uint64_t pieces) const {
    if (piece == pieces) return graph.vertices;
    const std::uint64_t entry = graph.entries() / pieces * piece;
    const auto* const row = std::lower_bound(graph.offsets, graph.offsets + graph.vertices, entry);
    return static_cast<std::uint64_t>(row - graph.offsets);
  }
  template <class Visit>
  void visit(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
    for (std::uint64_t u = begin; u < end; ++u)
      for (std::uint64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e)
        visit(e, static_cast<Vertex>(u), graph.neighbors[e]);
  }
};

// The two things that rows can be made of: take(row, neighbor) for what an edge puts in the rows.
struct BothWays {
  static constexpr bool drop_repeats = true;
  template <class End, class Take>
  static void entries(End u, End v, Take&& take) {
    if (u == v) return;
    take(u, v);
    take(v, u);
  }
};

struct Reversed {
  static constexpr bool drop_repeats = false;
  template <class End, class Take>
  static void entries(End u, End v, Take&& take) {
    take(v, u);
  }
};

template <class Rule, class Source, class Vertex>
Built build_rows(Context& context, const Source& source, std::uint64_t vertices,
                 std::uint64_t* offsets, Vertex* neighbors, std::uint64_t stage) {
  return RowBuilder<Rule, Source, Vertex>(context, source, vertices, offsets, neighbors, stage)
      .build();
}

}  // namespace

template <class Id, class Vertex>
Built symmetric_rows(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                     std::uint64_t* offsets, Vertex* neighbors, std::uint64_t stage) {
  return build_rows<BothWays>(context, FromList<Id>{edges}, vertices, offsets, neighbors, stage);
}

template <class Vertex>
Built symmetric_rows(Context& context, const CsrView<Vertex>& graph, std::uint64_t* offsets,
                     Vertex* neighbors, std::uint64_t stage) {
  return build_rows<BothWays>(context, FromRows<Vertex>{graph}, graph.vertices, offsets, neighbors,
                              stage);
}

template <class Vertex>
Built transposed_rows(Context& context, const CsrView<Vertex>& graph, std::uint64_t* offsets,
                      Vertex* neighbors, std::uint64_t stage) {
  return build_rows<Reversed>(context, FromRows<Vertex>{graph}, graph.vertices, offsets, neighbors,
                              stage);
}

template <class Vertex>
void sort_rows(Context& context, std::uint64_t vertices, const std::uint64_t* offsets,
               Vertex* neighbors) {
  for_ranges(context, vertices, kRows, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t v = begin; v < end; ++v)
      std::sort(neighbors + offsets[v], neighbors + offsets[v + 1]);
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                          \
  template Built symmetric_rows(Context&, const EdgeView<std::uint32_t>&, std::uint64_t,    \
                                std::uint64_t*, Vertex*, std::uint64_t);                    \
  template Built symmetric_rows(Context&, const EdgeView<std::uint64_t>&, std::uint64_t,    \
                                std::uint64_t*, Vertex*, std::uint64_t);                    \
  template Built symmetric_rows(Context&, const CsrView<Vertex>&, std::uint64_t*, Vertex*,  \
                                std::uint64_t);                                             \
  template Built transposed_rows(Context&, const CsrView<Vertex>&, std::uint64_t*, Vertex*, \
                                 std::uint64_t);                                            \
  template void sort_rows(Context&, std::uint64_t, const std::uint64_t*, Vertex*);

SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
