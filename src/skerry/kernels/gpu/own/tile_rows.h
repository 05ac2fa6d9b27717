// Reads the rows of the vertices of a tile: which vertices are joined with the preceding vertex,
// with another smaller one inside the tile, or with one outside. Rows are mostly short. Entries
// beyond the first few, or more than fit into one word each, are left to later kernels.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kTile = kEach * kBlock;
constexpr u32 kTileEntries = 4;  // entries of a row that are looked at
constexpr u32 kTileRow = 32;     // entries of the longest row that one thread goes through
constexpr u32 kNone = ~u32{0};
constexpr u32 kThreadMask = (1 << kEach) - 1;  // a bit for each of a thread's vertices

// Summary of the rows of the vertices of a thread. They are kBlock apart while rows are read, so
// that neighboring threads read neighboring rows, and adjacent afterwards.
struct TileRows {
  u32 next = 0;           // bits: joined with the vertex before
  u32 more = 0;           // bits: the row has further entries to join
  u32 inside[kEach];      // another smaller vertex of the tile that it is joined with, as an index
  Vertex outside[kEach];  // another smaller vertex outside
};

struct RowsOfThread {
  Offset begin[kEach];
  Offset size[kEach];
};

// Bounds of the rows of a thread. Rows past the end and invalid rows are empty.
SKERRY_INLINE RowsOfThread rows_of_thread(const Rows& rows, u64 v) {
  Rows::Range row[kEach];
  bool valid = true;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const u64 at = v + k * kBlock;
    row[k] = {0, 0};
    if (at < rows.vertices) row[k] = {rows.offsets[at], rows.offsets[at + 1]};
  }
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) valid = valid && rows.fits(row[k]);
  valid = valid && (v != 0 || row[0].begin == 0);
  RowsOfThread result;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    if (!valid) row[k] = rows.checked(row[k], v + k * kBlock);
    result.begin[k] = row[k].begin;
    result.size[k] = row[k].size();
  }
  return result;
}

// The smaller neighbors of a thread's vertices but for the one next to each: the two found last.
struct Smaller {
  Vertex last[kEach];
  Vertex previous[kEach];
  u32 count = 0;  // a byte each
};

// Some entries of the rows of a thread, from `from` on: all are loaded before the first is used.
// Most of the time is spent here: a few instructions for every entry.
template <u32 from, u32 count>
SKERRY_INLINE void read_entries(const Rows& rows, const RowsOfThread& own, Vertex v, bool symmetric,
                                TileRows& result, Smaller& smaller) {
  Vertex u[kEach][count];
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Id* const entries = rows.neighbors + own.begin[k] + from;
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
      if (at == self - 1) result.next |= 1u << k;
      if (at >= before) continue;
      smaller.previous[k] = smaller.last[k];
      smaller.last[k] = at;
      smaller.count += 1u << (8 * k);
    }
  }
  if (!symmetric) {
    // The row of a larger neighbor need not contain the reverse entry.
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
#pragma unroll
      for (u32 i = 0; i < count; ++i) {
        if (u[k][i] > v + k * kBlock) result.more |= 1u << k;
      }
    }
  }
  if (largest < rows.vertices) return;
  for (u32 k = 0; k < kEach; ++k) {
    for (u32 i = from; i < from + count && i < own.size[k]; ++i) {
      rows.neighbor(v + k * kBlock, own.begin[k] + i);
    }
  }
}

// Keeps one smaller neighbor inside and one outside. The row is marked if there are more.
SKERRY_INLINE void sort_out(const Smaller& smaller, Vertex v, Vertex first, TileRows& result) {
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) {
    const Vertex index = v + k * kBlock - first;
    const Vertex last = smaller.last[k];
    const Vertex previous = smaller.previous[k];
    const bool last_outside = last < first;
    const bool previous_outside = previous < first;
    const bool last_inside = last - first < index;
    const bool previous_inside = previous - first < index;
    result.outside[k] = last_outside ? last : previous_outside ? previous : kInvalidVertex;
    result.inside[k] = static_cast<u32>(last_inside       ? last - first
                                        : previous_inside ? previous - first
                                                          : kNone);
    const bool alike = (last_outside && previous_outside) || (last_inside && previous_inside);
    if (alike || (smaller.count >> (8 * k) & 0xff) > 2) result.more |= 1u << k;
  }
}

// Two entries of every row, then two more where one of a thread's rows has them. Of longer rows the
// beginning is looked at, and the row is marked.
SKERRY_INLINE TileRows read_tile_rows(const Rows& rows, u64 v, Vertex first, bool symmetric) {
  TileRows result;
  Smaller smaller;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) smaller.last[k] = smaller.previous[k] = kInvalidVertex;
  const RowsOfThread own = rows_of_thread(rows, v);
  const Vertex at = static_cast<Vertex>(v);
  constexpr u32 kHalf = kTileEntries / 2;
  read_entries<0, kHalf>(rows, own, at, symmetric, result, smaller);
  Offset longest = 0;
#pragma unroll
  for (u32 k = 0; k < kEach; ++k) longest = own.size[k] > longest ? own.size[k] : longest;
  if (longest > kHalf) {
    read_entries<kHalf, kHalf>(rows, own, at, symmetric, result, smaller);
    if (longest > kTileEntries) {
#pragma unroll
      for (u32 k = 0; k < kEach; ++k) result.more |= own.size[k] > kTileEntries ? 1u << k : 0u;
    }
  }
  sort_out(smaller, at, first, result);
  return result;
}

}  // namespace skerry
