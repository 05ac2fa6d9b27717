// Passes over labels: the largest component so far, canonical labels, dense labels in order of
// appearance, the number of components, and invalid labels for invalid input.
#include "gpu/grid.h"
#include "gpu/own/largest_tree.h"

namespace skerry {

extern "C" __global__ void find_largest_component(const Vertex* parent, u64 vertices, u64* state) {
  find_largest(vertices, state, kLargeShare, kAnyOthers, [&](Vertex v) { return parent[v]; });
}

// smallest[root] becomes the smallest member of root's class; it begins as all ones.
extern "C" __global__ void find_smallest_members(const Vertex* labels, u64 vertices,
                                                 Vertex* smallest) {
  for_each_thread(vertices, [&](u64 v) {
    Vertex* const smallest_member = smallest + labels[v];
    // Few threads lower it: a load saves most of the atomics on a contended word.
    if (v < relaxed_load(smallest_member)) atomicMin(smallest_member, static_cast<Vertex>(v));
  });
}

extern "C" __global__ void fill_invalid(Vertex* array, u64 count) {
  for_each_thread(count, [&](u64 i) { array[i] = kInvalidVertex; });
}

extern "C" __global__ void relabel(Vertex* labels, u64 vertices, const Vertex* new_labels) {
  for_each_thread(vertices, [&](u64 v) { labels[v] = new_labels[labels[v]]; });
}

extern "C" __global__ void count_roots(const Vertex* labels, u64 vertices, u64* state) {
  u64 own = 0;
  for_each_thread(vertices, [&](u64 v) { own += labels[v] == v; });
  for (u32 distance = kLanes / 2; distance != 0; distance /= 2) {
    own += __shfl_down_sync(kAllLanes, own, distance);
  }
  if (lane() == 0 && own != 0) atomicAdd(state + kRoots, own);
}

constexpr u64 kStretch = 1024;  // vertices whose roots a warp numbers in one go

// For every stretch of vertices, how many roots it has.
extern "C" __global__ void count_roots_in_stretches(const Vertex* labels, u64 vertices, u64* sums) {
  for_each_warp((vertices + kStretch - 1) / kStretch, [&](u64 stretch) {
    u32 own = 0;
    for (u64 i = lane(); i < kStretch; i += kLanes) {
      const u64 v = stretch * kStretch + i;
      own += v < vertices && labels[v] == v;
    }
    const Sum sum = sum_of_warp(own);
    if (lane() == 0) sums[stretch] = sum.all;
  });
}

// Turns the counts into the number of roots before each stretch. By one block.
extern "C" __global__ void add_up_stretches(u64 vertices, u64* sums) {
  __shared__ u64 totals[kBlock];
  const u64 stretches = (vertices + kStretch - 1) / kStretch;
  const u64 begin = stretches * threadIdx.x / blockDim.x;
  const u64 end = stretches * (threadIdx.x + 1) / blockDim.x;
  u64 own = 0;
  for (u64 i = begin; i < end; ++i) own += sums[i];
  totals[threadIdx.x] = own;
  __syncthreads();
  u64 before = 0;
  for (u32 t = 0; t < threadIdx.x; ++t) before += totals[t];
  for (u64 i = begin; i < end; ++i) {
    const u64 count = sums[i];
    sums[i] = before;
    before += count;
  }
}

// The roots get the numbers 0, 1, ... in ascending order; other elements stay as they are.
extern "C" __global__ void number_roots(const Vertex* labels, u64 vertices, const u64* sums,
                                        Vertex* numbers) {
  for_each_warp((vertices + kStretch - 1) / kStretch, [&](u64 stretch) {
    u64 before = sums[stretch];
    for (u64 i = lane(); i < kStretch; i += kLanes) {
      const u64 v = stretch * kStretch + i;
      const bool is_root = v < vertices && labels[v] == v;
      const u32 roots = __ballot_sync(kAllLanes, is_root);
      const u32 lower = static_cast<u32>(__popc(lanes_before(roots)));
      if (is_root) numbers[v] = static_cast<Vertex>(before + lower);
      before += static_cast<u32>(__popc(roots));
    }
  });
}

extern "C" __global__ void number_labels(const Vertex* labels, u64 vertices, const Vertex* numbers,
                                         Vertex* dense) {
  for_each_thread(vertices, [&](u64 v) { dense[v] = numbers[labels[v]]; });
}

// sizes[i] becomes the number of vertices whose dense label is i; it begins as zeros. Where a warp
// has one label only, as most have in a large component, one lane counts for all.
extern "C" __global__ void count_members(const Vertex* dense, u64 vertices, u64* sizes) {
  for_each_warp((vertices + kLanes - 1) / kLanes, [&](u64 group) {
    const u64 v = group * kLanes + lane();
    const Vertex label = v < vertices ? dense[v] : kInvalidVertex;
    const Vertex first = __shfl_sync(kAllLanes, label, 0);
    const u32 alike = __ballot_sync(kAllLanes, label == first);
    if (lane() == 0) {
      atomicAdd(sizes + first, static_cast<u64>(__popc(alike)));
    } else if (v < vertices && label != first) {
      atomicAdd(sizes + label, u64{1});
    }
  });
}

// Labels of invalid input are set to the maximum value (invalid).
extern "C" __global__ void invalidate_labels(Vertex* labels, u64 vertices, const u64* state) {
  if (state[kFault] == kNoFault) return;
  for_each_thread(vertices, [&](u64 v) { labels[v] = kInvalidVertex; });
}

}  // namespace skerry
