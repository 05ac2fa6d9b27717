// Hooks the two ends of every edge of a list, or of a range of it, a thread an edge.
// SKERRY_JUMP names what a find does to its path.
#include "common/union_find.h"
#include "gpu/edges.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

extern "C" __global__ void hook_edges(const Id* source, const Id* target, u64 source_step,
                                      u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                      u64* state, u64 first, u64 count) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  for_each_thread(count, [&](u64 i) {
    const Ends ends = list[first + i];
    if (ends.u != ends.v) unite<SKERRY_JUMP, Device>(parent, ends.u, ends.v, tally);
  });
}

}  // namespace skerry
