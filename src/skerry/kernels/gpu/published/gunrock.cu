// Gunrock's connected components over an edge list: Soman's rounds, over filtered frontiers. After
// a round, the edges that still join two components are copied to a new list, and only those are
// looked at in the next; representatives are not in the list of vertices that jump. See
// representatives.h for the steps and their departures.
//
// Wang et al., "Gunrock: a high-performance graph processing library on the GPU" (PPoPP 2016), as
// in Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2. Departures: a representative
// is hooked in a later round and must jump then. So the list, once made, is kept, and takes in the
// vertices that cease to be representatives. Edges are filtered after the jumping, not before it,
// when those just hooked would still seem to join two components: before it with filter=letter.
//
// state[kFront] counts the edges kept, state[kBack] the vertices that jump.
#include "gpu/grid.h"
#include "gpu/published/representatives.h"
#include "gpu/worklist.h"

namespace skerry {

// Edges kept by the round before.
struct KeptEdges {
  const Vertex* u;
  const Vertex* v;
  SKERRY_INLINE Ends operator[](u64 i) const { return {u[i], v[i]}; }
};

template <class List>
SKERRY_INLINE void filter_frontier(const List& list, u64 count, const Vertex* parent,
                                   Vertex* kept_u, Vertex* kept_v, u64* state) {
  for_each_thread(count, [&](u64 i) {
    const Ends ends = list[i];
    if (parent[ends.u] == parent[ends.v]) return;
    const u64 position = reserve_slot(state + kFront);
    kept_u[position] = ends.u;
    kept_v[position] = ends.v;
  });
}

extern "C" __global__ void hook_all_edges(const Id* source, const Id* target, u64 source_step,
                                          u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                          u64* state) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  for_each_thread(edges, [&](u64 i) {
    const Representatives roots = representatives_of(parent, list[i]);
    if (!roots.same()) hook_representatives(parent, roots, tally);
  });
}

// All vertices jump after the first hooking; those that are not representatives are listed.
extern "C" __global__ void jump_and_list(Vertex* parent, u64 vertices, u64* state,
                                         Vertex* members) {
  Tally tally(state);
  for_each_thread(vertices, [&](u64 i) {
    const Vertex v = static_cast<Vertex>(i);
    if (jump_to_representative(parent, v, tally) != v) members[reserve_slot(state + kBack)] = v;
  });
}

extern "C" __global__ void hook_kept_edges(const Vertex* u, const Vertex* v, u64 edges,
                                           Vertex* parent, u64* state, Vertex* members) {
  const KeptEdges list{u, v};
  Tally tally(state);
  for_each_thread(edges, [&](u64 i) {
    const Representatives roots = representatives_of(parent, list[i]);
    if (!roots.same() && hook_representatives(parent, roots, tally)) {
      members[reserve_slot(state + kBack)] = roots.high;
    }
  });
}

extern "C" __global__ void jump_members(Vertex* parent, u64* state, const Vertex* members) {
  Tally tally(state);
  for_each_thread(state[kBack], [&](u64 i) { jump_to_representative(parent, members[i], tally); });
}

extern "C" __global__ void filter_all_edges(const Id* source, const Id* target, u64 source_step,
                                            u64 target_step, u64 vertices, u64 edges,
                                            const Vertex* parent, u64* state, Vertex* kept_u,
                                            Vertex* kept_v) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  filter_frontier(list, edges, parent, kept_u, kept_v, state);
}

extern "C" __global__ void filter_kept_edges(const Vertex* u, const Vertex* v, u64 edges,
                                             const Vertex* parent, u64* state, Vertex* kept_u,
                                             Vertex* kept_v) {
  filter_frontier(KeptEdges{u, v}, edges, parent, kept_u, kept_v, state);
}

}  // namespace skerry
