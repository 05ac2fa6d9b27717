// See rooted_forest.h.
#include "cpu/own/rooted_forest.h"

#include <algorithm>
#include <utility>

#include "cpu/memory.h"
#include "cpu/team.h"

namespace skerry {

template <class Vertex>
std::uint64_t root_forest(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* order) {
  Vertex* const degree = forest.depth;  // until the depths are known
  for (std::uint64_t v = 0; v < vertices; ++v) {
    forest.up[v] = static_cast<Vertex>(v);
    forest.edge[v] = degree[v] = 0;
  }
  for (std::uint64_t e = 0; e < edges.count; ++e) {
    for (const std::uint64_t end : {edges.source(e), edges.target(e)}) {
      if (end >= vertices) return 0;
      ++degree[end];
      forest.edge[end] ^= static_cast<Vertex>(e);
    }
  }
  std::uint64_t count = 0;
  constexpr std::uint64_t kPiece = 1 << 16;  // vertices between two looks for Ctrl-C
  for (std::uint64_t first = 0; first < vertices; ++first) {
    if (first % kPiece == 0 && !context.keep_going(0)) return count;
    // A leaf that was taken off may make a leaf of its parent, which is taken off at once if its
    // turn is over.
    for (Vertex v = static_cast<Vertex>(first); degree[v] == 1;) {
      const Vertex e = forest.edge[v];
      const Vertex source = edges.source(e), target = edges.target(e);
      const Vertex up = source == v ? target : source;
      degree[v] = 0;
      forest.up[v] = up;
      order[count++] = v;
      forest.edge[up] ^= e;
      --degree[up];
      if (up > first) break;
      v = up;
    }
  }
  if (count != edges.count) return count;
  for (std::uint64_t v = 0; v < vertices; ++v) forest.depth[v] = 0;
  for (std::uint64_t i = count; i-- > 0;)
    forest.depth[order[i]] = forest.depth[forest.up[order[i]]] + 1;
  return count;
}

template <class Vertex>
std::uint64_t forest_path(const RootedForest<Vertex>& forest, Vertex u, Vertex v, Vertex* vertices,
                          Vertex* edges) {
  // From both ends up to where they meet: u's part is written from the front, v's from the back.
  std::uint64_t front = 0, back = std::uint64_t{forest.depth[u]} + forest.depth[v];
  const std::uint64_t last = back;
  while (u != v) {
    if (forest.depth[u] >= forest.depth[v]) {
      vertices[front] = u;
      edges[front++] = forest.edge[u];
      u = forest.up[u];
    } else {
      vertices[back] = v;
      edges[--back] = forest.edge[v];
      v = forest.up[v];
    }
  }
  const std::uint64_t begin = back;  // of v's edges; its vertices begin one later
  vertices[front] = u;
  std::copy(edges + begin, edges + last, edges + front);
  std::copy(vertices + begin + 1, vertices + last + 1, vertices + front + 1);
  return front + (last - begin);
}

namespace {

// Follows an array of links to its end, and halves the path.
template <class Vertex>
Vertex follow(Vertex* links, Vertex v) {
  for (; links[v] != v; v = links[v]) links[v] = links[links[v]];
  return v;
}

// Calls body(u, v) with the ends of every edge that is none of the forest; stops at the first edge
// for which it is false, or that has an end that is no vertex, and returns its position.
template <class Id, class Vertex, class Body>
std::uint64_t for_others(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                         const Vertex* up, Body&& body) {
  constexpr std::uint64_t kPiece = 1 << 16;
  for (std::uint64_t begin = 0; begin < edges.count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t end = std::min(begin + kPiece, edges.count);
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t u = edges.source(i), v = edges.target(i);
      if (u >= vertices || v >= vertices) return i;
      if (up[u] == v || up[v] == u) continue;
      if (!body(static_cast<Vertex>(u), static_cast<Vertex>(v))) return i;
    }
  }
  return edges.count;
}

}  // namespace

template <class Id, class Vertex>
std::uint64_t cover_paths(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* top) {
  return for_others(context, edges, vertices, forest.up, [&](Vertex u, Vertex v) {
    Vertex a = follow(top, u), b = follow(top, v);
    while (a != b) {
      if (forest.depth[a] < forest.depth[b]) std::swap(a, b);
      if (forest.depth[a] == 0) return false;  // two roots
      top[a] = forest.up[a];
      a = follow(top, forest.up[a]);
    }
    return true;
  });
}

template <class Id, class Vertex>
std::uint64_t join_cycles(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                          const RootedForest<Vertex>& forest, Vertex* block) {
  return for_others(context, edges, vertices, forest.up, [&](Vertex a, Vertex b) {
    Vertex cycle = 0;
    for (bool first = true; a != b; first = false) {
      if (forest.depth[a] < forest.depth[b]) std::swap(a, b);
      if (forest.depth[a] == 0) return false;  // two roots
      Vertex here = follow(block, a);
      a = forest.up[here];
      if (!first) {
        cycle = follow(block, cycle);
        if (forest.depth[here] < forest.depth[cycle]) std::swap(here, cycle);
        block[here] = cycle;
      } else {
        cycle = here;
      }
    }
    return true;
  });
}

template <class Vertex>
void subtree_sizes(const RootedForest<Vertex>& forest, const Vertex* order, std::uint64_t count,
                   std::uint64_t vertices, Vertex* sizes) {
  for (std::uint64_t v = 0; v < vertices; ++v) sizes[v] = 1;
  for (std::uint64_t i = 0; i < count; ++i) sizes[forest.up[order[i]]] += sizes[order[i]];
}

#define SKERRY_INSTANTIATE(Vertex)                                                            \
  template std::uint64_t root_forest(Context&, const EdgeView<Vertex>&, std::uint64_t,        \
                                     const RootedForest<Vertex>&, Vertex*);                   \
  template std::uint64_t forest_path(const RootedForest<Vertex>&, Vertex, Vertex, Vertex*,    \
                                     Vertex*);                                                \
  template std::uint64_t cover_paths(Context&, const EdgeView<std::uint32_t>&, std::uint64_t, \
                                     const RootedForest<Vertex>&, Vertex*);                   \
  template std::uint64_t cover_paths(Context&, const EdgeView<std::uint64_t>&, std::uint64_t, \
                                     const RootedForest<Vertex>&, Vertex*);                   \
  template std::uint64_t join_cycles(Context&, const EdgeView<std::uint32_t>&, std::uint64_t, \
                                     const RootedForest<Vertex>&, Vertex*);                   \
  template std::uint64_t join_cycles(Context&, const EdgeView<std::uint64_t>&, std::uint64_t, \
                                     const RootedForest<Vertex>&, Vertex*);                   \
  template void subtree_sizes(const RootedForest<Vertex>&, const Vertex*, std::uint64_t,      \
                              std::uint64_t, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
