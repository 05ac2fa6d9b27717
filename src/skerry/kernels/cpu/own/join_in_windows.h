// Joins all entries of rows that first_neighbor.h has left, in windows: see pair_window.h.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/own/pair_window.h"
#include "cpu/views.h"

namespace skerry {

template <bool kOneDirection, class Window, class Vertex>
void offer_row(Window& window, const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
               std::uint64_t last, Vertex v) {
  const Vertex n = static_cast<Vertex>(graph.vertices);
  const auto wanted = [n, v](Vertex u) { return u < (kOneDirection ? v : n); };
  if constexpr (!kOneDirection) {  // a larger first entry was not linked
    const Vertex u = graph.neighbor(std::min(begin, last));
    window.offer(u, v, (begin < end) & (u > v) & (u < n));
    if (window.full()) window.join_all();
  }
  // Most rows here have two entries or fewer: the second is offered without asking for the length.
  const Vertex second = graph.neighbor(std::min(begin + 1, last));
  window.offer(second, v, begin + 1 < end && wanted(second));
  if (begin + 2 < end) {
    const std::uint64_t stop = std::min(end, graph.entries());
    for (std::uint64_t e = begin + 2; e < stop; ++e) {
      if (window.full()) window.join_all();
      const Vertex u = graph.neighbor(e);
      window.offer(u, v, wanted(u));
    }
  }
  if (window.full()) window.join_all();
}

// Joins the entries of the rows [from, to).
template <bool kOneDirection, class Memory, class Vertex, class Tally>
void join_in_windows(const CsrView<Vertex>& graph, std::uint64_t from, std::uint64_t to,
                     Vertex* parent, Tally& tally) {
  const std::uint64_t last = graph.entries() - 1;
  PairWindow<Memory, Vertex, Tally> window(parent, tally);
  std::uint64_t begin = look(graph.offsets + from);
  for (std::uint64_t v = from; v < to; ++v) {
    const std::uint64_t end = look(graph.offsets + v + 1);
    offer_row<kOneDirection>(window, graph, begin, end, last, static_cast<Vertex>(v));
    begin = end;
  }
  window.join_all();
}

}  // namespace skerry
