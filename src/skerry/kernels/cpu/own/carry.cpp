// "carry": skerry's algorithm for short rows inside a cache, and for rows whose entries are mostly
// in one tree already (cliques, intervals, small meshes in any order).
//
// ECL-CC's plan (Jaiganesh & Burtscher 2018): link every vertex with a smaller neighbor, hook what
// is left as it is read (join_as_read.h), finish. Departures from ECL-CC: the link is the first
// entry (first_neighbor.h), which is not looked at again; one look at a neighbor's parent before
// its root is searched; the finish uses the order of ids (ordered_finish.h). Unlike "window" it
// waits for each look, so it pays where the parents are near.
#include <cstdint>

#include "cpu/own/check_rows.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/join_as_read.h"
#include "cpu/own/kernels.h"
#include "cpu/own/long_rows.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

template <Entries kEntries, class Vertex>
void join_rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  LongRows<Vertex> long_rows(context, graph);
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_parts(context, graph.vertices, 1 << 10, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        long_rows.leave_out(from, to, [&](std::uint64_t first, std::uint64_t past) {
          join_as_read<kEntries, Memory>(graph, first, past, parent, tally);
        });
      });
    });
  });
  long_rows.join(kEntries != Entries::kAll, parent);
}

}  // namespace

template <class Vertex>
void carry(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  const bool one_direction = options.flag("one_direction");
  RowCheck<Vertex> check(context, graph, FindOrder{one_direction, kOrderFrom});
  init_first(context, graph, check, parent);
  context.end_phase("link first neighbors");
  if (graph.entries() == 0) return;  // all vertices are roots
  with_entries(context, one_direction,
               [&]<Entries kEntries>() { join_rows<kEntries>(context, graph, parent); });
  context.end_phase("join rows");
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
}

template void carry(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void carry(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
