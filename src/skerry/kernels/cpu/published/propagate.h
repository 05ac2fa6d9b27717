// Label propagation over frontiers, as steps of spread.h: a vertex takes every label smaller than
// its own, and only those whose label has changed offer theirs in the next round.
//
// Shun & Blelloch, "Ligra" (PPoPP 2013): Components. Departure: the value that the compare-and-swap
// replaced shows whether a vertex has changed for the first time in a round, not one read before
// it, so that no vertex is listed twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cpu/memory.h"
#include "cpu/pacer.h"
#include "cpu/published/frontier.h"
#include "cpu/published/spread.h"
#include "cpu/scratch.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
struct Lower {
  Vertex* labels;
  const Vertex* previous;  // the labels at the start of the round

  template <class Memory>
  Vertex label(Vertex u) const {
    return Memory::load(labels + u);
  }

  template <class Memory>
  bool offer(Vertex label, Vertex v) const {
    Vertex seen = Memory::load(labels + v);
    while (label < seen) {
      const Vertex before = Memory::compare_and_swap(labels + v, seen, label);
      if (before == seen) return seen == previous[v];
      seen = before;
    }
    return false;
  }

  template <class Memory>
  bool pull(const CsrView<Vertex>& graph, const Frontier<Vertex>& from, Vertex v) const {
    const Vertex own = Memory::load(labels + v);
    Vertex smallest = own;
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const Vertex u = graph.neighbors[e];
      if (from.has(u)) smallest = std::min(smallest, Memory::load(labels + u));
    }
    if (smallest == own) return false;
    Memory::store(labels + v, smallest);
    return true;
  }
};

// Lowers labels until no edge joins two different ones. `here` holds every vertex whose label may
// be smaller than a neighbor's, and all their neighbors; it and `next` are scratch. Teams start
// from so much work on, and none from the first round of fewer than `serial_below` vertices.
// Returns the number of rounds, the last of which changes nothing.
template <class Memory, class Vertex>
std::uint64_t propagate(Context& context, const CsrView<Vertex>& graph, Frontier<Vertex>& here,
                        Frontier<Vertex>& next, Vertex* labels, std::uint64_t team_from = kTeamFrom,
                        std::uint64_t serial_below = 0) {
  const auto previous = make_scratch<Vertex>(context.scratch, graph.vertices);
  const Lower<Vertex> step{labels, previous.get()};
  Pacer pacer(context);
  std::uint64_t rounds = 0;
  for (; here.size() != 0 && pacer.go(here.work()); ++rounds) {
    here.for_members(context, [&](Vertex v) { previous[v] = labels[v]; });
    if (here.size() < serial_below) team_from = ~std::uint64_t{0};  // and it stays so
    spread<Memory>(context, graph, here, next, step, team_from);
    std::swap(here, next);
  }
  return rounds;
}

}  // namespace skerry
