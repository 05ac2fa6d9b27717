// Search from every vertex that has no label yet.
//
// dfs: Hopcroft & Tarjan, "Algorithm 447: Efficient Algorithms for Graph Manipulation" (CACM 16,
//   1973), with an explicit stack, so that a long path cannot exhaust the thread's.
// bfs: the same with a queue, whose coming rows are fetched ahead.
// bfscc: Shun, Dhulipala & Blelloch, "Smaller and Faster: Parallel Processing of Compressed Graphs
//   with Ligra+" (DCC 2015), BFSCC. Departures: those of spread.h; thousands of tiny components
//   therefore never start a team, but with team=always, where a single vertex is searched too. Rows
//   are those of the CSR, where Ligra+ has codes of bytes. Its rounds are the steps of all searches
//   together.
#include "cpu/published/search.h"

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/pacer.h"
#include "cpu/published/claim.h"
#include "cpu/published/frontier.h"
#include "cpu/published/serial_search.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

namespace {

template <class Vertex>
struct Visit {
  Vertex vertex;
  std::uint64_t entry;  // the next one to look at in its row
};

// Returns the number of entries skipped before the end of the row or the first unlabeled neighbor.
template <class Vertex>
std::uint64_t skip_labeled(const CsrView<Vertex>& graph, const Vertex* labels,
                           Visit<Vertex>& visit) {
  const std::uint64_t first = visit.entry;
  const std::uint64_t end = graph.offsets[visit.vertex + 1];
  while (visit.entry < end && labels[graph.neighbors[visit.entry]] != kInvalidVertex<Vertex>)
    ++visit.entry;
  return visit.entry - first;
}

template <class Vertex>
bool search_in_depth(Pacer& pacer, const CsrView<Vertex>& graph, Vertex source,
                     Visit<Vertex>* stack, Vertex* labels) {
  labels[source] = source;
  stack[0] = {source, graph.offsets[source]};
  for (std::uint64_t depth = 1; depth > 0;) {
    Visit<Vertex>& top = stack[depth - 1];
    const std::uint64_t looked_at = skip_labeled(graph, labels, top);
    if (top.entry == graph.offsets[top.vertex + 1]) {
      --depth;
    } else {
      const Vertex u = graph.neighbors[top.entry++];
      labels[u] = source;
      stack[depth++] = {u, graph.offsets[u]};
    }
    if (!pacer.go(looked_at + 1)) return false;
  }
  return true;
}

// Calls search(v) for every vertex that has no label when its turn comes, until it returns false.
template <class Vertex, class Search>
void search_all(Context& context, std::uint64_t vertices, Vertex* labels, Search&& search) {
  Pacer pacer(context);
  for (std::uint64_t v = 0; v < vertices && pacer.go(1); ++v)
    if (labels[v] == kInvalidVertex<Vertex> && !search(pacer, static_cast<Vertex>(v))) return;
}

}  // namespace

template <class Vertex>
void dfs(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options&) {
  std::fill_n(labels, graph.vertices, kInvalidVertex<Vertex>);
  // A path may go through all vertices. Pages of the stack that no path reaches stay untouched.
  const auto stack = make_scratch<Visit<Vertex>>(context.scratch, graph.vertices);
  search_all(context, graph.vertices, labels, [&](Pacer& pacer, Vertex source) {
    return search_in_depth(pacer, graph, source, stack.get(), labels);
  });
}

template <class Vertex>
void bfs(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options&) {
  std::fill_n(labels, graph.vertices, kInvalidVertex<Vertex>);
  const auto queue = make_scratch<Vertex>(context.scratch, graph.vertices);
  search_all(context, graph.vertices, labels, [&](Pacer& pacer, Vertex source) {
    return search_serially(pacer, graph, source, queue.get(), labels);
  });
}

template <class Vertex>
void bfscc(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options) {
  const std::uint64_t from = team_from(options);
  for_each(context, graph.vertices,
           [labels](std::uint64_t v) { labels[v] = kInvalidVertex<Vertex>; });
  with_memory(context, [&]<class Memory>() {
    Frontier<Vertex> here(context, graph.vertices);
    Frontier<Vertex> next(context, graph.vertices);
    search_all(context, graph.vertices, labels, [&](Pacer& pacer, Vertex source) {
      if (graph.degree(source) == 0 && from != 0) {
        labels[source] = source;
        return true;
      }
      context.statistics.rounds +=
          search_from<Memory>(context, pacer, graph, source, here, next, labels, from);
      return !context.stopped();
    });
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                              \
  template void dfs(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void bfs(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void bfscc(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
