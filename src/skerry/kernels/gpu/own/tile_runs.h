// Edges that leave a tile, as runs: neighbors often lead to neighbors, those of a grid from one of
// its lines to the next. A run is stored as its first edge and its length. Its other edges matter
// only where its outer ends are not joined with each other (tile_joins.h).
#pragma once

#include "gpu/own/tile_rows.h"

namespace skerry {

// What tiles leave to later kernels. The link of a root was an edge to the outside: if that edge is
// a run of its own, it is not listed; otherwise its run has at least two vertices. So a tile has no
// more runs and linked roots than vertices, and they share its part of an array.
struct Leftovers {
  Vertex* outside;  // runs of edges that leave the tile, from its first element on: the smaller end
  u32* inside;  // the root of the other end, as an index, and length - 1 times 2^16; from the last
                // element down, linked roots
  u32* counts;  // for every tile, runs and roots; the first times 2, plus 1 if the tile's first
                // vertex is joined with the last of the tile before
  u32* more;    // a bit a vertex: its row has further entries to join
  u32* next;    // a bit a vertex: it is joined with the one before
};

// Index of the lowest bit that is not set; 32 if all are set.
SKERRY_INLINE u32 lowest_zero(u32 bits) {
  return bits == kAllLanes ? kLanes : static_cast<u32>(__ffs(static_cast<int>(~bits))) - 1;
}

// Runs of edges to the outside that a thread's vertices begin, at most one each.
struct Runs {
  u32 begins;  // bits
  u32 length[kEach];
};

// `leaving`: bits of the vertices that have an edge to the outside.
SKERRY_INLINE Runs runs_of(const TileRows& row, u32 leaving) {
  Runs runs;
  runs.begins = leaving;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) runs.length[k] = 1;
  // An edge may go on with the run of the vertex before where both leave and are joined.
  const u32 before_me = __shfl_up_sync(kAllLanes, leaving, 1) >> (kEach - 1);
  const u32 may = leaving & row.next & (leaving << 1 | (lane() == 0 ? 0 : before_me));
  if (!__any_sync(kAllLanes, may != 0)) return runs;
  u32 goes_on = 0;
  Vertex before = __shfl_up_sync(kAllLanes, row.outside[kEach - 1], 1);
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if ((may >> k & 1) != 0 && row.outside[k] == before + 1) goes_on |= 1u << k;
    before = row.outside[k];
  }
  runs.begins &= ~goes_on;
  // How much of the lanes that follow goes on with this thread's last run.
  const u32 full = __ballot_sync(kAllLanes, goes_on == kThreadMask);
  const u32 lead = lowest_zero(goes_on);
  const u32 lanes_on = lane() == kLanes - 1 ? 0 : lowest_zero(full >> (lane() + 1));
  const u32 next_lane = lane() + 1 + lanes_on;
  const u32 next_lead = __shfl_sync(kAllLanes, lead, next_lane % kLanes);
  u32 on = kEach * lanes_on + (next_lane < kLanes ? next_lead : 0);
#pragma unroll
  for (u32 k = kEach; k-- > 0;) {
    runs.length[k] = 1 + on;
    on = (goes_on >> k & 1) != 0 ? on + 1 : 0;
  }
  return runs;
}

}  // namespace skerry
