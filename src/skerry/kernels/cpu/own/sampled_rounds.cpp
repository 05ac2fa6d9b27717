// "rounds": skerry's algorithm for graphs with a giant component but a long diameter (grids,
// meshes).
//
// Afforest (Sutton, Ben-Nun & Barak 2018) with these changes: the first round is an init without
// finds or atomics (first_neighbor.h); a later round leaves out what the largest component has
// already, and runs only if a sample shows that it is needed; pairs are joined in windows; and
// where there is no giant after all, the rest is joined in one direction (join_faster.h).
#include <atomic>

#include "cpu/own/draw.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/hook_window.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/kernels.h"
#include "cpu/own/pair_window.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

// Rounds stop when one component has this share of the vertices with entries, by a sample. The rows
// outside it are left as soon as they lead into it, and half of their entries do.
constexpr double kEnough = 0.5;

// Below this share leaving out the largest does not pay for looking at all entries outside twice.
constexpr double kGiant = 0.4;
// Of a small graph fewer vertices are drawn: sorting 1024 takes as long as a pass over 10,000.
std::uint64_t samples_of(std::uint64_t vertices) {
  return std::clamp<std::uint64_t>(vertices / 64, 128, kSamples);
}

constexpr std::uint64_t kFilledSamples = 128;  // a few percent more or less change nothing

// The share of rows that have entries, from a sample. Nothing is to be done for the other vertices.
template <class Vertex>
double filled_share(const CsrView<Vertex>& graph) {
  std::uint64_t filled = 0, random = 1;
  for (std::uint64_t i = 0; i < kFilledSamples; ++i)
    filled += graph.degree(draw_below(random, graph.vertices)) > 0;
  return static_cast<double>(std::max<std::uint64_t>(filled, 1)) / kFilledSamples;
}

constexpr std::uint64_t kFew = 3;  // with fewer entries a vertex another round is all that is left

// A further round makes one large tree of many small ones if it gives each enough edges to others.
// In groups whose members are each other's neighbors, second neighbors mostly are in one tree with
// the first: 2 to 5 edges for each tree, and no large one comes. Meshes have 6 or more.
constexpr double kJoiningDegree = 5.5;
constexpr double kSmallTrees = 0.02;         // the share of the largest below which all are small
constexpr std::uint64_t kSampledRows = 512;  // each is a few loads from anywhere

// Edges that the second entries of rows give each tree, from a sample; parents are roots.
template <class Vertex>
double joining_degree(const CsrView<Vertex>& graph, const Vertex* parent) {
  const std::uint64_t last = graph.entries() - 1;
  const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
  std::uint64_t roots = 0, leaving = 0, random = 1;
  for (std::uint64_t i = 0; i < kSampledRows; ++i) {
    const std::uint64_t v = draw_below(random, graph.vertices);
    const auto [begin, end] = graph.row(v);
    if (begin >= end) continue;
    roots += parent[v] == v;
    if (end - begin < 2) continue;
    const Vertex u = std::min(graph.neighbor(std::min(begin + 1, last)), highest);
    leaving += parent[u] != parent[v];
  }
  return 2.0 * static_cast<double>(leaving) /
         static_cast<double>(std::max<std::uint64_t>(roots, 1));
}

// Returns whether any vertex outside has that many neighbors.
template <class Vertex>
bool hook_nth_outside(Context& context, const CsrView<Vertex>& graph, std::uint64_t nth,
                      Vertex skipped, Vertex* parent) {
  const std::uint64_t last = graph.entries() - 1;
  const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
  std::atomic<bool> any{false};
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_parts(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        PairWindow<Memory, Vertex, Tally> window(parent, tally);
        bool here = false;
        for (std::uint64_t v = from; v < to; ++v) {
          const auto [begin, end] = graph.row(v);
          const std::uint64_t e = begin + nth;
          const Vertex u = std::min(graph.neighbor(std::min(e, last)), highest);
          const bool wanted = e < end && Memory::load(parent + v) != skipped;
          here |= wanted;
          window.offer(u, static_cast<Vertex>(v), wanted);
          if (window.full()) window.join_all();
        }
        window.join_all();
        if (here) any.store(true, std::memory_order_relaxed);
      });
    });
  });
  return any.load();
}

}  // namespace

template <class Vertex>
void rounds_after_links(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                        std::uint64_t max_rounds, bool all_linked) {
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
  const std::uint64_t entries = graph.entries();
  if (entries == 0) return;
  const std::uint64_t samples = samples_of(graph.vertices);
  const double filled = filled_share(graph);
  const auto guess = [&] {
    Largest largest = guess_largest(graph.vertices, parent, samples);
    largest.share /= filled;
    return largest;
  };
  Largest largest = guess();
  const bool apart =
      (entries < kFew * graph.vertices && largest.share < kGiant) ||
      (largest.share < kSmallTrees && joining_degree(graph, parent) < kJoiningDegree);
  for (std::uint64_t nth = 1; !apart && nth < max_rounds && largest.share < kEnough; ++nth) {
    if (!hook_nth_outside(context, graph, nth, static_cast<Vertex>(largest.label), parent)) break;
    context.end_phase("hook one neighbor");
    finish_ordered(context, graph.vertices, parent);
    context.end_phase("finish in order");
    largest = guess();
  }
  if (largest.share < kGiant) {
    if (all_linked) {
      with_entries(context, true,
                   [&]<Entries kEntries>() { join_faster<kEntries>(context, graph, parent); });
    } else {
      hook_window<true, true>(context, graph, parent);
    }
    context.end_phase("no giant: join rows");
  } else {
    const bool any = hook_outside(context, graph, static_cast<Vertex>(largest.label), parent);
    context.end_phase("hook outside the largest");
    if (!any) return;  // all labels are roots since the last finish
  }
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
}

template <class Vertex>
void rounds(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
            const Options& options) {
  RowCheck<Vertex> check(context, graph);
  if (options.flag("follow")) {
    init_followed(context, graph, check, parent);
  } else {
    init_first(context, graph, check, parent);
  }
  context.end_phase("link first neighbors");
  rounds_after_links(context, graph, parent, options.count("rounds", kRounds), true);
}

#define SKERRY_INSTANTIATE(Vertex)                                                 \
  template void rounds(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void rounds_after_links(Context&, const CsrView<Vertex>&, Vertex*, std::uint64_t, bool);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
