// The links of the smallest vertices, as a block saw them when it began.
#pragma once

#include "gpu/own/walk.h"

namespace skerry {

// Links lead downwards and large trees have small roots, so most paths end here, and their last
// steps need no load of the few words that all other blocks load too.
class LowestLinks {
 public:
  // By all threads of a block, before the first join.
  SKERRY_INLINE void copy(const Vertex* links, u64 vertices) {
    __shared__ Vertex table[kCount];
    table_ = table;
    for (u32 v = threadIdx.x; v < kCount && v < vertices; v += blockDim.x) {
      table[v] = Device::load(links + v);
    }
    __syncthreads();
  }

  SKERRY_INLINE void join(Vertex* links, Vertex a, Vertex b, Vertex& stop, Tally& tally) const {
    a = find(links, a, stop, tally);
    b = find(links, b, stop, tally);
    // What the copy says may be outdated: then the plain join looks again.
    if (a != b) skerry::join(links, a, b, stop, tally);
  }

 private:
  static constexpr u32 kCount = 256;

  // The end of v's path, as far as the copy knows it.
  SKERRY_INLINE Vertex find(Vertex* links, Vertex v, Vertex stop, Tally& tally) const {
    v = find_first(links, v, tally, [&](Vertex here) { return here == stop || here < kCount; });
#pragma unroll 1
    for (u32 steps = 0; v < kCount && table_[v] != v && steps < 64; ++steps) v = table_[v];
    return v;
  }

  const Vertex* table_;
};

}  // namespace skerry
