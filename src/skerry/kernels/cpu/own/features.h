// Cheap features of a CSR for the planner: how near in id neighbors are, and how fast the graph
// expands. They look at a few thousand vertices, whatever the size of the graph.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/own/draw.h"
#include "cpu/own/grow.h"
#include "cpu/views.h"

namespace skerry {

struct Order {
  double near = 0;     // share of sampled vertices whose first neighbor has a near id
  double smaller = 0;  // share of them whose first neighbor has a smaller id
};

struct Expansion {
  std::uint64_t reached = 0;  // vertices reached from one of large degree: the probe, or none
  std::uint64_t levels = 0;   // breadth-first levels it took
};

inline constexpr std::uint64_t kLargestProbe = 4096;
inline constexpr Patience kPatience{8, 512, 4096};  // no rule asks for more levels
// Where so many entries lead to so few vertices, as in cliques, the graph expands slowly.
inline constexpr std::uint64_t kMostEntries = 1 << 15;
inline constexpr int kDrawn = 512;
inline constexpr std::uint64_t kProbeShare = 8;  // of a small graph, an eighth is probed
inline constexpr std::uint64_t kNearShare = 64;  // near: within n/64 ids

template <class Vertex>
Order csr_order(const CsrView<Vertex>& graph) {
  const std::uint64_t n = graph.vertices;
  std::uint64_t state = 2, with_neighbor = 0, near = 0, smaller = 0;
  for (int i = 0; i < kDrawn && n > 0; ++i) {
    const std::uint64_t v = draw_below(state, n);
    const std::uint64_t u = graph.first(v);
    if (u >= n) continue;
    ++with_neighbor;
    near += std::max(u, v) - std::min(u, v) <= n / kNearShare;
    smaller += u < v || v == 0;  // no vertex has a smaller id than the first
  }
  if (with_neighbor == 0) return {};
  const double all = static_cast<double>(with_neighbor);
  return {static_cast<double>(near) / all, static_cast<double>(smaller) / all};
}

// Takes ten times as long as the above.
template <class Vertex>
Expansion csr_expansion(Context& context, const CsrView<Vertex>& graph) {
  const std::uint64_t n = graph.vertices;
  Bitmap set(context, n);
  const std::uint64_t probe = std::clamp<std::uint64_t>(n / kProbeShare, 1, kLargestProbe);
  const auto members = make_scratch<Vertex>(context.scratch, probe + 1);
  Patience patience = kPatience;
  patience.limit = std::clamp(graph.entries() / kProbeShare, kPatience.entries, kMostEntries);
  const Grown grown = grow_in_giant(context, graph, probe, probe, patience, set, members.get());
  return {grown.reached, grown.ended ? std::max(grown.levels, kPatience.levels) : grown.levels};
}

}  // namespace skerry
