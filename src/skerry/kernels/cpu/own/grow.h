// Grows a connected set of vertices breadth-first from one that a sample shows to have a large
// degree: the seed of "flood", and the planner's measure of how fast a graph expands.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/own/bitmap.h"
#include "cpu/own/draw.h"
#include "cpu/pacer.h"
#include "cpu/scratch.h"
#include "cpu/views.h"

namespace skerry {

struct Grown {
  std::uint64_t reached = 0;  // vertices in the set
  std::uint64_t levels = 0;   // breadth-first levels it took
};

// Fills `set` from `start` until `limit` vertices are in it or the component is exhausted;
// `reached` receives its members in the order found.
template <class Vertex>
Grown grow(Context& context, const CsrView<Vertex>& graph, Vertex start, std::uint64_t limit,
           Bitmap& set, ScratchVector<Vertex>& members) {
  constexpr std::size_t kAhead = 4;
  Pacer pacer(context);
  members.assign(1, start);
  set.add(start);
  Grown grown;
  std::size_t level_end = 1;
  for (std::size_t next = 0; next < members.size() && members.size() < limit; ++next) {
    if (next == level_end) {
      ++grown.levels;
      level_end = members.size();
    }
    if (next + 2 * kAhead < members.size()) {
      prefetch(graph.offsets + members[next + 2 * kAhead]);
      prefetch(graph.neighbors + graph.offsets[members[next + kAhead]]);
    }
    const Vertex v = members[next];
    if (!pacer.go(1 + graph.degree(v))) break;
    // Not beyond the limit, even inside a row: that of a hub may hold most vertices.
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1] && members.size() < limit;
         ++e)
      if (set.add(graph.neighbors[e])) members.push_back(graph.neighbors[e]);
  }
  ++grown.levels;
  grown.reached = members.size();
  return grown;
}

// Grows from the largest degree of a sample; where that component is exhausted before `limit`, it
// is not the giant one: its vertices are taken out again and another sample is drawn, a few times.
template <class Vertex>
Grown grow_in_giant(Context& context, const CsrView<Vertex>& graph, std::uint64_t limit,
                    Bitmap& set) {
  constexpr int kTries = 4;
  constexpr int kDraws = 256;
  std::uint64_t state = 1;
  ScratchVector<Vertex> members(context.scratch);
  for (int attempt = 0; attempt < kTries && graph.vertices > 0; ++attempt) {
    std::uint64_t start = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::uint64_t v = draw(state) % graph.vertices;
      if (graph.degree(v) > graph.degree(start)) start = v;
    }
    const Grown grown = grow(context, graph, static_cast<Vertex>(start), limit, set, members);
    if (grown.reached >= limit) return grown;
    for (const Vertex v : members) set.remove(v);
  }
  return {};
}

}  // namespace skerry
