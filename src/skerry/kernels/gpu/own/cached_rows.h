// As own/direct_rows.h, with a cache of links: for graphs of far ids, where the finds of all
// threads soon pass the same few vertices. Where ids are near, they do not, and the cache only
// takes time.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/link_cache.h"
#include "gpu/own/remaining_rows.h"
#include "gpu/own/row_teams.h"
#include "gpu/rows.h"

namespace skerry {

// Blocks of a multiprocessor, at most: the registers of more would not suffice. The host starts no
// others, as those would begin when the first have ended.
constexpr u32 kCachedFull = 6;

struct CachedRows {
  Rows rows;
  Vertex* links;
  const Vertex* roots;  // as flatten_links (own/direct_rows.h) left them
  Chunk* chunks;
  bool one_direction;  // every entry has its reverse: smaller neighbors suffice

  // Joins the entries begin, begin + step, ... of the row of v.
  SKERRY_INLINE void join_entries(u64 v, u64 begin, u64 end, u32 step, const LinkCache& cache,
                                  Tally& tally) const {
    if (begin >= end) return;
    const Vertex own = roots[v];
    Vertex root = own;
    Vertex last = own;
    for_each_root(rows, roots, one_direction, v, begin, end, step, [&](Vertex other) {
      if (other == own || other == last) return;
      last = other;
      root = cache.join(links, root, other, tally);
    });
  }

  SKERRY_INLINE void join_all_rows(u32 team) const {
    Tally tally(rows.state);
    LinkCache cache;
    cache.clear();
    for_each_row<kCachedHeavyFrom>(rows, team, DeferredRows{rows, chunks},
                                   [&](u64 v, u64 begin, u64 end, u32 step) {
                                     join_entries(v, begin, end, step, cache, tally);
                                   });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    LinkCache cache;
    cache.clear();
    for_each_chunk(rows, chunks, [&](u64 v, u64 begin, u64 end) {
      join_entries(v, begin, end, kLanes, cache, tally);
    });
  }
};

struct LabelsAfterJoins {
  Vertex* links;
  u64 vertices;
  const LinkCache& cache;
  Tally& tally;

  template <u32 each>
  SKERRY_INLINE void run() const {
    for_each_stretch<each>(vertices, [&](u64 first) {
      Vertex above[each];
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        const u64 v = first + k * blockDim.x + threadIdx.x;
        above[k] = v < vertices ? Device::load(links + v) : 0;
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        const u64 v = first + k * blockDim.x + threadIdx.x;
        cache.settle(links, static_cast<Vertex>(v), above[k], tally);
      }
    });
  }
};

// The last pass, if all rows were joined: every vertex gets its root. Paths lead through former
// roots, which many vertices share.
SKERRY_INLINE void label_after_joins(Vertex* links, u64 vertices, u64* state) {
  if (mark_invalid(links, vertices, state)) return;
  Tally tally(state);
  LinkCache cache;
  cache.clear();
  run_over_vertices(vertices, LabelsAfterJoins{links, vertices, cache, tally});
}

}  // namespace skerry
