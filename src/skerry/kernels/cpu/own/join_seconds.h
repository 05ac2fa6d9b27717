// Joins every so many vertices with their second neighbors, in windows. Between the trees that
// first links have made these edges are nearly random: where there are two a tree, one tree holds
// most of the vertices. Rows that are left out after that are branches that are foreseen; while the
// largest tree grows by one row after another, they are mispredicted.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/own/pair_window.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void join_seconds(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                  std::uint64_t step) {
  const std::uint64_t n = graph.vertices, last = graph.entries() - 1;
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_parts(context, (n + step - 1) / step, 1 << 12,
              [&](std::uint64_t from, std::uint64_t to, int) {
                Tally tally(context);
                PairWindow<Memory, Vertex, Tally> window(parent, tally);
                for (std::uint64_t i = from; i < to; ++i) {
                  const std::uint64_t v = i * step;
                  const auto [begin, end] = graph.row(v);
                  const Vertex second = graph.neighbor(std::min(begin + 1, last));
                  window.offer(second, static_cast<Vertex>(v), (begin + 1 < end) & (second < n));
                  if (window.full()) window.join_all();
                }
                window.join_all();
              });
  });
}

}  // namespace skerry
