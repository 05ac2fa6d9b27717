// Our algorithm for rows. First links cost no look-up: of single vertices (own/links.h) or, where
// neighbors have near ids, of whole stretches (own/tiles.h). Then a share of the vertices is joined
// with a second neighbor, or the edges that leave tiles are; then all rows that are not settled by
// that and are not those of the largest tree (own/remaining_rows.h).
//
// The device itself chooses between links and tiles (own/sample.h), so nobody waits for it.
#include "gpu/own/links.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/sample.h"
#include "gpu/own/tile_joins.h"
#include "gpu/own/tiles.h"

namespace skerry {

extern "C" __global__ void look_around(const Offset* offsets, const Id* neighbors, u64 vertices,
                                       u64 entries, u64* state) {
  wait_for_previous();
  count_looks(Rows{offsets, neighbors, vertices, entries, state});
}

// The first kernel, of one block: no word has been used before. `way` is forced, or 0.
extern "C" __global__ void clear_state(u64* state, u64 way) {
  wait_for_previous();
  clear_words(state);
  if (threadIdx.x == kChoice) state[kChoice] = way;
}

// The two ways to make the first links are kernels of their own, so that each has the registers that
// it needs; the one that was not chosen returns at once.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL < 6 ? SKERRY_FULL : 6)
    link_tiles(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries, Vertex* links,
               u64* state, u64 symmetric, Vertex* outside, u32* inside, u32* counts, u32* more,
               u32* next) {
  wait_for_previous();
  if (way_of(state) != kTiles) return;
  const Rows rows{offsets, neighbors, vertices, entries, state};
  link_all_tiles(rows, symmetric != 0, links, Leftovers{outside, inside, counts, more, next});
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    link_single(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                Vertex* links, u64* state) {
  wait_for_previous();
  const Way way = way_of(state);
  if (way == kTiles) return;
  link_firsts(Rows{offsets, neighbors, vertices, entries, state}, way == kHubLinks, links);
}

extern "C" __global__ void __launch_bounds__(kBlock)
    join_seconds(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries,
                 Vertex* links, u64* state, u64 symmetric, u64 share, Vertex* outside, u32* inside,
                 u32* counts, u32* more, u32* next) {
  wait_for_previous();
  const Rows rows{offsets, neighbors, vertices, entries, state};
  if (way_of(state) == kTiles) {
    join_tiles(vertices, links, Leftovers{outside, inside, counts, more, next}, state);
  } else {
    const u64 chosen = way_of(state) == kHubLinks && kHubShare > share ? kHubShare : share;
    join_second_entries(rows, chosen, symmetric != 0, links);
  }
}

extern "C" __global__ void sample_largest(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  if (way_of(state) == kTiles && vertices <= kFewVertices) return;
  Tally tally(state);
  find_largest(vertices, state, [&](Vertex v) { return settle_with_link(links, v, tally); });
}

SKERRY_INLINE Rest rest_of(const Rows& rows, Vertex* links, u64* chunks, bool symmetric) {
  // A row may be left out only where its entries have their reverses in other rows. After tiles, none
  // is: what a marked row tells of an edge, its other end's row was not asked.
  const u64 found = symmetric && way_of(rows.state) != kTiles ? rows.state[kLargest] : 0;
  const Vertex largest = found != 0 ? static_cast<Vertex>(found - 1) : kNobody;
  const bool one_direction = symmetric && largest == kNobody;
  return Rest{rows, links, reinterpret_cast<Chunk*>(chunks), one_direction, largest};
}

extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    join_rest(const Offset* offsets, const Id* neighbors, u64 vertices, u64 entries, Vertex* links,
              u64* state, u64 symmetric, u64* chunks, const u32* more) {
  wait_for_previous();
  const Rest rest =
      rest_of(Rows{offsets, neighbors, vertices, entries, state}, links, chunks, symmetric != 0);
  if (way_of(state) != kTiles) {
    rest.join_all_rows();
  } else if (state[kMore] != 0) {
    rest.join_marked_rows(more);
  }
}

extern "C" __global__ void join_heavy(const Offset* offsets, const Id* neighbors, u64 vertices,
                                      u64 entries, Vertex* links, u64* state, u64 symmetric,
                                      u64* chunks) {
  wait_for_previous();
  rest_of(Rows{offsets, neighbors, vertices, entries, state}, links, chunks, symmetric != 0)
      .join_heavy();
}

extern "C" __global__ void label_vertices(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  label_all(links, vertices, state);
}

}  // namespace skerry
