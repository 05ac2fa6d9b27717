// Groute's two hooks of a segment of the edge list. See algorithms/gpu/groute.py for the order in
// which they are launched.
//
// Ben-Nun, Sutton, Pai & Pingali, "Groute: an asynchronous multi-GPU programming model for
// irregular computations" (PPoPP 2017), and the program's samples/cc, read for facts. Departure:
// its plain loads and stores, which race, are relaxed accesses here, or block-scope ones with
// loads=plain (SKERRY_LOADS, memory.h). The program takes 0.97 times as long on average over 17
// graphs on an H200, with loads=plain 1.09 (benchmarks/docs/originals.md).
//
// A single segment without a giant tree is slow, by the program's own rule: a ring with chords of
// 2^23 vertices and 4 edges a vertex takes 59 ms, 98 % in hook_segment (H200). After hook_once
// there are a million small trees, and a fifth of all edges swap at one word, the root next to the
// last one (simulated). Looking before swapping takes 19 ms, segments of n/2 edges (cut=paper) 1.3.
#include "gpu/edges.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

#define SKERRY_SEGMENT_PARAMETERS                                                                \
  const Id *source, const Id *target, u64 source_step, u64 target_step, u64 vertices, u64 edges, \
      Vertex *parent, u64 *state, u64 first, u64 count
#define SKERRY_SEGMENT                                               \
  EdgeList {                                                         \
    source, target, source_step, target_step, vertices, edges, state \
  }

// The first round, when every vertex is its own parent: of several stores to a vertex any may stay.
extern "C" __global__ void hook_once(SKERRY_SEGMENT_PARAMETERS) {
  const EdgeList list = SKERRY_SEGMENT;
  Tally tally(state);
  for_each_thread(count, [&](u64 i) {
    const Ends ends = list[first + i];
    if (ends.u == ends.v) return;
    const Vertex high = ends.u > ends.v ? ends.u : ends.v;
    const Vertex low = ends.u > ends.v ? ends.v : ends.u;
#ifdef SKERRY_COUNTING
    if (atomicExch(parent + high, low) == high) tally.hooked();
#else
    Device::store(parent + high, low);
#endif
  });
}

// Trees are flat when it begins, so a path within a segment comes only from hooks of that segment.
extern "C" __global__ void hook_segment(SKERRY_SEGMENT_PARAMETERS) {
  const EdgeList list = SKERRY_SEGMENT;
  Tally tally(state);
  for_each_thread(count, [&](u64 i) {
    const Ends ends = list[first + i];
    if (ends.u == ends.v) return;
    Vertex a = SKERRY_LOADS::load(parent + ends.u);
    Vertex b = SKERRY_LOADS::load(parent + ends.v);
    while (a != b) {
      const Vertex high = a > b ? a : b;
      const Vertex low = a > b ? b : a;
      const Vertex seen = Device::compare_and_swap(parent + high, high, low);
      if (seen == high) tally.hooked();
      if (seen == high || seen == low) break;
      a = SKERRY_LOADS::load(parent + seen);
      b = SKERRY_LOADS::load(parent + low);
      tally.step();
    }
    tally.end_find();
  });
}

}  // namespace skerry
