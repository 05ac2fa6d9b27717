// Joins what the first links have left apart. First a share of the vertices is joined with a second
// neighbor: then most vertices of most graphs are in one tree. Then all rows but those of that tree
// are processed, by warps that share the entries of their 32 rows evenly; entries of rows too long
// for a warp go to a list for all warps, so no hub delays the others.
//
// Sutton, Ben-Nun & Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (IPDPS 2018): sampling neighbors, leaving out the largest component. Departures: the
// first round costs no look-up (links.h, tiles.h); the second is made by as many vertices as the
// contracted graph needs edges; balance is by entries.
#pragma once

#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/own/links.h"
#include "gpu/own/row_chunks.h"
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
SKERRY_INLINE void join_second_entries(const Rows& rows, u64 share, bool symmetric, Vertex* links) {
  const u64 low = share > 1 ? kLowVertices * kLowEntries : 0;
  const u64 groups = (rows.vertices + kLanes - 1) / kLanes;
  const u64 threads = (low + (groups + share - 1) / share) * kLanes;
  // The host does not know the share and has launched threads for all vertices.
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
    if (only ? u <= v : symmetric && u > v) return;
    join(static_cast<Vertex>(v), u);
  });
}

constexpr u32 kGathered = 4;  // groups of 32 vertices whose open rows a warp processes together

constexpr u32 kTried = 8;  // entries of an open row that are tried one by one

// A vertex outside of the largest tree.
struct Open {
  Vertex vertex;
  Vertex root;
};

// Shared memory for the open vertices that a warp has collected.
SKERRY_INLINE Open* open_list() {
  __shared__ Open collected[kBlock / kLanes][kGathered * kLanes];
  return collected[threadIdx.x / kLanes];
}

// One row of a warp, held by a lane.
struct LaneRow {
  u64 vertex;
  u64 begin;
  u32 size;
  Vertex root;
};

// visit(vertex, root, entry) for every entry of the 32 rows, each by some lane.
template <class Visit>
SKERRY_INLINE void share_entries(const LaneRow& own, Visit&& visit) {
  if (!__any_sync(kAllLanes, own.size > kLookedAt)) {
    for (u64 e = own.begin; e < own.begin + own.size; ++e) visit(own.vertex, own.root, e);
    return;
  }
  const Sum sum = sum_of_warp(own.size);
  const u32 end = sum.before + own.size;
  for (u32 first = 0; first < sum.all; first += kLanes) {
    const u32 i = first + lane();
    u32 from = 0;  // the lane whose row holds the i-th entry
    for (u32 step = kLanes / 2; step != 0; step /= 2) {
      if (__shfl_sync(kAllLanes, end, from + step - 1) <= i) from += step;
    }
    const u64 vertex = __shfl_sync(kAllLanes, own.vertex, from);
    const Vertex root = __shfl_sync(kAllLanes, own.root, from);
    const u64 begin = __shfl_sync(kAllLanes, own.begin, from);
    const u32 before = __shfl_sync(kAllLanes, sum.before, from);
    if (i < sum.all) visit(vertex, root, begin + (i - before));
  }
}

struct RemainingRows {
  Rows rows;
  Vertex* links;
  Chunk* chunks;
  bool one_direction;  // every entry has its reverse, and none is left out: smaller ones suffice
  Vertex largest;      // the tree whose rows are skipped, or kInvalidVertex

  SKERRY_INLINE void visit(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex u = rows.neighbor(v, e);
    if (one_direction && u > v) return;
    const Vertex above = CachedDevice::load(links + u);
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

  // Tries the first entries of the row of a lane until one leads to the largest tree: then the
  // remaining entries are skipped. Where such an entry leads to another open vertex, that one's row
  // has the reverse entry, and comes to it unless it has found the largest tree before. Returns the
  // remaining part of the row.
  SKERRY_INLINE Rows::Range look_for_largest(const Open& own, Rows::Range row, Tally& tally) const {
    for (u32 i = 0; i < kTried && row.begin < row.end; ++i) {
      if (joins_largest(own.vertex, own.root, row.begin++, tally)) return {0, 0};
    }
    return row;
  }

  // All lanes of a warp, each with a row of its own; a lane with nothing to do has an empty one.
  SKERRY_INLINE void join_rows(u64 v, Vertex root, Rows::Range row, Tally& tally) const {
    if (!__any_sync(kAllLanes, row.size() != 0)) return;
    const bool heavy = row.size() >= kHeavyFrom;
    for (u32 deferred = __ballot_sync(kAllLanes, heavy); deferred != 0; deferred &= deferred - 1) {
      const u32 from = static_cast<u32>(__ffs(static_cast<int>(deferred)) - 1);
      const Rows::Range range{__shfl_sync(kAllLanes, row.begin, from),
                              __shfl_sync(kAllLanes, row.end, from)};
      DeferredRows{rows, chunks}.add(__shfl_sync(kAllLanes, v, from), range);
    }
    const LaneRow own{v, row.begin, heavy ? 0 : static_cast<u32>(row.size()), root};
    share_entries(own, [&](u64 vertex, Vertex from, u64 e) { visit(vertex, from, e, tally); });
  }

  // Settles the vertices of some groups and collects those outside of the largest tree. Returns how
  // many.
  SKERRY_INLINE u32 collect_open(u64 group, Open* open, Tally& tally) const {
    const Vertex top = largest == kInvalidVertex ? largest : find_root(links, largest, tally);
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
      const bool outside = root != largest && root != top;
      const u32 with_me = __ballot_sync(kAllLanes, outside);
      const u32 before = static_cast<u32>(__popc(with_me & ((1u << lane()) - 1)));
      if (outside) open[count + before] = {v, root};
      count += static_cast<u32>(__popc(with_me));
    }
    return count;
  }

  // All rows. Vertices of the largest tree are only settled. A warp collects the open vertices of
  // several groups and processes them together; otherwise a few active lanes would occupy 32.
  SKERRY_INLINE void join_all_rows() const {
    Open* const open = open_list();
    Tally tally(rows.state);
    const u64 stretch = u64{kGathered} * kLanes;
    for_each_warp((rows.vertices + stretch - 1) / stretch, [&](u64 part) {
      u32 count = 0;
      for (u32 group = 0; group < kGathered; group += kEach) {
        count += collect_open(part * kGathered + group, open + count, tally);
      }
      __syncwarp();
      for (u32 first = 0; first < count; first += kLanes) {
        Open own{0, 0};
        Rows::Range row{0, 0};
        if (first + lane() < count) {
          own = open[first + lane()];
          row = rows.row(own.vertex);
        }
        if (largest != kInvalidVertex) row = look_for_largest(own, row, tally);
        join_rows(own.vertex, own.root, row, tally);
      }
      __syncwarp();
    });
  }

  // The rows that tiles have marked. As above, a warp processes those of several groups together.
  // Groups are few for each warp: where most rows of a small graph are marked, all warps work.
  SKERRY_INLINE void join_marked_rows(const u32* more) const {
    Open* const open = open_list();
    Tally tally(rows.state);
    const u64 words = (rows.vertices + kLanes - 1) / kLanes;
    for_each_warp((words + kGathered - 1) / kGathered, [&](u64 part) {
      const u64 word = part * kGathered + lane();
      const u32 marks = lane() < kGathered && word < words ? more[word] : 0;
      if (!__any_sync(kAllLanes, marks != 0)) return;
      u32 count = 0;
#pragma unroll
      for (u32 k = 0; k < kGathered; ++k) {
        const u32 group = __shfl_sync(kAllLanes, marks, k);
        const u64 v = (part * kGathered + k) * kLanes + lane();
        const u32 before = static_cast<u32>(__popc(group & ((1u << lane()) - 1)));
        if ((group >> lane() & 1) != 0) open[count + before].vertex = static_cast<Vertex>(v);
        count += static_cast<u32>(__popc(group));
      }
      __syncwarp();
      for (u32 first = 0; first < count; first += kLanes) {
        Open own{0, 0};
        Rows::Range row{0, 0};
        if (first + lane() < count) {
          own.vertex = open[first + lane()].vertex;
          row = rows.row(own.vertex);
          own.root = find_root(links, own.vertex, tally);
        }
        join_rows(own.vertex, own.root, row, tally);
      }
      __syncwarp();
    });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    for_each_chunk(rows, chunks, [&](u64 v, u64 begin, u64 end) {
      const Vertex root = find_root(links, static_cast<Vertex>(v), tally);
      for (u64 e = begin; e < end; e += kLanes) visit(v, root, e, tally);
    });
  }
};

// Sets the labels of invalid input to the maximum value; returns whether it is invalid.
SKERRY_INLINE bool mark_invalid(Vertex* links, u64 vertices, const u64* state) {
  if (state[kFault] == kNoFault) return false;
  for_each_of<kEach>(vertices, [&](u64 v) { links[v] = kInvalidVertex; });
  return true;
}

constexpr u32 kLabelSteps = 16;  // over L1, of a vertex to its root in the last pass

struct FlatLinks {
  Vertex* links;
  u64 vertices;
  Vertex top;  // the root of the largest tree
  Tally& tally;

  template <u32 each>
  SKERRY_INLINE void run() const {
    for_each_stretch<each>(vertices, [&](u64 first) {
      // Three steps for several vertices at a time, as most paths are that short; loads overlap.
      Vertex above[each];
      Vertex next[each];
      Vertex last[each];
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        const u64 v = first + k * blockDim.x + threadIdx.x;
        above[k] = v < vertices ? CachedDevice::load(links + v) : top;
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        next[k] = above[k] == top ? top : CachedDevice::load(links + above[k]);
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        last[k] =
            next[k] == above[k] || next[k] == top ? next[k] : CachedDevice::load(links + next[k]);
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        if (last[k] == above[k]) continue;
        const Vertex v = static_cast<Vertex>(first + k * blockDim.x + threadIdx.x);
        Device::store(links + v, last[k]);
        if (last[k] != next[k]) settle<kLabelSteps>(links, v, top, tally);
      }
    });
  }
};

// Every vertex gets its root. No thread hooks meanwhile, so each thread finds the root of the
// largest tree once.
SKERRY_INLINE void flatten_all(Vertex* links, u64 vertices, const u64* state, Tally& tally) {
  const Vertex largest = state[kLargest] == 0 ? 0 : static_cast<Vertex>(state[kLargest] - 1);
  const Vertex top = find_end(links, largest, 0, tally);
  run_over_vertices(vertices, FlatLinks{links, vertices, top, tally});
}

// The last pass: the same, unless the input is invalid.
SKERRY_INLINE void label_all(Vertex* links, u64 vertices, u64* state) {
  if (mark_invalid(links, vertices, state)) return;
  Tally tally(state);
  flatten_all(links, vertices, state, tally);
}

}  // namespace skerry
