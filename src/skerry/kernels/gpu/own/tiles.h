// First links for graphs whose neighbors have near ids: a block joins what is joined inside a tile
// of consecutive vertices, in shared memory, and links every tree it finds to a smaller vertex
// outside. Where links.h links single vertices, this links stretches of a road or a grid. Other
// edges that leave the tile go to a list; rows with more edges than the list can hold are marked.
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
  static SKERRY_INLINE u32 load(u32* address) { return atomicOr(address, 0u); }
  static SKERRY_INLINE void store(u32* address, u32 value) { atomicExch(address, value); }
  static SKERRY_INLINE u32 compare_and_swap(u32* address, u32 expected, u32 desired) {
    return atomicCAS(address, expected, desired);
  }
};

struct NoTally {
  SKERRY_INLINE void step() {}
  SKERRY_INLINE void end_find() {}
  SKERRY_INLINE void hooked() {}
};

struct TileTables {
  Words<u32, kEach> local[kBlock];    // the forest of the tile; before that, neighbors inside
  Words<Vertex, kEach> link[kBlock];  // of a root: a smaller vertex outside that its tree is joined
                                      // with; before that, neighbors outside
  u32 next[kTile / kLanes];           // bits of vertices that are joined with the one before
  u32 more[kTile / kLanes];           // bits of vertices whose rows have further entries to join
  u32 last[kBlock / kLanes];          // where the last stretch of every warp begins, or kNone
  u32 listed;                         // roots, and runs times 2^16

  // The same by index in the tile.
  SKERRY_INLINE u32* local_by_index() { return reinterpret_cast<u32*>(local); }
  SKERRY_INLINE Vertex* link_by_index() { return reinterpret_cast<Vertex*>(link); }
};

// Moves the summaries of rows from the threads that read them to those that own adjacent vertices.
// One lane for each group of 32 vertices also stores the bits for later kernels.
SKERRY_INLINE TileRows exchange(const TileRows& read, u64 tile, TileTables& tables,
                                const Leftovers& left) {
  u32* const inside = tables.local_by_index();
  Vertex* const outside = tables.link_by_index();
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
    tables.more[word] = more;
  }
  __syncthreads();
  TileRows own;
  own.next =
      tables.next[threadIdx.x * kEach / kLanes] >> (threadIdx.x * kEach % kLanes) & kThreadMask;
  own.more =
      tables.more[threadIdx.x * kEach / kLanes] >> (threadIdx.x * kEach % kLanes) & kThreadMask;
  const Words<u32, kEach> loaded_inside = tables.local[threadIdx.x];
  const Words<Vertex, kEach> loaded_outside = tables.link[threadIdx.x];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    own.inside[k] = loaded_inside.at[k];
    own.outside[k] = loaded_outside.at[k];
  }
  return own;
}

// Where the stretch begins that goes on in this thread's first vertex, if that is in this warp,
// else kNone; and leaves for the warps that follow where the last stretch of this one begins.
// `begins`: bits of the thread's vertices that are not joined with the one before.
SKERRY_INLINE u32 stretch_in_warp(u32 index, u32 begins, u32* last) {
  const u32 lanes = __ballot_sync(kAllLanes, begins != 0);
  const u32 mine = index + highest(begins);
  const u32 before = lanes_before(lanes);
  const u32 begin = __shfl_sync(kAllLanes, mine, highest(before) % kLanes);
  if (lanes == 0 ? lane() == 0 : lane() == highest(lanes)) {
    last[threadIdx.x / kLanes] = lanes == 0 ? kNone : mine;
  }
  return before == 0 ? kNone : begin;
}

// Makes the tile's forest: every vertex links to where its stretch begins, and that to a neighbor
// inside, if it has one: no other thread links it. Returns whether a neighbor inside remains to be
// joined.
SKERRY_INLINE bool link_stretches(u32 index, u32 begins, u32 carried, TileRows& row, u32* stretch,
                                  TileTables& tables) {
  Words<u32, kEach> local;
  bool left = false;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const bool begin = (begins >> k & 1) != 0;
    stretch[k] = begin ? index + k : k == 0 ? carried : stretch[k - 1];
    const bool links_inside = begin && row.inside[k] != kNone;
    local.at[k] = links_inside ? row.inside[k] : stretch[k];
    if (links_inside) row.inside[k] = kNone;
    left = left || row.inside[k] != kNone;
  }
  tables.local[threadIdx.x] = local;
  return left;
}

// Joins all entries inside the tile of the marked rows of a thread that are short. The mark goes
// where no other entry leaves the tile but the one that is kept: then the row is done.
SKERRY_INLINE void join_marked_inside(const Rows& rows, Vertex first, u32 index, bool symmetric,
                                      const TileRows& row, TileTables& tables) {
  NoTally tally;
  u32 done = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if ((row.more >> k & 1) == 0) continue;
    const Vertex v = first + index + k;
    const Rows::Range range = rows.row(v);
    if (range.size() > kTileRow) continue;
    bool leaves = false;
#pragma unroll 1
    for (Offset e = range.begin; e < range.end; ++e) {
      const Vertex u = rows.neighbor(v, e);
      if (u == v || (symmetric && u > v)) continue;
      if (u - first < kTile) {  // those before the tile wrap around
        unite<JumpHalving, Tile>(tables.local_by_index(), index + k, static_cast<u32>(u - first),
                                 tally);
      } else {
        leaves = leaves || u != row.outside[k];
      }
    }
    if (!leaves) done |= 1u << k;
  }
  if (done != 0) atomicAnd(tables.more + index / kLanes, ~(done << (index % kLanes)));
}

// Stores the marks that remain, for later kernels.
SKERRY_INLINE void store_marks(u64 tile, const TileTables& tables, const Leftovers& left,
                               u64* state) {
  if (threadIdx.x >= kTile / kLanes) return;
  const u32 more = tables.more[threadIdx.x];
  left.more[tile * (kTile / kLanes) + threadIdx.x] = more;
  if (more != 0 && relaxed_load(state + kMore) == 0) relaxed_store(state + kMore, u64{1});
}

// From the stretches of a thread's vertices to their roots, all at a time: each step waits for
// shared memory.
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

// Lists linked roots and runs, in no particular order.
SKERRY_INLINE void list_leftovers(u32 index, u32 linked, const Runs& runs, const u32* root,
                                  const TileRows& row, u64 tile, TileTables& tables,
                                  const Leftovers& left) {
  const u32 own = static_cast<u32>(__popc(linked) + (__popc(runs.begins) << 16));
  if (!__any_sync(kAllLanes, own != 0)) return;
  const Sum sum = sum_of_warp(own);
  u32 base = 0;
  if (lane() == 0) base = atomicAdd(&tables.listed, sum.all);
  base = __shfl_sync(kAllLanes, base, 0) + sum.before;
  const u64 begin = tile * kTile;
  u32 root_slot = kTile - 1 - base % (1u << 16);
  u32 run_slot = base >> 16;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if ((linked >> k & 1) != 0) left.inside[begin + root_slot--] = index + k;
    if ((runs.begins >> k & 1) == 0) continue;
    left.outside[begin + run_slot] = row.outside[k];
    left.inside[begin + run_slot++] = root[k] | (runs.length[k] - 1) << 16;
  }
}

// Links the root of every tree that leaves the tile to a vertex outside. Returns which vertices of
// the thread have an edge that leaves.
SKERRY_INLINE u32 link_roots(const TileRows& row, const u32* root, Vertex* link) {
  u32 leaving = 0;
  u32 spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kInvalidVertex) continue;
    leaving |= 1u << k;
    spoken = root[k];
  }
  // One edge of adjacent vertices with the same root is enough: 32 lanes would serialize on one
  // word.
  spoken = __shfl_up_sync(kAllLanes, spoken, 1);
  if (lane() == 0) spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kInvalidVertex) continue;
    if (root[k] != spoken) atomicMin(link + root[k], row.outside[k]);
    spoken = root[k];
  }
  return leaving;
}

// Writes the links of the vertices of a thread, and drops runs that a link already represents.
// Returns which of the vertices are linked roots.
SKERRY_INLINE u32 write_links(const Rows& rows, u64 tile, u32 index, const u32* root,
                              const TileRows& row, const Vertex* link, Vertex* links, Runs& runs) {
  const Vertex first = static_cast<Vertex>(tile * kTile);
  const u64 v = tile * kTile + index;
  Words<Vertex, kEach> written;
  u32 linked = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex to = link[root[k]];
    const bool is_linked = root[k] == index + k && to != kInvalidVertex;
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
  const u32 index = kEach * threadIdx.x;
  u32* const local = tables.local_by_index();
  TileRows row = exchange(read_tile_rows(rows, tile * kTile + threadIdx.x, first, symmetric), tile,
                          tables, left);
  Words<Vertex, kEach> invalid;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) invalid.at[k] = kInvalidVertex;
  tables.link[threadIdx.x] = invalid;
  u32 begins = ~row.next & kThreadMask;
  if (threadIdx.x == 0) {
    tables.listed = 0;
    begins |= 1;
  }
  u32 carried = stretch_in_warp(index, begins, tables.last);
  __syncthreads();
  for (u32 warp = threadIdx.x / kLanes; carried == kNone && warp != 0;) {
    carried = tables.last[--warp];
  }
  u32 root[kEach];
  const bool some_left = link_stretches(index, begins, carried, row, root, tables);
  if (__syncthreads_or(some_left || row.more != 0)) {
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      if (row.inside[k] != kNone) unite<JumpHalving, Tile>(local, index + k, row.inside[k], tally);
    }
    if (row.more != 0) join_marked_inside(rows, first, index, symmetric, row, tables);
    __syncthreads();
  }
  store_marks(tile, tables, left, rows.state);
  find_roots(local, root);
  const u32 leaving = link_roots(row, root, tables.link_by_index());
  Runs runs = runs_of(row, leaving);
  __syncthreads();
  const u32 linked = write_links(rows, tile, index, root, row, tables.link_by_index(), links, runs);
  list_leftovers(index, linked, runs, root, row, tile, tables, left);
  __syncthreads();
  if (threadIdx.x == 0) {
    // Whether the first vertex is joined with the one before. Vertex 0 has none; the bit can only
    // come from an invalid id.
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
