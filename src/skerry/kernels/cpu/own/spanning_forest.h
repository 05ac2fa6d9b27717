// A union-find that remembers why: for every root that is hooked, the edge that did it.
//
// A root is hooked once, by the thread whose compare-and-swap succeeds, so n vertices and k
// components have n - k recorded edges. They make no cycle, since each joined two trees: a spanning
// forest of edges of the input, with any number of threads. With one thread an edge list gives the
// forest of its first edges: an edge is left out only if edges before it join its ends.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

// What is recorded, by hooked root; elements of other vertices are not written. All words of a
// record lie side by side, so that it takes one access to memory.
template <class Vertex>
struct ForestRecord {
  static constexpr std::uint64_t kEnds = 2 * sizeof(Vertex) / sizeof(std::uint64_t);

  std::uint64_t* words;  // the row, the ends (source before target), perhaps the weight
  bool weighted = false;

  std::uint64_t width() const { return 1 + kEnds + weighted; }

  void write(Vertex root, std::uint64_t row, Vertex source, Vertex target) const {
    std::uint64_t* const record = words + root * width();
    record[0] = row;
    if constexpr (kEnds == 1) {
      record[1] = source | static_cast<std::uint64_t>(target) << 32;
    } else {
      record[1] = source;
      record[2] = target;
    }
  }
  void write_weight(Vertex root, std::uint64_t bits) const {
    words[root * width() + 1 + kEnds] = bits;
  }
};

// How edges are called: edge i is row names[i], or first + i without names.
struct EdgeNames {
  const std::uint64_t* names = nullptr;
  std::uint64_t first = 0;
  const std::uint64_t* weights = nullptr;  // the 64 bits of that of edge i

  std::uint64_t row(std::uint64_t i) const { return names == nullptr ? first + i : names[i]; }
};

// Joins the ends of edges. An end that is no vertex is a fault.
template <class Id, class Vertex>
void record_edges(Context& context, const EdgeView<Id>& edges, const EdgeNames& names,
                  std::uint64_t vertices, Vertex* parent, const ForestRecord<Vertex>& record);

// The same for rows, whose entries are called by their positions. `symmetric`: all entries are
// stored in both directions.
template <class Vertex>
void record_rows(Context& context, const CsrView<Vertex>& graph, bool symmetric, Vertex* parent,
                 const ForestRecord<Vertex>& record);

}  // namespace skerry
