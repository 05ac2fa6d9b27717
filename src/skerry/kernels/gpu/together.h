// Reductions over the active lanes of a warp, however many they are. Callable from divergent code
// and after lanes have exited. Votes only, which every architecture supports for any set of lanes:
// values are mostly small, and one or two votes give one bit of all of them.
#pragma once

#include "gpu/grid.h"

namespace skerry {

SKERRY_INLINE bool is_first_of(u32 together) {
  return lane() + 1 == static_cast<u32>(__ffs(static_cast<int>(together)));
}

// How many bits the largest number has.
SKERRY_INLINE u32 bits_together(u32 together, u64 mine) {
  u32 bits = 0;
  while (bits < 64 && __any_sync(together, mine >> bits != 0)) ++bits;
  return bits;
}

SKERRY_INLINE u64 sum_together(u32 together, u64 mine) {
  u64 sum = 0;
  for (u32 bit = 0; bit < 64 && __any_sync(together, mine >> bit != 0); ++bit) {
    const u32 set = __ballot_sync(together, (mine >> bit & 1) != 0);
    sum += static_cast<u64>(__popc(set)) << bit;
  }
  return sum;
}

SKERRY_INLINE u64 max_together(u32 together, u64 mine) {
  u64 largest = 0;
  bool may_be_it = true;
  for (u32 bits = bits_together(together, mine); bits != 0; --bits) {
    const bool set = (mine >> (bits - 1) & 1) != 0;
    if (!__any_sync(together, may_be_it && set)) continue;
    may_be_it = may_be_it && set;
    largest |= u64{1} << (bits - 1);
  }
  return largest;
}

}  // namespace skerry
