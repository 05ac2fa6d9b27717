// Label propagation, alone and after a search for the largest component.
//
// label_propagation: Shun & Blelloch, "Ligra" (PPoPP 2013), Components; see propagate.h.
// multistep: Slota, Rajamanickam & Madduri, "BFS and Coloring-based Parallel Algorithms for
//   Strongly Connected Components and Related Problems" (IPDPS 2014), its form for undirected
//   graphs: isolated vertices, one search, propagation, a serial finish.
//   Departures: the propagation's frontier is Ligra's, not a queue a thread; the finish is chosen
//   by the number of vertices that the search has left, which the propagation would not lower. By
//   the letter (finish=late) one thread finishes the propagation once few vertices change.
#include "cpu/published/propagations.h"

#include <cstdint>

#include "cpu/memory.h"
#include "cpu/pacer.h"
#include "cpu/passes/passes.h"
#include "cpu/published/claim.h"
#include "cpu/published/frontier.h"
#include "cpu/published/largest_degree.h"
#include "cpu/published/propagate.h"
#include "cpu/published/serial_search.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

namespace {

template <class Memory, class Vertex>
void collect_unlabeled(Context& context, const CsrView<Vertex>& graph, const Vertex* labels,
                       Frontier<Vertex>& unlabeled) {
  unlabeled.start_list();
  for_ranges(context, graph.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    typename Frontier<Vertex>::template Additions<Memory> additions(unlabeled);
    for (std::uint64_t v = begin; v < end; ++v)
      if (labels[v] == kInvalidVertex<Vertex>)
        additions.add(static_cast<Vertex>(v), graph.degree(v));
  });
}

template <class Vertex>
void search_each(Context& context, Pacer& pacer, const CsrView<Vertex>& graph,
                 const Frontier<Vertex>& sources, Vertex* labels) {
  const auto queue = make_scratch<Vertex>(context.scratch, sources.size());
  for (std::uint64_t i = 0; i < sources.size(); ++i) {
    const Vertex source = sources.list()[i];
    if (labels[source] == kInvalidVertex<Vertex> &&
        !search_serially(pacer, graph, source, queue.get(), labels))
      return;
  }
}

template <class Memory, class Vertex>
void run_multistep(Context& context, const CsrView<Vertex>& graph, std::uint64_t serial_below,
                   bool late, Vertex* labels) {
  for_each(context, graph.vertices, [&](std::uint64_t v) {
    labels[v] = graph.degree(v) == 0 ? static_cast<Vertex>(v) : kInvalidVertex<Vertex>;
  });
  if (context.stopped() || graph.entries() == 0) return;
  Frontier<Vertex> here(context, graph.vertices);
  Frontier<Vertex> next(context, graph.vertices);
  Pacer pacer(context);
  context.statistics.rounds = search_from<Memory>(
      context, pacer, graph, vertex_of_largest_degree(context, graph), here, next, labels);
  if (context.stopped()) return;
  collect_unlabeled<Memory>(context, graph, labels, here);
  if (context.stopped()) return;
  if (!late && here.size() < serial_below) return search_each(context, pacer, graph, here, labels);
  here.for_members(context, [labels](Vertex v) { labels[v] = v; });
  context.statistics.rounds +=
      propagate<Memory>(context, graph, here, next, labels, kTeamFrom, late ? serial_below : 0);
}

}  // namespace

template <class Vertex>
void label_propagation(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                       const Options& options) {
  with_memory(context, [&]<class Memory>() {
    init_own(context, graph.vertices, labels);
    Frontier<Vertex> here(context, graph.vertices);
    Frontier<Vertex> next(context, graph.vertices);
    here.fill(context, graph.entries());
    context.statistics.rounds =
        propagate<Memory>(context, graph, here, next, labels, team_from(options));
  });
}

template <class Vertex>
void multistep(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
               const Options& options) {
  with_memory(context, [&]<class Memory>() {
    run_multistep<Memory>(context, graph, options.count("serial_below", 10000),
                          options.flag("finish"), labels);
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                            \
  template void label_propagation(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void multistep(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
