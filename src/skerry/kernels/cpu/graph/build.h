// From edge lists, or rows of any kind, to compressed sparse rows that kernels can rely on.
//
// Rows are built by a counting sort in two steps, first into buckets of neighboring rows and then,
// each bucket in the cache of one thread, into rows. No thread writes where another one does:
// placing the entries by atomic additions was several times slower with two threads than with one.
// The result does not depend on the number of threads.
//
// Memory beyond the edges read: the two output arrays, which are offsets (8 bytes a vertex) and
// neighbors (one Vertex for each of at most 2m entries), and a stage (4 bytes and a Vertex for
// each of its entries). The stage holds all entries, or from kStage entries on only kStage or a
// quarter of them at a time, whichever is more, for which the edges are read up to nine times. A
// bucket is never cut: where one alone has more, the stage is as large as that. Repeats are removed
// in place.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/graph/inputs.h"
#include "cpu/views.h"

namespace skerry {

inline constexpr std::uint64_t kStage = std::uint64_t{1} << 27;

struct Built {
  std::uint64_t entries = 0;  // elements of the neighbors array that are used
  // The first edge with an end out of range; if there is one, nothing is built.
  std::uint64_t outside = kNowhere;
};

// Both directions of every edge, loops and repeats removed, rows ascending. offsets has vertices +
// 1 elements and neighbors twice as many as there are edges.
template <class Id, class Vertex>
Built symmetric_rows(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                     std::uint64_t* offsets, Vertex* neighbors, std::uint64_t stage = kStage);
template <class Vertex>
Built symmetric_rows(Context& context, const CsrView<Vertex>& graph, std::uint64_t* offsets,
                     Vertex* neighbors, std::uint64_t stage = kStage);

// The reverse of every entry, rows ascending; loops and repeats stay. neighbors has as many
// elements as the graph has entries.
template <class Vertex>
Built transposed_rows(Context& context, const CsrView<Vertex>& graph, std::uint64_t* offsets,
                      Vertex* neighbors, std::uint64_t stage = kStage);

// Sorts the rows of a graph that is laid out already.
template <class Vertex>
void sort_rows(Context& context, std::uint64_t vertices, const std::uint64_t* offsets,
               Vertex* neighbors);

}  // namespace skerry
