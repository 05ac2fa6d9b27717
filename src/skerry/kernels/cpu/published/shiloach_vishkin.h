// Shiloach & Vishkin, "An O(log n) Parallel Connectivity Algorithm" (J. Algorithms 1982), over an
// edge list, bulk-synchronous; and the same with the update step (SV-updt) of Cong & Muzio, "Fast
// Parallel Connected Components Algorithms on GPUs" (2014), sect. 5.
//
// A round has four phases, each ended by all threads before the next begins:
//   1. stars: a tree whose members all point to its root is marked stagnant, at its root;
//   2. conditional hooking: a root with a neighbor whose parent is smaller is hooked onto that
//      parent, which is marked as not stagnant;
//   3. unconditional hooking: a root that still is one and still is marked stagnant is hooked onto
//      the parent of any neighbor outside its tree;
//   4. jump: every vertex points to the parent of its parent, once.
// The last round changes nothing; then every vertex points to its root. The labels are roots, but
// because of phase 3 not always the smallest members.
//
// Why races are harmless. Two threads that hook the same root do so by plain stores; either one is
// a right link, and the lost one is found again in the next round. No cycle can arise:
//   - Where a round begins, parent[p] <= p for every p that has children. Phase 2 hooks a root
//     onto a smaller vertex that has children or is a root itself, so it keeps this, and from
//     there the path only descends.
//   - No two stagnant trees are adjacent after phase 2: both were stars in phase 1, so the edge
//     between them showed phase 2 both roots, and it hooked the larger. Hence phase 3 hooks onto
//     trees that it does not hook themselves, and nothing onto those that it hooks.
//   - A root that phase 3 hooks may get a larger parent, but it was the root of a star: phase 4
//     takes all its children away and, as nothing was hooked onto it, leaves it none. So the first
//     statement holds again.
// In place, phases 2 to 4 may see what others have written in the same phase; a jump then goes
// further than one step, and a hook goes to a vertex that is nearer to the root.
//
// Departures: the round stamps Q of the paper are one byte a vertex, which is both "is a star" and
// "nothing was hooked onto it"; one jump a round instead of two; labels change in place.
//
// Options: jumps (1): with 2 a round begins with a jump too. It only moves vertices up their own
// tree, so what holds where a round begins still does; phase 1 then finds more stars.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/published/rounds.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void shiloach_vishkin(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* labels, const Options& options);

template <class Vertex>
void shiloach_vishkin_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                           Vertex* labels, const Options& options);

// The same from where `parent` stands: every vertex must point to its root.
template <class Vertex>
void join_by_hooking(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                     Vertex* parent, const Options& options);

template <class Vertex>
void join_by_hooking_updt(Context& context, EdgeCopy<Vertex>& edges, std::uint64_t vertices,
                          Vertex* parent, const Options& options);

}  // namespace skerry
