// Skerry's algorithm for rows. First links need no find: those of single vertices (own/links.h) or,
// if adjacent vertices are neighbors, those of stretches of vertices (own/tiles.h). Then some of
// the vertices are joined with a second neighbor, or the edges that leave tiles are joined. If that
// makes one large tree, all rows outside of it are processed (own/remaining_rows.h). Else, or where
// that is not even tried, all rows are (own/direct_rows.h, own/plain_rows.h).
//
// The device itself selects what to do (own/strategy.h), so the host does not wait. A kernel that
// is not needed returns at once.
#include "gpu/own/direct_rows.h"
#include "gpu/own/links.h"
#include "gpu/own/plain_rows.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/sample.h"
#include "gpu/own/tile_joins.h"
#include "gpu/own/tiles.h"

namespace skerry {

// The first kernel, of one block. `strategy` is the one that is known before the run, or 0.
extern "C" __global__ void clear_state(u64* state, u64 strategy) {
  wait_for_previous();
  clear_words(state);
  if (threadIdx.x == kChoice) state[kChoice] = strategy;
}

extern "C" __global__ void sample_rows(const Offset* offsets, const Id* neighbors, u64 vertices,
                                       u64 entries, u64* state, u64 rule0, u64 rule1, u64 rule2,
                                       u64 rule3, u64 rule4, u64 rule5, u64 rule6, u64 rule7,
                                       u64 rule8, u64 rule9, u64 rule10, u64 rule11, u64 rule12,
                                       u64 rule13, u64 rule14, u64 rule15) {
  wait_for_previous();
  const u64 rules[kRuleWords] = {rule0, rule1, rule2,  rule3,  rule4,  rule5,  rule6,  rule7,
                                 rule8, rule9, rule10, rule11, rule12, rule13, rule14, rule15};
  count_samples(Rows{offsets, neighbors, vertices, entries, state}, rules);
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL < 6 ? SKERRY_FULL : 6)
    link_tiles(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries, Vertex* links,
               u64* state, u64 symmetric, Vertex* outside, u32* inside, u32* counts, u32* more,
               u32* next) {
  wait_for_previous();
  if (selected_strategy(state) != kTiles) return;
  link_all_tiles(Rows{offsets, neighbors, vertices, entries, state}, symmetric != 0, links,
                 Leftovers{outside, inside, counts, more, next});
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    link_single(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                Vertex* links, u64* state) {
  wait_for_previous();
  const Strategy strategy = selected_strategy(state);
  if (strategy == kTiles) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  run_over_vertices(vertices, FirstLinks{rows, strategy == kHubLinks, links});
}

extern "C" __global__ void __launch_bounds__(kBlock)
    join_or_flatten(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                    Vertex* links, u64* state, u64 symmetric, u64 share, Vertex* outside,
                    u32* inside, u32* counts, u32* more, u32* next) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  const Strategy strategy = selected_strategy(state);
  if (strategy == kTiles) {
    join_tiles(vertices, links, Leftovers{outside, inside, counts, more, next}, state);
  } else if (strategy < kDirect) {
    const u64 chosen = strategy == kHubLinks && kHubShare > share ? kHubShare : share;
    join_second_entries(rows, chosen, symmetric != 0, links);
  } else if (strategy != kPlain) {
    flatten_links(links, vertices, outside, state);
  }
}

extern "C" __global__ void sample_largest(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  const Strategy strategy = selected_strategy(state);
  if (strategy >= kDirect || (strategy == kTiles && vertices <= kFewVertices)) return;
  Tally tally(state);
  find_largest(vertices, state, [&](Vertex v) { return settle_with_link(links, v, tally); });
}

SKERRY_INLINE RemainingRows remaining_rows(const Rows& rows, Vertex* links, u64* chunks,
                                           bool symmetric) {
  // A row may be skipped only if its entries have their reverses in other rows. After tiles no row
  // is skipped: only one row of an edge is marked, and the row of its other end is not read.
  const u64 largest_plus_one =
      symmetric && selected_strategy(rows.state) != kTiles ? rows.state[kLargest] : 0;
  const Vertex largest =
      largest_plus_one != 0 ? static_cast<Vertex>(largest_plus_one - 1) : kInvalidVertex;
  const bool one_direction = symmetric && largest == kInvalidVertex;
  return RemainingRows{rows, links, reinterpret_cast<Chunk*>(chunks), one_direction, largest};
}

// The copy of the links where a largest tree was looked for in vain.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    flatten_joined_links(Vertex* links, u64 vertices, u64* state, u64 symmetric, Vertex* roots) {
  wait_for_previous();
  const bool copied = selected_strategy(state) == kDirect;
  if (copied || strategy_for_rows(state, symmetric != 0) != kDirect) return;
  flatten_links(links, vertices, roots, state);
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_remaining_rows(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                        Vertex* links, u64* state, u64 symmetric, u64* chunks, const u32* more) {
  wait_for_previous();
  const Strategy strategy = strategy_for_rows(state, symmetric != 0);
  if (strategy >= kDirect) return;
  const RemainingRows remaining = remaining_rows(Rows{offsets, neighbors, vertices, entries, state},
                                                 links, chunks, symmetric != 0);
  if (strategy != kTiles) {
    remaining.join_all_rows();
  } else if (state[kMore] != 0) {
    remaining.join_marked_rows(more);
  }
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rows_directly(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                       Vertex* links, u64* state, u64 symmetric, u64* chunks, const Vertex* roots,
                       u64 team) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  const Strategy strategy = strategy_for_rows(state, symmetric != 0);
  if (strategy == kDirect) {
    DirectRows{rows, links, roots, list, symmetric != 0}.join_all_rows(static_cast<u32>(team));
  } else if (strategy == kPlain) {
    PlainRows{rows, links, list, symmetric != 0}.join_all_rows(static_cast<u32>(team));
  }
}

extern "C" __global__ void join_heavy(const Offset* offsets, const Id* neighbors, u64 vertices,
                                      u64 entries, Vertex* links, u64* state, u64 symmetric,
                                      u64* chunks, const Vertex* roots) {
  wait_for_previous();
  if (state[kFront] == 0) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  const Strategy strategy = strategy_for_rows(state, symmetric != 0);
  if (strategy < kDirect) {
    remaining_rows(rows, links, chunks, symmetric != 0).join_heavy();
  } else if (strategy == kDirect) {
    DirectRows{rows, links, roots, list, symmetric != 0}.join_heavy();
  } else {
    PlainRows{rows, links, list, symmetric != 0}.join_heavy();
  }
}

extern "C" __global__ void label_vertices(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  label_all(links, vertices, state);
}

}  // namespace skerry
