// Skerry's algorithm for rows. First links need no find: those of single vertices (own/links.h) or,
// if adjacent vertices are neighbors, those of stretches of vertices (own/tiles.h). Then some of
// the vertices are joined with a second neighbor, or the edges that leave tiles are joined. If that
// makes one large tree, all rows outside of it are processed (own/remaining_rows.h,
// own/many_remaining_rows.h), or those that tiles have marked (own/marked_rows.h). Else, or where
// that is not even tried, all rows are (own/direct_rows.h, own/plain_rows.h).
//
// The device itself selects what to do (own/strategy.h), so the host does not wait. A kernel that
// is not needed returns at once.
#include "gpu/own/direct_rows.h"
#include "gpu/own/final_links.h"
#include "gpu/own/links.h"
#include "gpu/own/many_remaining_rows.h"
#include "gpu/own/marked_rows.h"
#include "gpu/own/plain_rows.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/reverses.h"
#include "gpu/own/root_copy.h"
#include "gpu/own/sample.h"
#include "gpu/own/second_entries.h"
#include "gpu/own/tile_joins.h"
#include "gpu/own/tiles.h"

namespace skerry {

// Rules of own/strategy.h as parameters of a kernel.
#define SKERRY_RULE_WORDS                                                                 \
  u64 rule0, u64 rule1, u64 rule2, u64 rule3, u64 rule4, u64 rule5, u64 rule6, u64 rule7, \
      u64 rule8, u64 rule9, u64 rule10, u64 rule11, u64 rule12, u64 rule13, u64 rule14, u64 rule15
#define SKERRY_RULES                                            \
  {rule0, rule1, rule2,  rule3,  rule4,  rule5,  rule6,  rule7, \
   rule8, rule9, rule10, rule11, rule12, rule13, rule14, rule15}

// The first kernel, of one block. `strategy` is the one that is known before the run, or 0;
// `one_way`: entries may lack their reverses, and that is not checked.
extern "C" __global__ void clear_state(u64* state, u64 strategy, u64 one_way) {
  wait_for_previous();
  clear_words(state);
  if (threadIdx.x == kChoice) state[kChoice] = strategy;
  if (threadIdx.x == kReverseSum) state[kReverseSum] = one_way;
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    check_reverses(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                   u64* state, u64 key) {
  wait_for_previous();
  if (looks_for_tree(selected_strategy(state))) {
    sum_reverses(Rows{offsets, neighbors, vertices, entries, state}, key);
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    state[kReverseSum] = 1;  // not known: all rows are read, in both directions
  }
}

// Where tiles may be the strategy: it must be known before the first links.
extern "C" __global__ void sample_rows(const Offset* offsets, const Id* neighbors, u64 vertices,
                                       u64 entries, u64* state, SKERRY_RULE_WORDS) {
  wait_for_previous();
  const u64 rules[kRuleWords] = SKERRY_RULES;
  count_samples<true>(Rows{offsets, neighbors, vertices, entries, state}, rules);
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL < 6 ? SKERRY_FULL : 6)
    link_tiles(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries, Vertex* links,
               u64* state, Vertex* outside, u32* inside, u32* counts, u32* more, u32* next) {
  wait_for_previous();
  if (selected_strategy(state) != kTiles) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  link_all_tiles(rows, has_reverses(state), links, Leftovers{outside, inside, counts, more, next});
}

// `over`: vertices are linked over larger neighbors, see own/links.h; they are in any case where a
// sample before has found few smaller ones. `sampled`: the strategy is selected meanwhile, and is
// not tiles.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    link_single(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                Vertex* links, u64* state, u64 over, u64 sampled, SKERRY_RULE_WORDS) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  if (sampled != 0 && threadIdx.x < kLanes) {
    const u64 rules[kRuleWords] = SKERRY_RULES;
    count_samples<false>(rows, rules);
  }
  const Strategy strategy = sampled != 0 ? kDirect : selected_strategy(state);
  if (strategy == kTiles) return;
  const bool few_smaller = sampled == 0 && 2 * state[kLinked] < state[kSampled];
  FirstLinks{rows, over != 0 || few_smaller || strategy == kHubLinks, links}.run();
}

extern "C" __global__ void __launch_bounds__(kBlock)
    join_or_copy_roots(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                       Vertex* links, u64* state, u64 share, Vertex* outside, u32* inside,
                       u32* counts, u32* more, u32* next) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  const Strategy strategy = selected_strategy(state);
  if (strategy == kTiles) {
    join_tiles(vertices, links, Leftovers{outside, inside, counts, more, next}, state);
  } else if (looks_for_tree(strategy)) {
    const u64 chosen = strategy == kHubLinks && kHubShare > share ? kHubShare : share;
    join_second_entries(rows, chosen, has_reverses(state), links);
  } else if (strategy != kPlain) {
    copy_roots(links, vertices, outside, state);
  }
}

// The copy of the roots: before a largest tree is looked for, or after that has been in vain.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    copy_joined_roots(Vertex* links, u64 vertices, u64* state, Vertex* roots) {
  wait_for_previous();
  if (looks_for_tree(selected_strategy(state)) && strategy_for_rows(state) == kDirect) {
    copy_roots(links, vertices, roots, state);
  }
}

extern "C" __global__ void sample_largest(Vertex* links, u64 vertices, u64* state,
                                          const Vertex* roots, u64 copied) {
  wait_for_previous();
  const Strategy strategy = selected_strategy(state);
  const bool skips = looks_for_tree(strategy);
  if (!skips && (strategy != kTiles || vertices <= kFewVertices)) return;
  Tally tally(state);
  find_largest(vertices, state, kLargeShare, skips ? kOtherTrees : kAnyOthers, [&](Vertex v) {
    return skips && copied != 0 ? roots[v] : settle_with_link(links, v, tally);
  });
}

// Kernels of their own from here on: together they would need more registers.
//
// One of three, as only one is needed: the rows that tiles have marked, those outside of the
// largest tree, or, where none was found, the copy of the roots.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_marked_or_remaining(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                             Vertex* links, u64* state, u64* chunks, const u32* more,
                             Vertex* roots) {
  wait_for_previous();
  const Strategy strategy = strategy_for_rows(state);
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  if (strategy == kTiles) {
    if (state[kMore] != 0) MarkedRows{rows, links, list, has_reverses(state)}.join_all_rows(more);
  } else if (looks_for_tree(strategy)) {
    ManyRemainingRows{rows, links, list, largest_root(state)}.join_all_rows();
  } else if (looks_for_tree(selected_strategy(state))) {
    copy_roots(links, vertices, roots, state);
  }
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_remaining_rows(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                        Vertex* links, u64* state, u64* chunks, const Vertex* roots) {
  wait_for_previous();
  if (!looks_for_tree(strategy_for_rows(state))) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  RemainingRows{rows, links, roots, list, largest_root(state)}.join_all_rows();
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_many_remaining_rows(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                             Vertex* links, u64* state, u64* chunks) {
  wait_for_previous();
  if (!looks_for_tree(strategy_for_rows(state))) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  ManyRemainingRows{rows, links, list, largest_root(state)}.join_all_rows();
}

template <u32 known_team>
SKERRY_INLINE void join_all_rows(const Rows& rows, Vertex* links, Chunk* chunks,
                                 const Vertex* roots, u32 team) {
  if (!has_reverses(rows.state)) return;
  const Strategy strategy = strategy_for_rows(rows.state);
  if (strategy == kDirect) {
    DirectRows<true>{rows, links, roots, chunks}.join_all_rows<known_team>(team);
  } else if (strategy == kPlain) {
    PlainRows{rows, links, chunks}.join_all_rows<known_team>(team);
  }
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rows_directly(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                       Vertex* links, u64* state, u64* chunks, const Vertex* roots, u64 team) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  join_all_rows<0>(rows, links, list, roots, static_cast<u32>(team));
}

// The same by a thread for each row.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_short_rows(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                    Vertex* links, u64* state, u64* chunks, const Vertex* roots) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  join_all_rows<1>(rows, links, reinterpret_cast<Chunk*>(chunks), roots, 1);
}

// The same where an entry may lack its reverse.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rows_one_way(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                      Vertex* links, u64* state, u64* chunks, const Vertex* roots, u64 team) {
  wait_for_previous();
  if (has_reverses(state) || strategy_for_rows(state) != kDirect) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  const DirectRows<false> direct{rows, links, roots, list};
  if (team == 1) {
    direct.join_all_rows<1>(1);
  } else {
    direct.join_all_rows<0>(static_cast<u32>(team));
  }
}

extern "C" __global__ void join_heavy(const Offset* offsets, const Id* neighbors, u64 vertices,
                                      u64 entries, Vertex* links, u64* state, u64* chunks,
                                      const Vertex* roots, u64 copied) {
  wait_for_previous();
  if (state[kFront] == 0) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  const Strategy strategy = strategy_for_rows(state);
  if (strategy == kTiles) {
    MarkedRows{rows, links, list, has_reverses(state)}.join_heavy();
  } else if (looks_for_tree(strategy) && copied != 0) {
    RemainingRows{rows, links, roots, list, largest_root(state)}.join_heavy();
  } else if (looks_for_tree(strategy)) {
    ManyRemainingRows{rows, links, list, largest_root(state)}.join_heavy();
  } else if (strategy == kPlain) {
    PlainRows{rows, links, list}.join_heavy();
  } else if (has_reverses(state)) {
    DirectRows<true>{rows, links, roots, list}.join_heavy();
  } else {
    DirectRows<false>{rows, links, roots, list}.join_heavy();
  }
}

extern "C" __global__ void label_vertices(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  label_all(links, vertices, state);
}

}  // namespace skerry
