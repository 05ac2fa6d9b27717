// The best row of each component so far: of the smallest key, of equal ones the smallest id, of
// those the first.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/context.h"
#include "cpu/memory.h"

namespace skerry {

struct BestRow {
  std::uint64_t key;       // all ones: none yet, or a row without a value
  std::uint64_t position;  // of its id; all ones: none yet. The highest bit: it has no value
  std::int64_t row;
};

inline constexpr std::uint64_t kWithoutValue = std::uint64_t{1} << 63;

// Compares rows `first_row + i` with the best of their components. Row i has the id at
// positions[i], whose component is numbers[positions[i]], and the key keys[i], or none where
// present[i] is 0. Rows whose position or component does not exist are in none: they are written to
// `others`. Returns how many those are.
template <class Number>
std::uint64_t best_rows(Context& context, const std::uint32_t* positions, const std::uint64_t* keys,
                        const std::uint8_t* present, std::uint64_t count, const Number* numbers,
                        std::uint64_t ids, std::int64_t first_row, BestRow* best,
                        std::uint64_t components, std::int64_t* others) {
  constexpr std::uint64_t kPiece = 1 << 8;  // rows whose best are fetched ahead
  BestRow* of_row[kPiece];
  std::uint64_t size = 0;
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t length = std::min(kPiece, count - begin);
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t position = positions[begin + i];
      const std::uint64_t component = position < ids ? numbers[position] : components;
      of_row[i] = component < components ? best + component : nullptr;
      prefetch(of_row[i]);
    }
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::uint64_t row = begin + i;
      const std::int64_t number = first_row + static_cast<std::int64_t>(row);
      if (of_row[i] == nullptr) {
        others[size++] = number;
        continue;
      }
      const bool has_value = present[row] != 0;
      const std::uint64_t key = has_value ? keys[row] : ~std::uint64_t{0};
      const std::uint64_t position = positions[row] | (has_value ? 0 : kWithoutValue);
      BestRow& current = *of_row[i];
      if (key < current.key || (key == current.key && position < current.position))
        current = {key, position, number};
    }
  }
  return size;
}

}  // namespace skerry
