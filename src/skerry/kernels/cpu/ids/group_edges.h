// Rows of integer ids and numbered keys as edges to the first id of each key.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/context.h"
#include "cpu/memory.h"

namespace skerry {

// Where the edges of some rows go; all have room for as many as there are rows.
template <class Id>
struct GroupEdges {
  Id* src;
  Id* dst;
  std::int64_t* rows;
};

// Keys from `known` on are new, `fresh` of them: their first ids are stored in `first`, by the
// number of the key, where those of known keys are. `seen` has a zero for each new key. Rows that
// are not the first of their key become edges. Returns how many. Vertices of new keys are
// first[known...].
template <class Id>
std::uint64_t group_edges(Context& context, const std::uint32_t* keys, const Id* ids,
                          std::ptrdiff_t step, std::uint64_t count, std::uint64_t known,
                          std::uint64_t fresh, Id* first, std::uint8_t* seen,
                          const GroupEdges<Id>& edges) {
  constexpr std::uint64_t kPiece = 1 << 16;  // rows between two looks for Ctrl-C
  constexpr std::uint64_t kAhead = 16;       // rows whose first ids are fetched in advance
  std::uint64_t size = 0;
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t end = std::min(begin + kPiece, count);
    for (std::uint64_t row = begin; row < end; ++row) {
      if (row + kAhead < count) prefetch(first + keys[row + kAhead]);
      const std::uint64_t key = keys[row];
      const Id id = ids[static_cast<std::ptrdiff_t>(row) * step];
      if (key >= known && key - known < fresh && !seen[key - known]) {
        seen[key - known] = 1;
        first[key] = id;
        continue;
      }
      edges.src[size] = id;
      edges.dst[size] = first[key];
      edges.rows[size] = static_cast<std::int64_t>(row);
      ++size;
    }
  }
  return size;
}

}  // namespace skerry
