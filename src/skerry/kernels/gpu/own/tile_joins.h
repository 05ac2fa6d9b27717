// Joins what tiles have left apart: the ends of their links, their seams, and the edges on their
// lists.
#pragma once

#include "gpu/own/tile_runs.h"
#include "gpu/own/walk.h"

namespace skerry {

// Threads that join what a tile has left: it is little. Where tiles are so few that all are done at
// once, more of them, as the device is idle else.
constexpr u32 kTileThreads = 32;
constexpr u32 kFewTiles = 2048;
constexpr u32 kFewTileThreads = 128;
constexpr u32 kListAhead = 4;  // listed edges that a thread looks up at a time

// Joins the other edges of a run. Where its outer ends are joined with each other, the first edge
// suffices.
SKERRY_INLINE void join_run(Vertex* links, Vertex inside, Vertex begin, u32 length, const u32* next,
                            Vertex& stop, Tally& tally) {
  const u64 end = u64{begin} + length;
  for (u64 u = u64{begin} + 1; u < end; u = (u / kLanes + 1) * kLanes) {
    for (u32 apart = ~next[u / kLanes] & (kAllLanes << (u % kLanes)); apart != 0;
         apart &= apart - 1) {
      const u64 other = u / kLanes * kLanes + static_cast<u32>(__ffs(static_cast<int>(apart))) - 1;
      if (other >= end) break;
      join<kImpatient>(links, inside, static_cast<Vertex>(other), stop, tally);
    }
  }
}

// Adjacent edges mostly lead to one tree: only the first lane of equal ones joins.
SKERRY_INLINE void join_listed(Vertex* links, Vertex first, u64 tile, u32 edges, u32 rank, u32 team,
                               const Leftovers& left, Vertex& stop, Tally& tally) {
  const u32* const inside = left.inside + tile * kTile;
  const Vertex* const outside = left.outside + tile * kTile;
  const u32 step = team * kListAhead;
  for (u32 begin = rank; begin < (edges + step - 1) / step * step; begin += step) {
    Vertex a[kListAhead];
    Vertex b[kListAhead];
    u32 length[kListAhead];
#pragma unroll
    for (u32 k = 0; k < kListAhead; ++k) {
      const u32 i = begin + k * team;
      const u32 both = i < edges ? inside[i] : 0;
      length[k] = both >> 16;
      a[k] = first + both % (1u << 16);
      b[k] = i < edges ? outside[i] : 0;
      if (length[k] != 0) join_run(links, a[k], b[k], length[k] + 1, left.next, stop, tally);
    }
#pragma unroll
    for (u32 k = 0; k < kListAhead; ++k) b[k] = Device::load(links + b[k]);
#pragma unroll
    for (u32 k = 0; k < kListAhead; ++k) {
      const bool listed = begin + k * team < edges;
      const Vertex a_before = __shfl_up_sync(kAllLanes, a[k], 1);
      const Vertex b_before = __shfl_up_sync(kAllLanes, b[k], 1);
      const bool again = lane() != 0 && a[k] == a_before && b[k] == b_before;
      if (listed && a[k] != b[k] && !again) join<kImpatient>(links, a[k], b[k], stop, tally);
    }
  }
}

// Lets the linked roots of every tile find the ends of their links, then joins the edges on its
// list. Both are lists because few of a warp's vertices are on them, and one would take as long as
// 32.
SKERRY_INLINE void join_tiles(u64 vertices, Vertex* links, const Leftovers& left, u64* state) {
  Tally tally(state);
  Vertex stop = 0;
  const u64 tiles = (vertices + kTile - 1) / kTile;
  const u32 team = tiles <= kFewTiles ? kFewTileThreads : kTileThreads;
  const u32 rank = threadIdx.x % team;
  const u64 teams = thread_count() / team;
  for (u64 tile = thread_number() / team; tile < tiles; tile += teams) {
    const Vertex first = static_cast<Vertex>(tile * kTile);
    const u32* const inside = left.inside + tile * kTile;
    const u32 edges = left.counts[2 * tile] / 2;
    const u32 roots = left.counts[2 * tile + 1];
    for (u32 i = rank; i < roots; i += team) {
      settle(links, first + inside[kTile - 1 - i], 0, tally);
    }
    if (rank == 0 && left.counts[2 * tile] % 2 != 0) {
      join<kImpatient>(links, first - 1, first, stop, tally);
    }
    __syncwarp();
    join_listed(links, first, tile, edges, rank, team, left, stop, tally);
  }
}

}  // namespace skerry
