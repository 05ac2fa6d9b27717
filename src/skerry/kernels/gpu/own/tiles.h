// First links for graphs whose neighbours have near ids: a block joins what is joined inside a tile
// of consecutive vertices, in shared memory, and gives every tree that it finds one link to a
// smaller vertex outside. Where links.h links single vertices, this links whole stretches of a road
// or a grid. Other edges that leave the tile go to a list; rows that have more to tell than a list
// has room for are marked.
//
// Most near neighbours are next neighbours. Stretches of vertices that are each joined with the one
// before are found by ballots of the warps and one scan; union-find in shared memory joins the
// stretches.
//
// The idea is that of block-based labelling of images: Komura (Comput. Phys. Commun. 2015);
// Allegretti, Bolelli & Grana, "Optimized Block-Based Algorithms to Label Connected Components on
// GPUs" (IEEE TPDS 2020). Here it is over the rows of any graph.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/links.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"
#include "union_find.h"

namespace skerry {

constexpr u32 kTile = kEach * kBlock;
constexpr u32 kTileEntries = 4;  // entries of a row that are looked at
constexpr u32 kNone = ~u32{0};

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

// What tiles leave to be done. Every vertex that has a smaller one outside gives an edge or is one of
// those whose edge became the link of a root, so edges and roots share a tile's part of an array.
struct Leftovers {
  Vertex* outside;  // edges that leave the tile, from its first place on: the smaller end
  u32* inside;      // the root of the other end, as a place; from the last place down, linked roots
  u32* counts;  // for every tile, edges and roots; the first times 2, plus 1 if the tile's first
                // vertex is joined with the last of the tile before
  u32* more;    // a bit a vertex: its row has more to tell
};

// What a row tells a tile.
struct TileRow {
  bool next = false;         // joined with the vertex before
  bool more = false;         // there is more to tell
  u32 inside = kNone;        // another smaller vertex of the tile that it is joined with
  Vertex outside = kNobody;  // another smaller vertex outside
};

struct TileTables {
  u32 local[kTile];    // the tile's forest
  Vertex link[kTile];  // of a root: the smallest vertex outside that its tree is joined with
  u32 last[kLanes];    // where the last stretch of every group of 32 begins
  u32 edges;           // listed
  u32 roots;           // listed
  bool seam;           // whether the first vertex is joined with the one before
};

// Nothing branches on an entry here, and ids are checked together, by their maximum. Of rows longer
// than kTileEntries the beginning is looked at, and the row is marked.
SKERRY_INLINE TileRow read_tile_row(const Rows& rows, Vertex v, Vertex first, bool symmetric) {
  TileRow found;
  const Rows::Range row = rows.row(v);
  Vertex u[kTileEntries];
  Vertex largest = v;
#pragma unroll
  for (u32 i = 0; i < kTileEntries; ++i) {
    u[i] = v;
    if (i < row.size()) u[i] = rows.unchecked_neighbour(row.begin + i);
    largest = u[i] > largest ? u[i] : largest;
  }
  if (largest >= rows.vertices) {
    for (u32 i = 0; i < kTileEntries && i < row.size(); ++i) rows.neighbour(v, row.begin + i);
    return found;
  }
  u32 insides = 0;
  u32 outsides = 0;
#pragma unroll
  for (u32 i = 0; i < kTileEntries; ++i) {
    const bool next = u[i] + 1 == v;
    const bool outside = u[i] < first && !next;
    const bool inside = u[i] < v && !next && !outside;
    found.next = found.next || next;
    found.outside = outside ? u[i] : found.outside;
    found.inside = inside ? static_cast<u32>(u[i] - first) : found.inside;
    outsides += outside;
    insides += inside;
  }
  // A larger neighbour's own row tells of it, if it has the reverse entry.
  found.more =
      insides > 1 || outsides > 1 || row.size() > kTileEntries || (!symmetric && largest > v);
  return found;
}

// Where the stretch of place t begins, if that is in this group of 32, else kNone; and leaves for
// the groups that follow where the last stretch of this one begins.
SKERRY_INLINE u32 stretch_in_group(u32 t, bool next, u32* last) {
  const u32 begins = __ballot_sync(kAllLanes, !next);
  const u32 up_to_here = begins & (kAllLanes >> (kLanes - 1 - lane()));
  const u32 base = t - lane();
  if (lane() == 0) {
    last[t / kLanes] = begins == 0 ? 0 : base + (kLanes - 1 - static_cast<u32>(__clz(begins)));
  }
  if (up_to_here == 0) return kNone;
  return base + (kLanes - 1 - static_cast<u32>(__clz(up_to_here)));
}

// Makes last[g] where the stretch begins that group g + 1 goes on with: the largest so far. The first
// place of a tile begins one, so there always is one. By the first warp.
SKERRY_INLINE void carry_stretches(u32* last) {
  static_assert(kTile / kLanes == kLanes, "a lane a group");
  u32 begin = last[lane()];
  for (u32 distance = 1; distance < kLanes; distance *= 2) {
    const u32 before = __shfl_up_sync(kAllLanes, begin, distance);
    if (lane() >= distance && before > begin) begin = before;
  }
  last[lane()] = begin;
}

SKERRY_INLINE void mark_more(bool more, u64 v, const Leftovers& left, u64* state) {
  const u32 word = __ballot_sync(kAllLanes, more);
  if (lane() != 0) return;
  left.more[v / kLanes] = word;
  if (word != 0 && relaxed_load(state + kMore) == 0) relaxed_store(state + kMore, u64{1});
}

SKERRY_INLINE void link_tile(const Rows& rows, u64 tile, bool symmetric, TileTables& tables,
                             Vertex* links, const Leftovers& left) {
  NoTally tally;
  const Vertex first = static_cast<Vertex>(tile * kTile);
  TileRow row[kEach];
  u32 stretch[kEach];
  if (threadIdx.x == 0) tables.edges = tables.roots = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 t = k * kBlock + threadIdx.x;
    const u64 v = tile * kTile + t;
    if (v < rows.vertices) row[k] = read_tile_row(rows, static_cast<Vertex>(v), first, symmetric);
    if (t == 0) {
      tables.seam = row[k].next;
      row[k].next = false;
    }
    stretch[k] = stretch_in_group(t, row[k].next, tables.last);
    tables.link[t] = kNobody;
    if (v / kLanes * kLanes < rows.vertices) mark_more(row[k].more, v, left, rows.state);
  }
  __syncthreads();
  if (threadIdx.x < kLanes) carry_stretches(tables.last);
  __syncthreads();
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 t = k * kBlock + threadIdx.x;
    if (stretch[k] == kNone) stretch[k] = tables.last[t / kLanes - 1];
    // The first of a stretch can link to its neighbour inside at once: nobody else links it.
    const bool links_inside = stretch[k] == t && row[k].inside != kNone;
    tables.local[t] = links_inside ? row[k].inside : stretch[k];
    if (links_inside) row[k].inside = kNone;
  }
  __syncthreads();
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 t = k * kBlock + threadIdx.x;
    if (row[k].inside != kNone) unite<JumpHalving, Tile>(tables.local, t, row[k].inside, tally);
  }
  __syncthreads();
  u32 root[kEach];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    root[k] = stretch[k];
    for (u32 next; (next = tables.local[root[k]]) != root[k];) root[k] = next;
    // One of a stretch is enough: 32 lanes at one word would take turns.
    const u32 leaving = __ballot_sync(kAllLanes, row[k].outside != kNobody);
    const u32 t = k * kBlock + threadIdx.x;
    const u32 begin = stretch[k] / kLanes == t / kLanes ? stretch[k] % kLanes : 0;
    const u32 before = leaving & (1u << lane()) - (1u << begin);
    if (row[k].outside != kNobody && before == 0) {
      atomicMin(tables.link + root[k], row[k].outside);
    }
  }
  __syncthreads();
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 t = k * kBlock + threadIdx.x;
    const u64 v = tile * kTile + t;
    const Vertex link = tables.link[root[k]];
    const bool linked = root[k] == t && link != kNobody;
    if (v < rows.vertices) links[v] = linked ? link : first + root[k];
    if (linked) left.inside[tile * kTile + kTile - 1 - atomicAdd(&tables.roots, 1u)] = t;
    const bool listed = row[k].outside != kNobody && row[k].outside != link;
    const u32 with_me = __ballot_sync(kAllLanes, listed);
    u32 place = 0;
    if (with_me != 0 && lane() == 0) {
      place = atomicAdd(&tables.edges, static_cast<u32>(__popc(with_me)));
    }
    place = __shfl_sync(kAllLanes, place, 0) + __popc(with_me & ((1u << lane()) - 1));
    if (listed) {
      left.outside[tile * kTile + place] = row[k].outside;
      left.inside[tile * kTile + place] = root[k];
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    left.counts[2 * tile] = tables.edges * 2 + tables.seam;
    left.counts[2 * tile + 1] = tables.roots;
  }
}

SKERRY_INLINE void link_tiles(const Rows& rows, bool symmetric, Vertex* links,
                              const Leftovers& left) {
  __shared__ TileTables tables;
  for_each_block((rows.vertices + kTile - 1) / kTile,
                 [&](u64 tile) { link_tile(rows, tile, symmetric, tables, links, left); });
}

// Threads that join what a tile has left: it is little. Where tiles are so few that all are done at
// once, more of them, as the device is idle else.
constexpr u32 kTileThreads = 32;
constexpr u32 kFewTiles = 2048;
constexpr u32 kFewTileThreads = 128;
constexpr u32 kListAhead = 4;  // listed edges that a thread looks up at a time

// Neighbours of a stretch mostly lead to neighbours of another: the first of a warp speaks for them.
SKERRY_INLINE void join_listed(Vertex* links, Vertex first, const u32* inside,
                               const Vertex* outside, u32 edges, u32 place, u32 team, Vertex& stop,
                               Tally& tally) {
  const u32 step = team * kListAhead;
  for (u32 begin = place; begin < (edges + step - 1) / step * step; begin += step) {
    Vertex a[kListAhead];
    Vertex b[kListAhead];
#pragma unroll
    for (u32 k = 0; k < kListAhead; ++k) {
      const u32 i = begin + k * team;
      a[k] = i < edges ? first + inside[i] : 0;
      b[k] = i < edges ? outside[i] : 0;
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

// Lets the linked roots of every tile find the ends of their links, then joins the edges on its list.
// Both are lists because few of a warp's vertices are on them, and one would take as long as 32.
SKERRY_INLINE void join_tiles(u64 vertices, Vertex* links, const Leftovers& left, u64* state) {
  Tally tally(state);
  Vertex stop = 0;
  const u64 tiles = (vertices + kTile - 1) / kTile;
  const u32 team = tiles <= kFewTiles ? kFewTileThreads : kTileThreads;
  const u32 place = threadIdx.x % team;
  const u64 teams = thread_count() / team;
  for (u64 tile = thread_number() / team; tile < tiles; tile += teams) {
    const Vertex first = static_cast<Vertex>(tile * kTile);
    const u32* const inside = left.inside + tile * kTile;
    const Vertex* const outside = left.outside + tile * kTile;
    const u32 edges = left.counts[2 * tile] / 2;
    const u32 roots = left.counts[2 * tile + 1];
    for (u32 i = place; i < roots; i += team) {
      settle(links, first + inside[kTile - 1 - i], 0, tally);
    }
    if (place == 0 && left.counts[2 * tile] % 2 != 0)
      join<kImpatient>(links, first - 1, first, stop, tally);
    __syncwarp();
    join_listed(links, first, inside, outside, edges, place, team, stop, tally);
  }
}

}  // namespace skerry
