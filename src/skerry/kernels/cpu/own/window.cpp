// "window": skerry's algorithm for graphs of low degree, over any CSR.
//
// ECL-CC's plan (Jaiganesh & Burtscher 2018): link every vertex with a smaller neighbor, hook what
// is left, finish. Changed for a CPU: the link is the first entry (first_neighbor.h), the entries
// left are collected without a branch and joined in windows (pair_window.h), and the finish uses
// the order of ids (ordered_finish.h). With the option `adapt` they are joined as they are read,
// as in "carry", where that is faster (join_faster.h).
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_window.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/kernels.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

template <class Vertex>
void window(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
            const Options& options) {
  const bool one_direction = options.flag("one_direction"), adapt = options.flag("adapt");
  RowCheck<Vertex> check(context, graph, FindOrder{one_direction && adapt});
  init_first(context, graph, check, parent);
  context.end_phase("link first neighbors");
  if (graph.entries() == 0) return;  // all vertices are roots
  with_entries(context, one_direction, [&]<Entries kEntries>() {
    if (adapt) {
      join_faster<kEntries>(context, graph, parent);
    } else {
      hook_window<kEntries != Entries::kAll>(context, graph, parent);
    }
  });
  context.end_phase(adapt ? "join rows" : "hook in windows");
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
}

template void window(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void window(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
