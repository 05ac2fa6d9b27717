// FastSV over edges or rows: see fastsv.h.
#include "cpu/published/fastsv.h"

#include <algorithm>
#include <utility>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/each_edge.h"
#include "cpu/published/rounds.h"
#include "cpu/scratch.h"

namespace skerry {

namespace {

template <bool Aggressive, class Memory, class Tally, class Edges, class Vertex>
void hook_all(Context& context, const Edges& edges, Vertex* parent, const Vertex* grandparent) {
  for_each_edge<Tally>(context, edges, [&](Vertex u, Vertex v, Tally& tally) {
    Vertex smaller = grandparent[u];
    Vertex larger = grandparent[v];
    if (smaller == larger) return;
    if (smaller > larger) {
      std::swap(smaller, larger);
      v = u;
    }
    if (Memory::lower(parent + Memory::load(parent + v), smaller)) tally.hooked();
    if constexpr (Aggressive) Memory::lower(parent + v, smaller);
  });
}

// Returns whether any grandparent is another one now. No thread lowers parents meanwhile.
template <class Vertex>
bool update_grandparents(Context& context, std::uint64_t vertices, const Vertex* parent,
                         Vertex* grandparent) {
  return any_change<Silent>(context, vertices, kGrain, [&](std::uint64_t v, Silent&) {
    const Vertex now = parent[parent[v]];
    if (now == grandparent[v]) return false;
    grandparent[v] = now;
    return true;
  });
}

template <bool Aggressive, class Edges, class Vertex>
void run_rounds(Context& context, const Edges& edges, std::uint64_t vertices, Vertex* parent) {
  const auto grandparents = make_scratch<Vertex>(context.scratch, vertices);
  Vertex* const grandparent = grandparents.get();
  init_own(context, vertices, parent);
  init_own(context, vertices, grandparent);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    repeat_rounds(context, [&] {
      hook_all<Aggressive, Memory, Tally>(context, edges, parent, grandparent);
      for_each(context, vertices,
               [&](std::uint64_t v) { parent[v] = std::min(parent[v], grandparent[v]); });
      return update_grandparents(context, vertices, parent, grandparent);
    });
  });
}

template <class Edges, class Vertex>
void run(Context& context, const Edges& edges, std::uint64_t vertices, Vertex* labels,
         const Options& options) {
  if (options.number("aggressive", 1) != 0) {
    run_rounds<true>(context, edges, vertices, labels);
  } else {
    run_rounds<false>(context, edges, vertices, labels);
  }
}

}  // namespace

template <class Vertex>
void fastsv(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
            const Options& options) {
  const RowEdges<Vertex> edges{graph, options.flag("one_direction")};
  run(context, edges, graph.vertices, labels, options);
}

template <class Vertex>
void fastsv(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices, Vertex* labels,
            const Options& options) {
  run(context, edges, vertices, labels, options);
}

#define SKERRY_INSTANTIATE(Vertex)                                                 \
  template void fastsv(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void fastsv(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
