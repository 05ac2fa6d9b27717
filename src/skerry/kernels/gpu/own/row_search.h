// The row that holds an entry.
#pragma once

#include "gpu/grid.h"
#include "gpu/rows.h"

namespace skerry {

// The row of entry e, one of `count` from `low` on, by bisection. For decreasing offsets the result
// is any of them.
SKERRY_INLINE Vertex row_among(const Rows& rows, Vertex low, Vertex count, u64 e) {
  while (count > 1) {
    const Vertex half = count / 2;
    const bool after = rows.offsets[u64{low} + half] > e;
    low += after ? 0 : half;
    count = after ? half : count - half;
  }
  return low;
}

// The same where the row is not before `from`. Steps double: it is mostly near.
SKERRY_INLINE Vertex row_from(const Rows& rows, Vertex from, u64 e) {
  Vertex low = from;  // the row is this one, or one of `count` from here on
  Vertex count = static_cast<Vertex>(rows.vertices - from);
  for (Vertex step = 1; step < count; step *= 2) {
    if (rows.offsets[u64{low} + step] > e) {
      count = step;
      break;
    }
    low += step;
    count -= step;
  }
  return row_among(rows, low, count, e);
}

// The same by all lanes of a warp, which look at 32 rows at a time.
SKERRY_INLINE Vertex row_by_warp(const Rows& rows, u64 e) {
  u64 low = 0;
  for (u64 count = rows.vertices; count > 1;) {
    const u64 step = (count + kLanes - 1) / kLanes;
    const u64 ahead = lane() * step;
    const u32 before = __ballot_sync(kAllLanes, ahead < count && rows.offsets[low + ahead] <= e);
    const u64 last = before == 0 ? 0 : highest(before) * step;
    low += last;
    count = step < count - last ? step : count - last;
  }
  return static_cast<Vertex>(low);
}

}  // namespace skerry
