// Joins the entries of rows as they are read. A row carries its root along, so an entry that
// leads to that root's children costs one load and a branch, which is foreseen where most do.
// Sorted rows are joined as ECL-CC does it (Jaiganesh & Burtscher 2018, Fig. 6), up to the first
// larger entry.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/union_find.h"
#include "cpu/own/entries.h"
#include "cpu/views.h"

namespace skerry {

inline constexpr std::uint64_t kLongRow = 6;  // entries, joined in a function of their own

// Joins the entries of a row that lead to a vertex below `bound`.
template <class Memory, class Vertex, class Tally>
inline void join_entries(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
                         Vertex v, Vertex bound, Vertex* parent, Tally& tally) {
  Vertex above = Memory::load(parent + v);
  for (std::uint64_t e = begin; e < end; ++e) {
    const Vertex u = graph.neighbor(e);
    if (u >= bound) continue;
    const Vertex other = Memory::load(parent + u);
    if (other == above) continue;
    above = unite<JumpHalving, Memory>(parent, above, other, tally);
    if (other != u) Memory::store(parent + u, above);  // a root may be linked by another thread
  }
}

// Not inlined: the loop over the entries has the registers for itself.
template <class Memory, class Vertex, class Tally>
[[gnu::noinline, gnu::flatten]] void join_long_row(const CsrView<Vertex>& graph,
                                                   std::uint64_t begin, std::uint64_t end, Vertex v,
                                                   Vertex bound, Vertex* parent, Tally& tally) {
  join_entries<Memory>(graph, begin, end, v, bound, parent, tally);
}

// Joins the entries of a sorted row that lead to a smaller vertex, but the first, which was linked.
template <class Memory, class Vertex, class Tally>
inline void join_smaller(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
                         Vertex v, Vertex* parent, Tally& tally) {
  const std::uint64_t stop = std::min(end, graph.entries());
  std::uint64_t e = begin + 1;
  if (e >= stop) return;
  Vertex u = graph.neighbor(e);
  if (u >= v) return;
  Vertex root = JumpHalving::find<Memory>(parent, v, tally);
  for (;;) {
    const Vertex other = JumpHalving::find<Memory>(parent, u, tally);
    root = hook<Memory>(parent, other, root, tally);
    if (++e >= stop) return;
    u = graph.neighbor(e);
    if (u >= v) return;
  }
}

// Joins the entries of a row but the first, which was linked if it is smaller.
template <Entries kEntries, class Memory, class Vertex, class Tally>
void join_row(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end, Vertex v,
              Vertex* parent, Tally& tally) {
  constexpr bool kOneDirection = kEntries != Entries::kAll;
  const std::uint64_t stop = std::min(end, graph.entries());
  const std::uint64_t first = kOneDirection || graph.neighbor(begin) < v ? begin + 1 : begin;
  const Vertex bound = kOneDirection ? v : static_cast<Vertex>(graph.vertices);
  if (stop - begin < kLongRow) {
    join_entries<Memory>(graph, first, stop, v, bound, parent, tally);
  } else {
    join_long_row<Memory>(graph, first, stop, v, bound, parent, tally);
  }
}

// Joins the entries of the rows [from, to) that first_neighbor.h has left.
template <Entries kEntries, class Memory, class Vertex, class Tally>
void join_as_read(const CsrView<Vertex>& graph, std::uint64_t from, std::uint64_t to,
                  Vertex* parent, Tally& tally) {
  std::uint64_t begin = look(graph.offsets + from);
  for (std::uint64_t v = from; v < to; ++v) {
    const std::uint64_t end = look(graph.offsets + v + 1);
    if constexpr (kEntries == Entries::kSmallerFirst) {
      join_smaller<Memory>(graph, begin, end, static_cast<Vertex>(v), parent, tally);
    } else if (begin < end && begin < graph.entries()) {
      join_row<kEntries, Memory>(graph, begin, end, static_cast<Vertex>(v), parent, tally);
    }
    begin = end;
  }
}

}  // namespace skerry
