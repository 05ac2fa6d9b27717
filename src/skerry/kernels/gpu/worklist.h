// Lists that threads append to, and the double-sided worklist of ECL-CC (Jaiganesh & Burtscher
// 2018, sect. 3): one array that grows from its front and from its back, so that two lists of
// vertices need room for n in all. No vertex may be pushed twice; then the sides cannot meet.
//
// What was pushed is for a later launch to read: its elements are written by plain stores, and its
// lengths (state[kFront], state[kBack]) are final only then. The order of elements is arbitrary.
#pragma once

#include "gpu/grid.h"
#include "gpu/state.h"

namespace skerry {

// A slot of its own for every caller, counted by *length. Callable from divergent code: lanes that
// call together need one atomic addition, otherwise the counter would be a bottleneck. Always
// inlined: active lanes are those at the same instruction, and must not include lanes that count
// another length.
__device__ __forceinline__ u64 reserve_slot(u64* length) {
  const u32 together = __activemask();
  const u32 leader = static_cast<u32>(__ffs(static_cast<int>(together))) - 1;
  u64 first = 0;
  if (lane() == leader) first = atomicAdd(length, static_cast<u64>(__popc(together)));
  first = __shfl_sync(together, first, static_cast<int>(leader));
  const u32 before_me = lanes_before(together);
  return first + static_cast<u64>(__popc(before_me));
}

SKERRY_INLINE void push_front(Vertex* list, Vertex v, u64* state) {
  list[reserve_slot(state + kFront)] = v;
}

// `size` is the capacity of the list.
SKERRY_INLINE void push_back(Vertex* list, u64 size, Vertex v, u64* state) {
  list[size - 1 - reserve_slot(state + kBack)] = v;
}

}  // namespace skerry
