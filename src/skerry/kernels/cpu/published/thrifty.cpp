// Label propagation from a planted zero: see thrifty.h.
#include "cpu/published/thrifty.h"

#include <cstdint>
#include <utility>

#include "cpu/memory.h"
#include "cpu/pacer.h"
#include "cpu/published/frontier.h"
#include "cpu/published/largest_degree.h"
#include "cpu/published/spread.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

namespace {

using Mark = std::uint8_t;

// A Step of spread.h. Its pull does not look at the frontier: all neighbors may have news.
template <class Vertex>
struct LowerToZero {
  Vertex* labels;
  Mark* listed;  // whether a vertex is in the frontier that the push makes

  template <class Memory>
  Vertex label(Vertex u) const {
    return Memory::load(labels + u);
  }

  template <class Memory>
  bool offer(Vertex label, Vertex v) const {
    return Memory::lower(labels + v, label) && Memory::load(listed + v) == 0 &&
           Memory::compare_and_swap(listed + v, Mark{0}, Mark{1}) == 0;
  }

  template <class Memory>
  bool pull(const CsrView<Vertex>& graph, const Frontier<Vertex>&, Vertex v) const {
    const Vertex own = Memory::load(labels + v);
    if (own == 0) return false;
    Vertex smallest = own;
    const std::uint64_t end = graph.offsets[v + 1];
    for (std::uint64_t e = graph.offsets[v]; e < end; ++e) {
      const Vertex label = Memory::load(labels + graph.neighbors[e]);
      if (label >= smallest) continue;
      smallest = label;
      if (label == 0) break;
    }
    if (smallest == own) return false;
    Memory::store(labels + v, smallest);
    return true;
  }
};

template <class Memory, class Vertex>
void plant(Context& context, const CsrView<Vertex>& graph, Vertex hub, bool push, Vertex* labels) {
  for_each(context, graph.vertices,
           [labels](std::uint64_t v) { labels[v] = static_cast<Vertex>(v + 1); });
  labels[hub] = 0;
  if (!push) return;
  const Vertex* const row = graph.neighbors + graph.offsets[hub];
  for_each(context, graph.degree(hub),
           [&](std::uint64_t i) { Memory::store(labels + row[i], Vertex{0}); });
  ++context.statistics.rounds;
}

template <class Memory, class Vertex>
void push(Context& context, const CsrView<Vertex>& graph, Frontier<Vertex>& from,
          Frontier<Vertex>& to, const LowerToZero<Vertex>& step) {
  from.make_list(context);
  if (from.work() < kTeamFrom) {
    push_alone(graph, from, to, step);
  } else {
    push_together<Memory>(context, graph, from, to, step);
  }
  to.for_members(context, [&step](Vertex v) { step.listed[v] = 0; });
}

template <class Memory, class Vertex>
void run_rounds(Context& context, const CsrView<Vertex>& graph, double density, Vertex* labels) {
  Frontier<Vertex> here(context, graph.vertices);
  Frontier<Vertex> next(context, graph.vertices);
  const double dense = density * static_cast<double>(graph.entries());
  Pacer pacer(context);
  LowerToZero<Vertex> step{labels, nullptr};
  do {
    ++context.statistics.rounds;
    pull_together<Memory>(context, graph, next, here, step);
    if (here.size() == 0) return;
  } while (static_cast<double>(here.work()) >= dense && pacer.go(graph.vertices));
  const auto marks = make_scratch<Mark>(context.scratch, graph.vertices);
  for_each(context, graph.vertices, [&](std::uint64_t v) { marks[v] = 0; });
  step.listed = marks.get();
  while (here.size() != 0 && pacer.go(here.work())) {
    ++context.statistics.rounds;
    push<Memory>(context, graph, here, next, step);
    std::swap(here, next);
  }
}

// The labels of this kernel to the smallest members.
template <class Vertex>
void make_smallest(Context& context, std::uint64_t vertices, Vertex* labels) {
  std::uint64_t first = vertices;  // that has label 0
  for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    if (begin >= Shared::load(&first)) return;
    std::uint64_t v = begin;
    while (v < end && labels[v] != 0) ++v;
    if (v < end) Shared::lower(&first, v);
  });
  for_each(context, vertices, [&](std::uint64_t v) {
    labels[v] = labels[v] == 0 ? static_cast<Vertex>(first) : static_cast<Vertex>(labels[v] - 1);
  });
}

}  // namespace

template <class Vertex>
void thrifty(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
             const Options& options) {
  if (graph.vertices == 0) return;
  const Vertex hub =
      options.number("plant", 1) != 0 ? vertex_of_largest_degree(context, graph) : Vertex{0};
  with_memory(context, [&]<class Memory>() {
    plant<Memory>(context, graph, hub, options.number("push_first", 1) != 0, labels);
    run_rounds<Memory>(context, graph, options.number("density", 0.01), labels);
  });
  if (!context.stopped()) make_smallest(context, graph.vertices, labels);
}

#define SKERRY_INSTANTIATE(Vertex) \
  template void thrifty(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
