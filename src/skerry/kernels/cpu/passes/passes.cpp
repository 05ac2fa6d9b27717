// Inits, finishes and what follows them: see passes.h.
#include "cpu/passes/passes.h"
#include "common/random.h"

#include <algorithm>
#include <vector>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

template <class Vertex>
void init_own(Context& context, std::uint64_t vertices, Vertex* parent) {
  for_each(context, vertices, [parent](std::uint64_t v) { parent[v] = static_cast<Vertex>(v); });
}

namespace {

template <class Vertex>
Vertex smallest_neighbor(const CsrView<Vertex>& graph, std::uint64_t v) {
  Vertex best = static_cast<Vertex>(v);
  for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
    best = std::min(best, graph.neighbors[e]);
  return best;
}

template <class Vertex>
Vertex first_smaller_neighbor(const CsrView<Vertex>& graph, std::uint64_t v) {
  for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
    if (graph.neighbors[e] < v) return graph.neighbors[e];
  return static_cast<Vertex>(v);
}

template <class Vertex, class FirstParent>
void init_with(Context& context, const CsrView<Vertex>& graph, Vertex* parent, FirstParent first) {
  for_ranges(context, graph.vertices, 1 << 12, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t v = begin; v < end; ++v) parent[v] = first(graph, v);
  });
}

template <class FinishJump, class Vertex>
void finish_with(Context& context, std::uint64_t vertices, Vertex* parent) {
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      Tally tally(context);
      for (std::uint64_t v = begin; v < end; ++v) {
        const Vertex root =
            FinishJump::template find<Memory>(parent, static_cast<Vertex>(v), tally);
        // Halving leaves the last pointers of a path as they are; the label must be the root. No
        // other thread changes it after this: see FinishHalving, and that the others only ever
        // write roots.
        Memory::store(parent + v, root);
      }
    });
  });
}

}  // namespace

template <class Vertex>
void init_from_rows(Context& context, const CsrView<Vertex>& graph, Init init, Vertex* parent) {
  switch (init) {
    case Init::own:
      return init_own(context, graph.vertices, parent);
    case Init::smallest:
      return init_with(context, graph, parent, smallest_neighbor<Vertex>);
    case Init::first_smaller:
      return init_with(context, graph, parent, first_smaller_neighbor<Vertex>);
  }
}

template <class Vertex>
void finish(Context& context, std::uint64_t vertices, Finish finish, Vertex* parent) {
  switch (finish) {
    case Finish::halving:
      return finish_with<FinishHalving>(context, vertices, parent);
    case Finish::multiple:
      return finish_with<JumpMultiple>(context, vertices, parent);
    case Finish::single:
      return finish_with<JumpSingle>(context, vertices, parent);
    case Finish::ordered:
      return finish_ordered(context, vertices, parent);
  }
}

template <class Vertex>
Largest guess_largest(std::uint64_t vertices, const Vertex* parent) {
  std::vector<Vertex> drawn;
  drawn.reserve(kSamples);
  constexpr std::uint64_t kKey = 3;
  for (std::uint64_t i = 0; i < kSamples && vertices > 0; ++i) {
    Vertex root = parent[multiply_high(draw(kKey, i), vertices)];
    while (parent[root] != root) root = parent[root];
    drawn.push_back(root);
  }
  std::sort(drawn.begin(), drawn.end());
  Largest best;
  for (std::size_t begin = 0, end; begin < drawn.size(); begin = end) {
    for (end = begin; end < drawn.size() && drawn[end] == drawn[begin];) ++end;
    const double share = static_cast<double>(end - begin) / static_cast<double>(drawn.size());
    if (share > best.share) best = {drawn[begin], share};
  }
  return best;
}

template <class Vertex>
void make_canonical(Context& context, std::uint64_t vertices, Vertex* labels) {
  ScratchVector<Vertex> smallest(vertices, static_cast<Vertex>(~Vertex{0}), context.scratch);
  for_each(context, vertices, [&](std::uint64_t v) {
    if (labels[v] < vertices) {
      Shared::lower(smallest.data() + labels[v], static_cast<Vertex>(v));
    } else {
      context.add_fault();
    }
  });
  if (context.faulty()) return;
  for_each(context, vertices, [&](std::uint64_t v) { labels[v] = smallest[labels[v]]; });
}

template <class Vertex>
std::uint64_t count_components(Context& context, std::uint64_t vertices, const Vertex* labels) {
  std::atomic<std::uint64_t> total{0};
  for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t part = 0;
    for (std::uint64_t v = begin; v < end; ++v) part += labels[v] == v;
    total.fetch_add(part, std::memory_order_relaxed);
  });
  return total.load();
}

template <class Vertex>
std::uint64_t make_dense(Context& context, std::uint64_t vertices, const Vertex* labels,
                         Vertex* dense) {
  // The smallest member of a component is also the first to appear, so a component's number is
  // the number of roots before its own: count roots by piece, then number them.
  const std::uint64_t pieces = (vertices + kGrain - 1) / kGrain;
  std::vector<std::uint64_t> roots_before(pieces + 1, 0);
  deal_ranges(context, vertices, kGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t part = 0;
    for (std::uint64_t v = begin; v < end; ++v) part += labels[v] == v;
    roots_before[begin / kGrain + 1] = part;
  });
  for (std::uint64_t i = 0; i < pieces; ++i) roots_before[i + 1] += roots_before[i];
  deal_ranges(context, vertices, kGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t number = roots_before[begin / kGrain];
    for (std::uint64_t v = begin; v < end; ++v)
      if (labels[v] == v) dense[v] = static_cast<Vertex>(number++);
  });
  for_each(context, vertices, [&](std::uint64_t v) {
    // Roots have their number already, and other threads read it: leave it unwritten.
    if (labels[v] != v) dense[v] = dense[labels[v]];
  });
  return roots_before[pieces];
}

#define SKERRY_INSTANTIATE(Vertex)                                                 \
  template void init_own(Context&, std::uint64_t, Vertex*);                        \
  template void init_from_rows(Context&, const CsrView<Vertex>&, Init, Vertex*);   \
  template void finish(Context&, std::uint64_t, Finish, Vertex*);                  \
  template Largest guess_largest(std::uint64_t, const Vertex*);                    \
  template void make_canonical(Context&, std::uint64_t, Vertex*);                  \
  template std::uint64_t count_components(Context&, std::uint64_t, const Vertex*); \
  template std::uint64_t make_dense(Context&, std::uint64_t, const Vertex*, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
