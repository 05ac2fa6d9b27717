// Graft and shortcut: Algorithms 1 (CC) and 2 (CC-updt) of Cong & Muzio, "Fast Parallel Connected
// Components Algorithms on GPUs" (2014), sect. 2 and 4. See cpu/published/graft.h for what a
// round is, graft.cpp there for why no cycle can arise. The labels are the smallest members.
//
// Departures: each edge is looked at both ways (as in the paper's own code), and a root that is
// grafted several times in a round goes to the smallest of its new parents, not to the last one
// stored. Thereby rounds are few whatever the graph and the order: let v be a root and w a larger
// one that an edge joins to it. After the round w's new root is v, or smaller than v, and then the
// next round grafts v. So in two rounds every root grows or goes, and at most half of those that
// share a component with others are left. By plain stores a hub may win one neighbor a round: that
// is the letter, keep=last, which the host ends after some rounds (graft.py). Of the two stores of
// a root the lost one is made up for by the next round, which looks at every edge again.
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/published/edge_copy.h"
#include "gpu/published/graft.h"

namespace skerry {

template <class Edges>
SKERRY_INLINE void graft_parents(const Edges& edges, u64 count, Vertex* parent, u64 keep_last,
                                 u64* state) {
  Tally tally(state);
  bool grafted = false;
  for_each_thread(count, [&](u64 i) {
    const Ends ends = edges[i];
    if (ends.u == ends.v) return;
    const Vertex a = Device::load(parent + ends.u);
    const Vertex b = Device::load(parent + ends.v);
    grafted |= graft(parent, a, b, keep_last, tally);
  });
  if (grafted) set_changed(state);
}

// Algorithm 1, over the input and over an own copy.
extern "C" __global__ void graft_edges(const Id* source, const Id* target, u64 source_step,
                                       u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                       u64* state, u64 keep_last) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  graft_parents(list, edges, parent, keep_last, state);
}

extern "C" __global__ void graft_own(const Vertex* own_source, const Vertex* own_target, u64 count,
                                     Vertex* parent, u64* state, u64 keep_last) {
  graft_parents(OwnEdges{own_source, own_target}, count, parent, keep_last, state);
}

// Algorithm 2: the ends of the own copy are roots themselves.
extern "C" __global__ void graft_ends(const Vertex* own_source, const Vertex* own_target, u64 count,
                                      Vertex* parent, u64* state, u64 keep_last) {
  const OwnEdges own{own_source, own_target};
  Tally tally(state);
  bool grafted = false;
  for_each_thread(count, [&](u64 i) {
    const Ends ends = own[i];
    grafted |= graft(parent, ends.u, ends.v, keep_last, tally);
  });
  if (grafted) set_changed(state);
}

// As published: every step is stored, so threads at work on one path double each other's steps.
// Only its own thread writes the parent of a vertex, and no thread that of a root.
extern "C" __global__ void shortcut(Vertex* parent, u64 vertices, u64* state) {
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    Vertex above = Device::load(parent + v);
    for (Vertex next; (next = Device::load(parent + above)) != above; above = next) {
      Device::store(parent + v, next);
      tally.step();
    }
    tally.end_find();
  });
}

}  // namespace skerry
