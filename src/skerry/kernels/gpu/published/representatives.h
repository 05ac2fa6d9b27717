// Hooking of representatives and multiple pointer jumping: the two steps of Soman's algorithm and
// of those that follow it (Soman, Kishore & Narayanan, "A fast GPU algorithm for graph
// connectivity", IPDPSW 2010; Jaiganesh & Burtscher 2018, sect. 2). A round hooks first and jumps
// then, each in a launch of its own: where a round begins, every vertex points to its
// representative.
//
// Departures:
//   - Soman hooks by plain stores, of which any may stay, and alternates between the smaller below
//     the larger and the larger below the smaller. Here the larger always goes below the smaller,
//     and of several offers the smallest stays. So parent[v] <= v, and labels are smallest members.
//     It also keeps the rounds few whatever the order of the edges: their number is O(log^2 n)
//     where threads keep step (Liu & Tarjan, "Simple concurrent labeling algorithms for connected
//     components", SOSA 2019, algorithm S). If any offer may stay, a star with its hub last may
//     take n rounds.
//   - Multiple pointer jumping walks a path to its end and then again, to point all of it there.
//     One round of hooking can build a path of n, which every one of its vertices would walk. Here
//     a walk halves what it walks, so that others find it shorter, and only the vertex that it
//     began at is pointed to the end; in the end all are. Vertices are best taken in ascending
//     order: what they point to is smaller, and flat already but for what runs at the same time.
//
// Why races are harmless. In a hooking launch only pointers of vertices change that were
// representatives when it began, and only to others of these; a pointer may be moved again to a
// smaller one. The link that is lost then belongs to an edge that was not yet found to be inside a
// component in this round: it is looked at again in the next.
#pragma once

#include "gpu/edges.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

struct Representatives {
  Vertex low;
  Vertex high;
  SKERRY_INLINE bool same() const { return low == high; }
};

// What the ends of an edge point to, the smaller first.
SKERRY_INLINE Representatives representatives_of(const Vertex* parent, Ends ends) {
  const Vertex a = Device::load(parent + ends.u);
  const Vertex b = Device::load(parent + ends.v);
  return a < b ? Representatives{a, b} : Representatives{b, a};
}

// Offers the smaller of two representatives to the larger as its parent. Whether it was the first
// offer, so that the larger ceases to be a representative now.
SKERRY_INLINE bool hook_representatives(Vertex* parent, Representatives of, Tally& tally) {
  // Most offers come too late; a load is cheaper than an atomic on a contended word.
  if (Device::load(parent + of.high) <= of.low) return false;
  if (atomicMin(parent + of.high, of.low) != of.high) return false;
  tally.hooked();
  return true;
}

// Makes v point to its representative and returns it. No thread hooks meanwhile. Other vertices are
// advanced only if they are unchanged since they were read, as they may already point to the end.
SKERRY_INLINE Vertex jump_to_representative(Vertex* parent, Vertex v, Tally& tally) {
  const Vertex first = Device::load(parent + v);
  Vertex previous = v;
  Vertex here = first;
  for (Vertex next; (next = Device::load(parent + here)) != here; here = next) {
    Device::compare_and_swap(parent + previous, here, next);
    previous = here;
    tally.step();
  }
  if (here != first) Device::store(parent + v, here);
  tally.end_find();
  return here;
}

}  // namespace skerry
