// "local": skerry's algorithm for graphs whose neighbors have near ids (road networks in map
// order).
//
// Each thread takes one contiguous range of rows and solves the graph inside it alone, in one sweep
// with plain accesses: a vertex is linked with the parent of its first neighbor, which was set just
// before, so trees are flat when they are made; other entries are joined in windows. Then come the
// entries that leave a range downwards. Where neighbors are near, only rows near the start of a
// range have any, so the second sweep is short; it is right, if slower, wherever they are.
#include <vector>

#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_window.h"
#include "cpu/own/kernels.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

// One thread's rows, and where those end that have an entry below the range.
struct Part {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t crossing_end = 0;
};

// Solves the graph inside one part; only parents inside it are accessed.
template <class Vertex, class Tally>
void solve_inside(Context& context, const CsrView<Vertex>& graph, Part& part, int thread,
                  Vertex* parent) {
  Tally tally(context);
  PairWindow<Serial, Vertex, Tally> window(parent, tally);
  const Vertex from = static_cast<Vertex>(part.from);
  const std::uint64_t last = graph.entries() - 1;
  std::uint64_t begin = graph.offsets[part.from];
  std::uint64_t crossing_end = part.from;
  for (std::uint64_t row = part.from; row < part.to; ++row) {
    if (row % kGrain == 0 && !context.keep_going(thread)) return;
    const Vertex v = static_cast<Vertex>(row);
    const std::uint64_t end = graph.offsets[row + 1];
    if (end - begin == 2) {  // on a chain: nearly all rows of a road network
      const Vertex before = graph.neighbors[begin];
      if (before < v && before >= from && graph.neighbors[begin + 1] > v) {
        parent[v] = parent[before];
        begin = end;
        continue;
      }
    }
    const Vertex first = first_if_smaller(graph, begin, end, last, v);
    parent[v] = v;  // for the look-up below, where the first neighbor is outside
    parent[v] = parent[first >= from ? first : v];
    bool crosses = first < from;
    const auto offer = [&](std::uint64_t e, bool exists) {
      const Vertex u = graph.neighbors[std::min(e, last)];
      window.offer(u, v, exists && u < v && u >= from);
      crosses |= exists && u < from;
    };
    offer(begin + 1, begin + 1 < end);  // most rows here end with it: no loop to mispredict
    for (std::uint64_t e = begin + 2; e < end; ++e) {
      if (window.full()) window.join_all();
      offer(e, true);
    }
    if (window.full()) window.join_all();
    crossing_end = crosses ? row + 1 : crossing_end;
    begin = end;
  }
  window.join_all();
  part.crossing_end = crossing_end;
}

// Hooks the entries of one part's rows that lie below it, by the team.
template <class Vertex>
void hook_crossing(Context& context, const CsrView<Vertex>& graph, const Part& part,
                   Vertex* parent) {
  const std::uint64_t rows = part.crossing_end - part.from;
  with_tally(context, [&]<class Tally>() {
    for_ranges(context, rows, 1 << 12, [&](std::uint64_t begin, std::uint64_t end, int) {
      Tally tally(context);
      PairWindow<Shared, Vertex, Tally> window(parent, tally);
      for (std::uint64_t v = part.from + begin; v < part.from + end; ++v) {
        for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
          const Vertex u = graph.neighbors[e];
          window.offer(u, static_cast<Vertex>(v), u < part.from);
          if (window.full()) window.join_all();
        }
      }
      window.join_all();
    });
  });
}

template <class Vertex>
void solve_in_parts(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  std::vector<Part> parts(static_cast<std::size_t>(context.threads));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].from = parts[i].crossing_end = graph.vertices * i / parts.size();
    parts[i].to = graph.vertices * (i + 1) / parts.size();
  }
  with_tally(context, [&]<class Tally>() {
    for_ranges(context, parts.size(), 1, [&](std::uint64_t i, std::uint64_t, int thread) {
      solve_inside<Vertex, Tally>(context, graph, parts[i], thread, parent);
    });
  });
  context.end_phase("solve inside each range");
  for (const Part& part : parts) hook_crossing(context, graph, part, parent);
  context.end_phase("hook across ranges");
}

}  // namespace

template <class Vertex>
void local(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  if (options.flag("one_direction") && graph.entries() > 0) {
    solve_in_parts(context, graph, parent);
  } else {  // an entry may have no reverse: what lies above its row must be looked at, too
    init_followed(context, graph, parent);
    context.end_phase("follow first neighbors");
    hook_window<false>(context, graph, parent);
    context.end_phase("hook in windows");
  }
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
}

template void local(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void local(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
