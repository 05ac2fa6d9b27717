// Joins the rows of all vertices outside of the largest tree.
//
// Sutton, Ben-Nun & Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (IPDPS 2018): leaving out the largest component. Departures: balance is by entries;
// trees are distinguished by a copy of the roots (own/root_copy.h) or, where vertices are many, by
// the links themselves.
#pragma once

#include "gpu/own/open_rows.h"
#include "gpu/own/walk.h"

namespace skerry {

// With a copy of the roots. Every entry has its reverse in another row: else none could be skipped.
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

  SKERRY_INLINE Vertex root_of(Vertex v, Tally&) const { return roots[v]; }

  SKERRY_INLINE u32 collect_open(u64 group, Open* open, Tally&) const {
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
};

// With the links themselves: a copy would not stay in the cache, and runs with it took up to 1.5
// times as long (H200).
struct ManyRemainingRows {
  Rows rows;
  Vertex* links;
  Chunk* chunks;
  Vertex largest;  // the tree whose rows are skipped

  SKERRY_INLINE void visit(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex above = CachedDevice::load(links + rows.neighbor(v, e));
    if (above != root) joined(links, root, above, tally);
  }

  SKERRY_INLINE Vertex root_of(Vertex v, Tally& tally) const { return find_root(links, v, tally); }

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
};

}  // namespace skerry
