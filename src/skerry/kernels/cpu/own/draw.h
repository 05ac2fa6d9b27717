// A small deterministic sequence for drawing samples of vertices; not for generating graphs.
#pragma once

#include <cstdint>

namespace skerry {

// Knuth's MMIX generator; the low bits are the weak ones and are dropped.
inline std::uint64_t draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20;
}

// One of the numbers below `count`; without a division while 32 bits of chance suffice.
inline std::uint64_t draw_below(std::uint64_t& state, std::uint64_t count) {
  const std::uint64_t drawn = draw(state);
  return count >> 32 == 0 ? (drawn >> 12) * count >> 32 : drawn % count;
}

}  // namespace skerry
