// The hooking of a row's entries, by one thread or by several that share the row. SKERRY_JUMP names
// what a find does to its path, SKERRY_LOADS how it reads links (memory.h). Jaiganesh & Burtscher
// 2018, sect. 3, Fig. 6.
#pragma once

#include "common/union_find.h"
#include "gpu/memory.h"
#include "gpu/rows.h"
#include "gpu/tally.h"

namespace skerry {

// Which entries are hooked.
struct Entries {
  u64 one_direction;  // only neighbors smaller than the row's vertex
  u64 first;          // entries of each row that were hooked before
  u64 skip_largest;   // not the rows of the largest component, which point to its root
};

// Counts, and records whether a round hooked anything.
struct ChangeTally {
  Tally& inner;
  bool changed = false;

  SKERRY_INLINE void step() { inner.step(); }
  SKERRY_INLINE void end_find() { inner.end_find(); }
  SKERRY_INLINE void hooked() {
    inner.hooked();
    changed = true;
  }
};

struct RowHook {
  Rows rows;
  Vertex* parent;
  Entries entries;

  // The row of v without what is left out; empty if v's component is.
  SKERRY_INLINE Rows::Range row(u64 v) const {
    Rows::Range row = rows.row(v);
    row.begin = row.size() < entries.first ? row.end : row.begin + entries.first;
    if (entries.skip_largest != 0 && row.size() != 0 &&
        u64{Device::load(parent + v)} + 1 == rows.state[kLargest]) {
      row.begin = row.end;
    }
    return row;
  }

  // Every step-th entry from the start-th on: a thread's part of the row.
  template <class AnyTally>
  SKERRY_INLINE void operator()(u64 row_of, const Rows::Range& row, u64 start, u64 step,
                                AnyTally& tally) const {
    const Vertex v = static_cast<Vertex>(row_of);
    using Jump = SKERRY_JUMP;
    Vertex root = Jump::template find<SKERRY_LOADS>(parent, v, tally);
    for (u64 e = row.begin + start; e < row.end; e += step) {
      const Vertex u = rows.neighbor(v, e);
      if (entries.one_direction != 0 && u >= v) continue;
      root = hook<Device>(parent, root, Jump::template find<SKERRY_LOADS>(parent, u, tally), tally);
    }
  }
};

}  // namespace skerry
