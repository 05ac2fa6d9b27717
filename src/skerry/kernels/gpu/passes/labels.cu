// Passes over labels: the largest component so far, canonical labels, dense labels in order of
// appearance, the number of components, and invalid labels for invalid input.
#include "gpu/grid.h"
#include "gpu/own/sample.h"

namespace skerry {

extern "C" __global__ void find_largest_component(const Vertex* parent, u64 vertices, u64* state) {
  find_largest(vertices, state, [&](Vertex v) { return parent[v]; });
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

// roots[v] = 1 where v is a root: their running sum numbers the components.
extern "C" __global__ void mark_roots(const Vertex* labels, u64 vertices, Vertex* roots) {
  for_each_thread(vertices, [&](u64 v) { roots[v] = labels[v] == v ? 1 : 0; });
}

extern "C" __global__ void number_labels(const Vertex* labels, u64 vertices,
                                         const Vertex* roots_so_far, Vertex* dense) {
  for_each_thread(vertices, [&](u64 v) { dense[v] = roots_so_far[labels[v]] - 1; });
}

// Labels of invalid input are set to the maximum value (invalid).
extern "C" __global__ void invalidate_labels(Vertex* labels, u64 vertices, const u64* state) {
  if (state[kFault] == kNoFault) return;
  for_each_thread(vertices, [&](u64 v) { labels[v] = kInvalidVertex; });
}

}  // namespace skerry
