// One step from a frontier to the next: every listed vertex offers its label to its neighbors, and
// those that accept it are listed for the next level. Search and propagation differ in which
// vertices accept a label, which is their Step; the CPU has the same in cpu/published/spread.h.
//
// A frontier is a double-sided worklist (worklist.h): rows of block_from entries or more at its
// back, a block each; all others at its front, 32 of them at a time shared out evenly among a
// warp's lanes. Two arrays take turns. state[kFront] and state[kBack] count all that was ever
// listed, so that nothing needs to be set to zero between two levels.
//
// A Step provides
//   label(v)         what v offers;
//   offer(label, v)  whether v accepts it now and has accepted none before in this level;
//   next_level()     called after a level if the same launch continues with the next one.
#pragma once

#include "gpu/grid.h"
#include "gpu/rows.h"
#include "gpu/worklist.h"

namespace skerry {

struct Level {
  Vertex* here;
  Vertex* next;
  u64 front;  // the counts between which `here` was listed
  u64 front_end;
  u64 back;
  u64 back_end;
};

struct Spread {
  Rows rows;
  Level level;
  u64 block_from;

  SKERRY_INLINE void list(Vertex v) const {
    if (rows.row(v).size() < block_from) {
      level.next[reserve_slot(rows.state + kFront) - level.front_end] = v;
    } else {
      level.next[rows.vertices - 1 - (reserve_slot(rows.state + kBack) - level.back_end)] = v;
    }
  }

  template <class Step>
  SKERRY_INLINE void offer(const Step& step, Vertex label, Vertex from, u64 entry) const {
    const Vertex v = rows.neighbor(from, entry);
    if (step.offer(label, v)) list(v);
  }

  // One level, by all threads of the grid.
  template <class Step>
  SKERRY_INLINE void spread_level(const Step& step) const {
    spread_front(step);
    spread_back(step);
  }

  template <class Step>
  SKERRY_INLINE void spread_front(const Step& step) const {
    const u64 count = level.front_end - level.front;
    for (u64 i = warp_number() * kLanes; i < count; i += thread_count()) {
      const bool listed = i + lane() < count;
      spread_warp(step, listed, listed ? level.here[i + lane()] : Vertex{0});
    }
  }

  template <class Step>
  SKERRY_INLINE void spread_back(const Step& step) const {
    for_each_block(level.back_end - level.back, [&](u64 i) {
      const Vertex from = level.here[rows.vertices - 1 - i];
      const Vertex label = step.label(from);
      const Rows::Range row = rows.row(from);
      for (u64 e = row.begin + threadIdx.x; e < row.end; e += blockDim.x) {
        offer(step, label, from, e);
      }
    });
  }

  // The rows of the vertices that the lanes of a warp bring, as one sequence of entries: `end` is
  // where a lane's row ends in it, and a lane looks up whose entry it has by bisection.
  template <class Step>
  SKERRY_INLINE void spread_warp(const Step& step, bool listed, Vertex mine) const {
    const Rows::Range row = listed ? rows.row(mine) : Rows::Range{0, 0};
    const Vertex my_label = listed ? step.label(mine) : Vertex{0};
    u64 end = row.size();
    for (u32 distance = 1; distance < kLanes; distance *= 2) {
      const u64 before = __shfl_up_sync(kAllLanes, end, distance);
      if (lane() >= distance) end += before;
    }
    const u64 shift = row.end - end;  // from a position in the sequence to an entry, modulo 2^64
    const u64 total = __shfl_sync(kAllLanes, end, kLanes - 1);
    for (u64 i = lane(); i - lane() < total; i += kLanes) {
      u32 owner = 0;
      for (u32 half = kLanes / 2; half != 0; half /= 2) {
        if (__shfl_sync(kAllLanes, end, owner + half - 1) <= i) owner += half;
      }
      const u64 entry = i + __shfl_sync(kAllLanes, shift, owner);
      const Vertex from = __shfl_sync(kAllLanes, mine, owner);
      const Vertex label = __shfl_sync(kAllLanes, my_label, owner);
      if (i < total) offer(step, label, from, entry);
    }
  }
};

// One block processes level after level while they are small: a barrier replaces a launch and a
// read by the host. A path of n vertices would otherwise need n of them. Ends after `max_levels`,
// or where a level is empty, has a back, or more than `max_front` at its front. progress: the
// number of levels done, and the counts at which the first that is not done begins.
template <class Step>
SKERRY_INLINE void spread_small_levels(Spread spread, Step& step, u64 max_front, u64 max_levels,
                                       u64* progress) {
  __shared__ u64 ends[2];
  Level& level = spread.level;
  u64 done = 0;
  for (; done < max_levels; ++done) {
    const u64 front = level.front_end - level.front;
    if (front == 0 || front > max_front || level.back_end != level.back) break;
    spread.spread_front(step);
    __syncthreads();
    if (threadIdx.x == 0) {
      ends[0] = relaxed_load(spread.rows.state + kFront);
      ends[1] = relaxed_load(spread.rows.state + kBack);
    }
    __syncthreads();
    level = {level.next, level.here, level.front_end, ends[0], level.back_end, ends[1]};
    step.next_level();
  }
  if (threadIdx.x != 0) return;
  progress[0] = done;
  progress[1] = level.front;
  progress[2] = level.back;
}

// Common parameters of kernels that spread labels.
#define SKERRY_SPREAD_PARAMETERS                                                                \
  const Offset *offsets, const Id *neighbors, u64 vertices, u64 entries, Vertex *labels,        \
      u64 *state, Vertex *here, Vertex *next, u64 front, u64 front_end, u64 back, u64 back_end, \
      u64 block_from
#define SKERRY_SPREAD                                                   \
  Spread {                                                              \
    Rows{offsets, neighbors, vertices, entries, state},                 \
        Level{here, next, front, front_end, back, back_end}, block_from \
  }

}  // namespace skerry
