// The independent check of an answer. It shares no step with the kernels that give answers: its
// union-find is the textbook one (Tarjan 1975: union by size, path compression), serial and plain.
//
// The certificate is a spanning forest, a list of input edges. If (1) every edge joins equal
// labels, and (2) the forest has no cycle and exactly n - k edges, where k is the number of
// different labels, then the forest has k trees, each inside one class, so every class is
// connected: the labels are the components.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/context.h"
#include "cpu/memory.h"
#include "cpu/views.h"

namespace skerry {

class TextbookUnionFind {
 public:
  explicit TextbookUnionFind(std::uint64_t vertices) : up_(vertices, -1) {}

  // Joins the sets of u and v; returns whether they were apart.
  bool join(std::uint64_t u, std::uint64_t v) {
    u = root(u);
    v = root(v);
    if (u == v) return false;
    if (up_[u] > up_[v]) std::swap(u, v);
    up_[u] += up_[v];
    up_[v] = static_cast<std::int64_t>(u);
    return true;
  }

  // Prefetch for a later join of v: its own element, then that of its parent.
  void expect(std::uint64_t v) const { prefetch(up_.data() + v); }
  void expect_parent(std::uint64_t v) const {
    if (up_[v] >= 0) prefetch(up_.data() + up_[v]);
  }

 private:
  std::uint64_t root(std::uint64_t v) {
    std::uint64_t top = v;
    while (up_[top] >= 0) top = static_cast<std::uint64_t>(up_[top]);
    while (up_[v] >= 0) {
      const auto next = static_cast<std::uint64_t>(up_[v]);
      up_[v] = static_cast<std::int64_t>(top);
      v = next;
    }
    return top;
  }

  std::vector<std::int64_t> up_;  // a root holds minus its size, another vertex its parent
};

inline constexpr std::uint64_t kNoEdge = ~std::uint64_t{0};

struct Certificate {
  std::uint64_t broken_edge = kNoEdge;  // the first edge whose ends differ in label
  std::vector<std::uint64_t> forest;    // positions of the edges of a spanning forest
};

// Edges between the prefetch for an edge and its use: on graphs larger than the caches, waiting for
// memory is nearly all of a check.
inline constexpr std::uint64_t kCheckAhead = 16;

// A graph is anything with for_each_edge(visit, soon, next), where visit(position, u, v) returns
// whether to continue; soon(v) and next(v) are called with ends of later edges, next after soon.
// `sets` are the trees of the edges before it: none joined, unless a graph comes in parts.
template <class Graph, class Label>
Certificate certify(Context& context, const Graph& graph, TextbookUnionFind& sets,
                    const Label* labels) {
  Certificate certificate;
  const auto visit = [&](std::uint64_t position, std::uint64_t u, std::uint64_t v) {
    if ((position & 0xffff) == 0 && !context.keep_going(0)) return false;
    if (labels[u] != labels[v]) {
      certificate.broken_edge = position;
      return false;
    }
    if (sets.join(u, v)) certificate.forest.push_back(position);
    return true;
  };
  const auto soon = [&](std::uint64_t v) {
    prefetch(labels + v);
    sets.expect(v);
  };
  graph.for_each_edge(visit, soon, [&](std::uint64_t v) { sets.expect_parent(v); });
  return certificate;
}

template <class Id>
struct EdgesOfList {
  EdgeView<Id> edges;
  template <class Visit, class Soon, class Next>
  void for_each_edge(Visit&& visit, Soon&& soon, Next&& next) const {
    for (std::uint64_t i = 0; i < edges.count; ++i) {
      const std::uint64_t later = std::min(i + 2 * kCheckAhead, edges.count - 1);
      soon(std::uint64_t{edges.source(later)});
      soon(std::uint64_t{edges.target(later)});
      const std::uint64_t after = std::min(i + kCheckAhead, edges.count - 1);
      next(std::uint64_t{edges.source(after)});
      next(std::uint64_t{edges.target(after)});
      if (!visit(i, std::uint64_t{edges.source(i)}, std::uint64_t{edges.target(i)})) return;
    }
  }
};

template <class Vertex>
struct EdgesOfRows {
  CsrView<Vertex> graph;
  template <class Visit, class Soon, class Next>
  void for_each_edge(Visit&& visit, Soon&& soon, Next&& next) const {
    const std::uint64_t entries = graph.offsets[graph.vertices];
    for (std::uint64_t v = 0; v < graph.vertices; ++v)
      for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        soon(std::uint64_t{graph.neighbors[std::min(e + 2 * kCheckAhead, entries - 1)]});
        next(std::uint64_t{graph.neighbors[std::min(e + kCheckAhead, entries - 1)]});
        if (!visit(e, v, std::uint64_t{graph.neighbors[e]})) return;
      }
  }
};

}  // namespace skerry
