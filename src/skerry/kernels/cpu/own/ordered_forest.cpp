// See ordered_forest.h. The order is what counts, so one thread goes through it.
#include "cpu/own/ordered_forest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/union_find.h"
#include "cpu/memory.h"

namespace skerry {

namespace {

constexpr std::uint64_t kPiece = 1 << 16;  // edges between two looks for Ctrl-C
constexpr std::uint64_t kAhead = 16;       // edges whose parents are fetched in advance

// Calls body(i) for every i below `count` until it returns false, or somebody stops the run.
template <class Body>
void in_order(Context& context, std::uint64_t count, Body&& body) {
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t end = std::min(begin + kPiece, count);
    for (std::uint64_t i = begin; i < end; ++i)
      if (!body(i)) return;
  }
}

}  // namespace

template <class Vertex>
std::uint64_t keep_joining(Context& context, const Vertex* src, const Vertex* dst,
                           std::uint64_t edges, const std::int64_t* order, std::uint64_t count,
                           std::uint64_t vertices, Vertex* parent, std::int64_t* kept) {
  Silent tally(context);
  std::uint64_t joins = 0;
  in_order(context, count, [&](std::uint64_t i) {
    if (i + kAhead < count) {
      const auto next = static_cast<std::uint64_t>(order[i + kAhead]);
      if (next < edges) {
        prefetch(parent + src[next]);
        prefetch(parent + dst[next]);
      }
    }
    const std::int64_t edge = order[i];
    if (static_cast<std::uint64_t>(edge) >= edges || std::max(src[edge], dst[edge]) >= vertices) {
      context.add_fault();
      return false;
    }
    const Vertex u = JumpHalving::find<Serial>(parent, src[edge], tally);
    const Vertex v = JumpHalving::find<Serial>(parent, dst[edge], tally);
    if (u == v) return true;
    parent[std::max(u, v)] = std::min(u, v);
    kept[joins++] = edge;
    return joins + 1 < vertices;  // else all is one tree
  });
  return joins;
}

template <class Vertex>
std::uint64_t merge_clusters(Context& context, const Vertex* src, const Vertex* dst,
                             std::uint64_t count, std::uint64_t vertices, std::int64_t* left,
                             std::int64_t* right, std::int64_t* size) {
  std::vector<Vertex> parent(vertices);
  std::iota(parent.begin(), parent.end(), Vertex{0});
  std::vector<std::int64_t> cluster(vertices);  // of a root: its number as a cluster
  std::iota(cluster.begin(), cluster.end(), std::int64_t{0});
  const auto n = static_cast<std::int64_t>(vertices);
  const auto size_of = [&](std::int64_t number) { return number < n ? 1 : size[number - n]; };
  Silent tally(context);
  std::uint64_t merges = 0;
  in_order(context, count, [&](std::uint64_t i) {
    if (std::max(src[i], dst[i]) >= vertices) return false;
    const Vertex u = JumpHalving::find<Serial>(parent.data(), src[i], tally);
    const Vertex v = JumpHalving::find<Serial>(parent.data(), dst[i], tally);
    if (u == v) return false;
    const Vertex root = std::min(u, v);
    parent[std::max(u, v)] = root;
    left[i] = std::min(cluster[u], cluster[v]);
    right[i] = std::max(cluster[u], cluster[v]);
    size[i] = size_of(left[i]) + size_of(right[i]);
    cluster[root] = n + static_cast<std::int64_t>(i);
    ++merges;
    return true;
  });
  return merges;
}

#define SKERRY_INSTANTIATE(Vertex)                                                                \
  template std::uint64_t keep_joining(Context&, const Vertex*, const Vertex*, std::uint64_t,      \
                                      const std::int64_t*, std::uint64_t, std::uint64_t, Vertex*, \
                                      std::int64_t*);                                             \
  template std::uint64_t merge_clusters(Context&, const Vertex*, const Vertex*, std::uint64_t,    \
                                        std::uint64_t, std::int64_t*, std::int64_t*,              \
                                        std::int64_t*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
