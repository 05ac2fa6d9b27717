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
#include "gpu/words.h"
#include "union_find.h"

namespace skerry {

constexpr u32 kTile = kEach * kBlock;
constexpr u32 kTileEntries = 4;  // entries of a row that are looked at
constexpr u32 kNone = ~u32{0};
constexpr u32 kWhole = (1 << kEach) - 1;  // a bit for each of a thread's vertices

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

// What tiles leave to be done. Edges of neighbours often lead to neighbours: those of a grid, from one
// of its lines to the next. Such a run is written down once, by its first edge and its length. Every
// run has a vertex that has a smaller one outside, and every linked root had an edge that is no run of
// its own, so runs and roots share a tile's part of an array.
struct Leftovers {
  Vertex* outside;  // runs of edges that leave the tile, from its first place on: the smaller end
  u32* inside;  // the root of the other end, as a place, and length - 1 times 2^16; from the last
                // place down, linked roots
  u32* counts;  // for every tile, runs and roots; the first times 2, plus 1 if the tile's first
                // vertex is joined with the last of the tile before
  u32* more;    // a bit a vertex: its row has more to tell
  u32* next;    // a bit a vertex: it is joined with the one before
};

// What the rows of some vertices tell a tile: of a thread's, which are kBlock apart while rows are read,
// so that neighbouring threads read neighbouring rows, and lie side by side from then on.
struct TileRows {
  u32 next = 0;           // bits: joined with the vertex before
  u32 more = 0;           // bits: there is more to tell
  u32 inside[kEach];      // another smaller vertex of the tile that it is joined with, as a place
  Vertex outside[kEach];  // another smaller vertex outside
};

struct TileTables {
  Words<u32, kEach> local[kBlock];    // the tile's forest; before, what rows tell of the inside
  Words<Vertex, kEach> link[kBlock];  // of a root: a smaller vertex outside that its tree is joined
                                      // with; before, what rows tell of the outside
  u32 next[kTile / kLanes];           // bits of vertices that are joined with the one before
  u32 last[kBlock / kLanes];          // where the last stretch of every warp begins, or kNone
  u32 listed;                         // roots, and runs times 2^16
};

struct RowsOfThread {
  Offset begin[kEach];
  Offset size[kEach];
};

// None of a thread's rows is past the end or out of place.
SKERRY_INLINE RowsOfThread rows_of_thread(const Rows& rows, u64 v) {
  Rows::Range row[kEach];
  bool right = true;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u64 at = v + k * kBlock;
    row[k] = {0, 0};
    if (at < rows.vertices) row[k] = {rows.offsets[at], rows.offsets[at + 1]};
  }
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) right = right && rows.fits(row[k]);
  right = right && (v != 0 || row[0].begin == 0);
  RowsOfThread found;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (!right) row[k] = rows.checked(row[k], v + k * kBlock);
    found.begin[k] = row[k].begin;
    found.size[k] = row[k].size();
  }
  return found;
}

// The smaller neighbours of a thread's vertices but for the one next to each: the two found last.
struct Smaller {
  Vertex one[kEach];
  Vertex two[kEach];
  u32 count = 0;  // a byte each
};

// Some entries of the rows of a thread, from `from` on: all are loaded before one is looked at. This is
// where most of the time goes: a few instructions for every entry.
template <u32 from, u32 count>
SKERRY_INLINE void read_entries(const Rows& rows, const RowsOfThread& own, Vertex v, bool symmetric,
                                TileRows& found, Smaller& smaller) {
  Vertex u[kEach][count];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Id* const entries = rows.neighbours + own.begin[k] + from;
#pragma unroll
    for (u32 i = 0; i < count; ++i) {
      u[k][i] = v + k * kBlock;  // past the end of a row, the vertex itself
      if (from + i < own.size[k]) u[k][i] = Rows::as_vertex(entries[i]);
    }
  }
  Vertex largest = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex self = v + k * kBlock;
    const Vertex before = k == 0 && self == 0 ? 0 : self - 1;
#pragma unroll
    for (u32 i = 0; i < count; ++i) {
      const Vertex at = u[k][i];
      largest = at > largest ? at : largest;
      if (at == self - 1) found.next |= 1u << k;
      if (at >= before) continue;
      smaller.two[k] = smaller.one[k];
      smaller.one[k] = at;
      smaller.count += 1u << (8 * k);
    }
  }
  if (!symmetric) {
    // A larger neighbour's own row need not tell of it.
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
#pragma unroll
      for (u32 i = 0; i < count; ++i) {
        if (u[k][i] > v + k * kBlock) found.more |= 1u << k;
      }
    }
  }
  if (largest < rows.vertices) return;
  for (u32 k = 0; k < kEach; ++k) {
    for (u32 i = from; i < from + count && i < own.size[k]; ++i) {
      rows.neighbour(v + k * kBlock, own.begin[k] + i);
    }
  }
}

// Of the smaller neighbours, one inside and one outside. What else there is, the row tells later.
SKERRY_INLINE void sort_out(const Smaller& smaller, Vertex v, Vertex first, TileRows& found) {
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex place = v + k * kBlock - first;
    const Vertex one = smaller.one[k];
    const Vertex two = smaller.two[k];
    const bool one_outside = one < first;
    const bool two_outside = two < first;
    const bool one_inside = one - first < place;
    const bool two_inside = two - first < place;
    found.outside[k] = one_outside ? one : two_outside ? two : kNobody;
    found.inside[k] = static_cast<u32>(one_inside ? one - first : two_inside ? two - first : kNone);
    const bool alike = (one_outside && two_outside) || (one_inside && two_inside);
    if (alike || (smaller.count >> (8 * k) & 0xff) > 2) found.more |= 1u << k;
  }
}

// Two entries of every row, then two more where one of a thread's rows has them. Of longer rows the
// beginning is looked at, and the row is marked.
SKERRY_INLINE TileRows read_tile_rows(const Rows& rows, u64 v, Vertex first, bool symmetric) {
  TileRows found;
  Smaller smaller;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) smaller.one[k] = smaller.two[k] = kNobody;
  const RowsOfThread own = rows_of_thread(rows, v);
  const Vertex at = static_cast<Vertex>(v);
  constexpr u32 kHalf = kTileEntries / 2;
  read_entries<0, kHalf>(rows, own, at, symmetric, found, smaller);
  Offset longest = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) longest = own.size[k] > longest ? own.size[k] : longest;
  if (longest > kHalf) {
    read_entries<kHalf, kHalf>(rows, own, at, symmetric, found, smaller);
    if (longest > kTileEntries) {
#pragma unroll
      for (u32 k = 0; k < kEach; ++k) found.more |= own.size[k] > kTileEntries ? 1u << k : 0u;
    }
  }
  sort_out(smaller, at, first, found);
  return found;
}

// From the threads that read rows to those that have neighbouring vertices. Bits are written down for
// later passes on the way, by a lane for each group of 32 vertices that the warp has read.
SKERRY_INLINE TileRows exchange(const TileRows& read, u64 tile, TileTables& tables,
                                const Leftovers& left, u64* state) {
  u32* const inside = tables.local[0].at;
  Vertex* const outside = tables.link[0].at;
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

// The place of the highest bit.
SKERRY_INLINE u32 highest(u32 bits) {
  return 31 - static_cast<u32>(__clz(static_cast<int>(bits)));
}

// The place of the lowest bit that is not set; of 32 set bits, 32.
SKERRY_INLINE u32 lowest_zero(u32 bits) {
  return bits == kAllLanes ? kLanes : static_cast<u32>(__ffs(static_cast<int>(~bits))) - 1;
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
  const u32 whole = __ballot_sync(kAllLanes, goes_on == kWhole);
  const u32 lead = lowest_zero(goes_on);
  const u32 lanes_on = lane() == kLanes - 1 ? 0 : lowest_zero(whole >> (lane() + 1));
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

// The sum over the lanes before this one, and over all.
struct Sum {
  u32 before;
  u32 all;
};
SKERRY_INLINE Sum sum_of_warp(u32 value) {
  u32 end = value;
  for (u32 distance = 1; distance < kLanes; distance *= 2) {
    const u32 other = __shfl_up_sync(kAllLanes, end, distance);
    if (lane() >= distance) end += other;
  }
  return {end - value, __shfl_sync(kAllLanes, end, kLanes - 1)};
}

// Makes the tile's forest: every vertex links to where its stretch begins, and that to a neighbour
// inside, if it has one: nobody else links it. Whether a neighbour inside is left to be joined.
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

SKERRY_INLINE void link_tile(const Rows& rows, u64 tile, bool symmetric, TileTables& tables,
                             Vertex* links, const Leftovers& left) {
  NoTally tally;
  const Vertex first = static_cast<Vertex>(tile * kTile);
  const u32 place = kEach * threadIdx.x;
  const u64 v = tile * kTile + place;
  u32* const local = tables.local[0].at;
  Vertex* const link = tables.link[0].at;
  TileRows row = exchange(read_tile_rows(rows, tile * kTile + threadIdx.x, first, symmetric), tile,
                          tables, left, rows.state);
  Words<Vertex, kEach> linked_to;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) linked_to.at[k] = kNobody;
  tables.link[threadIdx.x] = linked_to;
  u32 begins = ~row.next & kWhole;
  if (threadIdx.x == 0) {
    tables.listed = 0;
    begins |= 1;
  }
  u32 carried = stretch_in_warp(place, begins, tables.last);
  __syncthreads();
  for (u32 warp = threadIdx.x / kLanes; carried == kNone && warp != 0;)
    carried = tables.last[--warp];
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
  u32 leaving = 0;
  u32 spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kNobody) continue;
    leaving |= 1u << k;
    spoken = root[k];
  }
  // One edge of neighbours with the same root is enough: 32 lanes at one word would take turns.
  spoken = __shfl_up_sync(kAllLanes, spoken, 1);
  if (lane() == 0) spoken = kNone;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (row.outside[k] == kNobody) continue;
    if (root[k] != spoken) atomicMin(link + root[k], row.outside[k]);
    spoken = root[k];
  }
  Runs runs = runs_of(row, leaving);
  __syncthreads();
  u32 linked = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex to = link[root[k]];
    const bool is_linked = root[k] == place + k && to != kNobody;
    if (is_linked) linked |= 1u << k;
    linked_to.at[k] = is_linked ? to : first + root[k];
    if (row.outside[k] == to && runs.length[k] == 1) runs.begins &= ~(1u << k);
  }
  store_words(links + v, linked_to, v < rows.vertices ? rows.vertices - v : 0);
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

// Threads that join what a tile has left: it is little. Where tiles are so few that all are done at
// once, more of them, as the device is idle else.
constexpr u32 kTileThreads = 32;
constexpr u32 kFewTiles = 2048;
constexpr u32 kFewTileThreads = 128;
constexpr u32 kListAhead = 4;  // listed edges that a thread looks up at a time

// The other edges of a run: where its outer ends are joined with each other, the first edge said it
// all.
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

// Runs of neighbours mostly lead to one tree: the first of a warp's lanes speaks for them.
SKERRY_INLINE void join_listed(Vertex* links, Vertex first, u64 tile, u32 edges, u32 place,
                               u32 team, const Leftovers& left, Vertex& stop, Tally& tally) {
  const u32* const inside = left.inside + tile * kTile;
  const Vertex* const outside = left.outside + tile * kTile;
  const u32 step = team * kListAhead;
  for (u32 begin = place; begin < (edges + step - 1) / step * step; begin += step) {
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
    const u32 edges = left.counts[2 * tile] / 2;
    const u32 roots = left.counts[2 * tile + 1];
    for (u32 i = place; i < roots; i += team) {
      settle(links, first + inside[kTile - 1 - i], 0, tally);
    }
    if (place == 0 && left.counts[2 * tile] % 2 != 0) {
      join<kImpatient>(links, first - 1, first, stop, tally);
    }
    __syncwarp();
    join_listed(links, first, tile, edges, place, team, left, stop, tally);
  }
}

}  // namespace skerry
