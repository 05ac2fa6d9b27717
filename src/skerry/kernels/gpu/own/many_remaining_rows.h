// Joins the rows of all vertices outside of the largest tree where vertices are many: trees are
// distinguished by the links themselves. A copy of the roots (own/remaining_rows.h) would not stay
// in the cache, and runs with it took up to 1.5 times as long (H200, docs/gpu.md).
#pragma once

#include "gpu/own/open_rows.h"
#include "gpu/own/walk.h"

namespace skerry {

// Every entry has its reverse in another row: else none could be skipped.
struct ManyRemainingRows {
  Rows rows;
  Vertex* links;
  Chunk* chunks;
  Vertex largest;  // the tree whose rows are skipped

  SKERRY_INLINE void visit(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex above = CachedDevice::load(links + rows.neighbor(v, e));
    if (above != root) joined(links, root, above, tally);
  }

  // Whether entry e of v leads to the largest tree; v is joined with what it leads to.
  SKERRY_INLINE bool joins_largest(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex above = CachedDevice::load(links + rows.neighbor(v, e));
    if (above == root) return false;
    const Vertex top = find_root(links, largest, tally);
    const Vertex end = above == largest ? top : find_root(links, above, tally);
    if (end != root) joined(links, root, end, tally);
    return end == top;
  }

  // As RemainingRows::look_for_largest.
  SKERRY_INLINE Rows::Range look_for_largest(const Open& own, Rows::Range row, Tally& tally) const {
    for (u32 i = 0; i < kTried && row.begin < row.end; ++i) {
      if (joins_largest(own.vertex, own.root, row.begin++, tally)) return {0, 0};
    }
    return row;
  }

  // Settles the vertices of some groups, too.
  SKERRY_INLINE u32 collect_open(u64 group, Open* open, Tally& tally) const {
    const Vertex top = find_root(links, largest, tally);
    Vertex above[kEach];
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      const u64 v = (group + k) * kLanes + lane();
      above[k] = v < rows.vertices ? Device::load(links + v) : largest;
    }
    u32 count = 0;
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      const Vertex v = static_cast<Vertex>((group + k) * kLanes + lane());
      Vertex root = above[k];
      if (root != largest && root != v) root = link_to_root(links, v, root, tally);
      count += append_outside(root != largest && root != top, v, root, open + count);
    }
    return count;
  }

  SKERRY_INLINE void join_all_rows() const {
    Tally tally(rows.state);
    visit_open_rows(
        DeferredRows{rows, chunks},
        [&](u64 group, Open* open) { return collect_open(group, open, tally); },
        [&](const Open& own, const Rows::Range& row) { return look_for_largest(own, row, tally); },
        [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    visit_chunks(
        rows, chunks, [&](Vertex v) { return find_root(links, v, tally); },
        [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
  }
};

}  // namespace skerry
