// Hooks over rows, in the mappings of the papers:
//   by degree  ECL-CC's three kernels: a thread a row up to 16 entries, a warp up to 352, a block
//              above, the longer rows through a double-sided worklist whose rows are taken in turn
//              (Jaiganesh & Burtscher 2018, sect. 3)
//   thread, warp, block  one mapping for all rows (Gerasimou 2026, sect. 3.1 to 3.3). His text has
//              rounds until nothing changes, his program a single pass, which is enough. Departures
//              from the program: relaxed loads where his are data races (loads=plain: through L1,
//              as memory.h says); the root of a row is kept from entry to entry; labels are
//              flattened once, not twice; rows have both directions of an edge, and larger
//              neighbors are skipped (triangle=lower: rows are copied without them before the run).
//              His rows have only smaller neighbors: where vertices are sorted by degree, those of
//              hubs are short, and a thread per vertex is 3 to 9 times as fast on large graphs,
//              ours with both directions 1.3 to 1.8. repeat=1 has his rounds.
// What that costs, on ten graphs and an H200, original / ours on average: ECL-CC 1.1 0.54, its
// version without data races 1.11; thread 0.50, warp 0.59, block 0.63: all with relaxed loads.
// loads=plain takes 0.68, 0.56, 0.58 and 0.77 times as long as those (five graphs, same GPU).
// and the hook of every vertex with one of its neighbors, the nth or a random one, that Afforest
// begins with (Sutton, Ben-Nun & Barak 2018; Gerasimou 2026, sect. 3.4).
#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/passes/row_hook.h"
#include "gpu/worklist.h"

namespace skerry {

#define SKERRY_ROW_PARAMETERS                                                            \
  const Offset *offsets, const Id *neighbors, u64 vertices, u64 entries, Vertex *parent, \
      u64 *state, u64 one_direction, u64 first, u64 skip_largest
#define SKERRY_ROW_HOOK                                                   \
  RowHook {                                                               \
    Rows{offsets, neighbors, vertices, entries, state}, parent, Entries { \
      one_direction, first, skip_largest                                  \
    }                                                                     \
  }

// Rows from warp_from entries go to the worklist's front, from block_from to its back.
extern "C" __global__ void hook_short_rows(SKERRY_ROW_PARAMETERS, Vertex* worklist, u64 warp_from,
                                           u64 block_from) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    const Rows::Range row = hook_row.row(v);
    if (row.size() >= block_from) {
      push_back(worklist, vertices, static_cast<Vertex>(v), state);
    } else if (row.size() >= warp_from) {
      push_front(worklist, static_cast<Vertex>(v), state);
    } else if (row.size() != 0) {
      hook_row(v, row, 0, 1, tally);
    }
  });
}

extern "C" __global__ void hook_middle_rows(SKERRY_ROW_PARAMETERS, const Vertex* worklist) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally tally(state);
  for_each_warp_in_turn(state[kFront], state + kTaken, [&](u64 i) {
    const Vertex v = worklist[i];
    hook_row(v, hook_row.row(v), lane(), kLanes, tally);
  });
}

extern "C" __global__ void hook_long_rows(SKERRY_ROW_PARAMETERS, const Vertex* worklist) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally tally(state);
  for_each_in_turn(state[kBack], state + kFlattened, [&](u64 i) {
    const Vertex v = worklist[vertices - 1 - i];
    hook_row(v, hook_row.row(v), threadIdx.x, blockDim.x, tally);
  });
}

// The mappings of Gerasimou 2026. They say whether they have hooked anything, for rounds.
extern "C" __global__ void hook_by_threads(SKERRY_ROW_PARAMETERS) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally counts(state);
  ChangeTally tally{counts};
  for_each_thread(vertices, [&](u64 v) { hook_row(v, hook_row.row(v), 0, 1, tally); });
  if (tally.changed) set_changed(state);
}

extern "C" __global__ void hook_by_warps(SKERRY_ROW_PARAMETERS) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally counts(state);
  ChangeTally tally{counts};
  for_each_warp(vertices, [&](u64 v) { hook_row(v, hook_row.row(v), lane(), kLanes, tally); });
  if (tally.changed) set_changed(state);
}

extern "C" __global__ void hook_by_blocks(SKERRY_ROW_PARAMETERS) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally counts(state);
  ChangeTally tally{counts};
  for_each_block(vertices,
                 [&](u64 v) { hook_row(v, hook_row.row(v), threadIdx.x, blockDim.x, tally); });
  if (tally.changed) set_changed(state);
}

SKERRY_INLINE void hook_entry(const RowHook& hook_row, u64 v, u64 e, Tally& tally) {
  const Vertex u = hook_row.rows.neighbor(v, e);
  if (u != v) unite<SKERRY_JUMP, SKERRY_LOADS>(hook_row.parent, static_cast<Vertex>(v), u, tally);
}

extern "C" __global__ void hook_nth(SKERRY_ROW_PARAMETERS, u64 nth) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    const Rows::Range row = hook_row.rows.row(v);
    if (row.size() > nth) hook_entry(hook_row, v, row.begin + nth, tally);
  });
}

extern "C" __global__ void hook_random(SKERRY_ROW_PARAMETERS, u64 seed) {
  const RowHook hook_row = SKERRY_ROW_HOOK;
  Tally tally(state);
  const Word key = stream_key(seed, 0);
  for_each_thread(vertices, [&](u64 v) {
    const Rows::Range row = hook_row.rows.row(v);
    if (row.size() != 0)
      hook_entry(hook_row, v, row.begin + below(draw(key, v), row.size()), tally);
  });
}

}  // namespace skerry
