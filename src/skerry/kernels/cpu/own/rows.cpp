// "rows": skerry's solver for the rows of a CSR, in stages.
//
//   link     every vertex is linked with its first neighbor, if that is smaller
//   sample   how large is the largest tree, and what would make it larger?
//   grow     where it is not large yet, one of: sweep up what touches it; grow a seed and sweep up
//            what touches that, if the diameter is low; link second neighbors outside it
//   skip     leaves out the rows of the largest tree, if it holds much of the graph
//   join     else: all remaining entries, in one direction
//   finish   every vertex gets its root
//
// After Afforest (Sutton, Ben-Nun & Barak 2018), ECL-CC (Jaiganesh & Burtscher 2018) and Multistep
// (Slota, Rajamanickam & Madduri 2014). Departures from Afforest: the first round needs no find and
// no atomic (first_neighbor.h); the second leaves out what the largest tree has, and is one of
// three ways to make a tree large, taken only if a sample of the trees made so far speaks for it.
// Where no tree is large after all, the rest is joined as ECL-CC does it, in the faster of two ways
// (join_faster.h). What to do is decided between stages, by the parent array and that sample.
#include <algorithm>

#include "cpu/own/bitmap.h"
#include "cpu/own/draw.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/kernels.h"
#include "cpu/own/pair_window.h"
#include "cpu/own/sweep.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

// The numbers that decide: docs/algorithms.md has a table of them.

// The share of the vertices with entries that a tree needs for its rows to be skipped.
constexpr double kGiant = 0.4;
// The share from which on nothing is done before that to make it larger.
constexpr double kEnough = 0.5;
// The share of the sampled vertices outside the largest tree that must have a neighbor inside, for
// a sweep.
constexpr double kTouching = 0.25;
// Entries a vertex below which second neighbors are most of what is left to be joined anyway.
constexpr std::uint64_t kShortRows = 3;
// The edges that second neighbors must give each tree, for one of many small ones to grow large.
// In groups whose members are each other's neighbors it is 2 to 5, in meshes 6 or more.
constexpr double kJoiningDegree = 5.5;
// The share of the largest below which all trees are small.
constexpr double kSmallTrees = 0.02;
// The share of a seed's members whose rows are still to be read: with less, as in a mesh, the graph
// does not expand fast, and the seed is given up.
constexpr double kFrontier = 0.5;
// Entries for each thread from which on second neighbors are linked apart from the others.
constexpr std::uint64_t kSecondFrom = (1 << 14) / kShrink;

// Sizes of the sample, which decide nothing: each vertex is some loads from anywhere.
constexpr std::uint64_t kLeastSampled = 128, kMostSampled = 512;  // vertices, of n a 64th
constexpr std::uint64_t kSampledRow = 8;                          // entries of one, at most

// Vertices that have entries, and their roots.
template <class Vertex>
struct Drawn {
  std::uint64_t count = 0;
  std::uint64_t rows[kMostSampled];
  Vertex roots[kMostSampled];
};

template <class Vertex>
void draw_rows(const CsrView<Vertex>& graph, const Vertex* parent, Drawn<Vertex>& drawn) {
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(graph.vertices / 64, kLeastSampled, kMostSampled);
  std::uint64_t state = 1;
  for (std::uint64_t i = 0; i < 2 * wanted && drawn.count < wanted; ++i) {
    const std::uint64_t row = draw_below(state, graph.vertices);
    if (graph.bound(row) >= graph.bound(row + 1)) continue;  // a component of its own
    drawn.rows[drawn.count] = row;
    drawn.roots[drawn.count++] = parent[row];
  }
}

// What a sample shows of flat trees.
template <class Vertex>
struct Sample {
  Vertex largest = 0;   // the root of the largest tree
  double share = 0;     // its share of the vertices with entries
  double touching = 0;  // the share of the others that have a neighbor in it
  double joining = 0;   // edges that second neighbors would give each tree
};

template <class Vertex>
void find_largest(const Drawn<Vertex>& drawn, Sample<Vertex>& sample) {
  Vertex sorted[kMostSampled];
  std::copy(drawn.roots, drawn.roots + drawn.count, sorted);
  std::sort(sorted, sorted + drawn.count);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0, next; i < drawn.count; i = next) {
    next = i + 1;
    while (next < drawn.count && sorted[next] == sorted[i]) ++next;
    if (next - i <= count) continue;
    count = next - i;
    sample.largest = sorted[i];
  }
  sample.share = static_cast<double>(count) / static_cast<double>(drawn.count);
}

template <class Vertex>
Sample<Vertex> sample_trees(const CsrView<Vertex>& graph, const Vertex* parent) {
  Drawn<Vertex> drawn;
  Sample<Vertex> sample;
  draw_rows(graph, parent, drawn);
  if (drawn.count == 0) return sample;
  find_largest(drawn, sample);
  if (sample.share >= kEnough) return sample;  // the rest is not asked for
  const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
  std::uint64_t trees = 0, leaving = 0, others = 0, touching = 0;
  for (std::uint64_t i = 0; i < drawn.count; ++i) {
    const std::uint64_t row = drawn.rows[i];
    const std::uint64_t begin = graph.bound(row), end = graph.bound(row + 1);
    const auto root_at = [&](std::uint64_t e) {
      return parent[std::min(graph.neighbor(e), highest)];
    };
    trees += drawn.roots[i] == row;
    if (begin + 1 < end) leaving += root_at(begin + 1) != drawn.roots[i];
    if (drawn.roots[i] == sample.largest) continue;
    ++others;
    bool inside = false;
    for (std::uint64_t e = begin; e < std::min(end, begin + kSampledRow) && !inside; ++e)
      inside = root_at(e) == sample.largest;
    touching += inside;
  }
  sample.touching = static_cast<double>(touching) / static_cast<double>(others);
  sample.joining =
      2.0 * static_cast<double>(leaving) / static_cast<double>(std::max<std::uint64_t>(trees, 1));
  return sample;
}

// The members of a tree that is flat.
template <class Vertex>
void fill_with_tree(Context& context, const Vertex* parent, Vertex root, std::uint64_t n,
                    Bitmap& set) {
  std::uint64_t* const words = set.words();
  for_ranges(context, set.size(), 64, [&](std::uint64_t from, std::uint64_t to, int) {
    for (std::uint64_t w = from; w < to; ++w) {
      std::uint64_t word = 0;
      const std::uint64_t first = w * Bitmap::kBits, past = std::min(first + Bitmap::kBits, n);
      for (std::uint64_t v = first; v < past; ++v)
        word |= std::uint64_t{parent[v] == root} << (v - first);
      words[w] = word;
    }
  });
  Bitmap::add_masked(words, set.mask(), root);  // so it has a member, even where this was stopped
}

// Grows a seed breadth-first, by one thread. Returns whether it has grown to its size.
template <class Vertex>
bool grow_seed(Context& context, const CsrView<Vertex>& graph, Bitmap& set) {
  const std::uint64_t limit = seed_limit(graph.vertices, seed_share(context.threads));
  const auto members = make_scratch<Vertex>(context.scratch, limit + 1);
  Patience patience = seed_patience(graph.vertices, limit);
  patience.frontier = kFrontier;
  std::uint64_t state = 1;
  const Vertex start = largest_drawn(graph, state);
  const Grown grown = grow(context, graph, start, limit, patience, set, members.get());
  return grown.ended || grown.reached >= limit;
}

// Sweeps up all that the set reaches soon, and makes it one tree; returns its root, the smallest
// member, which all others point to then. A vertex that is taken from another tree leaves no gap
// there: trees were flat, and all entries of the rows outside are still to be joined.
template <class Vertex>
Vertex sweep_up(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
                Bitmap& set, Vertex* parent) {
  sweep_while(context, graph, check, set, [](const Swept&) { return true; });
  const Vertex smallest = smallest_member<Vertex>(set);
  for_each(context, graph.vertices, [&](std::uint64_t v) {
    if (Bitmap::has<Serial>(set.words(), v)) parent[v] = smallest;
  });
  context.end_phase("sweep");
  return smallest;
}

// Joins every vertex outside the largest tree with its second neighbor.
template <class Vertex>
void link_second(Context& context, const CsrView<Vertex>& graph, Vertex largest, Vertex* parent) {
  const std::uint64_t last = graph.entries() - 1;
  const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_parts(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        PairWindow<Memory, Vertex, Tally> window(parent, tally);
        for (std::uint64_t v = from; v < to; ++v) {
          const auto [begin, end] = graph.row(v);
          const Vertex u = std::min(graph.neighbor(std::min(begin + 1, last)), highest);
          window.offer(u, static_cast<Vertex>(v),
                       (begin + 1 < end) & (Memory::load(parent + v) != largest));
          if (window.full()) window.join_all();
        }
        window.join_all();
      });
    });
  });
  context.end_phase("link second neighbors");
}

template <class Vertex>
Sample<Vertex> flatten_and_sample(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("flatten");
  const Sample<Vertex> sample = sample_trees(graph, parent);
  context.end_phase("sample");
  return sample;
}

// Makes one tree large, if the first links, a sweep or second neighbors can; returns whether they
// have. Then `largest` is its root, and its members point to it.
template <class Vertex>
bool grow_largest(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
                  Vertex* parent, Vertex& largest) {
  const bool short_rows = graph.entries() < kShortRows * graph.vertices;
  Sample<Vertex> sample = flatten_and_sample(context, graph, parent);
  for (const bool second_linked : {false, true}) {
    largest = sample.largest;
    if (sample.share >= kEnough) return true;
    if (sample.touching >= kTouching) {
      Bitmap set(context, graph.vertices);
      fill_with_tree(context, parent, largest, graph.vertices, set);
      largest = sweep_up(context, graph, check, set, parent);
      return true;
    }
    if (second_linked) break;
    if (!short_rows && sample.joining >= kJoiningDegree) {
      Bitmap set(context, graph.vertices);
      const bool grown = grow_seed(context, graph, set);
      context.end_phase("grow a seed");
      if (grown) {
        largest = sweep_up(context, graph, check, set, parent);
        return true;
      }
    }
    const bool large = sample.share >= (short_rows ? kGiant : kSmallTrees);
    const bool may_grow = large || (!short_rows && sample.joining >= kJoiningDegree);
    const auto threads = static_cast<std::uint64_t>(context.threads);
    if (!may_grow || graph.entries() < kSecondFrom * threads) break;
    link_second(context, graph, largest, parent);
    sample = flatten_and_sample(context, graph, parent);
  }
  return sample.share >= kGiant;
}

}  // namespace

template <class Vertex>
void rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  const bool symmetric = options.flag("one_direction");
  RowCheck<Vertex> check(context, graph, FindOrder{symmetric, kOrderFrom});
  init_first(context, graph, check, parent);
  context.end_phase("link first neighbors");
  if (graph.entries() == 0) return;  // all vertices are roots
  Vertex largest = 0;
  if (symmetric && grow_largest(context, graph, check, parent, largest)) {
    const bool any = hook_outside(context, graph, largest, parent);
    context.end_phase("skip the largest");
    if (!any) return;  // all vertices point to their roots already
  } else {
    with_entries(context, symmetric,
                 [&]<Entries kEntries>() { join_faster<kEntries>(context, graph, parent); });
    context.end_phase("join rows");
  }
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish");
}

template void rows(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void rows(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
