// What the rows of a tile's vertices tell: who is joined with the vertex before, who with another
// smaller one inside of the tile, who with one outside. Rows are mostly short; what is not said by the
// first entries, or is too much for one word each, is left to be told later.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/links.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kTile = kEach * kBlock;
constexpr u32 kTileEntries = 4;  // entries of a row that are looked at
constexpr u32 kNone = ~u32{0};
constexpr u32 kWhole = (1 << kEach) - 1;  // a bit for each of a thread's vertices

// What the rows of some vertices tell a tile: of a thread's, which are kBlock apart while rows are read,
// so that neighboring threads read neighboring rows, and lie side by side from then on.
struct TileRows {
  u32 next = 0;           // bits: joined with the vertex before
  u32 more = 0;           // bits: there is more to tell
  u32 inside[kEach];      // another smaller vertex of the tile that it is joined with, as a place
  Vertex outside[kEach];  // another smaller vertex outside
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

// The smaller neighbors of a thread's vertices but for the one next to each: the two found last.
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
      if (at == self - 1) found.next |= 1u << k;
      if (at >= before) continue;
      smaller.two[k] = smaller.one[k];
      smaller.one[k] = at;
      smaller.count += 1u << (8 * k);
    }
  }
  if (!symmetric) {
    // A larger neighbor's own row need not tell of it.
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
      rows.neighbor(v + k * kBlock, own.begin[k] + i);
    }
  }
}

// Of the smaller neighbors, one inside and one outside. What else there is, the row tells later.
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

}  // namespace skerry
