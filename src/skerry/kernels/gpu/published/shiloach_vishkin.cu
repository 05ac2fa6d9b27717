// Shiloach & Vishkin, "An O(log n) Parallel Connectivity Algorithm" (J. Algorithms 1982), over an
// edge list or an own copy of it, a launch a phase. See cpu/published/shiloach_vishkin.h for the
// four phases of a round and for why no cycle can arise; a launch ends before the next begins,
// which is all that argument needs. The labels are roots, but not always the smallest members.
//
// "Not stagnant" is a stamp with the number of the round, the paper's Q: so nothing is reset
// between rounds. Departures: Q says both "is no star" and "something was hooked onto it"; one jump
// a round instead of two (jumps=2: the second begins the round, where it shortens the trees that
// phase 1 looks at and keeps what cpu/published/shiloach_vishkin.h needs); parents change in place.
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/published/edge_copy.h"
#include "gpu/tally.h"

namespace skerry {

// Many threads stamp the same root; a load is cheaper than a store.
SKERRY_INLINE void stamp(u32* stamps, Vertex root, u32 round) {
  if (Device::load(stamps + root) != round) Device::store(stamps + root, round);
}

template <class Edges>
SKERRY_INLINE void hook_smaller(const Edges& edges, u64 count, Vertex* parent, u32* stamps,
                                u32 round, u64* state) {
  Tally tally(state);
  bool hooked = false;
  for_each_thread(count, [&](u64 i) {
    const Ends ends = edges[i];
    if (ends.u == ends.v) return;
    const Vertex a = Device::load(parent + ends.u);
    const Vertex b = Device::load(parent + ends.v);
    if (a == b) return;
    const Vertex larger = a > b ? a : b;
    const Vertex smaller = a > b ? b : a;
    if (Device::load(parent + larger) != larger) return;
    Device::store(parent + larger, smaller);
    stamp(stamps, smaller, round);
    tally.hooked();
    hooked = true;
  });
  if (hooked) set_changed(state);
}

template <class Edges>
SKERRY_INLINE void hook_stars(const Edges& edges, u64 count, Vertex* parent, const u32* stamps,
                              u32 round, u64* state) {
  Tally tally(state);
  bool hooked = false;
  const auto hook = [&](Vertex root, Vertex onto) {
    if (stamps[root] == round || Device::load(parent + root) != root) return false;
    Device::store(parent + root, onto);
    tally.hooked();
    return true;
  };
  for_each_thread(count, [&](u64 i) {
    const Ends ends = edges[i];
    if (ends.u == ends.v) return;
    const Vertex a = Device::load(parent + ends.u);
    const Vertex b = Device::load(parent + ends.v);
    if (a != b) hooked |= hook(a, b) || hook(b, a);
  });
  if (hooked) set_changed(state);
}

// Once a run; rounds are numbered from 1.
extern "C" __global__ void clear_stamps(u32* stamps, u64 vertices) {
  for_each_thread(vertices, [&](u64 v) { stamps[v] = 0; });
}

// Phase 1. Stamps count at roots only; a tree that is no star has a vertex two steps below its
// root.
extern "C" __global__ void mark_stars(const Vertex* parent, u64 vertices, u32* stamps, u64 round) {
  for_each_thread(vertices, [&](u64 v) {
    const Vertex above = parent[v];
    const Vertex top = parent[above];
    if (above != top) stamp(stamps, top, static_cast<u32>(round));
  });
}

// Phase 2.
extern "C" __global__ void hook_smaller_edges(const Id* source, const Id* target, u64 source_step,
                                              u64 target_step, u64 vertices, u64 edges,
                                              Vertex* parent, u64* state, u32* stamps, u64 round) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  hook_smaller(list, edges, parent, stamps, static_cast<u32>(round), state);
}

extern "C" __global__ void hook_smaller_own(const Vertex* own_source, const Vertex* own_target,
                                            u64 count, Vertex* parent, u64* state, u32* stamps,
                                            u64 round) {
  const OwnEdges own{own_source, own_target};
  hook_smaller(own, count, parent, stamps, static_cast<u32>(round), state);
}

// Phase 3.
extern "C" __global__ void hook_stars_edges(const Id* source, const Id* target, u64 source_step,
                                            u64 target_step, u64 vertices, u64 edges,
                                            Vertex* parent, u64* state, const u32* stamps,
                                            u64 round) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  hook_stars(list, edges, parent, stamps, static_cast<u32>(round), state);
}

extern "C" __global__ void hook_stars_own(const Vertex* own_source, const Vertex* own_target,
                                          u64 count, Vertex* parent, u64* state, const u32* stamps,
                                          u64 round) {
  const OwnEdges own{own_source, own_target};
  hook_stars(own, count, parent, stamps, static_cast<u32>(round), state);
}

// Phase 4.
extern "C" __global__ void jump_once(Vertex* parent, u64 vertices, u64* state) {
  bool jumped = false;
  for_each_thread(vertices, [&](u64 v) {
    const Vertex above = Device::load(parent + v);
    const Vertex next = Device::load(parent + above);
    if (next == above) return;
    Device::store(parent + v, next);
    jumped = true;
  });
  if (jumped) set_changed(state);
}

}  // namespace skerry
