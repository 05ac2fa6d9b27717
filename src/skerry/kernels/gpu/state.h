// The words of a run that kernels share with each other and with the host. algorithms/gpu/state.py
// has the same list. All are zero when a run begins, or its first kernel clears them.
#pragma once

#include "gpu/memory.h"
#include "gpu/types.h"

namespace skerry {

enum StateWord {
  kFault,          // what is wrong with the input, or kNoFault
  kFaultPosition,  // where: a row, an entry or an edge
  kChanged,        // whether a round changed anything
  kLargest,        // the root of the component that a sample shows to be the largest, plus 1; or 0
  kFront,          // length of a worklist's front side
  kBack,           // length of its back side
  kTrees,          // vertices with entries that first links have left a root: see own/links.h
  kEmpty,          // vertices without entries
  kChoice,         // where a search goes on: see published/search.cu
  kRoots,          // number of components
  kTaken,          // parts that blocks or warps have taken beside their first (grid.h), or a flag
  kFlattened,      // as kTaken, for another kernel: own/root_copy.h, passes/hook_rows.cu
  kAdjacent,       // sampled edges whose ends have adjacent ids: see own/stream.cu
  kReverseSum,     // 0 if every entry has its reverse: see own/reverses.h

  // Counts of a run with statistics: kCopies of the words that Count names.
  kCounts = 32,
  kStateWords = 544,
};

// The host combines the copies: sums, and the maximum of kLongest.
enum Count {
  kHooks,
  kFinds,
  kSteps,
  kLongest,
};

constexpr u32 kCopies = 32;
constexpr u32 kCopyWords = 16;  // a line of memory each, to avoid contention
static_assert(kStateWords == kCounts + kCopies * kCopyWords, "room for all copies");

enum Fault : u64 {
  kNoFault,
  kNeighborOutOfRange,
  kOffsetsFall,
  kOffsetOutOfRange,
  kSourceOutOfRange,
  kTargetOutOfRange,
  kFirstOffsetNotZero,
};

// By one block; the thread of that number clears a word below kBlock, and may set it after that.
SKERRY_INLINE void clear_words(u64* state) {
  for (u32 i = threadIdx.x; i < kStateWords; i += blockDim.x) state[i] = 0;
}

// Of several faults, the first to be reported is kept; it need not be the first in the input.
SKERRY_INLINE void report(u64* state, Fault fault, u64 position) {
  if (atomicCAS(state + kFault, u64{kNoFault}, u64{fault}) == kNoFault) {
    relaxed_store(state + kFaultPosition, position);
  }
}

// The root of the largest component, or kInvalidVertex.
SKERRY_INLINE Vertex largest_root(const u64* state) {
  return static_cast<Vertex>(state[kLargest] - 1);
}

// Many threads may set it; after the first, a load is enough.
SKERRY_INLINE void set_flag(u64* flag) {
  if (relaxed_load(flag) == 0) relaxed_store(flag, u64{1});
}

SKERRY_INLINE void set_changed(u64* state) {
  set_flag(state + kChanged);
}

}  // namespace skerry
