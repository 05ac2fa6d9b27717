// Union-find in the three styles of Galois (Nguyen, Lenharth & Pingali, "A Lightweight
// Infrastructure for Graph Analytics", SOSP 2013), program connectedcomponents: asynchronous,
// blocked asynchronous and synchronous; described by Jaiganesh & Burtscher (HPDC 2018), sect. 2.
//
// Departures: each edge is taken from the row of its larger end, in Galois of its smaller, and a
// row keeps its root from one entry to the next; the hook and the halving find of union_find.h
// stand for Galois' merge and its restricted path compression, so a root is the smallest member
// instead of being chosen by address. The blocks of long rows are listed beforehand, `block`
// entries each; Galois' blocked style leaves a row for its worklist at each edge whose ends are
// connected already. Beside Galois 6.0 on 18 graphs, original / ours: asynchronous 1.51, blocked
// 5.0, synchronous 2.1.
#include "cpu/published/galois.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/scratch.h"
#include "cpu/share.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// An entry of a row: where a block starts, or the edge that a row has pending.
template <class Vertex>
struct RowEntry {
  Vertex row;
  std::uint64_t entry;
};

// A list that a team writes together.
template <class Vertex>
struct RowEntries {
  RowEntries(Context& context, std::uint64_t room)
      : list(make_scratch<RowEntry<Vertex>>(context.scratch, room)) {}
  Share<RowEntry<Vertex>> share() { return {list.get(), &size}; }

  Scratch<RowEntry<Vertex>> list;
  std::uint64_t size = 0;
};

template <class Memory, class Vertex, class Tally>
void hook_block(const CsrView<Vertex>& graph, Vertex row, std::uint64_t begin, std::uint64_t end,
                Vertex* parent, Tally& tally) {
  Vertex root = JumpHalving::find<Memory>(parent, row, tally);
  for (std::uint64_t e = begin; e < end; ++e) {
    const Vertex u = graph.neighbors[e];
    if (u >= row) continue;
    root = hook<Memory>(parent, JumpHalving::find<Memory>(parent, u, tally), root, tally);
  }
}

// Hooks the first block of every row and lists the others.
template <class Memory, class Tally, class Vertex>
void hook_first_blocks(Context& context, const CsrView<Vertex>& graph, std::uint64_t block,
                       Vertex* parent, RowEntries<Vertex>& others) {
  for_ranges(context, graph.vertices, 1 << 10, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    auto share = others.share();
    for (std::uint64_t v = begin; v < end; ++v) {
      const Vertex row = static_cast<Vertex>(v);
      const std::uint64_t row_end = graph.offsets[v + 1];
      std::uint64_t e = graph.offsets[v];
      const std::uint64_t first_end = e + std::min(block, row_end - e);
      hook_block<Memory>(graph, row, e, first_end, parent, tally);
      for (e = first_end; e < row_end; e += std::min(block, row_end - e)) share.push({row, e});
    }
  });
}

template <class Memory, class Tally, class Vertex>
void hook_blocks(Context& context, const CsrView<Vertex>& graph, std::uint64_t block,
                 const RowEntries<Vertex>& blocks, Vertex* parent) {
  const std::uint64_t grain = std::max<std::uint64_t>(1, (1 << 12) / block);
  for_ranges(context, blocks.size, grain, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto [row, entry] = blocks.list[i];
      const std::uint64_t block_end = entry + std::min(block, graph.offsets[row + 1] - entry);
      hook_block<Memory>(graph, row, entry, block_end, parent, tally);
    }
  });
}

// The edge of each row that the first round hooks.
template <class Vertex>
void list_first_edges(Context& context, const CsrView<Vertex>& graph, RowEntries<Vertex>& pending) {
  for_ranges(context, graph.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    auto share = pending.share();
    for (std::uint64_t v = begin; v < end; ++v) {
      std::uint64_t e = graph.offsets[v];
      while (e < graph.offsets[v + 1] && graph.neighbors[e] >= v) ++e;
      if (e < graph.offsets[v + 1]) share.push({static_cast<Vertex>(v), e});
    }
  });
}

template <class Memory, class Tally, class Vertex>
void hook_pending(Context& context, const CsrView<Vertex>& graph, const RowEntries<Vertex>& pending,
                  Vertex* parent) {
  for_ranges(context, pending.size, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto [row, entry] = pending.list[i];
      unite<JumpHalving, Memory>(parent, row, graph.neighbors[entry], tally);
    }
  });
}

// For each row that had an edge pending, the next one that leaves its component. No one hooks
// meanwhile, so roots stay roots.
template <class Memory, class Tally, class Vertex>
void list_next_edges(Context& context, const CsrView<Vertex>& graph,
                     const RowEntries<Vertex>& pending, Vertex* parent, RowEntries<Vertex>& next) {
  for_ranges(context, pending.size, 1 << 10, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    auto share = next.share();
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto [row, entry] = pending.list[i];
      const Vertex root = JumpHalving::find<Memory>(parent, row, tally);
      for (std::uint64_t e = entry + 1; e < graph.offsets[row + 1]; ++e) {
        const Vertex u = graph.neighbors[e];
        if (u >= row || JumpHalving::find<Memory>(parent, u, tally) == root) continue;
        share.push({row, e});
        break;
      }
    }
  });
}

template <class Memory, class Tally, class Vertex>
void run_rounds(Context& context, const CsrView<Vertex>& graph, Vertex* parent) {
  RowEntries<Vertex> pending(context, graph.vertices);
  RowEntries<Vertex> next(context, graph.vertices);
  list_first_edges(context, graph, pending);
  for (; pending.size != 0 && !context.stopped(); ++context.statistics.rounds) {
    hook_pending<Memory, Tally>(context, graph, pending, parent);
    next.size = 0;
    list_next_edges<Memory, Tally>(context, graph, pending, parent, next);
    std::swap(pending, next);
  }
}

}  // namespace

template <class Vertex>
void galois_async(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options&) {
  init_own(context, graph.vertices, labels);
  Rows rows;
  rows.one_direction = true;
  hook_rows(context, graph, Jump::halving, rows, labels);
  finish(context, graph.vertices, Finish::single, labels);
}

template <class Vertex>
void galois_blocked(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                    const Options& options) {
  const std::uint64_t block = std::max<std::uint64_t>(1, options.count("block", 64));
  init_own(context, graph.vertices, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    // A row of d entries has (d - 1) / block blocks after its first, rounded down.
    RowEntries<Vertex> blocks(context, graph.entries() / block);
    hook_first_blocks<Memory, Tally>(context, graph, block, labels, blocks);
    hook_blocks<Memory, Tally>(context, graph, block, blocks, labels);
  });
  finish(context, graph.vertices, Finish::single, labels);
}

template <class Vertex>
void galois_sync(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options&) {
  init_own(context, graph.vertices, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    run_rounds<Memory, Tally>(context, graph, labels);
  });
  finish(context, graph.vertices, Finish::single, labels);
}

#define SKERRY_INSTANTIATE(Vertex)                                                         \
  template void galois_async(Context&, const CsrView<Vertex>&, Vertex*, const Options&);   \
  template void galois_blocked(Context&, const CsrView<Vertex>&, Vertex*, const Options&); \
  template void galois_sync(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
