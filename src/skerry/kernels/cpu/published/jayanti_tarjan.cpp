// Linking in random order, finds with splitting: see jayanti_tarjan.h.
#include "cpu/published/jayanti_tarjan.h"

#include <cstdint>
#include <utility>

#include "common/random.h"
#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/each_edge.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// The order in which roots are linked: each comes before the root that it is linked below.
struct LinkOrder {
  bool random;
  Word key;

  template <class Vertex>
  bool before(Vertex u, Vertex v) const {
    return random ? mix(key + u) < mix(key + v) : u > v;
  }
};

template <unsigned Tries, class Memory, class Vertex, class Tally>
Vertex find_splitting(Vertex* parent, Vertex u, Tally& tally) {
  Vertex v = Memory::load(parent + u);
  if (v != u) tally.step();
  for (;;) {
    Vertex w = Memory::load(parent + v);
    for (unsigned tried = 0; v != w && tried < Tries; ++tried) {
      Memory::compare_and_swap(parent + u, v, w);
      if (tried + 1 == Tries) break;
      v = Memory::load(parent + u);
      w = Memory::load(parent + v);
    }
    if (v == w) break;
    u = v;
    v = Memory::load(parent + u);
    tally.step();
  }
  tally.end_find();
  return v;
}

template <unsigned Tries, class Memory, class Vertex, class Tally>
void unite_in_order(Vertex* parent, Vertex u, Vertex v, const LinkOrder& order, Tally& tally) {
  for (;;) {
    u = find_splitting<Tries, Memory>(parent, u, tally);
    v = find_splitting<Tries, Memory>(parent, v, tally);
    if (u == v) return;
    if (order.before(v, u)) std::swap(u, v);
    if (Memory::compare_and_swap(parent + u, u, v) == u) break;
  }
  tally.hooked();
}

template <unsigned Tries, class Edges, class Vertex>
void unite_all(Context& context, const Edges& edges, std::uint64_t vertices, const LinkOrder& order,
               Vertex* parent) {
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_each_edge<Tally>(context, edges, [&](Vertex u, Vertex v, Tally& tally) {
      unite_in_order<Tries, Memory>(parent, u, v, order, tally);
    });
    // Roots stay roots from here on, and every store is of one.
    for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      Tally tally(context);
      for (std::uint64_t v = begin; v < end; ++v)
        Memory::store(parent + v, find_splitting<0, Memory>(parent, static_cast<Vertex>(v), tally));
    });
  });
}

template <class Edges, class Vertex>
void run(Context& context, const Edges& edges, std::uint64_t vertices, Vertex* labels,
         const Options& options) {
  constexpr Word kStream = 0x4a54;  // of the draws: no other algorithm's order is like this one
  const LinkOrder order{options.number("random", 1) != 0,
                        stream_key(options.count("seed", 1), kStream)};
  init_own(context, vertices, labels);
  switch (options.count("tries", 2)) {
    case 0:
      return unite_all<0>(context, edges, vertices, order, labels);
    case 1:
      return unite_all<1>(context, edges, vertices, order, labels);
    default:
      return unite_all<2>(context, edges, vertices, order, labels);
  }
}

}  // namespace

template <class Vertex>
void jayanti_tarjan(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                    const Options& options) {
  const RowEdges<Vertex> edges{graph, options.flag("one_direction")};
  run(context, edges, graph.vertices, labels, options);
}

template <class Vertex>
void jayanti_tarjan(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                    Vertex* labels, const Options& options) {
  run(context, edges, vertices, labels, options);
}

#define SKERRY_INSTANTIATE(Vertex)                                                         \
  template void jayanti_tarjan(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void jayanti_tarjan(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,  \
                               const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
