// Grows a connected set of vertices breadth-first from one that a sample shows to have a large
// degree: the seed of "rows" and "flood", and the planner's measure of how fast a graph expands.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/own/bitmap.h"
#include "cpu/own/draw.h"
#include "cpu/own/prefetch_at.h"
#include "cpu/pacer.h"
#include "cpu/views.h"

namespace skerry {

struct Grown {
  std::uint64_t reached = 0;  // vertices in the set
  std::uint64_t levels = 0;   // breadth-first levels it took
  bool ended = false;         // by patience
};

// When a search that only measures has seen enough. Zero: it goes on until its limit.
struct Patience {
  std::uint64_t levels = 0;   // from this level on it ends as soon as it
  std::uint64_t members = 0;  // has so many vertices or
  std::uint64_t entries = 0;  // has looked at so many entries
  std::uint64_t limit = 0;    // entries at which it ends on any level
  double frontier = 0;        // it is given up where less of it than this is still to be read
};

inline constexpr std::uint64_t kFirstLook = 256;  // members when the frontier is looked at first

// Fills `set` from `start` until `limit` vertices are in it, the component is exhausted or patience
// ends. `members`, with room for one more than the limit, receives them in the order found. Whether
// a neighbor is new is as good as random, so entries are looked at without a branch.
template <class Vertex>
Grown grow(Context& context, const CsrView<Vertex>& graph, Vertex start, std::uint64_t limit,
           const Patience& patience, Bitmap& set, Vertex* members) {
  constexpr std::uint64_t kAhead = 4;
  const Vertex n = static_cast<Vertex>(graph.vertices);
  std::uint64_t* const words = set.words();
  const std::uint64_t mask = set.mask();
  Pacer pacer(context);
  members[0] = start;
  Bitmap::add_masked(set.words(), set.mask(), start);
  Grown grown;
  std::uint64_t size = 1, level_end = 1, entries = 0;
  std::uint64_t looked = patience.frontier > 0 ? kFirstLook : limit;
  for (std::uint64_t next = 0; next < size && size < limit; ++next) {
    if (next == level_end) {
      ++grown.levels;
      level_end = size;
    }
    if (size >= looked) {
      if (static_cast<double>(size - next) < patience.frontier * static_cast<double>(size)) break;
      looked *= 2;
    }
    const bool deep = patience.levels > 0 && grown.levels >= patience.levels;
    if ((deep && (size >= patience.members || entries >= patience.entries)) ||
        (patience.limit > 0 && entries >= patience.limit)) {
      grown.ended = true;
      break;
    }
    if (next + 2 * kAhead < size) {
      prefetch_at(graph.offsets, members[next + 2 * kAhead]);
      const Vertex soon = std::min(members[next + kAhead], n);  // there is an offset more
      prefetch_at(graph.neighbors, look(graph.offsets + soon));
    }
    const Vertex v = members[next];
    if (v >= n) [[unlikely]]
      break;
    std::uint64_t e = look(graph.offsets + v);
    const std::uint64_t end = graph.bound(v + 1);
    entries += end - e;
    if (!pacer.go(1 + end - e)) break;
    // Not beyond the limit, even inside a row: that of a hub may hold most vertices.
    while (e < end && size < limit) {
      for (const std::uint64_t stop = std::min(end, e + (limit - size)); e < stop; ++e) {
        const Vertex u = graph.neighbor(e);  // is compared when its row is read
        members[size] = u;
        size += Bitmap::add_masked(words, mask, u);
      }
    }
  }
  ++grown.levels;
  grown.reached = size;
  return grown;
}

// The vertex of largest degree in a sample; the graph must have vertices.
template <class Vertex>
Vertex largest_drawn(const CsrView<Vertex>& graph, std::uint64_t& state) {
  constexpr int kDraws = 256;
  std::uint64_t largest = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t v = draw_below(state, graph.vertices);
    if (graph.degree(v) > graph.degree(largest)) largest = v;
  }
  return static_cast<Vertex>(largest);
}

// Grows from the largest degree of a sample; where that component is exhausted before it has
// `enough`, it is not the giant one: its vertices are taken out again and another sample is drawn,
// a few times.
template <class Vertex>
Grown grow_in_giant(Context& context, const CsrView<Vertex>& graph, std::uint64_t limit,
                    std::uint64_t enough, const Patience& patience, Bitmap& set, Vertex* members) {
  constexpr int kTries = 4;
  std::uint64_t state = 1;
  for (int attempt = 0; attempt < kTries && graph.vertices > 0; ++attempt) {
    const Vertex start = largest_drawn(graph, state);
    const Grown grown = grow(context, graph, start, limit, patience, set, members);
    if (grown.reached >= enough || grown.ended) return grown;
    for (std::uint64_t i = 0; i < grown.reached; ++i) set.remove_masked(members[i]);
  }
  return {};
}

}  // namespace skerry
