// "window" and "local": our algorithms for graphs of low degree, over any CSR.
//
// ECL-CC's plan (Jaiganesh & Burtscher 2018): link every vertex with a smaller neighbour, hook what
// is left, finish. Changed for a CPU: the link is the first entry (first_neighbour.h), the entries
// left are collected without a branch and joined in windows (pair_window.h), and the finish uses
// the order of ids (ordered_finish.h). "local" differs in its init only: see init_followed.
#include "cpu/own/first_neighbour.h"
#include "cpu/own/kernels.h"
#include "cpu/own/pair_window.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

template <bool kOneDirection, class Window, class Vertex>
void offer_row(Window& window, const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
               std::uint64_t last, Vertex v) {
  const auto wanted = [v](Vertex u) { return kOneDirection ? u < v : u != v; };
  if constexpr (!kOneDirection) {  // a larger first entry was not linked, and may stand alone
    const Vertex u = graph.neighbours[std::min(begin, last)];
    window.offer(u, v, begin < end && u > v);
    if (window.full()) window.join_all();
  }
  // Most rows here have two entries or fewer: the second is offered without asking for the length.
  const Vertex second = graph.neighbours[std::min(begin + 1, last)];
  window.offer(second, v, begin + 1 < end && wanted(second));
  for (std::uint64_t e = begin + 2; e < end; ++e) {
    if (window.full()) window.join_all();
    window.offer(graph.neighbours[e], v, wanted(graph.neighbours[e]));
  }
  if (window.full()) window.join_all();
}

template <bool kOneDirection, class Vertex>
void hook_window(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  if (graph.entries() == 0) return;
  const std::uint64_t last = graph.entries() - 1;
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_ranges(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        PairWindow<Memory, Vertex, Tally> window(parent, tally);
        std::uint64_t begin = graph.offsets[from];
        for (std::uint64_t v = from; v < to; ++v) {
          const std::uint64_t end = graph.offsets[v + 1];
          offer_row<kOneDirection>(window, graph, begin, end, last, static_cast<Vertex>(v));
          begin = end;
        }
        window.join_all();
      });
    });
  });
}

template <class Vertex>
void hook_and_finish(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                     const Options& options) {
  if (options.flag("one_direction")) {
    hook_window<true>(context, graph, parent);
  } else {
    hook_window<false>(context, graph, parent);
  }
  context.lap("hook in windows");
  finish_ordered(context, graph.vertices, parent);
  context.lap("finish in order");
}

}  // namespace

template <class Vertex>
void window(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
            const Options& options) {
  init_first(context, graph, parent);
  context.lap("link first neighbours");
  hook_and_finish(context, graph, parent, options);
}

template <class Vertex>
void local(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  init_followed(context, graph, parent);
  context.lap("follow first neighbours");
  hook_and_finish(context, graph, parent, options);
}

#define SKERRY_INSTANTIATE(Vertex)                                                 \
  template void window(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void local(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
