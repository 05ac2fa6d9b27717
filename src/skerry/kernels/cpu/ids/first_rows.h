// Which rows are the first of their key, and which follow: for groups of ids by keys.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/context.h"

namespace skerry {

// Keys are numbers; those from `known` on are new. Writes the first row of each new key to
// first[key - known], for `fresh` of them, and all other rows in ascending order to `others`, which
// has room for `count`. Returns how many others there are.
inline std::uint64_t first_rows(Context& context, const std::uint32_t* keys, std::uint64_t count,
                                std::uint64_t known, std::uint64_t fresh, std::int64_t* first,
                                std::int64_t* others) {
  constexpr std::uint64_t kPiece = 1 << 16;  // rows between two looks for Ctrl-C
  std::fill(first, first + fresh, std::int64_t{-1});
  std::uint64_t size = 0;
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t end = std::min(begin + kPiece, count);
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::uint64_t key = keys[row] - known;  // huge for a key that is known
      bool is_first = false;
      if (key < fresh && first[key] < 0) {
        first[key] = static_cast<std::int64_t>(row);
        is_first = true;
      }
      others[size] = static_cast<std::int64_t>(row);
      size += is_first ? 0 : 1;
    }
  }
  return size;
}

}  // namespace skerry
