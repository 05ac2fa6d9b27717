// Union-find in the three styles of Galois (Nguyen, Lenharth & Pingali, "A Lightweight
// Infrastructure for Graph Analytics", SOSP 2013), program connectedcomponents: asynchronous,
// blocked asynchronous and synchronous; described by Jaiganesh & Burtscher (HPDC 2018), sect. 2.
//
// Departures: each edge is taken from the row of its larger end, in Galois of its smaller, and a
// row keeps its root from one entry to the next; the hook and the halving find of union_find.h
// stand for Galois' merge and its restricted path compression, so a root is the smallest member
// instead of being chosen by address. The blocks of long rows are listed beforehand, `block`
// entries each; Galois' blocked style leaves a row for its worklist at each edge whose ends are
// connected already. By the letter: end=smaller, and for the blocked style leave=connected, where
// the worklist is a thread's own and holds the rows, or blocks, of the range that it works on.
// Beside Galois 6.0 on 18 graphs, original / ours: asynchronous 1.51, blocked 5.0, synchronous 2.1.
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

struct Choices {
  bool from_smaller;     // an edge is taken from the row of its smaller end
  bool leave_connected;  // a row is left at an edge whose ends are connected

  explicit Choices(const Options& options)
      : from_smaller(options.flag("end")), leave_connected(options.flag("leave")) {}

  template <class Vertex>
  bool takes(Vertex row, Vertex u) const {
    return from_smaller ? u > row : u < row;
  }
};

// Entries begin .. end of a row; returns where it was left.
template <class Memory, class Vertex, class Tally>
std::uint64_t hook_block(const CsrView<Vertex>& graph, Vertex row, std::uint64_t begin,
                         std::uint64_t end, const Choices& choices, Vertex* parent, Tally& tally) {
  Vertex root = JumpHalving::find<Memory>(parent, row, tally);
  for (std::uint64_t e = begin; e < end; ++e) {
    const Vertex u = graph.neighbors[e];
    if (!choices.takes(row, u)) continue;
    const Vertex other = JumpHalving::find<Memory>(parent, u, tally);
    if (choices.leave_connected && other == root) return e + 1;
    root = hook<Memory>(parent, other, root, tally);
  }
  return end;
}

// A thread's worklist of blocks that it has left, each with its end.
template <class Vertex>
class Worklist {
 public:
  static constexpr std::uint64_t kRoom = 1 << 10;

  void push(Vertex row, std::uint64_t entry, std::uint64_t end) {
    if (entry < end) items_[size_++] = {row, entry, end};
  }

  // Takes them up in turn until all are done.
  template <class Memory, class Tally>
  void run(const CsrView<Vertex>& graph, const Choices& choices, Vertex* parent, Tally& tally) {
    while (size_ != 0) {
      const std::uint64_t before = size_;
      size_ = 0;
      for (std::uint64_t i = 0; i < before; ++i) {
        const Item item = items_[i];
        push(item.row,
             hook_block<Memory>(graph, item.row, item.entry, item.end, choices, parent, tally),
             item.end);
      }
    }
  }

 private:
  struct Item {
    Vertex row;
    std::uint64_t entry;
    std::uint64_t end;
  };
  Item items_[kRoom];
  std::uint64_t size_ = 0;
};

// Hooks the first block of every row and lists the others.
template <class Memory, class Tally, class Vertex>
void hook_first_blocks(Context& context, const CsrView<Vertex>& graph, std::uint64_t block,
                       const Choices& choices, Vertex* parent, RowEntries<Vertex>& others) {
  constexpr std::uint64_t kRows = Worklist<Vertex>::kRoom;
  for_ranges(context, graph.vertices, kRows, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    Worklist<Vertex> left;
    auto share = others.share();
    for (std::uint64_t v = begin; v < end; ++v) {
      const Vertex row = static_cast<Vertex>(v);
      const std::uint64_t row_end = graph.offsets[v + 1];
      std::uint64_t e = graph.offsets[v];
      const std::uint64_t first_end = e + std::min(block, row_end - e);
      left.push(row, hook_block<Memory>(graph, row, e, first_end, choices, parent, tally),
                first_end);
      for (e = first_end; e < row_end; e += std::min(block, row_end - e)) share.push({row, e});
    }
    left.template run<Memory>(graph, choices, parent, tally);
  });
}

template <class Memory, class Tally, class Vertex>
void hook_blocks(Context& context, const CsrView<Vertex>& graph, std::uint64_t block,
                 const Choices& choices, const RowEntries<Vertex>& blocks, Vertex* parent) {
  const std::uint64_t grain =
      std::clamp<std::uint64_t>((1 << 12) / block, 1, Worklist<Vertex>::kRoom);
  for_ranges(context, blocks.size, grain, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    Worklist<Vertex> left;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto [row, entry] = blocks.list[i];
      const std::uint64_t block_end = entry + std::min(block, graph.offsets[row + 1] - entry);
      left.push(row, hook_block<Memory>(graph, row, entry, block_end, choices, parent, tally),
                block_end);
    }
    left.template run<Memory>(graph, choices, parent, tally);
  });
}

// The edge of each row that the first round hooks.
template <class Vertex>
void list_first_edges(Context& context, const CsrView<Vertex>& graph, const Choices& choices,
                      RowEntries<Vertex>& pending) {
  for_ranges(context, graph.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    auto share = pending.share();
    for (std::uint64_t v = begin; v < end; ++v) {
      std::uint64_t e = graph.offsets[v];
      const Vertex row = static_cast<Vertex>(v);
      while (e < graph.offsets[v + 1] && !choices.takes(row, graph.neighbors[e])) ++e;
      if (e < graph.offsets[v + 1]) share.push({row, e});
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
void list_next_edges(Context& context, const CsrView<Vertex>& graph, const Choices& choices,
                     const RowEntries<Vertex>& pending, Vertex* parent, RowEntries<Vertex>& next) {
  for_ranges(context, pending.size, 1 << 10, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    auto share = next.share();
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto [row, entry] = pending.list[i];
      const Vertex root = JumpHalving::find<Memory>(parent, row, tally);
      for (std::uint64_t e = entry + 1; e < graph.offsets[row + 1]; ++e) {
        const Vertex u = graph.neighbors[e];
        if (!choices.takes(row, u) || JumpHalving::find<Memory>(parent, u, tally) == root) continue;
        share.push({row, e});
        break;
      }
    }
  });
}

template <class Memory, class Tally, class Vertex>
void run_rounds(Context& context, const CsrView<Vertex>& graph, const Choices& choices,
                Vertex* parent) {
  RowEntries<Vertex> pending(context, graph.vertices);
  RowEntries<Vertex> next(context, graph.vertices);
  list_first_edges(context, graph, choices, pending);
  for (; pending.size != 0 && !context.stopped(); ++context.statistics.rounds) {
    hook_pending<Memory, Tally>(context, graph, pending, parent);
    next.size = 0;
    list_next_edges<Memory, Tally>(context, graph, choices, pending, parent, next);
    std::swap(pending, next);
  }
}

}  // namespace

template <class Vertex>
void galois_async(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                  const Options& options) {
  init_own(context, graph.vertices, labels);
  if (options.flag("end")) {
    with_memory_and_tally(context, [&]<class Memory, class Tally>() {
      RowEntries<Vertex> none(context, 0);  // a row is a single block
      hook_first_blocks<Memory, Tally>(context, graph, graph.entries() + 1, Choices(options),
                                       labels, none);
    });
  } else {
    Rows rows;
    rows.one_direction = true;
    hook_rows(context, graph, Jump::halving, rows, labels);
  }
  finish(context, graph.vertices, Finish::single, labels);
}

template <class Vertex>
void galois_blocked(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                    const Options& options) {
  const std::uint64_t block = std::max<std::uint64_t>(1, options.count("block", 64));
  const Choices choices(options);
  init_own(context, graph.vertices, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    // A row of d entries has (d - 1) / block blocks after its first, rounded down.
    RowEntries<Vertex> blocks(context, graph.entries() / block);
    hook_first_blocks<Memory, Tally>(context, graph, block, choices, labels, blocks);
    hook_blocks<Memory, Tally>(context, graph, block, choices, blocks, labels);
  });
  finish(context, graph.vertices, Finish::single, labels);
}

template <class Vertex>
void galois_sync(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                 const Options& options) {
  init_own(context, graph.vertices, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    run_rounds<Memory, Tally>(context, graph, Choices(options), labels);
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
