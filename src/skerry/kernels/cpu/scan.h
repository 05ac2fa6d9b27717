// Exclusive prefix sums, in place, by the team: the sums of blocks, a serial scan of those, then
// each block on its own.
#pragma once

#include <cstdint>

#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

// Turns values[i] into values[0] + ... + values[i - 1] and returns the sum of all. The result is
// meaningless when the context was stopped.
inline std::uint64_t exclusive_scan(Context& context, std::uint64_t* values, std::uint64_t count) {
  ScratchVector<std::uint64_t> sums((count + kGrain - 1) / kGrain, context.scratch);
  deal_ranges(context, count, kGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) sum += values[i];
    sums[begin / kGrain] = sum;
  });
  std::uint64_t total = 0;
  for (std::uint64_t& sum : sums) {
    const std::uint64_t here = sum;
    sum = total;
    total += here;
  }
  deal_ranges(context, count, kGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t before = sums[begin / kGrain];
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t here = values[i];
      values[i] = before;
      before += here;
    }
  });
  return total;
}

}  // namespace skerry
