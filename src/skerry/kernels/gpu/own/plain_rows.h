// Joins every entry of every row on the links themselves, as ECL-CC does (Jaiganesh & Burtscher
// 2018): for short rows where first links make small trees. Few entries are inside of a tree there,
// so a copy of the links (own/direct_rows.h) does not pay, unless most vertices soon are one tree.
//
// Departures: relaxed accesses; a row whose first entry is smaller is linked to it (own/links.h),
// so that entry is not joined again. Its vertex is still looked up: of a long path in the order of
// its vertices, every vertex then shortens a part. One without a smaller neighbor is not.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/row_teams.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

// Every entry has its reverse, so smaller neighbors suffice.
struct PlainRows {
  Rows rows;
  Vertex* links;
  Chunk* chunks;

  // Joins the entries begin, begin + step, ... of the row of v. `linked`: the first of them has
  // made the first link, if it is smaller.
  SKERRY_INLINE void join_entries(u64 v, u64 begin, u64 end, u32 step, bool linked,
                                  Tally& tally) const {
    Vertex root = kInvalidVertex;
#pragma unroll 1
    for (u64 e = begin; e < end; e += step) {
      const Vertex u = rows.neighbor(v, e);
      if (u >= v) continue;
      if (root == kInvalidVertex) {
        root = JumpHalving::find<CachedDevice>(links, static_cast<Vertex>(v), tally);
      }
      if (linked && e == begin) continue;
      root = hook<Device>(links, root, JumpHalving::find<CachedDevice>(links, u, tally), tally);
    }
  }
};

}  // namespace skerry
