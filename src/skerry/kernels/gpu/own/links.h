// The first link of every vertex: to the first smaller one among the first entries of its row. No
// link is looked up and none is atomic, so this is one sweep over the rows' beginnings. It counts
// the trees that are left, by which the next steps are selected (own/strategy.h).
//
// After ECL-CC's Init3 (Jaiganesh & Burtscher 2018, sect. 3), which searches the complete row. Rows
// are mostly sorted, and then the first entry decides; where they are not, a few entries do. A
// vertex without a smaller neighbor can be linked over its first one: to the first neighbor of that
// one, if it is smaller. That leaves half as many trees where ids are in no order, and hardly any
// where one side of a bipartite graph comes first, or around hubs. It costs more than it saves
// where rows are so short that components are small, and where so many vertices are gathered from
// memory that most are one tree soon.
#pragma once

#include "gpu/grid.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kLookedAt = 4;  // entries of a row that may give its first link

// Of a block, in shared memory: ones that a warp adds to a word take one access.
struct TreeCounts {
  u32 trees;  // vertices with entries that link to no other
  u32 empty;  // vertices without entries
};

SKERRY_INLINE Vertex link_over(const Rows& rows, Vertex v, Vertex neighbor) {
  const Rows::Range row = rows.row(neighbor);
  if (row.size() == 0) return v;  // only where the reverse entry is missing
  const Vertex u = rows.neighbor(neighbor, row.begin);
  return u < v ? u : v;
}

// `over`: over a larger neighbor, where no smaller one is found.
SKERRY_INLINE Vertex first_link(const Rows& rows, Vertex v, bool over, TreeCounts& counts) {
  const Rows::Range row = rows.row(v);
  if (row.size() == 0) {
    atomicAdd(&counts.empty, 1u);
    return v;
  }
  const Offset end = row.size() < kLookedAt ? row.end : row.begin + kLookedAt;
  for (Offset e = row.begin; e < end; ++e) {
    const Vertex u = rows.neighbor(v, e);
    if (u < v) return u;
  }
  const Vertex above = over ? link_over(rows, v, rows.neighbor(v, row.begin)) : v;
  if (above == v) atomicAdd(&counts.trees, 1u);
  return above;
}

struct FirstLinks {
  const Rows& rows;
  bool over;
  Vertex* links;

  // By a thread for each vertex or, where there are fewer, in turn. `counting`: the state gets the
  // counts of all blocks.
  SKERRY_INLINE void run(bool counting) const {
    __shared__ TreeCounts counts;
    if (threadIdx.x == 0) counts = {0, 0};
    __syncthreads();
    if (rows.vertices <= thread_count()) {
      const u64 v = thread_number();
      if (v < rows.vertices) links[v] = first_link(rows, static_cast<Vertex>(v), over, counts);
    } else {
      constexpr u64 kPart = u64{kTogether} * kBlock;
      for_each_in_turn((rows.vertices + kPart - 1) / kPart, rows.state + kTaken,
                       [&](u64 part) { link_part(part * kPart + threadIdx.x, counts); });
    }
    if (!counting) return;
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (counts.trees != 0) atomicAdd(rows.state + kTrees, u64{counts.trees});
    if (counts.empty != 0) atomicAdd(rows.state + kEmpty, u64{counts.empty});
  }

 private:
  static constexpr u32 kTogether = 2;

  // Of the first entries of several rows, the loads overlap. Where one is no smaller vertex, its
  // row is looked at once more.
  SKERRY_INLINE void link_part(u64 first, TreeCounts& counts) const {
    Rows::Range row[kTogether];
    u64 id[kTogether];
#pragma unroll
    for (u32 k = 0; k < kTogether; ++k) {
      const u64 v = first + k * kBlock;
      row[k] = {0, 0};
      if (v < rows.vertices) row[k] = {rows.offsets[v], rows.offsets[v + 1]};
    }
#pragma unroll
    for (u32 k = 0; k < kTogether; ++k) {
      const bool has_entries = row[k].begin < row[k].end && rows.fits(row[k]);
      id[k] = has_entries ? u64{rows.neighbors[row[k].begin]} : ~u64{0};
    }
#pragma unroll
    for (u32 k = 0; k < kTogether; ++k) {
      const u64 v = first + k * kBlock;
      if (v >= rows.vertices) continue;
      links[v] = id[k] < v ? static_cast<Vertex>(id[k])
                           : first_link(rows, static_cast<Vertex>(v), over, counts);
    }
  }
};

}  // namespace skerry
