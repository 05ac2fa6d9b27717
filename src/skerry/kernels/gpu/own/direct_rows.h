// Joins every entry of every row, without a largest tree whose rows are skipped: for graphs that
// are so small or whose rows are so short that reading all entries takes less time than finding out
// which to skip, for graphs of many components, and for rows whose reverses may be missing.
//
// Trees are distinguished by a copy of the roots (own/root_copy.h): an entry between two vertices
// of one tree costs nothing more. Only the others read and change the links themselves.
//
// After ECL-CC (Jaiganesh & Burtscher 2018): a thread for each short row that carries its root
// along, a warp for longer ones. Departures: the copy; several threads for a row where vertices are
// fewer than threads; the longest rows are dealt out in chunks.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/root_copy.h"
#include "gpu/own/row_teams.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

// `one_direction`: every entry has its reverse, so smaller neighbors suffice. A value that is known
// when this is compiled takes no register.
template <bool one_direction>
struct DirectRows {
  Rows rows;
  Vertex* links;
  const Vertex* roots;  // as copy_roots left them
  Chunk* chunks;

  // Joins the entries begin, begin + step, ... of the row of v.
  SKERRY_INLINE void join_entries(u64 v, u64 begin, u64 end, u32 step, bool, Tally& tally) const {
    if (begin >= end) return;
    const Vertex own = roots[v];
    Vertex root = own;
    Vertex last = own;
    for (u64 e = begin; e < end; e += step) {
      const Vertex u = rows.neighbor(v, e);
      if (one_direction && u > v) continue;
      const Vertex other = roots[u];
      if (other == own || other == last) continue;
      last = other;
      root = joined(links, root, other, tally);
    }
  }
};

}  // namespace skerry
