// Where the values of two ascending columns stand in the union of both, by a team: pieces of the
// first column are merged with what belongs between their ends of the second, each from 0 on; then
// what the pieces before have is added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/context.h"
#include "cpu/team.h"

namespace skerry {

// compare(i, j) is below, equal to or above 0 as the i-th of the first column comes before, is
// equal to or comes after the j-th of the second. Each column ascends without repeats; if one does
// not, the positions mean nothing. Writes the position of each value, and returns how many
// different values there are.
template <class Compare>
std::uint64_t merge_sorted(Context& context, std::uint64_t firsts, std::uint64_t seconds,
                           const Compare& compare, std::int64_t* at_first,
                           std::int64_t* at_second) {
  const std::uint64_t pieces = std::max<std::uint64_t>((firsts + kGrain - 1) / kGrain, 1);
  std::vector<std::uint64_t> starts(pieces + 1), sums(pieces);
  const auto for_pieces = [&](auto&& body) {
    for_ranges(context, pieces, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t piece = begin; piece < end; ++piece) body(piece);
    });
  };
  for_pieces([&](std::uint64_t piece) {
    std::uint64_t low = 0, high = piece == 0 ? 0 : seconds;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (compare(piece * kGrain, middle) > 0)
        low = middle + 1;
      else
        high = middle;
    }
    starts[piece] = low;
  });
  starts[pieces] = seconds;
  // Of a column that does not ascend, too, each value is in one piece.
  for (std::uint64_t piece = 1; piece < pieces; ++piece)
    starts[piece] = std::max(starts[piece], starts[piece - 1]);
  for_pieces([&](std::uint64_t piece) {
    std::uint64_t i = piece * kGrain, j = starts[piece];
    const std::uint64_t end_first = std::min(i + kGrain, firsts), end_second = starts[piece + 1];
    std::int64_t position = 0;
    for (; i < end_first && j < end_second; ++position) {
      const int order = compare(i, j);
      if (order <= 0) at_first[i++] = position;
      if (order >= 0) at_second[j++] = position;
    }
    while (i < end_first) at_first[i++] = position++;
    while (j < end_second) at_second[j++] = position++;
    sums[piece] = static_cast<std::uint64_t>(position);
  });
  std::uint64_t total = 0;
  for (std::uint64_t& sum : sums) {
    const std::uint64_t here = sum;
    sum = total;
    total += here;
  }
  for_pieces([&](std::uint64_t piece) {
    const auto before = static_cast<std::int64_t>(sums[piece]);
    const std::uint64_t begin = piece * kGrain, end = std::min(begin + kGrain, firsts);
    for (std::uint64_t i = begin; i < end; ++i) at_first[i] += before;
    for (std::uint64_t j = starts[piece]; j < starts[piece + 1]; ++j) at_second[j] += before;
  });
  return total;
}

}  // namespace skerry
