// The independent check of an answer. It shares nothing with the kernels that give answers: its
// union-find is the textbook one (Tarjan 1975: union by size, path compression), serial and plain.
//
// The certificate is a spanning forest, a list of input edges. If (1) every edge joins equal
// labels, and (2) the forest has no cycle and exactly n - k edges, where k is the number of
// different labels, then the forest has k trees, each inside one class, so every class is
// connected: the labels are the components.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

class TextbookUnionFind {
 public:
  explicit TextbookUnionFind(std::uint64_t vertices) : up_(vertices, -1) {}

  // Joins the sets of u and v; says whether they were apart.
  bool join(std::uint64_t u, std::uint64_t v) {
    u = root(u);
    v = root(v);
    if (u == v) return false;
    if (up_[u] > up_[v]) std::swap(u, v);
    up_[u] += up_[v];
    up_[v] = static_cast<std::int64_t>(u);
    return true;
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

// A graph is anything with for_each_edge(visit), where visit(position, u, v) says whether to go on.
// `sets` are the trees of the edges before it: none joined, unless a graph comes in parts.
template <class Graph, class Label>
Certificate certify(Context& context, const Graph& graph, TextbookUnionFind& sets,
                    const Label* labels) {
  Certificate certificate;
  graph.for_each_edge([&](std::uint64_t position, std::uint64_t u, std::uint64_t v) {
    if ((position & 0xffff) == 0 && !context.keep_going(0)) return false;
    if (labels[u] != labels[v]) {
      certificate.broken_edge = position;
      return false;
    }
    if (sets.join(u, v)) certificate.forest.push_back(position);
    return true;
  });
  return certificate;
}

template <class Id>
struct EdgesOfList {
  EdgeView<Id> edges;
  template <class Visit>
  void for_each_edge(Visit&& visit) const {
    for (std::uint64_t i = 0; i < edges.count; ++i)
      if (!visit(i, std::uint64_t{edges.source(i)}, std::uint64_t{edges.target(i)})) return;
  }
};

template <class Vertex>
struct EdgesOfRows {
  CsrView<Vertex> graph;
  template <class Visit>
  void for_each_edge(Visit&& visit) const {
    for (std::uint64_t v = 0; v < graph.vertices; ++v)
      for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
        if (!visit(e, v, std::uint64_t{graph.neighbours[e]})) return;
  }
};

}  // namespace skerry
