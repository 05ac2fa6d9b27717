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

// Two counts in one, each below 2^32 for a block: vertices with entries that link to no other, and
// vertices without entries.
constexpr u64 kOneTree = 1;
constexpr u64 kOneEmpty = u64{1} << 32;

SKERRY_INLINE Vertex link_over(const Rows& rows, Vertex v, Vertex neighbor) {
  const Rows::Range row = rows.row(neighbor);
  if (row.size() == 0) return v;  // only where the reverse entry is missing
  const Vertex u = rows.neighbor(neighbor, row.begin);
  return u < v ? u : v;
}

// `over`: over a larger neighbor, where no smaller one is found.
SKERRY_INLINE Vertex first_link(const Rows& rows, Vertex v, const Rows::Range& row, bool over) {
  const Offset end = row.size() < kLookedAt ? row.end : row.begin + kLookedAt;
  for (Offset e = row.begin; e < end; ++e) {
    const Vertex u = rows.neighbor(v, e);
    if (u < v) return u;
  }
  return over && row.size() != 0 ? link_over(rows, v, rows.neighbor(v, row.begin)) : v;
}

struct FirstLinks {
  const Rows& rows;
  bool over;
  Vertex* links;

  // By a thread for each vertex or, where there are fewer, in turn. Returns the thread's counts.
  SKERRY_INLINE u64 run() const {
    u64 counts = 0;
    if (rows.vertices <= thread_count()) {
      if (thread_number() < rows.vertices) counts = link(thread_number());
    } else {
      constexpr u64 kPart = u64{kTogether} * kBlock;
      for_each_in_turn((rows.vertices + kPart - 1) / kPart, rows.state + kTaken,
                       [&](u64 part) { counts += link_part(part * kPart + threadIdx.x); });
    }
    return counts;
  }

  // By all threads of a block. Most have trees, few a vertex without entries.
  SKERRY_INLINE void add_to_state(u64 counts) const {
    const u64 sum = sum_of_block(counts);
    if (threadIdx.x != 0) return;
    if (sum % kOneEmpty != 0) atomicAdd(rows.state + kTrees, sum % kOneEmpty);
    if (sum / kOneEmpty != 0) atomicAdd(rows.state + kEmpty, sum / kOneEmpty);
  }

 private:
  static constexpr u32 kTogether = 2;

  SKERRY_INLINE u64 link(u64 v) const {
    const Rows::Range row = rows.row(v);
    const Vertex above = first_link(rows, static_cast<Vertex>(v), row, over);
    links[v] = above;
    return row.size() == 0 ? kOneEmpty : above == v ? kOneTree : 0;
  }

  // Of the first entries of several rows, the loads overlap. Where one is no smaller vertex, its
  // row is looked at once more.
  SKERRY_INLINE u64 link_part(u64 first) const {
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
    u64 counts = 0;
#pragma unroll
    for (u32 k = 0; k < kTogether; ++k) {
      const u64 v = first + k * kBlock;
      if (v >= rows.vertices) continue;
      if (id[k] < v) {
        links[v] = static_cast<Vertex>(id[k]);
      } else {
        counts += link(v);
      }
    }
    return counts;
  }
};

}  // namespace skerry
