// The last pass: every vertex gets its root, which is its label.
#pragma once

#include "gpu/grid.h"
#include "gpu/own/walk.h"

namespace skerry {

// Sets the labels of invalid input to the maximum value; returns whether it is invalid.
SKERRY_INLINE bool mark_invalid(Vertex* links, u64 vertices, const u64* state) {
  if (state[kFault] == kNoFault) return false;
  for_each_of<kEach>(vertices, [&](u64 v) { links[v] = kInvalidVertex; });
  return true;
}

constexpr u32 kLabelSteps = 16;  // over L1, of a vertex to its root in the last pass

struct FlatLinks {
  Vertex* links;
  u64 vertices;
  Vertex top;  // the root of the largest tree
  Tally& tally;

  template <u32 each>
  SKERRY_INLINE void run() const {
    for_each_stretch<each>(vertices, [&](u64 first) {
      // Three steps for several vertices at a time, as most paths are that short; loads overlap.
      Vertex above[each];
      Vertex next[each];
      Vertex last[each];
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        const u64 v = first + k * blockDim.x + threadIdx.x;
        above[k] = v < vertices ? CachedDevice::load(links + v) : top;
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        next[k] = above[k] == top ? top : CachedDevice::load(links + above[k]);
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        last[k] =
            next[k] == above[k] || next[k] == top ? next[k] : CachedDevice::load(links + next[k]);
      }
#pragma unroll
      for (u32 k = 0; k < each; ++k) {
        if (last[k] == above[k]) continue;
        const Vertex v = static_cast<Vertex>(first + k * blockDim.x + threadIdx.x);
        Device::store(links + v, last[k]);
        if (last[k] != next[k]) settle<kLabelSteps>(links, v, top, tally);
      }
    });
  }
};

// Every vertex gets its root. No thread hooks meanwhile, and only its own thread writes a vertex's
// link. So each thread finds the root of the largest tree once, and leaves that path as it is: to
// shorten it could put an older link over a label that another thread has written already.
SKERRY_INLINE void flatten_all(Vertex* links, u64 vertices, const u64* state, Tally& tally) {
  const Vertex largest = state[kLargest] == 0 ? 0 : largest_root(state);
  const Vertex top = find_end<kUnbounded>(links, largest, 0, tally);
  run_over_vertices(vertices, FlatLinks{links, vertices, top, tally});
}

// The last pass: the same, unless the input is invalid.
SKERRY_INLINE void label_all(Vertex* links, u64 vertices, u64* state) {
  if (mark_invalid(links, vertices, state)) return;
  Tally tally(state);
  flatten_all(links, vertices, state, tally);
}

}  // namespace skerry
