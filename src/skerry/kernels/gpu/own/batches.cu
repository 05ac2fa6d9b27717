// What a forest that edges are added to needs beside the kernels of stream.cu, which join a batch:
// new vertices, flat trees, and finds that change nothing. See union_find/device_forest.py.
#include "gpu/edges.h"
#include "gpu/grid.h"
#include "gpu/own/final_links.h"
#include "gpu/own/largest_tree.h"

namespace skerry {

// The vertices from `begin` on are alone.
extern "C" __global__ void extend_links(Vertex* links, u64 begin, u64 end) {
  for_each_thread(end - begin, [&](u64 i) { links[begin + i] = static_cast<Vertex>(begin + i); });
}

// Faults and counts of the batch before are forgotten; the largest tree is not. By one block.
extern "C" __global__ void begin_batch(u64* state) {
  for (u32 i = threadIdx.x; i < kStateWords; i += blockDim.x) {
    if (i != kLargest) state[i] = 0;
  }
}

// Points every vertex to its root, whether or not an id of the batch was out of range: such an edge
// is left out, and the trees are those of all others.
extern "C" __global__ void flatten_links(Vertex* links, u64 vertices, u64* state) {
  Tally tally(state);
  flatten_all(links, vertices, state, tally);
}

// Of flat trees, the largest; none where a sample shows none. By one block.
extern "C" __global__ void find_largest_tree(const Vertex* links, u64 vertices, u64* state) {
  if (threadIdx.x == 0) relaxed_store(state + kLargest, u64{0});
  __syncthreads();
  find_largest(vertices, state, kLargeShare, kAnyOthers, [&](Vertex v) { return links[v]; });
}

// The roots of vertices, for batches that are not being joined at the same time. One that is out of
// range is a fault, and its root is 0.
extern "C" __global__ void find_roots(const Vertex* links, u64 vertices, const Id* ids, u64 step,
                                      u64 count, Vertex* roots, u64* state) {
  for_each_thread(count, [&](u64 i) {
    const Id id = ids[i * step];
    if (id >= vertices) {
      report(state, kSourceOutOfRange, i);
      roots[i] = 0;
      return;
    }
    Vertex v = static_cast<Vertex>(id);
    for (Vertex next; (next = links[v]) != v;) v = next;
    roots[i] = v;
  });
}

}  // namespace skerry
