// What one pass over labels can tell of each component: pixels, bounding box, sum of positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/context.h"

namespace skerry {

// Adds the labels of an image with these sizes to `table`, which has 1 + 3 * axes numbers for each
// label: pixels; then for each axis the smallest position, the largest one, and the sum. It begins
// with 0, the largest number, -1 and 0. Returns false where a label has no row in the table.
template <class Label>
bool measure_labels(Context& context, const Label* labels, const std::vector<std::uint64_t>& sizes,
                    std::int64_t* table, std::uint64_t rows_of_table) {
  const std::size_t axes = sizes.size();
  const std::uint64_t width = sizes.back();
  std::uint64_t rows = width == 0 ? 0 : 1;
  for (std::size_t i = 0; i + 1 < axes; ++i) rows *= sizes[i];
  std::vector<std::int64_t> at(axes, 0);
  for (std::uint64_t row = 0; row < rows && context.keep_going(0); ++row, labels += width) {
    for (std::uint64_t begin = 0, end; begin < width; begin = end) {
      const Label label = labels[begin];
      for (end = begin + 1; end < width && labels[end] == label;) ++end;
      if (label >= rows_of_table) return false;
      std::int64_t* const entry = table + label * (1 + 3 * axes);
      const auto first = static_cast<std::int64_t>(begin);
      const auto last = static_cast<std::int64_t>(end) - 1, pixels = last - first + 1;
      entry[0] += pixels;
      for (std::size_t i = 0; i < axes; ++i) {
        const bool along = i + 1 == axes;
        std::int64_t& low = entry[1 + i];
        std::int64_t& high = entry[1 + axes + i];
        low = std::min(low, along ? first : at[i]);
        high = std::max(high, along ? last : at[i]);
        entry[1 + 2 * axes + i] += along ? (first + last) * pixels / 2 : at[i] * pixels;
      }
    }
    for (std::size_t i = axes - 1; i-- > 0;) {
      if (++at[i] < static_cast<std::int64_t>(sizes[i])) break;
      at[i] = 0;
    }
  }
  return true;
}

}  // namespace skerry
