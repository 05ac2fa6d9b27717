// Skerry's algorithm for rows, "rows" of the catalog, in stages:
//
//   link     every vertex is linked with a neighbor, without a find (own/links.h)
//   join     few of the vertices are joined with a second neighbor (own/second_entries.h)
//   flatten  roots are copied, so that members of a tree are known by one load (own/root_copy.h)
//   sample   which tree is the largest (own/largest_tree.h)?
//   skip     all rows but those of the largest tree are joined (own/remaining_rows.h)
//   join     or else all rows are (own/direct_rows.h, own/plain_rows.h)
//   finish   every vertex gets its root (own/final_links.h)
//
// Which of them are taken is selected by the trees that first links have made (own/strategy.h), on
// the device. A kernel that is not needed returns at once.
#include "gpu/own/direct_rows.h"
#include "gpu/own/final_links.h"
#include "gpu/own/largest_tree.h"
#include "gpu/own/links.h"
#include "gpu/own/plain_rows.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/reverses.h"
#include "gpu/own/root_copy.h"
#include "gpu/own/second_entries.h"
#include "gpu/own/strategy.h"

namespace skerry {

#define SKERRY_ROWS const Offset *offsets, const Id *neighbors, u64 vertices, u64 entries
#define SKERRY_FOREST SKERRY_ROWS, Vertex *links, u64 *state, u64 plan

// The first kernel, of one block. `one_way`: entries may lack their reverses, and that is not
// checked.
extern "C" __global__ void clear_state(u64* state, u64 one_way) {
  wait_for_previous();
  clear_words(state);
  if (threadIdx.x == kReverseSum) state[kReverseSum] = one_way;
}

// `over`: vertices are linked over larger neighbors, see own/links.h.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    link_first(SKERRY_FOREST, u64 over) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  FirstLinks{rows, over != 0, links}.run(depends_on_trees(plan));
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    check_reverses(SKERRY_ROWS, u64* state, u64 plan, u64 key) {
  wait_for_previous();
  if (planned_strategy(state, vertices, plan) == kLinks) {
    sum_reverses(Rows{offsets, neighbors, vertices, entries, state}, key);
  } else if (blockIdx.x == 0 && threadIdx.x == 0) {
    state[kReverseSum] = 1;  // not known: all rows are read, in both directions
  }
}

extern "C" __global__ void __launch_bounds__(kBlock)
    join_or_copy_roots(SKERRY_FOREST, u64 share, Vertex* roots) {
  wait_for_previous();
  const Strategy strategy = selected_strategy(state, vertices, plan);
  if (strategy == kLinks) {
    join_second_entries(Rows{offsets, neighbors, vertices, entries, state}, share, links);
  } else if (strategy == kDirect) {
    copy_roots(links, vertices, roots, state);
  }
}

// The copy of the roots: before a largest tree is looked for, or after that has been in vain.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    copy_joined_roots(Vertex* links, u64 vertices, u64* state, u64 plan, Vertex* roots) {
  wait_for_previous();
  if (selected_strategy(state, vertices, plan) == kLinks && state[kLargest] == 0) {
    copy_roots(links, vertices, roots, state);
  }
}

extern "C" __global__ void sample_largest(Vertex* links, u64 vertices, u64* state, u64 plan,
                                          const Vertex* roots, u64 copied) {
  wait_for_previous();
  if (selected_strategy(state, vertices, plan) != kLinks) return;
  Tally tally(state);
  find_largest(vertices, state, kLargeShare, kOtherTrees, [&](Vertex v) {
    return copied != 0 ? roots[v] : settle_with_link(links, v, tally);
  });
}

// Kernels of their own from here on: together they would need more registers.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_remaining_rows(SKERRY_FOREST, u64* chunks, const Vertex* roots) {
  wait_for_previous();
  if (strategy_for_rows(state, vertices, plan) != kLinks) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  visit_open_rows(RemainingRows{rows, links, roots, list, largest_root(state)});
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_many_remaining_rows(SKERRY_FOREST, u64* chunks) {
  wait_for_previous();
  if (strategy_for_rows(state, vertices, plan) != kLinks) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  visit_open_rows(ManyRemainingRows{rows, links, list, largest_root(state)});
}

template <u32 known_team>
SKERRY_INLINE void join_all_rows(const Rows& rows, Vertex* links, u64 plan, u64* chunks,
                                 const Vertex* roots, u32 team) {
  if (!has_reverses(rows.state)) return;
  const Strategy strategy = strategy_for_rows(rows.state, rows.vertices, plan);
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  if (strategy == kDirect) {
    join_rows_by_teams<known_team>(DirectRows<true>{rows, links, roots, list}, team);
  } else if (strategy == kPlain) {
    join_rows_by_teams<known_team>(PlainRows{rows, links, list}, team);
  }
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rows_directly(SKERRY_FOREST, u64* chunks, const Vertex* roots, u64 team) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  join_all_rows<0>(rows, links, plan, chunks, roots, static_cast<u32>(team));
}

// The same by a thread for each row.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_short_rows(SKERRY_FOREST, u64* chunks, const Vertex* roots) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  join_all_rows<1>(rows, links, plan, chunks, roots, 1);
}

// The same where an entry may lack its reverse, with a copy of the roots.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rows_one_way(SKERRY_FOREST, u64* chunks, const Vertex* roots, u64 team) {
  wait_for_previous();
  if (has_reverses(state)) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  const DirectRows<false> pass{rows, links, roots, reinterpret_cast<Chunk*>(chunks)};
  if (team == 1) {
    join_rows_by_teams<1>(pass, 1);
  } else {
    join_rows_by_teams<0>(pass, static_cast<u32>(team));
  }
}

// What the kernels before have deferred.
extern "C" __global__ void join_heavy(SKERRY_FOREST, u64* chunks, const Vertex* roots, u64 copied) {
  wait_for_previous();
  if (state[kFront] == 0) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  Chunk* const list = reinterpret_cast<Chunk*>(chunks);
  const Strategy strategy = strategy_for_rows(state, vertices, plan);
  if (strategy == kLinks && copied != 0) {
    visit_deferred_rows(RemainingRows{rows, links, roots, list, largest_root(state)});
  } else if (strategy == kLinks) {
    visit_deferred_rows(ManyRemainingRows{rows, links, list, largest_root(state)});
  } else if (strategy == kPlain) {
    join_deferred_rows(PlainRows{rows, links, list});
  } else if (has_reverses(state)) {
    join_deferred_rows(DirectRows<true>{rows, links, roots, list});
  } else {
    join_deferred_rows(DirectRows<false>{rows, links, roots, list});
  }
}

extern "C" __global__ void label_vertices(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  label_all(links, vertices, state);
}

}  // namespace skerry
