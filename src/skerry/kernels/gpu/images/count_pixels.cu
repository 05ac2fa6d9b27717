// What labels of images tell of components: how many pixels they have, and which is the first.
#include "gpu/grid.h"
#include "gpu/memory.h"

namespace skerry {

// Adds the pixels of each label to sizes[image * size + label - 1]: one addition for a run of equal
// labels in a warp.
extern "C" __global__ void count_pixels(const Id* labels, u64 size, u64 total, u32* sizes) {
  for_each_warp((total + kLanes - 1) / kLanes, [&](u64 group) {
    const u64 i = group * kLanes + lane();
    const u64 own = i < total && labels[i] != 0 ? i / size * size + labels[i] : 0;
    const u64 before = __shfl_up_sync(kAllLanes, own, 1);
    const bool starts = lane() == 0 || own != before;
    const u32 later = __ballot_sync(kAllLanes, starts) & ~lanes_before(kAllLanes) & ~(1u << lane());
    const u32 end = later == 0 ? kLanes : highest(later & (~later + 1));
    if (starts && own != 0) atomicAdd(sizes + own - 1, end - lane());
  });
}

extern "C" __global__ void write_sizes(const Id* labels, u64 size, u64 total, const u32* sizes,
                                       u32* counts) {
  for_each_thread(total, [&](u64 i) {
    counts[i] = labels[i] == 0 ? 0 : sizes[i / size * size + labels[i] - 1];
  });
}

// Writes the first pixel of each label to first[label - 1], which is 0 before, as ~pixel.
extern "C" __global__ void find_first(const Id* labels, u64 total, Vertex* first) {
  for_each_thread(total, [&](u64 i) {
    const Id own = labels[i];
    if (own == 0 || (i != 0 && labels[i - 1] == own)) return;
    const Vertex pixel = ~static_cast<Vertex>(i);
    if (relaxed_load(first + own - 1) < pixel) atomicMax(first + own - 1, pixel);
  });
}

extern "C" __global__ void write_first(const Id* labels, u64 total, const Vertex* first,
                                       Vertex* parent) {
  for_each_thread(total, [&](u64 i) {
    parent[i] = labels[i] == 0 ? static_cast<Vertex>(i) : ~first[labels[i] - 1];
  });
}

}  // namespace skerry
