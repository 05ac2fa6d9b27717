// First links for graphs whose neighbours have near ids: a block joins what is joined inside a tile
// of consecutive vertices, in shared memory, and gives every tree that it finds one link to a
// smaller vertex outside. Where links.h links single vertices, this links whole stretches of a road
// or a grid. Other edges that leave the tile go to a list; rows that have more to tell than a list
// has room for are marked.
//
// Most near neighbours are next neighbours. Stretches of vertices that are each joined with the one
// before are found by a ballot of the warp; union-find in shared memory joins the stretches.
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
constexpr u32 kTileEntries = 8;  // entries of a row that are looked at
constexpr u32 kTileAhead = 4;    // of which so many are read at a time
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
  u32* counts;      // for every tile, edges and roots; the first times 2, plus 1 if the tile's first
                    // vertex is joined with the last of the tile before
  u32* more;        // a bit a vertex: its row has more to tell
};

// What a row tells a tile.
struct TileRow {
  bool next = false;         // joined with the vertex before
  bool more = false;         // there is more to tell
  u32 inside = kNone;        // another vertex of the tile that it is joined with
  Vertex outside = kNobody;  // a smaller vertex outside

  SKERRY_INLINE void note(Vertex u, Vertex v, Vertex first, bool symmetric) {
    if (u + 1 == v) {
      next = true;
    } else if (u < first) {
      more = more || outside != kNobody;
      outside = u;
    } else if (u < v) {
      more = more || inside != kNone;
      inside = static_cast<u32>(u - first);
    } else if (u > v && !symmetric) {
      more = true;  // no other row tells of it
    }
  }
};

SKERRY_INLINE TileRow read_tile_row(const Rows& rows, Vertex v, Vertex first, bool symmetric) {
  TileRow found;
  const Rows::Range row = rows.row(v);
  const bool is_long = row.size() > kTileEntries;
  const Offset end = is_long ? row.begin + kTileEntries : row.end;
  found.more = is_long;
  for (Offset begin = row.begin; begin < end; begin += kTileAhead) {
    Vertex u[kTileAhead];
#pragma unroll
    for (u32 i = 0; i < kTileAhead; ++i) {
      u[i] = begin + i < end ? rows.neighbour(v, begin + i) : v;
    }
#pragma unroll
    for (u32 i = 0; i < kTileAhead; ++i) found.note(u[i], v, first, symmetric);
  }
  return found;
}

// The first vertex of the stretch that place t is in, as far as the warp sees it.
SKERRY_INLINE u32 stretch_of(u32 t, bool next) {
  const u32 starts = __ballot_sync(kAllLanes, !next || lane() == 0);
  const u32 up_to_here = starts & (kAllLanes >> (kLanes - 1 - lane()));
  return t - lane() + (kLanes - 1 - static_cast<u32>(__clz(static_cast<int>(up_to_here))));
}

struct TileTables {
  u32 local[kTile];    // the tile's forest
  Vertex link[kTile];  // of a root: the smallest vertex outside that its tree is joined with
  u32 edges;           // listed
  u32 roots;           // listed
  bool seam;           // whether the first vertex is joined with the one before
};

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
    stretch[k] = stretch_of(t, row[k].next);
    // The first of a stretch can link to its neighbour inside at once: nobody else links it.
    const bool links_inside = stretch[k] == t && row[k].inside != kNone && !row[k].next;
    tables.local[t] = links_inside ? row[k].inside : stretch[k];
    if (links_inside) row[k].inside = kNone;
    tables.link[t] = kNobody;
    if (v / kLanes * kLanes < rows.vertices) mark_more(row[k].more, v, left, rows.state);
  }
  __syncthreads();
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u32 t = k * kBlock + threadIdx.x;
    if (row[k].inside != kNone) unite<JumpHalving, Tile>(tables.local, t, row[k].inside, tally);
    if (row[k].next && lane() == 0) unite<JumpHalving, Tile>(tables.local, t, t - 1, tally);
  }
  __syncthreads();
  u32 root[kEach];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    root[k] = stretch[k];
    for (u32 next; (next = tables.local[root[k]]) != root[k];) root[k] = next;
    // One of a stretch is enough: 32 lanes at one word would take turns.
    const u32 leaving = __ballot_sync(kAllLanes, row[k].outside != kNobody);
    const u32 begin = stretch[k] % kLanes;
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
  for_each_block((rows.vertices + kTile - 1) / kTile, [&](u64 tile) {
    link_tile(rows, tile, symmetric, tables, links, left);
  });
}

// Lets the linked roots of every tile find the ends of their links, then joins the edges on its list.
// Both are lists because few of a warp's vertices are on them, and one would take as long as 32.
SKERRY_INLINE void join_tiles(u64 vertices, Vertex* links, const Leftovers& left, u64* state) {
  Tally tally(state);
  Vertex stop = 0;
  for_each_block((vertices + kTile - 1) / kTile, [&](u64 tile) {
    const Vertex first = static_cast<Vertex>(tile * kTile);
    const u32 edges = left.counts[2 * tile] / 2;
    const u32 roots = left.counts[2 * tile + 1];
    for (u32 i = threadIdx.x; i < roots; i += blockDim.x) {
      settle(links, first + left.inside[tile * kTile + kTile - 1 - i], 0, tally);
    }
    if (threadIdx.x == 0 && left.counts[2 * tile] % 2 != 0) {
      join(links, first - 1, first, stop, tally);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < (edges + kLanes - 1) / kLanes * kLanes; i += blockDim.x) {
      const u64 place = tile * kTile + i;
      Vertex a = 0;
      Vertex b = 0;
      if (i < edges) {
        a = first + left.inside[place];
        b = Device::load(links + left.outside[place]);
      }
      // Neighbours of a stretch mostly lead to neighbours of another: the first speaks for them.
      const Vertex a_before = __shfl_up_sync(kAllLanes, a, 1);
      const Vertex b_before = __shfl_up_sync(kAllLanes, b, 1);
      const bool again = lane() != 0 && a == a_before && b == b_before;
      if (a != b && !again) join(links, a, b, stop, tally);
    }
  });
}

}  // namespace skerry
