// Two samples of vertices that steer the later passes: how near the ids of neighbors are, and which
// tree is the largest so far.
#pragma once

#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/own/strategy.h"
#include "gpu/own/tile_rows.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

constexpr u32 kSamples = 1024;
constexpr u32 kNearEntries = 4;
constexpr u32 kSlots = 2 * kSamples;
constexpr u32 kCounted = 7;  // properties of a sampled row
constexpr u32 kSampleWarps = 16;

// Twice the entries a vertex from which triangles are looked for: no rule asks for them below, and
// to find one takes another load after three that wait for each other.
constexpr u32 kTwiceDegree = 9;

constexpr u64 kHubFrom = 4096;  // entries of a row that make its vertex a hub
constexpr u64 kHubShare = 16;   // one of how many vertices is joined with its second entry then

// After tiles, the largest tree only shows the last pass where most paths end. Up to this many
// vertices, that pass takes less time than finding it.
constexpr u64 kFewVertices = 1 << 22;

SKERRY_INLINE u64 sampled_index(u64 i, u64 count) {
  return below(draw(stream_key(1, 0), i), count);
}

// Properties of a sampled row: whether it is too long for tiles, whether one of the first neighbors
// is smaller or near, whether it is in a stretch of adjacent ids, whether the first neighbor is a
// hub, and whether that is a neighbor of another one.
struct RowSample {
  bool any = false;
  bool is_long = false;
  bool linked = false;
  bool near = false;
  bool adjacent = false;
  bool hub = false;
  bool triangle = false;
};

// The first entries of a row, and the vertex itself where it has fewer.
SKERRY_INLINE void load_first(const Rows& rows, u64 v, const Rows::Range& row,
                              Vertex (&u)[kNearEntries]) {
#pragma unroll
  for (u32 i = 0; i < kNearEntries; ++i) {
    u[i] = i < row.size() ? rows.neighbor(v, row.begin + i) : static_cast<Vertex>(v);
  }
}

// Whether tiles would link the row to the next ones at little cost: an adjacent id is a neighbor,
// and so is the one on its other side, or no first neighbor is outside of any tile, or one that is
// has its next id in the next row: tiles keep edges side by side as one. In a stretch of two
// vertices with edges to anywhere, tiles have nothing to gain.
SKERRY_INLINE bool in_stretch(u64 v, const Vertex (&u)[kNearEntries],
                              const Vertex (&next)[kNearEntries]) {
  bool before = false;
  bool after = false;
  bool leaves = false;
  bool goes_on = false;
#pragma unroll
  for (u32 i = 0; i < kNearEntries; ++i) {
    before = before || u64{u[i]} + 1 == v;
    after = after || u[i] == v + 1;
    const bool far = u64{u[i]} + kTile <= v || u[i] >= v + kTile;
    leaves = leaves || far;
#pragma unroll
    for (u32 j = 0; j < kNearEntries; ++j) goes_on = goes_on || (far && next[j] == u[i] + 1);
  }
  return (before && after) || ((before || after) && (!leaves || goes_on));
}

// `for_tiles`: whether they may be the strategy; else nothing is `adjacent`.
template <bool for_tiles>
SKERRY_INLINE RowSample sample_row(const Rows& rows, u64 v) {
  RowSample sample;
  const Rows::Range row = rows.row(v);
  sample.any = row.size() != 0;
  sample.is_long = row.size() > kTileEntries;
  if (!sample.any) return sample;
  Vertex u[kNearEntries];
  load_first(rows, v, row, u);
  if (for_tiles) {
    const u64 after = v + 1 < rows.vertices ? v + 1 : v;
    Vertex next[kNearEntries];
    load_first(rows, after, rows.row(after), next);
    sample.adjacent = in_stretch(v, u, next);
  }
#pragma unroll
  for (u32 i = 0; i < kNearEntries; ++i) {
    const Vertex distance =
        u[i] > v ? u[i] - static_cast<Vertex>(v) : static_cast<Vertex>(v) - u[i];
    sample.near = sample.near || (distance != 0 && distance < kTile / 4);
    sample.linked = sample.linked || u[i] < v;
  }
  const Rows::Range first = rows.row(u[0]);
  sample.hub = first.size() >= kHubFrom;
  if (2 * rows.entries < u64{kTwiceDegree} * rows.vertices) return sample;
#pragma unroll
  for (u32 i = 0; i < kNearEntries; ++i) {
    if (i >= first.size()) continue;
    const Vertex w = rows.neighbor(u[0], first.begin + i);
#pragma unroll
    for (u32 j = 1; j < kNearEntries; ++j) {
      sample.triangle = sample.triangle || (w == u[j] && w != v && w != u[0]);
    }
  }
  return sample;
}

// Samples rows and selects the strategy, by one warp of every block: a row for each lane, then a
// lane for each property. They run on many multiprocessors: samples are far apart, and a single
// multiprocessor would wait for one memory page after the other.
template <bool for_tiles>
SKERRY_INLINE void count_samples(const Rows& rows, const u64 (&rules)[kRuleWords]) {
  const StateWord words[kCounted] = {kSampled, kLong, kLinked, kNear, kAdjacent, kHubs, kTriangles};
  for (u32 part = blockIdx.x; part < kSampleWarps; part += gridDim.x) {
    const RowSample sample =
        sample_row<for_tiles>(rows, sampled_index(u64{part} * kLanes + lane(), rows.vertices));
    const bool has[kCounted] = {sample.any,      sample.is_long, sample.linked,  sample.near,
                                sample.adjacent, sample.hub,     sample.triangle};
    u32 count = 0;
    u32 word = kSampled;
#pragma unroll
    for (u32 i = 0; i < kCounted; ++i) {
      const u32 those = __ballot_sync(kAllLanes, has[i]);
      if (lane() == i) {
        count = static_cast<u32>(__popc(those));
        word = words[i];
      }
    }
    if (lane() < kCounted) atomicAdd(rows.state + word, u64{count});
    // The last one to come here sees what all others have counted.
    __threadfence();
    __syncwarp();
    u64 before = 0;
    if (lane() == 0) before = atomicAdd(rows.state + kSamplers, u64{1});
    if (__shfl_sync(kAllLanes, before, 0) + 1 != kSampleWarps) continue;
    __threadfence();
    select_strategy(rows.state, rules);
  }
}

constexpr u32 kLargeShare = 8;  // one of how many vertices a large tree has
constexpr u32 kOtherTrees = 2;  // of 8 vertices: where they have so many, no row is skipped
constexpr u32 kAnyOthers = 8;
constexpr u32 kUnknownShare = 16;  // one of how many sampled vertices may have an unknown root

// The root that most of the sampled vertices have, plus 1, goes to state[kLargest]; where none has
// one of `share` of them, leaving it out would save little, and 0 goes there. So it does where
// other trees have `others` of 8 sampled vertices or more: their rows are read more slowly than
// where none is left out. And so it does where many roots are unknown: paths are long then, and
// those that leave out a tree walk them to find out which vertices are outside.
//
// root_of(v) returns the root of a vertex, or kInvalidVertex.
template <class RootOf>
SKERRY_INLINE void find_largest(u64 vertices, u64* state, u32 share, u32 others, RootOf&& root_of) {
  __shared__ Vertex roots[kSlots];
  __shared__ u32 counts[kSlots];
  __shared__ u32 best;
  __shared__ u32 unknown;
  __shared__ u32 alone;  // roots themselves, many of which have no neighbor
  for (u32 i = threadIdx.x; i < kSlots; i += blockDim.x) {
    roots[i] = kInvalidVertex;
    counts[i] = 0;
  }
  if (threadIdx.x == 0) best = unknown = alone = 0;
  __syncthreads();
  for (u32 i = threadIdx.x; i < kSamples; i += blockDim.x) {
    const Vertex v = static_cast<Vertex>(sampled_index(i, vertices));
    const Vertex root = root_of(v);
    if (root == kInvalidVertex) {
      atomicAdd(&unknown, 1u);
      continue;
    }
    if (root == v) atomicAdd(&alone, 1u);
    u32 slot = static_cast<u32>(mix(root)) % kSlots;
    for (;;) {
      const Vertex seen = atomicCAS(roots + slot, kInvalidVertex, root);
      if (seen == kInvalidVertex || seen == root) break;
      slot = (slot + 1) % kSlots;
    }
    atomicAdd(counts + slot, 1u);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < kSlots; i += blockDim.x) {
    const bool few_others = 8 * counts[i] > (8 - others) * (kSamples - alone);
    if (counts[i] >= kSamples / share && few_others && unknown <= kSamples / kUnknownShare)
      atomicMax(&best, counts[i]);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < kSlots; i += blockDim.x) {
    // Of two equally frequent roots, either will do.
    if (best != 0 && counts[i] == best) relaxed_store(state + kLargest, u64{roots[i]} + 1);
  }
}

}  // namespace skerry
