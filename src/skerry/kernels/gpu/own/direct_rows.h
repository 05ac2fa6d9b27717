// Joins every entry of every row, without a largest tree whose rows are skipped: for graphs that
// are so small that reading all entries takes less time than finding out which to skip, for graphs
// of near ids or of many components, and for rows whose reverse entries may be missing.
//
// Before it, every vertex is linked to the root of the tree that it is in so far, and these links
// are copied. The copy never changes, so it is read with plain loads, which L1 caches; an entry
// between two vertices of one tree costs nothing more. Only the others read and change the links
// themselves, with relaxed loads, which go to L2.
//
// After ECL-CC (Jaiganesh & Burtscher 2018): a thread for each short row that carries its root
// along, a warp for longer ones. Departures: the copy; several threads for a row where vertices are
// fewer than threads; the longest rows are dealt out in chunks.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kLaneEntries = 16;  // entries that a thread takes of a row; of longer ones, the warp

// Links every vertex to its root, and copies the links. No thread hooks meanwhile.
SKERRY_INLINE void flatten_links(Vertex* links, u64 vertices, Vertex* roots, u64* state) {
  Tally tally(state);
  // In ascending order: threads that walk at the same time shorten each other's paths, and those
  // after them find short ones. In any other order a long path stays long.
  constexpr u64 kStretch = u64{kEach} * kLanes;
  for_each_warp_in_turn((vertices + kStretch - 1) / kStretch, state + kFlattened, [&](u64 part) {
    for (u64 v = part * kStretch + lane(); v < (part + 1) * kStretch && v < vertices; v += kLanes) {
      roots[v] = settle(links, static_cast<Vertex>(v), 0, tally);
    }
  });
}

// Joins two trees and returns the smaller root.
SKERRY_INLINE Vertex joined(Vertex* links, Vertex a, Vertex b, Tally& tally) {
#pragma unroll 1
  for (;;) {
    a = find_end(links, a, 0, tally);
    b = find_end(links, b, 0, tally);
    if (a == b) return a;
    const Vertex high = a > b ? a : b;
    const Vertex low = a > b ? b : a;
    const Vertex seen = Device::compare_and_swap(links + high, high, low);
    if (seen == high) {
      tally.hooked();
      return low;
    }
    a = seen;
    b = low;
  }
}

struct DirectRows {
  Rows rows;
  Vertex* links;
  const Vertex* roots;  // as flatten_links left them
  Chunk* chunks;
  bool one_direction;  // every entry has its reverse: smaller neighbors suffice

  // Joins the entries begin, begin + step, ... of the row of v.
  SKERRY_INLINE void join_entries(u64 v, Offset begin, Offset end, u32 step, Tally& tally) const {
    if (begin >= end) return;
    const Vertex own = roots[v];
    Vertex root = own;
    Vertex last = own;
    for (Offset e = begin; e < end; e += step) {
      const Vertex u = rows.neighbor(v, e);
      if (one_direction && u > v) continue;
      const Vertex other = roots[u];
      if (other == own || other == last) continue;
      last = other;
      root = joined(links, root, other, tally);
    }
  }

  // `team` threads for each row, a power of 2 up to 32.
  SKERRY_INLINE void join_all_rows(u32 team) const {
    Tally tally(rows.state);
    const u32 rank = lane() % team;
    const u64 per_warp = kLanes / team;
    for_each_warp((rows.vertices + per_warp - 1) / per_warp, [&](u64 part) {
      const u64 v = part * per_warp + lane() / team;
      Rows::Range row{0, 0};
      if (v < rows.vertices) row = rows.row(v);
      const bool is_long = row.size() > u64{kLaneEntries} * team;
      if (!is_long) join_entries(v, row.begin + rank, row.end, team, tally);
      __syncwarp();
      u32 left = __ballot_sync(kAllLanes, is_long && rank == 0);
      for (; left != 0; left &= left - 1) {
        const u32 from = static_cast<u32>(__ffs(static_cast<int>(left)) - 1);
        const u64 vertex = __shfl_sync(kAllLanes, v, from);
        const Rows::Range range{__shfl_sync(kAllLanes, row.begin, from),
                                __shfl_sync(kAllLanes, row.end, from)};
        if (range.size() >= kHeavyFrom) {
          defer_row(vertex, range, rows.state, chunks);
        } else {
          join_entries(vertex, range.begin + lane(), range.end, kLanes, tally);
        }
        __syncwarp();
      }
    });
  }
};

}  // namespace skerry
