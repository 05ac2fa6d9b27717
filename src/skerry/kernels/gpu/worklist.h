// Lists that threads append to, and the double-sided worklist of ECL-CC (Jaiganesh & Burtscher 2018,
// sect. 3): one array that grows from its front and from its back, so that two lists of vertices
// need room for n in all. No vertex may be pushed twice; then the sides cannot meet.
//
// What was pushed is for a later launch to read: its places are written by plain stores, and its
// lengths (state[kFront], state[kBack]) are final only then. The order of places is nobody's choice.
#pragma once

#include "gpu/grid.h"
#include "gpu/state.h"

namespace skerry {

// A place of its own for every caller, counted by *length. Callable from divergent code: the lanes
// that call together cost one atomic addition, or the counter would be what everybody waits for.
// Inlined always: lanes are together at a place of the program, and must not be so with others that
// count another length.
__device__ __forceinline__ u64 take_place(u64* length) {
  const u32 together = __activemask();
  const u32 leader = static_cast<u32>(__ffs(static_cast<int>(together))) - 1;
  u64 first = 0;
  if (lane() == leader) first = atomicAdd(length, static_cast<u64>(__popc(together)));
  first = __shfl_sync(together, first, static_cast<int>(leader));
  const u32 before_me = together & ((1u << lane()) - 1);
  return first + static_cast<u64>(__popc(before_me));
}

SKERRY_INLINE void push_front(Vertex* list, Vertex v, u64* state) {
  list[take_place(state + kFront)] = v;
}

// `size` is the number of the list's places.
SKERRY_INLINE void push_back(Vertex* list, u64 size, Vertex v, u64* state) {
  list[size - 1 - take_place(state + kBack)] = v;
}

}  // namespace skerry
