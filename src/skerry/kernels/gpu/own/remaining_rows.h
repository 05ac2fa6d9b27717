// Joins the rows of all vertices outside of the largest tree.
//
// Sutton, Ben-Nun & Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (IPDPS 2018): leaving out the largest component. Departures: balance is by entries;
// trees are distinguished by a copy of the roots (own/root_copy.h).
#pragma once

#include "gpu/own/open_rows.h"
#include "gpu/own/walk.h"

namespace skerry {

// Every entry has its reverse in another row: else none could be skipped.
struct RemainingRows {
  Rows rows;
  Vertex* links;
  const Vertex* roots;  // as copy_roots left them
  Chunk* chunks;
  Vertex largest;  // the root of the tree whose rows are skipped

  SKERRY_INLINE void visit(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex other = roots[rows.neighbor(v, e)];
    if (other != root) joined(links, root, other, tally);
  }

  // Tries the first entries of the row of a lane until one leads to the largest tree: then the
  // remaining entries are skipped. Where such an entry leads to another open vertex, that one's row
  // has the reverse entry, and comes to it unless it has found the largest tree before. Returns the
  // remaining part of the row.
  SKERRY_INLINE Rows::Range look_for_largest(const Open& own, Rows::Range row, Tally& tally) const {
    Vertex root = own.root;
    for (u32 i = 0; i < kTried && row.begin < row.end; ++i) {
      const Vertex other = roots[rows.neighbor(own.vertex, row.begin++)];
      if (other == own.root) continue;
      root = joined(links, root, other, tally);
      if (other == largest || root == largest) return {0, 0};
    }
    return row;
  }

  SKERRY_INLINE u32 collect_open(u64 group, Open* open) const {
    Vertex root[kEach];
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      const u64 v = (group + k) * kLanes + lane();
      root[k] = v < rows.vertices ? roots[v] : largest;
    }
    u32 count = 0;
#pragma unroll
    for (u32 k = 0; k < kEach; ++k) {
      const Vertex v = static_cast<Vertex>((group + k) * kLanes + lane());
      count += append_outside(root[k] != largest, v, root[k], open + count);
    }
    return count;
  }

  SKERRY_INLINE void join_all_rows() const {
    Tally tally(rows.state);
    visit_open_rows(
        DeferredRows{rows, chunks},
        [&](u64 group, Open* open) { return collect_open(group, open); },
        [&](const Open& own, const Rows::Range& row) { return look_for_largest(own, row, tally); },
        [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    visit_chunks(
        rows, chunks, [&](Vertex v) { return roots[v]; },
        [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
  }
};

}  // namespace skerry
