// A small deterministic sequence for drawing samples of vertices; not for generating graphs.
#pragma once

#include <cstdint>

namespace skerry {

// Knuth's MMIX generator; the low bits are the weak ones and are dropped.
inline std::uint64_t draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20;
}

}  // namespace skerry
