// Sums over what comes before, for blocks, and for all chunks of one pass over memory.
//
// After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (NVIDIA,
// 2016). The value of a chunk and what it means share one 64-bit word, so relaxed accesses are
// enough: no other memory is read because of what the word says.
#pragma once

#include "gpu/grid.h"
#include "gpu/memory.h"

namespace skerry {

constexpr u64 kOwnSum = u64{1} << 62;    // the sum of a chunk
constexpr u64 kTotalSum = u64{1} << 63;  // of all chunks up to its end

// The sum over the warps of the block before this one, and over all. Every thread of a warp passes
// the value of its warp.
SKERRY_INLINE Sum sum_of_block(u32 of_warp) {
  __shared__ u32 warps[kBlock / kLanes];
  __syncthreads();  // the warps may still read those of the call before
  if (lane() == 0) warps[threadIdx.x / kLanes] = of_warp;
  __syncthreads();
  Sum sum{0, 0};
  for (u32 warp = 0; warp < blockDim.x / kLanes; ++warp) {
    if (warp == threadIdx.x / kLanes) sum.before = sum.all;
    sum.all += warps[warp];
  }
  return sum;
}

// The sum over all chunks before this one; all lanes of one warp call it. Chunks are begun in
// ascending order (for_each_in_turn), so whoever waits waits for a block that runs. `states`, a
// word for each chunk, must be 0 before.
SKERRY_INLINE u64 sum_before(u64* states, u64 chunk, u64 own) {
  const u64 kValue = kOwnSum - 1;
  if (lane() == 0) relaxed_store(states + chunk, (chunk == 0 ? kTotalSum : kOwnSum) | own);
  u64 before = 0;
  for (u64 end = chunk; end != 0; end -= kLanes < end ? kLanes : end) {
    u64 state = kOwnSum;  // where there is no chunk
    do {
      if (lane() < end) state = relaxed_load(states + end - 1 - lane());
    } while (__any_sync(kAllLanes, state == 0));
    const u32 total = __ballot_sync(kAllLanes, (state & kTotalSum) != 0);
    const u32 used = total ^ (total - 1);  // lanes up to the nearest total, or all
    u64 value = (used >> lane() & 1) != 0 ? state & kValue : 0;
    for (u32 distance = kLanes / 2; distance != 0; distance /= 2)
      value += __shfl_xor_sync(kAllLanes, value, distance);
    before += value;
    if (total != 0) break;
  }
  if (lane() == 0 && chunk != 0) relaxed_store(states + chunk, kTotalSum | (before + own));
  return before;
}

// The same for all threads of the block: `own` is the sum of the block.
SKERRY_INLINE u64 sum_before_block(u64* states, u64 chunk, u64 own) {
  __shared__ u64 before;
  if (threadIdx.x < kLanes) {
    const u64 sum = sum_before(states, chunk, own);
    if (lane() == 0) before = sum;
  }
  __syncthreads();
  return before;
}

}  // namespace skerry
