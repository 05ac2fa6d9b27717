// "local": skerry's algorithm for graphs whose neighbors have near ids (road networks in map
// order).
//
// Each thread takes one contiguous range of rows and solves the graph inside it alone, in one sweep
// with plain accesses: a vertex is linked with the parent of its first neighbor, which was set just
// before, so trees are flat when they are made; other entries are joined as they are read. Then
// come the entries that leave a range downwards. Where neighbors are near, few blocks of rows have
// any, so the second sweep is short; it is right, if slower, wherever they are.
#include <algorithm>
#include <vector>

#include "cpu/first_where.h"
#include "cpu/own/check_rows.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_window.h"
#include "cpu/own/join_as_read.h"
#include "cpu/own/kernels.h"
#include "cpu/own/long_rows.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

// Rows whose entries below their range are remembered together: along a space-filling curve such
// rows are few, but everywhere.
constexpr std::uint64_t kBlock = 256 / (kShrink > 1 ? 64 : 1);

constexpr std::uint64_t kRowWork = 2;  // that a row takes beside its entries, in entries

// One thread's rows: whole blocks, but for the last.
struct Part {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
};

// Joins the entries of a row that lead to a smaller vertex of its part, and returns whether any
// lies below the part. Near ids are in the cache, so there is no window whose parents are
// prefetched: 0.6 to 0.95 times as long without (2 cores of a Neoverse-N1, docs/benchmarks.md).
template <class Vertex, class Tally>
inline bool join_inside(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
                        Vertex v, Vertex from, bool sorted, Vertex* parent, Tally& tally) {
  Vertex above = parent[v];
  bool crosses = false;
  for (std::uint64_t e = begin; e < end; ++e) {
    const Vertex u = graph.neighbor(e);
    if (u >= v) {
      if (sorted) break;
      continue;
    }
    if (u < from) {
      crosses = true;
    } else if (parent[u] != above) {
      above = unite<JumpHalving, Serial>(parent, above, parent[u], tally);
      parent[u] = above;  // for the next one that comes by
    }
  }
  return crosses;
}

// Not inlined: the loop over the entries has the registers for itself.
template <class Vertex, class Tally>
[[gnu::noinline, gnu::flatten]] bool join_long_inside(const CsrView<Vertex>& graph,
                                                      std::uint64_t begin, std::uint64_t end,
                                                      Vertex v, Vertex from, bool sorted,
                                                      Vertex* parent, Tally& tally) {
  return join_inside(graph, begin, end, v, from, sorted, parent, tally);
}

// Solves the graph inside one part; only parents inside it are accessed. Marks the blocks that have
// an entry below the part.
template <class Vertex, class Tally>
void solve_inside(Context& context, const CsrView<Vertex>& graph, const Part& part, int thread,
                  RowCheck<Vertex>& check, LongRows<Vertex>& long_rows, Vertex* parent,
                  std::uint8_t* crossing) {
  constexpr std::uint64_t kPiece = RowCheck<Vertex>::kPiece;
  Tally tally(context);
  const Vertex from = static_cast<Vertex>(part.from);
  const std::uint64_t last = graph.entries() - 1;
  std::uint64_t begin = look(graph.offsets + part.from), next = part.from, done = part.from;
  const std::uint64_t shared = long_rows.limit();
  bool sorted = check.may_be_sorted();
  // Rows are checked when they have been joined, and are in the cache: as sorted ones if those
  // before them were. If they are not, their other entries are joined now.
  const auto check_joined = [&](std::uint64_t to) {
    const bool were_sorted = check.rows(done, to);
    if (sorted && !were_sorted)
      for (std::uint64_t row = done; row < to; ++row)
        if (join_long_inside(graph, look(graph.offsets + row), graph.bound(row + 1),
                             static_cast<Vertex>(row), from, false, parent, tally))
          crossing[row / kBlock] = 1;
    sorted = were_sorted;
    done = to;
  };
  for (std::uint64_t row = part.from; row < part.to; ++row) {
    if (row == next) {
      check_joined(row);
      if (!context.keep_going(thread)) return;
      next = std::min(row + kPiece, part.to);
    }
    const Vertex v = static_cast<Vertex>(row);
    const std::uint64_t end = look(graph.offsets + row + 1);
    if (end - begin == 2 && begin < last) {  // on a chain: nearly all rows of a road network
      const Vertex before = graph.neighbor(begin);
      if (before < v && before >= from && graph.neighbor(begin + 1) > v) {
        parent[v] = parent[before];
        begin = end;
        continue;
      }
    }
    const Vertex first = first_if_smaller(graph, begin, end, last, v);
    parent[v] = v;  // for the look-up below, where the first neighbor is outside
    parent[v] = parent[first >= from ? first : v];
    bool crosses = first < from;
    if (begin + 1 < end) {
      const std::uint64_t stop = std::min(end, graph.entries());
      if (stop - begin < kLongRow) {
        crosses |= join_inside(graph, begin + 1, stop, v, from, sorted, parent, tally);
      } else if (stop - begin < shared || !long_rows.take(row)) {
        crosses |= join_long_inside(graph, begin + 1, stop, v, from, sorted, parent, tally);
      }
    }
    if (crosses) crossing[row / kBlock] = 1;
    begin = end;
  }
  check_joined(part.to);
}

// Offers the entries of a block's rows that lie below their part.
template <class Vertex, class Window>
void offer_crossing(const CsrView<Vertex>& graph, const Part& part, std::uint64_t block,
                    const LongRows<Vertex>& long_rows, Window& window) {
  const std::uint64_t to = std::min((block + 1) * kBlock, part.to);
  for (std::uint64_t v = block * kBlock; v < to; ++v) {
    if (long_rows.has(v)) continue;
    const std::uint64_t end = graph.bound(v + 1);
    for (std::uint64_t e = look(graph.offsets + v); e < end; ++e) {
      const Vertex u = graph.neighbor(e);
      window.offer(u, static_cast<Vertex>(v), u < part.from);
      if (window.full()) window.join_all();
    }
  }
}

// Hooks the entries that lie below the part of their row, in marked blocks, by the team.
template <class Vertex>
void hook_crossing(Context& context, const CsrView<Vertex>& graph, const std::vector<Part>& parts,
                   const std::uint8_t* crossing, std::uint64_t blocks,
                   const LongRows<Vertex>& long_rows, Vertex* parent) {
  with_tally(context, [&]<class Tally>() {
    for_ranges(context, blocks, 64, [&](std::uint64_t begin, std::uint64_t end, int) {
      Tally tally(context);
      PairWindow<Shared, Vertex, Tally> window(parent, tally);
      auto part = std::upper_bound(parts.begin(), parts.end(), begin * kBlock,
                                   [](std::uint64_t row, const Part& p) { return row < p.to; });
      for (std::uint64_t block = begin; block < end; ++block) {
        if (crossing[block] == 0) continue;
        while (block * kBlock >= part->to) ++part;
        offer_crossing(graph, *part, block, long_rows, window);
      }
      window.join_all();
    });
  });
}

// One part for each thread, of equal work. Offsets that fall give odd parts, which cover all rows.
template <class Vertex>
std::vector<Part> equal_parts(const CsrView<Vertex>& graph, int threads, std::uint64_t blocks) {
  const std::uint64_t count = static_cast<std::uint64_t>(threads);
  const auto first_row = [&](std::uint64_t block) {
    return std::min(block * kBlock, graph.vertices);
  };
  const auto work_before = [&](std::uint64_t block) {
    return kRowWork * first_row(block) + graph.bound(first_row(block));
  };
  const std::uint64_t all = work_before(blocks);
  std::vector<Part> parts(count);
  std::uint64_t block = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    parts[i].from = first_row(block);
    const std::uint64_t share = all / count * (i + 1);
    block = i + 1 == count ? blocks : first_where(block, blocks, [&](std::uint64_t next) {
      return work_before(next) >= share;
    });
    parts[i].to = first_row(block);
  }
  return parts;
}

template <class Vertex>
void solve_in_parts(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  const std::uint64_t blocks = (graph.vertices + kBlock - 1) / kBlock;
  const std::vector<Part> parts = equal_parts(graph, context.threads, blocks);
  RowCheck<Vertex> check(context, graph, FindOrder{true});
  LongRows<Vertex> long_rows(context, graph);
  ScratchVector<std::uint8_t> crossing(blocks, 0, context.scratch);
  with_tally(context, [&]<class Tally>() {
    for_ranges(context, parts.size(), 1, [&](std::uint64_t i, std::uint64_t, int thread) {
      solve_inside<Vertex, Tally>(context, graph, parts[i], thread, check, long_rows, parent,
                                  crossing.data());
    });
  });
  check.end();
  context.end_phase("solve inside each range");
  if (parts.size() > 1 && !context.stopped())
    hook_crossing(context, graph, parts, crossing.data(), blocks, long_rows, parent);
  long_rows.join(true, parent);
  context.end_phase("hook across ranges");
}

}  // namespace

template <class Vertex>
void local(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  if (options.flag("one_direction") && graph.entries() > 0) {
    solve_in_parts(context, graph, parent);
  } else {  // an entry may have no reverse: what lies above its row must be looked at, too
    RowCheck<Vertex> check(context, graph);
    init_followed(context, graph, check, parent);
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
