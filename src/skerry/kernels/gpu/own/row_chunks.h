// A list of long rows that all warps share, in chunks: parts of a very long row, or a few rows of
// middle length. No hub delays the others then, nor does a warp whose rows are all long.
#pragma once

#include "gpu/grid.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u64 kHeavyFrom = 256;  // entries from which a row is shared by all warps
constexpr u64 kChunk = 128;      // entries of a row that a warp takes at a time
constexpr u32 kGroupRows = 4;  // rows of middle length that it takes one after the other, at least
constexpr u32 kManyLong = 8;   // of the 32 rows of a warp: from here on they are shared
constexpr u32 kMiddleFrom = 17;  // entries of such a row, at least

// Chunks that the list has room for. Rows of valid input do not need more; those of offsets that
// rise and fall may, and what they need beyond that is left out, as such input is reported.
SKERRY_INLINE u64 room_for_chunks(u64 entries) {
  return 2 * (entries / kChunk) + 1;
}
static_assert(2 * kGroupRows * kMiddleFrom >= kChunk, "rows that share a chunk are long enough");

struct Chunk {
  u64 vertex;
  u64 begin;  // the first entry; or kGroup, and a bit for each of the 32 rows from `vertex` on

  static constexpr u64 kGroup = u64{1} << 63;
};

struct DeferredRows {
  const Rows& rows;
  Chunk* chunks;

  // By a warp: all entries of a row.
  SKERRY_INLINE void add(u64 v, const Rows::Range& row) const {
    const u64 count = (row.size() + kChunk - 1) / kChunk;
    const u64 position = taken(count);
    for (u64 i = lane(); i < count; i += kLanes) put(position + i, {v, row.begin + i * kChunk});
  }

  // By a warp: the rows first + i / team for the bits i of `lanes`.
  SKERRY_INLINE void add_group(u64 first, u32 lanes, u32 team) const {
    const u32 count = static_cast<u32>(__popc(lanes)) / kGroupRows;  // the last takes what is over
    const u64 position = taken(count);
    const u32 from = lane() * team % kLanes;  // the lane of a row
    const bool inside = lane() < kLanes / team && (lanes >> from & 1) != 0;
    const u32 rank = static_cast<u32>(__popc(lanes & ((1u << from) - 1))) / kGroupRows;
    for (u32 i = 0; i < count; ++i) {
      const u32 group =
          __ballot_sync(kAllLanes, inside && (i + 1 == count ? rank >= i : rank == i));
      if (lane() == i) put(position + i, {first, Chunk::kGroup | group});
    }
  }

 private:
  SKERRY_INLINE u64 taken(u64 count) const {
    u64 position = 0;
    if (lane() == 0) position = atomicAdd(rows.state + kFront, count);
    return __shfl_sync(kAllLanes, position, 0);
  }

  SKERRY_INLINE void put(u64 position, const Chunk& chunk) const {
    if (position < room_for_chunks(rows.entries)) chunks[position] = chunk;
  }
};

// visit(vertex, begin, end) by each lane of a warp, for every 32nd entry of a part of a row.
template <class Visit>
SKERRY_INLINE void for_each_chunk(const Rows& rows, const Chunk* chunks, Visit&& visit) {
  const u64 room = room_for_chunks(rows.entries);
  for_each_warp(rows.state[kFront] < room ? rows.state[kFront] : room, [&](u64 i) {
    const Chunk chunk = chunks[i];
    const bool group = (chunk.begin & Chunk::kGroup) != 0;
    for (u32 left = group ? static_cast<u32>(chunk.begin) : 1; left != 0; left &= left - 1) {
      const u64 v = chunk.vertex + static_cast<u32>(__ffs(static_cast<int>(left)) - 1);
      const Rows::Range row = rows.row(v);
      const u64 begin = group ? u64{row.begin} : chunk.begin;
      const u64 end = group || row.end < begin + kChunk ? u64{row.end} : begin + kChunk;
      visit(v, begin + lane(), end);
      __syncwarp();
    }
  });
}

}  // namespace skerry
