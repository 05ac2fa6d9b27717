// The first link of every vertex: to the first smaller one among the first entries of its row. No
// link is looked up and nothing is atomic, so this is one sweep over the rows' beginnings.
//
// After ECL-CC's Init3 (Jaiganesh & Burtscher 2018, sect. 3), which searches the complete row. Rows
// are mostly sorted, and then the first entry decides; where they are not, a few entries do. Around
// hubs, which is where nearly all of a graph of internet traffic lies, a vertex whose only neighbor
// is larger is linked to the first neighbor of that one, if it is smaller.
#pragma once

#include "gpu/grid.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kEach = 4;      // vertices of a thread in passes over them, at most
constexpr u32 kLookedAt = 4;  // entries of a row that may give its first link

SKERRY_INLINE Vertex link_over(const Rows& rows, Vertex v, Vertex neighbor) {
  const Rows::Range row = rows.row(neighbor);
  if (row.size() == 0) return v;  // only where the reverse entry is missing
  const Vertex u = rows.neighbor(neighbor, row.begin);
  return u < v ? u : v;
}

SKERRY_INLINE Vertex first_link(const Rows& rows, Vertex v, bool hubs) {
  const Rows::Range row = rows.row(v);
  const Offset end = row.size() < kLookedAt ? row.end : row.begin + kLookedAt;
  for (Offset e = row.begin; e < end; ++e) {
    const Vertex u = rows.neighbor(v, e);
    if (u < v) return u;
  }
  return hubs && row.size() == 1 ? link_over(rows, v, rows.neighbor(v, row.begin)) : v;
}

struct FirstLinks {
  const Rows& rows;
  bool hubs;
  Vertex* links;

  template <u32 each>
  SKERRY_INLINE void run() const {
    const u64 stretch = u64{each} * kBlock;
    for_each_in_turn((rows.vertices + stretch - 1) / stretch, rows.state + kTaken, [&](u64 part) {
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        const u64 v = part * stretch + k * kBlock + threadIdx.x;
        if (v < rows.vertices) links[v] = first_link(rows, static_cast<Vertex>(v), hubs);
      }
    });
  }
};

}  // namespace skerry
