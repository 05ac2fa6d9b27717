// Fills two columns with the edges of a Graph500 graph (common/graph500.h). The counterpart of
// cpu/graph/graph500.cpp: the same seeds give the same edges in the same order. A thread finds the
// position of its first edge by the jumps of the plan and then goes on by the stride, which is the
// number of all threads: neighboring threads write neighboring edges. The edges are those from
// number `begin` on.
#include "common/graph500.h"
#include "gpu/grid.h"

namespace skerry {

extern "C" __global__ void fill_graph500(u64 levels, const Word* words, u64 begin, u64 count,
                                         Vertex* src, Vertex* dst) {
  if (thread_number() >= count) return;
  const Graph500 graph{levels, reinterpret_cast<const Graph500Plan*>(words)};
  MrgWindow window = graph.window(begin + thread_number());
  for (u64 i = thread_number(); i < count; i += thread_count()) {
    const DrawnEdge ends = graph.edge(window);
    src[i] = static_cast<Vertex>(ends.u);
    dst[i] = static_cast<Vertex>(ends.v);
    window = window.ahead(graph.plan->stride);
  }
}

}  // namespace skerry
