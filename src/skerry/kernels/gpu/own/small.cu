// Graphs so small that starting kernels takes longer than running them: all passes in one launch of
// one block. Edges are dealt to threads one by one, so no row is too long.
#include "gpu/edges.h"
#include "gpu/grid.h"
#include "gpu/own/row_search.h"
#include "gpu/own/walk.h"
#include "gpu/rows.h"

namespace skerry {

// join_edge(i, stop, tally) joins the ends of the i-th edge.
template <class JoinEdge>
SKERRY_INLINE void label_in_one_block(u64 vertices, u64 edges, Vertex* links, u64* state,
                                      JoinEdge&& join_edge) {
  Tally tally(state);
  Vertex stop = 0;
  for (u64 v = threadIdx.x; v < vertices; v += blockDim.x) links[v] = static_cast<Vertex>(v);
  __syncthreads();
  for (u64 i = threadIdx.x; i < edges; i += blockDim.x) join_edge(i, stop, tally);
  __syncthreads();
  const bool faulty = relaxed_load(state + kFault) != kNoFault;
  for (u64 v = threadIdx.x; v < vertices; v += blockDim.x) {
    if (faulty) {
      links[v] = kInvalidVertex;
    } else {
      settle(links, static_cast<Vertex>(v), 0, tally);
    }
  }
}

extern "C" __global__ void label_small_rows(const Offset* offsets, const Id* neighbors,
                                            u64 vertices, u64 entries, Vertex* links, u64* state) {
  const Rows rows{offsets, neighbors, vertices, entries, state};
  clear_words(state);
  __syncthreads();
  for (u64 v = threadIdx.x; v < vertices; v += blockDim.x) rows.row(v);  // checks all offsets
  const u64 end = offsets[vertices] < entries ? u64{offsets[vertices]} : entries;
  label_in_one_block(vertices, end, links, state, [&](u64 e, Vertex& stop, Tally& tally) {
    const u64 v = row_among(rows, 0, static_cast<Vertex>(rows.vertices), e);
    join(links, static_cast<Vertex>(v), rows.neighbor(v, e), stop, tally);
  });
}

extern "C" __global__ void label_small_edges(const Id* source, const Id* target, u64 source_step,
                                             u64 target_step, u64 vertices, u64 edges,
                                             Vertex* links, u64* state) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  clear_words(state);
  __syncthreads();
  label_in_one_block(vertices, edges, links, state, [&](u64 i, Vertex& stop, Tally& tally) {
    const Ends ends = list[i];
    join(links, ends.u, ends.v, stop, tally);
  });
}

}  // namespace skerry
