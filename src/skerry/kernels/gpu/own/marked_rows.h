// Joins the rows that tiles have marked (own/tiles.h).
#pragma once

#include "gpu/own/open_rows.h"
#include "gpu/own/walk.h"

namespace skerry {

struct MarkedRows {
  Rows rows;
  Vertex* links;
  Chunk* chunks;
  bool one_direction;  // every entry has its reverse: smaller neighbors suffice

  SKERRY_INLINE void visit(u64 v, Vertex root, u64 e, Tally& tally) const {
    const Vertex u = rows.neighbor(v, e);
    if (one_direction && u > v) return;
    const Vertex above = CachedDevice::load(links + u);
    if (above != root) joined(links, root, above, tally);
  }

  // Groups are few for each warp: where most rows of a small graph are marked, all warps work.
  SKERRY_INLINE void join_all_rows(const u32* more) const {
    Open* const open = open_list();
    Tally tally(rows.state);
    const u64 words = (rows.vertices + kLanes - 1) / kLanes;
    for_each_warp((words + kGathered - 1) / kGathered, [&](u64 part) {
      const u64 word = part * kGathered + lane();
      const u32 marks = lane() < kGathered && word < words ? more[word] : 0;
      if (!__any_sync(kAllLanes, marks != 0)) return;
      u32 count = 0;
#pragma unroll
      for (u32 k = 0; k < kGathered; ++k) {
        const u32 group = __shfl_sync(kAllLanes, marks, k);
        const u64 v = (part * kGathered + k) * kLanes + lane();
        const u32 before = static_cast<u32>(__popc(lanes_before(group)));
        if ((group >> lane() & 1) != 0) open[count + before].vertex = static_cast<Vertex>(v);
        count += static_cast<u32>(__popc(group));
      }
      __syncwarp();
      for (u32 first = 0; first < count; first += kLanes) {
        Open own{0, 0};
        Rows::Range row{0, 0};
        if (first + lane() < count) {
          own.vertex = open[first + lane()].vertex;
          row = rows.row(own.vertex);
          own.root = find_root(links, own.vertex, tally);
        }
        visit_rows(DeferredRows{rows, chunks}, own.vertex, own.root, row,
                   [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
      }
      __syncwarp();
    });
  }

  SKERRY_INLINE void join_heavy() const {
    Tally tally(rows.state);
    visit_chunks(
        rows, chunks, [&](Vertex v) { return find_root(links, v, tally); },
        [&](u64 v, Vertex root, u64 e) { visit(v, root, e, tally); });
  }
};

}  // namespace skerry
