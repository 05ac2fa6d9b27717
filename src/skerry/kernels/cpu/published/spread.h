// One step from a frontier to the next: every member offers its label to its neighbors, and those
// that accept it are the next frontier. The search, the propagation and the decomposition differ in
// which vertices accept a label, which is their Step.
//
// Shun & Blelloch, "Ligra" (PPoPP 2013): edgeMap; Beamer, Asanovic & Patterson, "Direction-
// Optimizing Breadth-First Search" (SC 2012). Departures: a small frontier is worked on by the
// calling thread alone, with plain accesses (by the letter, team=always, it is not); a long row is
// shared by the team; vertices count beside edges when the direction is chosen, so that a graph of
// mostly isolated vertices is not swept for a few edges.
//
// A Step provides, for a Memory type,
//   label<Memory>(u)              what u offers;
//   offer<Memory>(label, v)       whether v accepts it, and has accepted none before in this step;
//   pull<Memory>(graph, from, v)  whether v accepts one from its neighbors in `from`, a bitmap.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/options.h"
#include "cpu/published/frontier.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// Work is counted in vertices and edges looked at.
inline constexpr std::uint64_t kTeamFrom =
    (1 << 12) / kShrink;                              // less is done before a team starts
inline constexpr std::uint64_t kPullShare = 20;       // pull from 1/20 of all work on: Ligra
inline constexpr std::uint64_t kPushPiece = 1 << 12;  // work in a piece dealt out by a push
inline constexpr std::uint64_t kPullPiece =
    kShrink > 1 ? 64 : 1 << 12;                                 // vertices in one by a pull
inline constexpr std::uint64_t kLongRow = (1 << 14) / kShrink;  // rows from here on are shared
static_assert(kPullPiece % 64 == 0, "a word of the bitmap must have one writer");

// Rows that a push has set aside. Where there is no room the row is pushed in its turn: so many
// long rows balance each other.
template <class Vertex>
struct LongRows {
  std::array<Vertex, 256> rows;
  std::uint64_t requested = 0;

  bool set_aside(Vertex u) {
    const std::uint64_t slot = Shared::fetch_add(&requested, std::uint64_t{1});
    if (slot >= rows.size()) return false;
    rows[slot] = u;
    return true;
  }
  std::uint64_t count() const { return std::min<std::uint64_t>(requested, rows.size()); }
};

template <class Memory, class Vertex, class Step, class Add>
void push_entries(const CsrView<Vertex>& graph, const Step& step, Vertex u, std::uint64_t begin,
                  std::uint64_t end, Add&& add) {
  const Vertex label = step.template label<Memory>(u);
  for (std::uint64_t e = begin; e < end; ++e) {
    const Vertex v = graph.neighbors[e];
    if (step.template offer<Memory>(label, v)) add(v, graph.degree(v));
  }
}

// Prefetches the rows a few elements ahead in a list.
template <class Vertex>
void prefetch_rows(const CsrView<Vertex>& graph, const Vertex* list, std::uint64_t i,
                   std::uint64_t end) {
  if (i + 8 < end) prefetch(graph.offsets + list[i + 8]);
  if (i + 4 < end) prefetch(graph.neighbors + graph.offsets[list[i + 4]]);
}

template <class Vertex, class Step>
void push_alone(const CsrView<Vertex>& graph, const Frontier<Vertex>& from, Frontier<Vertex>& to,
                const Step& step) {
  to.start_list();
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    prefetch_rows(graph, from.list(), i, from.size());
    const Vertex u = from.list()[i];
    push_entries<Serial>(graph, step, u, graph.offsets[u], graph.offsets[u + 1],
                         [&to](Vertex v, std::uint64_t degree) { to.push(v, degree); });
  }
}

template <class Memory, class Vertex, class Step>
void push_together(Context& context, const CsrView<Vertex>& graph, const Frontier<Vertex>& from,
                   Frontier<Vertex>& to, const Step& step) {
  using Additions = typename Frontier<Vertex>::template Additions<Memory>;
  to.start_list();
  LongRows<Vertex> waiting;
  const std::uint64_t per_piece =
      std::max<std::uint64_t>(1, from.size() / (from.work() / kPushPiece + 1));
  for_ranges(context, from.size(), per_piece, [&](std::uint64_t begin, std::uint64_t end, int) {
    Additions additions(to);
    const auto add = [&](Vertex v, std::uint64_t degree) { additions.add(v, degree); };
    for (std::uint64_t i = begin; i < end; ++i) {
      prefetch_rows(graph, from.list(), i, end);
      const Vertex u = from.list()[i];
      if (graph.degree(u) >= kLongRow && waiting.set_aside(u)) continue;
      push_entries<Memory>(graph, step, u, graph.offsets[u], graph.offsets[u + 1], add);
    }
  });
  for (std::uint64_t i = 0; i < waiting.count(); ++i) {
    const Vertex u = waiting.rows[i];
    const std::uint64_t first = graph.offsets[u];
    for_ranges(
        context, graph.degree(u), kPushPiece, [&](std::uint64_t begin, std::uint64_t end, int) {
          Additions additions(to);
          push_entries<Memory>(graph, step, u, first + begin, first + end,
                               [&](Vertex v, std::uint64_t degree) { additions.add(v, degree); });
        });
  }
}

template <class Memory, class Vertex, class Step>
void pull_together(Context& context, const CsrView<Vertex>& graph, const Frontier<Vertex>& from,
                   Frontier<Vertex>& to, const Step& step) {
  to.start_bits();
  deal_ranges(context, graph.vertices, kPullPiece,
              [&](std::uint64_t begin, std::uint64_t end, int) {
                std::uint64_t members = 0;
                std::uint64_t edges = 0;
                for (std::uint64_t first = begin; first < end; first += 64) {
                  std::uint64_t word = 0;
                  const std::uint64_t last = std::min(first + 64, end);
                  for (std::uint64_t v = first; v < last; ++v) {
                    if (!step.template pull<Memory>(graph, from, static_cast<Vertex>(v))) continue;
                    word |= std::uint64_t{1} << (v - first);
                    ++members;
                    edges += graph.degree(v);
                  }
                  to.write_word(first / 64, word);
                }
                to.count_in(members, edges);
              });
}

inline std::uint64_t team_from(const Options& options) {
  return options.flag("team") ? 0 : kTeamFrom;
}

// `to` is overwritten; `from` may change its form. Where the context is stopped, both are unfit to
// be read.
template <class Memory, class Vertex, class Step>
void spread(Context& context, const CsrView<Vertex>& graph, Frontier<Vertex>& from,
            Frontier<Vertex>& to, const Step& step, std::uint64_t team_from = kTeamFrom) {
  if (from.work() < team_from) {
    from.make_list(context);
    push_alone(graph, from, to, step);
  } else if (from.work() > (graph.vertices + graph.entries()) / kPullShare) {
    from.template make_bits<Memory>(context);
    pull_together<Memory>(context, graph, from, to, step);
  } else {
    from.make_list(context);
    push_together<Memory>(context, graph, from, to, step);
  }
}

}  // namespace skerry
