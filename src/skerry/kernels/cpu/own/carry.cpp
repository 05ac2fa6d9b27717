// "carry": skerry's algorithm for short rows inside a cache, and for rows whose entries are mostly
// in one tree already (cliques, intervals, small meshes in any order).
//
// ECL-CC's plan (Jaiganesh & Burtscher 2018): link every vertex with a smaller neighbor, hook what
// is left, finish. A row carries its root along, so an entry that leads to that root's children
// costs one load and a branch, which is foreseen where most do. Departures from ECL-CC: the link is
// the first entry (first_neighbor.h), which is not looked at again; one look at a neighbor's parent
// before its root is searched; the finish uses the order of ids (ordered_finish.h). Unlike "window"
// it waits for each look, so it pays where the parents are near.
#include <algorithm>
#include <cstdint>

#include "common/union_find.h"
#include "cpu/own/check_rows.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/kernels.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

constexpr std::uint64_t kLong = 6;  // entries of a row that are joined in a function of their own

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

// Joins the entries of a row but the first, which was linked if it is smaller.
template <bool kOneDirection, class Memory, class Vertex, class Tally>
void join_row(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end, Vertex v,
              Vertex* parent, Tally& tally) {
  const std::uint64_t stop = std::min(end, graph.entries());
  const std::uint64_t first = kOneDirection || graph.neighbor(begin) < v ? begin + 1 : begin;
  const Vertex bound = kOneDirection ? v : static_cast<Vertex>(graph.vertices);
  if (stop - begin < kLong) {
    join_entries<Memory>(graph, first, stop, v, bound, parent, tally);
  } else {
    join_long_row<Memory>(graph, first, stop, v, bound, parent, tally);
  }
}

template <bool kOneDirection, class Vertex>
void join_rows(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
               Vertex* parent) {
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_parts(context, graph.vertices, 1 << 10, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        check.in_pieces(from, to, [&](std::uint64_t first, std::uint64_t past) {
          std::uint64_t begin = look(graph.offsets + first);
          for (std::uint64_t v = first; v < past; ++v) {
            const std::uint64_t end = look(graph.offsets + v + 1);
            if (begin < end && begin < graph.entries()) {
              join_row<kOneDirection, Memory>(graph, begin, end, static_cast<Vertex>(v), parent,
                                              tally);
            }
            begin = end;
          }
        });
      });
    });
  });
  check.end();
}

}  // namespace

template <class Vertex>
void carry(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  RowCheck<Vertex> check(context, graph);
  RowCheck<Vertex> none(context, graph, false);
  init_first(context, graph, none, parent);
  context.end_phase("link first neighbors");
  if (options.flag("one_direction")) {
    join_rows<true>(context, graph, check, parent);
  } else {
    join_rows<false>(context, graph, check, parent);
  }
  context.end_phase("join rows");
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
}

template void carry(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void carry(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
