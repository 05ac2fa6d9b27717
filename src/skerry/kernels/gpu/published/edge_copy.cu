// Makes an algorithm's own copy of edges, all or a random group of them, and rewrites it: the
// update steps of Cong & Muzio, "Fast Parallel Connected Components Algorithms on GPUs" (2014),
// Algorithms 2 (lines 11 to 13) and 3 (lines 1, 2 and 6 to 8). No parent changes during a launch,
// so all accesses are plain.
//
// Departures: an edge whose ends have become one vertex is left alone, as it stays a loop. The
// random order is one of runs of 32 edges, computed where it is needed (permutation.h): a warp
// reads a run as complete lines of memory, where single edges in random order would cost as much as
// the accesses that Stages is there to avoid; and no list is permuted, so the input stays as it is.
// By the letter (permute=stored) single edges are permuted, once, in a copy of the whole list, of
// which a group is then a stretch.
#include "common/permutation.h"
#include "gpu/grid.h"
#include "gpu/published/edge_copy.h"

namespace skerry {

constexpr u32 kRunsOfWarp = 8;  // few enough that small groups still occupy the device

extern "C" __global__ void copy_edges(const Id* source, const Id* target, u64 source_step,
                                      u64 target_step, u64 vertices, u64 edges, u64* state,
                                      Vertex* own_source, Vertex* own_target) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  for_each_thread(edges, [&](u64 i) {
    const Ends ends = list[i];
    own_source[i] = ends.u;
    own_target[i] = ends.v;
  });
}

// All edges in random order.
extern "C" __global__ void permute_edges(const Id* source, const Id* target, u64 source_step,
                                         u64 target_step, u64 vertices, u64 edges, u64* state,
                                         Vertex* own_source, Vertex* own_target, u64 seed) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  const u64 key = stream_key(seed, 0);
  for_each_thread(edges, [&](u64 i) {
    const Ends ends = list[i];
    const u64 position = permute(key, edges, i);
    own_source[position] = ends.u;
    own_target[position] = ends.v;
  });
}

// Runs first .. first + count - 1 of the random order, their ends replaced by their parents. Where
// the last run of the list is short, loops fill it up. Before the first group every vertex is its
// own parent, which need not be read.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_FULL)
    copy_group(const Id* source, const Id* target, u64 source_step, u64 target_step, u64 vertices,
               u64 edges, const Vertex* parent, u64* state, Vertex* own_source, Vertex* own_target,
               u64 seed, u64 first, u64 count) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  const u64 runs = (edges + kLanes - 1) / kLanes;
  const u64 key = stream_key(seed, 0);
  // The first lanes compute where a run each is, then all lanes read these runs together.
  for_each_warp((count + kRunsOfWarp - 1) / kRunsOfWarp, [&](u64 tile) {
    const u64 begin = tile * kRunsOfWarp;
    const u64 end = begin + kRunsOfWarp < count ? begin + kRunsOfWarp : count;
    u64 mine = begin + lane();
    if (mine < end) mine = permute(key, runs, first + mine);
    for (u64 run = begin; run < end; ++run) {
      const u64 i = __shfl_sync(kAllLanes, mine, static_cast<u32>(run - begin)) * kLanes + lane();
      const Ends ends = i < edges ? list[i] : Ends{0, 0};
      const u64 position = run * kLanes + lane();
      own_source[position] = first == 0 ? ends.u : parent[ends.u];
      own_target[position] = first == 0 ? ends.v : parent[ends.v];
    }
  });
}

extern "C" __global__ void update_edges(Vertex* own_source, Vertex* own_target, u64 count,
                                        const Vertex* parent) {
  const OwnEdges own{own_source, own_target};
  for_each_thread(count, [&](u64 i) {
    const Ends ends = own[i];
    if (ends.u == ends.v) return;
    own_source[i] = parent[ends.u];
    own_target[i] = parent[ends.v];
  });
}

}  // namespace skerry
