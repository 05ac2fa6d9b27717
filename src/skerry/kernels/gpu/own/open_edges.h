// The edges of a list that a table of marks does not settle.
//
// Nearly all edges have both ends marked. Those that do not are spread over all warps, a few in
// each: joined where they are found, each would occupy a warp for itself. So a warp collects them
// and joins 32 at a time.
#pragma once

#include "gpu/edges.h"
#include "gpu/grid.h"

namespace skerry {

// Which vertices are marked, a bit each. Only those from `first` on are looked at, `count` of them;
// all others count as marked.
struct Marks {
  const u32* words;
  Vertex first;
  Vertex count;

  SKERRY_INLINE bool both(const Ends& ends) const {
    return (shifted(ends.u) & shifted(ends.v) & 1) != 0;
  }

 private:
  // The mark of v in the lowest bit.
  SKERRY_INLINE u32 shifted(Vertex v) const {
    const u32 word = static_cast<Vertex>(v - first) < count ? words[v / kLanes] : ~u32{0};
    return word >> (v % kLanes);
  }
};

// The edges that a warp has collected.
class OpenEdges {
 public:
  SKERRY_INLINE OpenEdges() {
    __shared__ Ends slots[kBlock / kLanes][2 * kLanes];
    slots_ = slots[threadIdx.x / kLanes];
  }

  // By all lanes. join(ends) for each of 32 edges, as soon as there are so many.
  template <class Join>
  SKERRY_INLINE void add(bool is_open, const Ends& ends, Join&& join) {
    const u32 open = __ballot_sync(kAllLanes, is_open);
    if (open == 0) return;
    const u32 before = static_cast<u32>(__popc(lanes_before(open)));
    if (is_open) slots_[size_ + before] = ends;
    size_ += static_cast<u32>(__popc(open));
    if (size_ >= kLanes) join_last(kLanes, join);
  }

  // The same for those that are left.
  template <class Join>
  SKERRY_INLINE void join_all(Join&& join) {
    join_last(size_, join);
  }

 private:
  template <class Join>
  SKERRY_INLINE void join_last(u32 count, Join&& join) {
    __syncwarp();
    size_ -= count;
    Ends ends{0, 0};
    if (lane() < count) ends = slots_[size_ + lane()];
    __syncwarp();
    if (lane() < count) join(ends);
    __syncwarp();
  }

  Ends* slots_;
  u32 size_ = 0;
};

}  // namespace skerry
