// First links for graphs whose neighbors have near ids: a block joins what is joined inside a tile
// of consecutive vertices, in shared memory, and gives every tree that it finds one link to a
// smaller vertex outside. Where links.h links single vertices, this links whole stretches of a road
// or a grid. Other edges that leave the tile go to a list; rows that have more to tell than a list
// has room for are marked.
//
// Most near neighbors are next neighbors. Stretches of vertices that are each joined with the one
// before are found by a ballot of every warp; union-find in shared memory joins the stretches.
//
// The idea is that of block-based labeling of images: Komura (Comput. Phys. Commun. 2015);
// Allegretti, Bolelli & Grana, "Optimized Block-Based Algorithms to Label Connected Components on
// GPUs" (IEEE TPDS 2020). Here it is over the rows of any graph.
#pragma once

#include "common/union_find.h"
#include "gpu/own/tile_rows.h"
#include "gpu/own/tile_runs.h"
#include "gpu/words.h"

namespace skerry {

// Shared memory that other threads of the block may access at the same time.
struct Tile {
  static SKERRY_INLINE u32 load(u32* place) { return atomicOr(place, 0u); }
  static SKERRY_INLINE void store(u32* place, u32 value) { atomicExch(place, value); }
  static SKERRY_INLINE u32 compare_and_swap(u32* place, u32 expected, u32 desired) {
    return atomicCAS(place, expected, desired);
  }
};

struct NoTally {
  SKERRY_INLINE void step() {}
  SKERRY_INLINE void found() {}
  SKERRY_INLINE void hooked() {}
};

struct TileTables {
  Words<u32, kEach> local[kBlock];    // the tile's forest; before, what rows tell of the inside
  Words<Vertex, kEach> link[kBlock];  // of a root: a smaller vertex outside that its tree is joined
                                      // with; before, what rows tell of the outside
  u32 next[kTile / kLanes];           // bits of vertices that are joined with the one before
  u32 last[kBlock / kLanes];          // where the last stretch of every warp begins, or kNone
  u32 listed;                         // roots, and runs times 2^16

  // The same by place in the tile.
  SKERRY_INLINE u32* local_of_places() { return reinterpret_cast<u32*>(local); }
  SKERRY_INLINE Vertex* link_of_places() { return reinterpret_cast<Vertex*>(link); }
};

// From the threads that read rows to those that have neighboring vertices. Bits are written down for
// later passes on the way, by a lane for each group of 32 vertices that the warp has read.
SKERRY_INLINE TileRows exchange(const TileRows& read, u64 tile, TileTables& tables,
                                const Leftovers& left, u64* state) {
  u32* const inside = tables.local_of_places();
  Vertex* const outside = tables.link_of_places();
  u32 next = 0;
  u32 more = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 next_bits = __ballot_sync(kAllLanes, (read.next >> k & 1) != 0);
    const u32 more_bits = __ballot_sync(kAllLanes, (read.more >> k & 1) != 0);
    next = lane() == k ? next_bits : next;
    more = lane() == k ? more_bits : more;
    inside[k * kBlock + threadIdx.x] = read.inside[k];
    outside[k * kBlock + threadIdx.x] = read.outside[k];
  }
  if (lane() < kEach) {
    const u32 word = lane() * (kBlock / kLanes) + threadIdx.x / kLanes;
    tables.next[word] = next;
    left.next[tile * (kTile / kLanes) + word] = next;
    left.more[tile * (kTile / kLanes) + word] = more;
    if (more != 0 && relaxed_load(state + kMore) == 0) relaxed_store(state + kMore, u64{1});
  }
  __syncthreads();
  TileRows own;
  own.next = tables.next[threadIdx.x * kEach / kLanes] >> (threadIdx.x * kEach % kLanes) & kWhole;
  const Words<u32, kEach> told_inside = tables.local[threadIdx.x];
  const Words<Vertex, kEach> told_outside = tables.link[threadIdx.x];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    own.inside[k] = told_inside.at[k];
    own.outside[k] = told_outside.at[k];
  }
  return own;
}

// Where the stretch begins that goes on in this thread's first vertex, if that is in this warp, else
// kNone; and leaves for the warps that follow where the last stretch of this one begins. `begins`:
// bits of the thread's vertices that are not joined with the one before.
SKERRY_INLINE u32 stretch_in_warp(u32 place, u32 begins, u32* last) {
  const u32 lanes = __ballot_sync(kAllLanes, begins != 0);
  const u32 mine = place + highest(begins);
  const u32 before = lanes & ((1u << lane()) - 1);
  const u32 begin = __shfl_sync(kAllLanes, mine, highest(before) % kLanes);
  if (lanes == 0 ? lane() == 0 : lane() == highest(lanes)) {
    last[threadIdx.x / kLanes] = lanes == 0 ? kNone : mine;
  }
  return before == 0 ? kNone : begin;
}

// Makes the tile's forest: every vertex links to where its stretch begins, and that to a neighbor
// inside, if it has one: nobody else links it. Whether a neighbor inside is left to be joined.
SKERRY_INLINE bool link_stretches(u32 place, u32 begins, u32 carried, TileRows& row, u32* stretch,
                                  TileTables& tables) {
  Words<u32, kEach> local;
  bool left = false;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const bool begin = (begins >> k & 1) != 0;
    stretch[k] = begin ? place + k : k == 0 ? carried : stretch[k - 1];
    const bool links_inside = begin && row.inside[k] != kNone;
    local.at[k] = links_inside ? row.inside[k] : stretch[k];
    if (links_inside) row.inside[k] = kNone;
    left = left || row.inside[k] != kNone;
  }
  tables.local[threadIdx.x] = local;
  return left;
}

// From the stretches of a thread's vertices to their roots, all at a time: each step waits for shared
// memory.
SKERRY_INLINE void find_roots(const u32* local, u32* root) {
  for (bool moved = true; moved;) {
    u32 next[kEach];
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) next[k] = local[root[k]];
    moved = false;
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      moved = moved || next[k] != root[k];
      root[k] = next[k];
    }
  }
}

// Writes down linked roots and runs, in no order.
SKERRY_INLINE void list_leftovers(u32 place, u32 linked, const Runs& runs, const u32* root,
                                  const TileRows& row, u64 tile, TileTables& tables,
                                  const Leftovers& left) {
  const u32 own = static_cast<u32>(__popc(linked) + (__popc(runs.begins) << 16));
  if (!__any_sync(kAllLanes, own != 0)) return;
  const Sum sum = sum_of_warp(own);
  u32 base = 0;
  if (lane() == 0) base = atomicAdd(&tables.listed, sum.all);
  base = __shfl_sync(kAllLanes, base, 0) + sum.before;
  const u64 begin = tile * kTile;
  u32 place_of_root = kTile - 1 - base % (1u << 16);
  u32 place_of_run = base >> 16;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if ((linked >> k & 1) != 0) left.inside[begin + place_of_root--] = place + k;
    if ((runs.begins >> k & 1) == 0) continue;
    left.outside[begin + place_of_run] = row.outside[k];
    left.inside[begin + place_of_run++] = root[k] | (runs.length[k] - 1) << 16;
  }
}

// Gives the root of every tree that leaves the tile a vertex outside to link to. Which of the thread's
// vertices have an edge that leaves.
SKERRY_INLINE u32 link_roots(const TileRows& row, const u32* root, Vertex* link) {
  u32 leaving = 0;
  u32 spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kNobody) continue;
    leaving |= 1u << k;
    spoken = root[k];
  }
  // One edge of neighbors with the same root is enough: 32 lanes at one word would take turns.
  spoken = __shfl_up_sync(kAllLanes, spoken, 1);
  if (lane() == 0) spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kNobody) continue;
    if (root[k] != spoken) atomicMin(link + root[k], row.outside[k]);
    spoken = root[k];
  }
  return leaving;
}

// Writes the links of a thread's vertices, and drops the runs that a link says. Which of the vertices
// are linked roots.
SKERRY_INLINE u32 write_links(const Rows& rows, u64 tile, u32 place, const u32* root,
                              const TileRows& row, const Vertex* link, Vertex* links, Runs& runs) {
  const Vertex first = static_cast<Vertex>(tile * kTile);
  const u64 v = tile * kTile + place;
  Words<Vertex, kEach> written;
  u32 linked = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex to = link[root[k]];
    const bool is_linked = root[k] == place + k && to != kNobody;
    if (is_linked) linked |= 1u << k;
    written.at[k] = is_linked ? to : first + root[k];
    if (row.outside[k] == to && runs.length[k] == 1) runs.begins &= ~(1u << k);
  }
  store_words(links + v, written, v < rows.vertices ? rows.vertices - v : 0);
  return linked;
}

SKERRY_INLINE void link_tile(const Rows& rows, u64 tile, bool symmetric, TileTables& tables,
                             Vertex* links, const Leftovers& left) {
  NoTally tally;
  const Vertex first = static_cast<Vertex>(tile * kTile);
  const u32 place = kEach * threadIdx.x;
  u32* const local = tables.local_of_places();
  TileRows row = exchange(read_tile_rows(rows, tile * kTile + threadIdx.x, first, symmetric), tile,
                          tables, left, rows.state);
  Words<Vertex, kEach> nobody;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) nobody.at[k] = kNobody;
  tables.link[threadIdx.x] = nobody;
  u32 begins = ~row.next & kWhole;
  if (threadIdx.x == 0) {
    tables.listed = 0;
    begins |= 1;
  }
  u32 carried = stretch_in_warp(place, begins, tables.last);
  __syncthreads();
  for (u32 warp = threadIdx.x / kLanes; carried == kNone && warp != 0;) {
    carried = tables.last[--warp];
  }
  u32 root[kEach];
  const bool some_left = link_stretches(place, begins, carried, row, root, tables);
  if (__syncthreads_or(some_left)) {
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      if (row.inside[k] != kNone) unite<JumpHalving, Tile>(local, place + k, row.inside[k], tally);
    }
    __syncthreads();
  }
  find_roots(local, root);
  const u32 leaving = link_roots(row, root, tables.link_of_places());
  Runs runs = runs_of(row, leaving);
  __syncthreads();
  const u32 linked =
      write_links(rows, tile, place, root, row, tables.link_of_places(), links, runs);
  list_leftovers(place, linked, runs, root, row, tile, tables, left);
  __syncthreads();
  if (threadIdx.x == 0) {
    // Whether the first vertex is joined with the one before; next to vertex 0 there is but a bad id.
    const u32 seam = tile != 0 ? tables.next[0] & 1 : 0;
    left.counts[2 * tile] = (tables.listed >> 16) * 2 + seam;
    left.counts[2 * tile + 1] = tables.listed % (1u << 16);
  }
}

SKERRY_INLINE void link_all_tiles(const Rows& rows, bool symmetric, Vertex* links,
                                  const Leftovers& left) {
  __shared__ TileTables tables;
  for_each_in_turn((rows.vertices + kTile - 1) / kTile, rows.state + kTaken,
                   [&](u64 tile) { link_tile(rows, tile, symmetric, tables, links, left); });
}

}  // namespace skerry
