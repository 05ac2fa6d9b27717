// ECLaf, ECL-CC without atomic operations on the parent array: rounds of hooks by plain stores
// until one finds nothing to hook, in ECL-CC's three kernels: a thread a row up to 16 entries, a
// warp up to 352, a block above.
//
// Jaiganesh, master's thesis (Texas State University, 2017), sect. 4.5, Algorithms 14 and 15.
// Departures: the printed loop would end after one round and counts every edge as a change; here a
// change is two roots that differ. No kernel is left out of a round. A store is looked at again,
// and where another thread has written over it, the hook goes on from what that thread wrote: else
// threads that all hook one root (a hub's) would lose all hooks but one in every round. By the
// letter (hook=blind) a thread stores and goes on, for some rounds, and a kernel is left out of the
// round after one in which it changed nothing. That alone would be wrong: a kernel may undo a link
// that shortened paths have passed over, and so part what an entry of another kernel had joined.
// Hence a round of all kernels must change nothing before the end. Longer rows are put into the
// worklist by atomic additions, as in the thesis, in the first round only. Entries are processed in
// both directions unless the caller states that every edge is stored in both directions.
//
// Why races are harmless: parent[v] <= v always, so there are no cycles. A store may undo another
// thread's hook, but the round counts as changed, and the last round, in which no roots differed,
// has seen both ends of every entry at one root. Rounds end: the first roots in a round that are
// found to differ are roots still, so one of them is hooked, and never is a root again.
#include "common/union_find.h"
#include "gpu/grid.h"
#include "gpu/rows.h"
#include "gpu/tally.h"
#include "gpu/worklist.h"

namespace skerry {

// The hook of union_find.h with a load and a store in place of the compare-and-swap.
SKERRY_INLINE Vertex hook_plainly(Vertex* parent, Vertex a, Vertex b, u64 blind, Tally& tally) {
  while (a != b) {
    const Vertex high = a > b ? a : b;
    const Vertex low = a > b ? b : a;
    Vertex seen = Device::load(parent + high);
    if (seen == high) {
      Device::store(parent + high, low);
      tally.hooked();
      if (blind != 0) return low;
      seen = Device::load(parent + high);
    }
    a = seen;
    b = low;
  }
  return a;
}

struct PlainHook {
  Rows rows;
  Vertex* parent;
  u64 one_direction;
  u64 blind;
  Tally& tally;
  bool changed = false;

  // Every step-th entry of the row of v from the start-th on.
  SKERRY_INLINE void hook_row(Vertex v, const Rows::Range& row, u64 start, u64 step) {
    if (row.size() <= start) return;
    Vertex root = JumpHalving::find<Device>(parent, v, tally);
    for (u64 e = row.begin + start; e < row.end; e += step) {
      const Vertex u = rows.neighbor(v, e);
      if (one_direction != 0 && u >= v) continue;
      const Vertex other = JumpHalving::find<Device>(parent, u, tally);
      if (other == root) continue;
      changed = true;
      root = hook_plainly(parent, root, other, blind, tally);
    }
  }
};

#define SKERRY_ECLAF_PARAMETERS                                                          \
  const Offset *offsets, const Id *neighbors, u64 vertices, u64 entries, Vertex *parent, \
      u64 *state, u64 one_direction, u64 blind, Vertex *worklist
#define SKERRY_PLAIN_HOOK                                                                   \
  PlainHook {                                                                               \
    Rows{offsets, neighbors, vertices, entries, state}, parent, one_direction, blind, tally \
  }

// Each kernel has a flag of its own. `listing` is 1 in the first round: longer rows are put into
// the worklist then.
extern "C" __global__ void eclaf_short_rows(SKERRY_ECLAF_PARAMETERS, u64 warp_from, u64 block_from,
                                            u64 listing) {
  Tally tally(state);
  PlainHook hook = SKERRY_PLAIN_HOOK;
  for_each_thread(vertices, [&](u64 i) {
    const Vertex v = static_cast<Vertex>(i);
    const Rows::Range row = hook.rows.row(v);
    if (row.size() >= block_from) {
      if (listing != 0) push_back(worklist, vertices, v, state);
    } else if (row.size() >= warp_from) {
      if (listing != 0) push_front(worklist, v, state);
    } else {
      hook.hook_row(v, row, 0, 1);
    }
  });
  if (hook.changed) set_flag(state + kChanged);
}

extern "C" __global__ void eclaf_middle_rows(SKERRY_ECLAF_PARAMETERS) {
  Tally tally(state);
  PlainHook hook = SKERRY_PLAIN_HOOK;
  for_each_warp(state[kFront], [&](u64 i) {
    const Vertex v = worklist[i];
    hook.hook_row(v, hook.rows.row(v), lane(), kLanes);
  });
  if (hook.changed) set_flag(state + kTaken);
}

extern "C" __global__ void eclaf_long_rows(SKERRY_ECLAF_PARAMETERS) {
  Tally tally(state);
  PlainHook hook = SKERRY_PLAIN_HOOK;
  for_each_block(state[kBack], [&](u64 i) {
    const Vertex v = worklist[vertices - 1 - i];
    hook.hook_row(v, hook.rows.row(v), threadIdx.x, blockDim.x);
  });
  if (hook.changed) set_flag(state + kFlattened);
}

}  // namespace skerry
