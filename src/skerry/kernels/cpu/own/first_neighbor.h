// Inits that link every vertex with the first entry of its row: no gather, no atomic, and on a
// symmetric CSR a third or more of all hooks are done when they return. A departure from ECL-CC's
// Init3 (Jaiganesh & Burtscher 2018, sect. 3), which searches the row for a smaller neighbor: with
// sorted rows the first entry is the smallest, with others it is still a valid first parent.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/own/check_rows.h"
#include "cpu/passes/passes.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// The first entry of row [begin, end) if it is below v, else v; without a branch, since for
// shuffled ids it would be mispredicted at every other vertex. The graph must have an entry.
template <class Vertex>
Vertex first_if_smaller(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
                        std::uint64_t last, Vertex v) {
  const Vertex none = static_cast<Vertex>(-static_cast<Vertex>(begin >= end));  // all bits or none
  const Vertex entry = graph.neighbor(std::min(begin, last));
  return std::min(static_cast<Vertex>(entry | none), v);
}

// Links every vertex of [from, to) with its first neighbor, if that is smaller.
template <class Vertex>
void link_first(const CsrView<Vertex>& graph, std::uint64_t from, std::uint64_t to,
                Vertex* parent) {
  const CsrView<Vertex> rows = graph;  // a copy that no store can change
  const std::uint64_t last = rows.entries() - 1;
  std::uint64_t begin = look(rows.offsets + from);
  for (std::uint64_t v = from; v < to; ++v) {
    const std::uint64_t end = look(rows.offsets + v + 1);
    parent[v] = first_if_smaller(rows, begin, end, last, static_cast<Vertex>(v));
    begin = end;
  }
}

// The same, and a vertex whose first neighbor is larger is linked over it: to the first one of its
// row. Around hubs that come after their leaves, that makes the trees that all their entries would,
// and needs no atomic.
template <class Vertex>
void link_over(const CsrView<Vertex>& graph, std::uint64_t from, std::uint64_t to, Vertex* parent) {
  const CsrView<Vertex> rows = graph;  // a copy that no store can change
  std::uint64_t over = rows.vertices;
  Vertex next = 0;  // the first entry of its row, which often is the next vertex's, too
  for (std::uint64_t row = from; row < to; ++row) {
    const Vertex v = static_cast<Vertex>(row), u = rows.first(row);
    Vertex link = std::min(u, v);
    if (u > v && u < rows.vertices) {
      if (u != over) {
        over = u;
        next = rows.first(over);
      }
      link = std::min(next, v);
    }
    parent[row] = link;
  }
}

// Whether that pays, by a sample of the rows [from, to): at most kFewSmaller begin with a smaller
// neighbor, and at least kManyOver would be linked over a larger one.
inline constexpr std::uint64_t kFewSmaller = 1, kManyOver = 9;  // of 16

template <class Vertex>
bool over_pays(const CsrView<Vertex>& graph, std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t kSample = 16;
  const auto sampled = [&](std::uint64_t i) { return from + (to - from) * i / kSample; };
  std::uint64_t first[kSample], smaller = 0, over = 0;
  for (std::uint64_t i = 0; i < kSample; ++i) {
    first[i] = graph.first(sampled(i));
    smaller += first[i] < sampled(i);
  }
  if (smaller > kFewSmaller) return false;
  for (std::uint64_t i = 0; i < kSample; ++i) {
    over += first[i] < graph.vertices && graph.first(first[i]) < sampled(i);
  }
  return over >= kManyOver;
}

// One thread does not link over larger neighbors: it needs no atomics.
template <class Vertex>
void init_first(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
                Vertex* parent) {
  if (graph.entries() == 0) return init_own(context, graph.vertices, parent);
  const bool shared = context.threads > 1;
  for_ranges(context, graph.vertices, [&](std::uint64_t from, std::uint64_t to, int) {
    const bool over = shared && over_pays(graph, from, to);
    check.in_pieces(from, to, [&](std::uint64_t first, std::uint64_t past) {
      if (over) {
        link_over(graph, first, past, parent);
      } else {
        link_first(graph, first, past, parent);
      }
    });
  });
  check.end();
}

}  // namespace skerry
