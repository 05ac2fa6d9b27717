// Breadth-first search as steps of spread.h: an unlabeled vertex accepts the first label offered.
// One source is a search, many grow clusters side by side.
#pragma once

#include <cstdint>
#include <utility>

#include "cpu/memory.h"
#include "cpu/pacer.h"
#include "cpu/published/frontier.h"
#include "cpu/published/spread.h"
#include "cpu/views.h"

namespace skerry {

// The label of a vertex that has not been reached: never the id of one.
template <class Vertex>
inline constexpr Vertex kInvalidVertex = static_cast<Vertex>(~Vertex{0});

template <class Vertex>
struct Claim {
  Vertex* labels;

  template <class Memory>
  Vertex label(Vertex u) const {
    return Memory::load(labels + u);
  }

  template <class Memory>
  bool offer(Vertex label, Vertex v) const {
    // Most neighbors are labeled already: load before the expensive compare-and-swap.
    return Memory::load(labels + v) == kInvalidVertex<Vertex> &&
           Memory::compare_and_swap(labels + v, kInvalidVertex<Vertex>, label) ==
               kInvalidVertex<Vertex>;
  }

  template <class Memory>
  bool pull(const CsrView<Vertex>& graph, const Frontier<Vertex>& from, Vertex v) const {
    if (Memory::load(labels + v) != kInvalidVertex<Vertex>) return false;
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const Vertex u = graph.neighbors[e];
      if (!from.has(u)) continue;
      Memory::store(labels + v, Memory::load(labels + u));
      return true;
    }
    return false;
  }
};

// Labels all that can be reached from `source` and has no label yet with `source`; returns the
// number of steps. The two frontiers are scratch.
template <class Memory, class Vertex>
std::uint64_t search_from(Context& context, Pacer& pacer, const CsrView<Vertex>& graph,
                          Vertex source, Frontier<Vertex>& here, Frontier<Vertex>& next,
                          Vertex* labels, std::uint64_t team_from = kTeamFrom) {
  labels[source] = source;
  here.start_list();
  here.push(source, graph.degree(source));
  std::uint64_t steps = 0;
  for (; here.size() != 0 && pacer.go(here.work()); ++steps) {
    spread<Memory>(context, graph, here, next, Claim<Vertex>{labels}, team_from);
    std::swap(here, next);
  }
  return steps;
}

}  // namespace skerry
