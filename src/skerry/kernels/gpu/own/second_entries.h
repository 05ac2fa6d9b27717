// Joins a share of the vertices with a second neighbor: then most vertices of most graphs are in
// one tree.
//
// Sutton, Ben-Nun & Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (IPDPS 2018): sampling neighbors. Departures: the first round costs no look-up
// (own/links.h); the second is made by as many vertices as the contracted graph needs edges.
#pragma once

#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kLowVertices = 8;  // the smallest ones
constexpr u32 kLowEntries = 4;   // entries of each of them that are looked at

// The smallest vertices are the roots of the largest trees to come. They are joined with the
// neighbors of their neighbors. Otherwise the root of the largest tree of the sample would often
// not be final, and all threads would have to switch to another one later. `which` counts their
// entries.
template <class Join>
SKERRY_INLINE void join_low_entry(const Rows& rows, u64 which, Join&& join) {
  const Vertex v = static_cast<Vertex>(which / kLowEntries);
  const u64 i = which % kLowEntries;
  if (v >= rows.vertices) return;
  const Rows::Range row = rows.row(v);
  if (i >= row.size()) return;
  const Vertex u = rows.neighbor(v, row.begin + i);
  const Rows::Range next = rows.row(u);
  if (next.size() < 2) return;
  join(v, u);
  join(u, rows.neighbor(u, next.begin + 1));
}

// Of a second neighbor's walk, and hooks that fail. An order with long paths, each step of which
// waits for the one before, would else take as long as all the rest together.
constexpr u32 kManySteps = 1024;
constexpr u32 kAttempts = 16;

// A vertex of every `share`, by full warps, is joined with its second entry, or with its only one
// where that could not link it. Larger neighbors are left to their own rows. Each join is a chain
// of loads, and a small graph has fewer joins than the device has threads: so no thread has two if
// it can have one, and the first warps are reserved for the smallest vertices.
SKERRY_INLINE void join_second_entries(const Rows& rows, u64 share, Vertex* links) {
  const u64 low = share > 1 ? kLowVertices * kLowEntries : 0;
  const u64 groups = (rows.vertices + kLanes - 1) / kLanes;
  const u64 threads = (low + (groups + share - 1) / share) * kLanes;
  // Threads are launched for all vertices, as their roots might have to be copied instead.
  if (u64{blockIdx.x} * blockDim.x >= threads) return;
  Tally tally(rows.state);
  const auto join = [&](Vertex u, Vertex v) {
    join_vertices<kManySteps, kAttempts>(links, u, v, tally);
  };
  for_each_group_of<1>(threads, [&](u64 warp) {
    if (warp < low) {
      if (lane() == 0) join_low_entry(rows, warp, join);
      return;
    }
    const u64 w = warp - low;
    const u64 v = (w * share + mix(w) % share) * kLanes + lane();
    if (v >= rows.vertices) return;
    const Rows::Range row = rows.row(v);
    if (row.size() == 0) return;
    const bool only = row.size() == 1;
    const Vertex u = rows.neighbor(v, row.begin + (only ? 0 : 1));
    if (only ? u <= v : u > v) return;
    join(static_cast<Vertex>(v), u);
  });
}

}  // namespace skerry
