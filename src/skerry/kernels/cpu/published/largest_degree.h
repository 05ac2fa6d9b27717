// The vertex that algorithms start from which look for the largest component first.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// The smallest of those with the largest degree, so that the choice does not depend on threads.
template <class Vertex>
Vertex vertex_of_largest_degree(Context& context, const CsrView<Vertex>& graph) {
  std::vector<std::uint64_t> best(static_cast<std::size_t>(context.threads), 0);
  const auto better = [&graph](std::uint64_t v, std::uint64_t than) {
    return graph.degree(v) > graph.degree(than) ||
           (graph.degree(v) == graph.degree(than) && v < than);
  };
  for_ranges(context, graph.vertices, [&](std::uint64_t begin, std::uint64_t end, int thread) {
    std::uint64_t maximum = 0;
    std::uint64_t mine = begin;
    for (std::uint64_t v = begin; v < end; ++v) {
      if (graph.degree(v) <= maximum) continue;
      maximum = graph.degree(v);
      mine = v;
    }
    std::uint64_t& before = best[static_cast<std::size_t>(thread)];
    if (better(mine, before)) before = mine;
  });
  std::uint64_t largest = 0;
  for (const std::uint64_t v : best)
    if (better(v, largest)) largest = v;
  return static_cast<Vertex>(largest);
}

}  // namespace skerry
