// Rows that warps process: a warp collects those of several groups of 32 vertices, so that no lane
// is idle, and its lanes share their entries evenly; entries of rows too long for a warp go to a
// list for all warps, so no hub delays the others.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/row_chunks.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kGathered = 4;  // groups of 32 vertices whose open rows a warp processes together
constexpr u32 kTried = 8;     // entries of an open row that are tried one by one

// A vertex whose row is to be processed, and a vertex of its tree.
struct Open {
  Vertex vertex;
  Vertex root;
};

// Appends the vertices of a group that are outside of the largest tree. Returns how many.
SKERRY_INLINE u32 append_outside(bool outside, Vertex v, Vertex root, Open* open) {
  const u32 with_me = __ballot_sync(kAllLanes, outside);
  const u32 before = static_cast<u32>(__popc(lanes_before(with_me)));
  if (outside) open[before] = {v, root};
  return static_cast<u32>(__popc(with_me));
}

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

// visit(vertex, root, entry) for all entries of the rows that the lanes of a warp hold, each by
// some lane, but for long rows, which are deferred. A lane with nothing to do has an empty row.
template <class Visit>
SKERRY_INLINE void visit_rows(const DeferredRows& deferred, u64 v, Vertex root, Rows::Range row,
                              Visit&& visit) {
  if (!__any_sync(kAllLanes, row.size() != 0)) return;
  const bool heavy = row.size() >= kHeavyFrom;
  for (u32 left = __ballot_sync(kAllLanes, heavy); left != 0; left &= left - 1) {
    const u32 from = static_cast<u32>(__ffs(static_cast<int>(left)) - 1);
    const Rows::Range range{__shfl_sync(kAllLanes, row.begin, from),
                            __shfl_sync(kAllLanes, row.end, from)};
    deferred.add(__shfl_sync(kAllLanes, v, from), range);
  }
  const LaneRow own{v, row.begin, heavy ? 0 : static_cast<u32>(row.size()), root};
  share_entries(own, visit);
}

// pass.visit(vertex, root, entry, tally) for the entries of all open rows. pass.collect_open(group,
// list, tally) puts open vertices of kEach groups of 32 on a list, and returns how many.
// pass.look_for_largest(open vertex, row, tally) returns the part of a row that is to be visited.
template <class Pass>
SKERRY_INLINE void visit_open_rows(const Pass& pass) {
  const Rows& rows = pass.rows;
  const DeferredRows deferred{rows, pass.chunks};
  Tally tally(rows.state);
  Open* const open = open_list();
  const u64 stretch = u64{kGathered} * kLanes;
  for_each_warp((rows.vertices + stretch - 1) / stretch, [&](u64 part) {
    u32 count = 0;
    for (u32 group = 0; group < kGathered; group += kEach) {
      count += pass.collect_open(part * kGathered + group, open + count, tally);
    }
    __syncwarp();
    for (u32 first = 0; first < count; first += kLanes) {
      Open own{0, 0};
      Rows::Range row{0, 0};
      if (first + lane() < count) {
        own = open[first + lane()];
        row = pass.look_for_largest(own, rows.row(own.vertex), tally);
      }
      visit_rows(deferred, own.vertex, own.root, row,
                 [&](u64 v, Vertex root, u64 e) { pass.visit(v, root, e, tally); });
    }
    __syncwarp();
  });
}

// The same for the entries of deferred rows: pass.root_of(vertex, tally) is a vertex of its tree.
template <class Pass>
SKERRY_INLINE void visit_deferred_rows(const Pass& pass) {
  Tally tally(pass.rows.state);
  for_each_chunk(pass.rows, pass.chunks, [&](u64 v, u64 begin, u64 end) {
    const Vertex root = pass.root_of(static_cast<Vertex>(v), tally);
    for (u64 e = begin; e < end; e += kLanes) pass.visit(v, root, e, tally);
  });
}

}  // namespace skerry
