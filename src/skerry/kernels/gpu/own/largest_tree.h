// The largest tree so far, as a sample of the vertices shows it.
#pragma once

#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/own/walk.h"
#include "gpu/state.h"

namespace skerry {

constexpr u32 kSamples = 1024;
constexpr u32 kSlots = 2 * kSamples;

SKERRY_INLINE u64 sampled_index(u64 i, u64 count) {
  return below(draw(stream_key(1, 0), i), count);
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
