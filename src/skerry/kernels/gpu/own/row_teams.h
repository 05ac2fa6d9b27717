// A pass over all rows by teams of threads: several for a row where there are fewer rows than
// threads.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/row_chunks.h"
#include "gpu/rows.h"
#include "gpu/tally.h"

namespace skerry {

constexpr u32 kLaneEntries = 16;  // entries that a thread takes of a row; of longer ones, the warp
constexpr u32 kLargeTeam = 4;     // threads of a team from which each takes that many

static_assert(kMiddleFrom == kLaneEntries + 1, "rows that a warp would share");

// visit(vertex, begin, end, step) by each thread of a team, for the entries begin, begin + step,
// ... of a row that is not deferred. A team is a power of 2 up to 32: known_team, or any_team where
// that is 0. Where a row has one thread, instructions count, and a division by it is none.
template <u32 known_team, class Visit>
SKERRY_INLINE void for_each_row(const Rows& rows, u32 any_team, const DeferredRows& deferred,
                                Visit&& visit) {
  const u32 team = known_team != 0 ? known_team : any_team;
  const u32 rank = lane() % team;
  const u64 per_warp = kLanes / team;
  for_each_warp((rows.vertices + per_warp - 1) / per_warp, [&](u64 part) {
    const u64 v = part * per_warp + lane() / team;
    Rows::Range row{0, 0};
    if (v < rows.vertices) row = rows.row(v);
    const bool is_long = row.size() > u64{kLaneEntries} * (team < kLargeTeam ? 1 : team);
    if (!is_long) visit(v, row.begin + rank, row.end, team);
    __syncwarp();
    u32 left = __ballot_sync(kAllLanes, is_long && rank == 0);
    if (team < kLargeTeam && __popc(left) >= kManyLong) {
      const u32 middle = __ballot_sync(kAllLanes, is_long && rank == 0 && row.size() < kHeavyFrom);
      if (__popc(middle) >= kManyLong) {
        deferred.add_group(part * per_warp, middle, team);
        left &= ~middle;
      }
    }
    for (; left != 0; left &= left - 1) {
      const u32 from = static_cast<u32>(__ffs(static_cast<int>(left)) - 1);
      const u64 vertex = __shfl_sync(kAllLanes, v, from);
      const Rows::Range range{__shfl_sync(kAllLanes, row.begin, from),
                              __shfl_sync(kAllLanes, row.end, from)};
      if (range.size() >= kHeavyFrom) {
        deferred.add(vertex, range);
      } else {
        visit(vertex, range.begin + lane(), range.end, kLanes);
      }
      __syncwarp();
    }
  });
}

// pass.join_entries(vertex, begin, end, step, first, tally) by each thread of a team; `first`: if
// `begin` is the first entry of the row.
template <u32 known_team, class Pass>
SKERRY_INLINE void join_rows_by_teams(const Pass& pass, u32 team) {
  Tally tally(pass.rows.state);
  const DeferredRows deferred{pass.rows, pass.chunks};
  for_each_row<known_team>(pass.rows, team, deferred, [&](u64 v, u64 begin, u64 end, u32 step) {
    pass.join_entries(v, begin, end, step, lane() % step == 0, tally);
  });
}

// The same for the entries of deferred rows.
template <class Pass>
SKERRY_INLINE void join_deferred_rows(const Pass& pass) {
  Tally tally(pass.rows.state);
  for_each_chunk(pass.rows, pass.chunks, [&](u64 v, u64 begin, u64 end) {
    pass.join_entries(v, begin, end, kLanes, false, tally);
  });
}

}  // namespace skerry
