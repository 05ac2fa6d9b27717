// Grows a connected set of vertices breadth-first, from one that a sample shows to have many
// neighbors, by one thread. It is given up where its frontier is small: the graph does not expand
// fast then, and sweeps would take in little each.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/random.h"
#include "cpu/memory.h"
#include "cpu/own/bitmap.h"
#include "cpu/own/prefetch_at.h"
#include "cpu/pacer.h"
#include "cpu/scratch.h"
#include "cpu/views.h"

namespace skerry {

// The share of a seed's members whose rows are still to be read, at least.
inline constexpr double kFrontier = 0.5;

// Sizes, which decide nothing: when the frontier is looked at first, and how large a seed may be.
// It grows on one thread, at a few cycles an entry; a sweep waits for a mispredicted branch a
// vertex, but has all threads. So one or two threads begin with a quarter of the vertices, more of
// them with less.
inline constexpr std::uint64_t kFirstLook = 256, kLargestSeed = 1 << 18, kSeedEntries = 3;

inline std::uint64_t seed_limit(std::uint64_t vertices, int threads) {
  const std::uint64_t share =
      std::clamp<std::uint64_t>(2 * static_cast<std::uint64_t>(threads), 4, 32);
  return std::clamp<std::uint64_t>(vertices / share, 1, kLargestSeed);
}

// The vertex of largest degree in a sample; the graph must have vertices.
template <class Vertex>
Vertex largest_drawn(const CsrView<Vertex>& graph) {
  constexpr std::uint64_t kKey = 2, kDrawn = 256;
  std::uint64_t largest = 0;
  for (std::uint64_t i = 0; i < std::min(kDrawn, graph.vertices); ++i) {
    const std::uint64_t v = multiply_high(draw(kKey, i), graph.vertices);
    if (graph.degree(v) > graph.degree(largest)) largest = v;
  }
  return static_cast<Vertex>(largest);
}

// Returns whether the seed has grown to its size. Whether a neighbor is new is as good as random,
// so entries are looked at without a branch.
template <class Vertex>
bool grow_seed(Context& context, const CsrView<Vertex>& graph, Bitmap& set) {
  constexpr std::uint64_t kAhead = 4;
  const Vertex n = static_cast<Vertex>(graph.vertices);
  const std::uint64_t limit = seed_limit(graph.vertices, context.threads);
  const auto members = make_scratch<Vertex>(context.scratch, limit + 1);  // in the order found
  std::uint64_t* const words = set.words();
  const std::uint64_t mask = set.mask();
  Pacer pacer(context);
  members[0] = largest_drawn(graph);
  Bitmap::add_masked(words, mask, members[0]);
  std::uint64_t size = 1, entries = 0, looked = kFirstLook;
  for (std::uint64_t next = 0; next < size && size < limit; ++next) {
    if (size >= looked) {
      if (static_cast<double>(size - next) < kFrontier * static_cast<double>(size)) return false;
      looked *= 2;
    }
    if (entries >= kSeedEntries * limit) return true;  // hubs: it has the neighbors of many
    if (next + 2 * kAhead < size) {
      prefetch_at(graph.offsets, members[next + 2 * kAhead]);
      const Vertex soon = std::min(members[next + kAhead], n);  // there is an offset more
      prefetch_at(graph.neighbors, look(graph.offsets + soon));
    }
    const Vertex v = members[next];
    if (v >= n) [[unlikely]]
      return false;
    std::uint64_t e = look(graph.offsets + v);
    const std::uint64_t end = graph.bound(v + 1);
    entries += end - e;
    if (!pacer.go(1 + end - e)) return false;
    // Not beyond the limit, even inside a row: that of a hub may hold most vertices.
    while (e < end && size < limit) {
      for (const std::uint64_t stop = std::min(end, e + (limit - size)); e < stop; ++e) {
        const Vertex u = graph.neighbor(e);  // is compared when its row is read
        members[size] = u;
        size += Bitmap::add_masked(words, mask, u);
      }
    }
  }
  return size >= limit;
}

}  // namespace skerry
