// "flood": skerry's algorithm for graphs that expand fast (random, social, web: short diameters).
//
// Finding the giant component first and leaving it out of the union-find is Multistep's idea
// (Slota, Rajamanickam & Madduri 2014) and Afforest's (Sutton, Ben-Nun & Barak 2018). Here it is
// found without levels: a small breadth-first seed, then sweeps (sweep.h). Whatever they miss is
// left to hook_outside, so the answer is exact. Where sweeps turn out to add little while much is
// outside, or a sample shows it before, vertices outside are linked with their first neighbors
// before that; where a sample of them is in small components, those are hooked as "window" does,
// without the rows of the flood. Where no component is large, "rows" does it all; where rows are
// short and many components small, or few vertices are next to the seed, "window"; where random
// walks show that there are several giants, "carry".
#include <algorithm>

#include "cpu/own/check_rows.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/hook_window.h"
#include "cpu/own/kernels.h"
#include "cpu/own/sweep.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kShortShare = 16;  // where rows are short: hubs, and what is next to them
constexpr std::uint64_t kGiantShare = 32;  // a component with less is not worth a flood
constexpr std::uint64_t kPart = 3;         // sweep on while that adds a third of those outside
constexpr std::uint64_t kMuch = 8;         // outside: an eighth of the vertices

// Vertices from which on a sample before a sweep pays.
constexpr std::uint64_t kSampledFrom = (1 << 17) / (kShrink > 1 ? 1 << 13 : 1);
constexpr std::uint64_t kShortFrom = (1 << 13) / (kShrink > 1 ? 1 << 13 : 1);
constexpr std::uint64_t kWalkedFrom = (1 << 15) / (kShrink > 1 ? 1 << 13 : 1);

// The members of the set become one tree; others are linked with a smaller first neighbor.
template <class Vertex>
void link_outside(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
                  const Bitmap& set, Vertex smallest, Vertex* parent) {
  const std::uint64_t last = graph.entries() - 1;  // a seed has entries
  for_ranges(context, graph.vertices, [&](std::uint64_t from, std::uint64_t to, int) {
    check.in_pieces(from, to, [&](std::uint64_t first, std::uint64_t past) {
      for (std::uint64_t v = first; v < past; ++v)
        parent[v] =
            Bitmap::has<Serial>(set.words(), v)
                ? smallest
                : first_if_smaller(graph, look(graph.offsets + v), look(graph.offsets + v + 1),
                                   last, static_cast<Vertex>(v));
    });
  });
  check.end();
}

constexpr std::uint64_t kSmall = 32;  // vertices of a component that is called small
constexpr int kLookedAt = 32;         // components
constexpr double kMostlySmall = 0.5;
// Where so many are small and rows are short, a giant has too few of the entries to be looked for.
constexpr double kManySmall = 0.25;
constexpr std::uint64_t kFew = 3;  // entries a vertex: what is called short

// Whether the component of v is small and outside the set.
template <class Vertex>
bool is_small(const CsrView<Vertex>& graph, const Bitmap& set, Vertex v) {
  Vertex members[kSmall] = {v};
  std::uint64_t size = 1;
  for (std::uint64_t next = 0; next < size; ++next) {
    const auto [begin, end] = graph.row(members[next]);
    if (end > graph.size || end - begin >= kSmall) return false;
    for (std::uint64_t e = begin; e < end; ++e) {
      const Vertex u = graph.neighbor(e);
      if (u >= graph.vertices || Bitmap::has<Serial>(set.words(), u)) return false;
      if (std::find(members, members + size, u) != members + size) continue;
      if (size == kSmall) return false;
      members[size++] = u;
    }
  }
  return true;
}

// The share of small components in a sample of the vertices outside the set.
template <class Vertex>
double small_share(const CsrView<Vertex>& graph, const Bitmap& set) {
  std::uint64_t state = 3;
  int seen = 0, small = 0;
  for (int i = 0; i < 8 * kLookedAt && seen < kLookedAt; ++i) {
    const std::uint64_t v = draw_below(state, graph.vertices);
    if (Bitmap::has<Serial>(set.words(), v) || graph.degree(v) == 0) continue;
    ++seen;
    small += is_small(graph, set, static_cast<Vertex>(v));
  }
  return static_cast<double>(small) / std::max(seen, 1);
}

constexpr std::uint64_t kNearSeed = 512;  // vertices that are looked at
constexpr double kFewTouch = 0.15;

// The share of the vertices outside a set that have a neighbor inside, from a sample: how much a
// sweep begins with. 0.2 to 1 around hubs; 0.05 to 0.12 where most rows lead from one vertex of low
// degree to the next, and sweeps take twice as long as joining all entries.
template <class Vertex>
double touching_share(const CsrView<Vertex>& graph, const Bitmap& set) {
  std::uint64_t state = 4, seen = 0, touching = 0;
  for (std::uint64_t i = 0; i < kNearSeed; ++i) {
    const std::uint64_t v = draw_below(state, graph.vertices);
    const std::uint64_t begin = look(graph.offsets + v), end = graph.bound(v + 1);
    if (begin >= end || Bitmap::has<Serial>(set.words(), v)) continue;
    ++seen;
    touching += touches<Serial>(graph, begin, end, set.words(), set.mask());
  }
  return seen == 0 ? 1.0 : static_cast<double>(touching) / static_cast<double>(seen);
}

constexpr std::size_t kWalks = 32;
constexpr std::uint64_t kLooks = 4;  // entries of a row that a walk comes to
constexpr double kMuchAway = 0.35;

// The share of random walks from outside a set that never come next to it. Nearly all do where the
// set is part of a giant that expands fast; about half do not where there are two such giants.
template <class Vertex>
double away_share(const CsrView<Vertex>& graph, const Bitmap& set, std::uint64_t steps) {
  Vertex at[kWalks];
  std::size_t begun = 0;
  std::uint64_t state = 5;
  for (std::size_t i = 0; i < 8 * kWalks && begun < kWalks; ++i) {
    const std::uint64_t v = draw_below(state, graph.vertices);
    if (Bitmap::has<Serial>(set.words(), v) || graph.degree(v) == 0) continue;
    at[begun++] = static_cast<Vertex>(v);
  }
  // A step of the walk at v; returns whether it came next to the set, or where there is no row.
  const auto arrives = [&](Vertex& v) {
    const std::uint64_t begin = look(graph.offsets + v), end = graph.bound(v + 1);
    if (begin >= end) return true;
    const std::uint64_t e = begin + draw_below(state, end - begin);
    const Vertex next = graph.neighbor(e);
    if (next >= graph.vertices) return true;
    v = next;
    return touches<Serial>(graph, e, std::min(e + kLooks, end), set.words(), set.mask());
  };
  std::size_t walking = begun;
  for (std::uint64_t step = 0; step < steps && walking > 0; ++step)
    walking = static_cast<std::size_t>(
        std::remove_if(at, at + walking, [&](Vertex& v) { return arrives(v); }) - at);
  return static_cast<double>(walking) / static_cast<double>(std::max<std::size_t>(begun, 1));
}

// Rows so short that leaving out the rest of one saves little: all entries are joined.
template <class Vertex>
void join_short_rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                     const Options& options) {
  window(context, graph, parent,
         Options({{"one_direction", options.number("one_direction", 0)}, {"adapt", 1}}));
}

}  // namespace

template <class Vertex>
void flood(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  const std::uint64_t n = graph.vertices;
  Bitmap set(context, n);
  const bool short_rows = n >= kShortFrom && graph.entries() < kFew * n;
  const bool many_short = short_rows && n >= kSampledFrom;
  if (many_short && small_share(graph, set) > kManySmall) {
    context.end_phase("sample components");
    return join_short_rows(context, graph, parent, options);
  }
  const std::uint64_t seed =
      seed_limit(n, std::max(seed_share(context.threads), many_short ? kShortShare : 1));
  // Where the giant is smaller than the seed may be, a sweep finds the rest of it sooner.
  const Patience patience = seed_patience(n, seed);
  const Grown grown =
      grow_in_giant(context, graph, seed, std::min(seed, n / kGiantShare), patience, set, parent);
  context.end_phase("grow a seed");
  if (grown.reached == 0) return rows(context, graph, parent, options);  // no component is large
  if (short_rows && touching_share(graph, set) < kFewTouch)
    return join_short_rows(context, graph, parent, options);
  RowCheck<Vertex> check(context, graph);
  bool small = false;
  if (n >= kWalkedFrom && away_share(graph, set, 2 * n / grown.reached + kWalks) > kMuchAway) {
    small = small_share(graph, set) > kMostlySmall;  // then no sweep adds much
    if (!small) return carry(context, graph, parent, options);
  }
  std::uint64_t outside = n;
  if (!small) {
    outside = sweep_while(context, graph, check, set, [](const Swept& swept) {
      return swept.joined * (kPart - 1) >= swept.left;
    });
  }
  context.end_phase("flood");
  const Vertex smallest = smallest_member<Vertex>(set);
  if (outside * kMuch > n && graph.entries() > 0) {
    link_outside(context, graph, check, set, smallest, parent);
    context.end_phase("label the flood, link the others");
    if (small || small_share(graph, set) > kMostlySmall) {
      hook_window_outside(context, graph, set, parent);
      context.end_phase("small components: hook in windows");
      finish_ordered(context, n, parent);
      context.end_phase("finish in order");
      return;
    }
    finish_ordered(context, n, parent);
    context.end_phase("finish in order");
  } else {
    for_each(context, n, [&](std::uint64_t v) {
      parent[v] = Bitmap::has<Serial>(set.words(), v) ? smallest : static_cast<Vertex>(v);
    });
    context.end_phase("label the flood");
  }
  const bool any = hook_outside(context, graph, smallest, parent);
  context.end_phase("hook outside the flood");
  if (any) finish_ordered(context, n, parent);
  context.end_phase("finish in order");
}

template void flood(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void flood(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
