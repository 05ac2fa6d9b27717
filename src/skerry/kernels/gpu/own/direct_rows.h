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
#include "gpu/own/row_teams.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

// Links every vertex to its root, and copies the links. No thread hooks meanwhile.
SKERRY_INLINE void flatten_links(Vertex* links, u64 vertices, Vertex* roots, u64* state) {
  Tally tally(state);
  // In ascending order: threads that walk at the same time shorten each other's paths, and those
  // after them find short ones. In any other order a long path stays long.
  const u64 stretch = u64{vertices <= thread_count() ? 1 : kEach} * kLanes;
  for_each_warp_in_turn((vertices + stretch - 1) / stretch, state + kFlattened, [&](u64 part) {
    for (u64 v = part * stretch + lane(); v < (part + 1) * stretch && v < vertices; v += kLanes) {
      roots[v] = settle(links, static_cast<Vertex>(v), 0, tally);
    }
  });
}

struct DirectRows {
  Rows rows;
  Vertex* links;
  const Vertex* roots;  // as flatten_links left them
  Chunk* chunks;
  bool one_direction;  // every entry has its reverse: smaller neighbors suffice

  // Joins the entries begin, begin + step, ... of the row of v.
  SKERRY_INLINE void join_entries(u64 v, u64 begin, u64 end, u32 step, Tally& tally) const {
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

  SKERRY_INLINE void join_all_rows(u32 team) const {
    Tally tally(rows.state);
    for_each_row(rows, team, DeferredRows{rows, chunks}, [&](u64 v, u64 begin, u64 end, u32 step) {
      join_entries(v, begin, end, step, tally);
    });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    for_each_chunk(rows, chunks,
                   [&](u64 v, u64 begin, u64 end) { join_entries(v, begin, end, kLanes, tally); });
  }
};

}  // namespace skerry
