// Graft and shortcut with coordinated scheduling (Schd): Cong & Makarychev, "Optimizing Large-Scale
// Graph Analysis on Multi-threaded, Multi-core Platforms" (IPDPS 2012), as described by Cong &
// Muzio, "Fast Parallel Connected Components Algorithms on GPUs" (2014), sect. 3.
//
// The same rounds as graft.h, but the accesses to the parent array are put in order first: a thread
// takes a chunk of edges, sorts the requests for the parents of their ends by block of vertices,
// answers them block by block, then sorts and performs the grafts in the same way. So every block
// comes into the cache once a chunk instead of once an access. The labels are the smallest members.
// Departures: threads order their own chunks instead of moving through the blocks together, so no
// thread waits; the shortcut, which goes through the array in order, is not scheduled.
//
// Options: block_bits (16), the binary logarithm of the vertices in a block; keep and shortcut of
// graft.h.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void scheduled_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                  Vertex* labels, const Options& options);

// The same from where `parent` stands: every vertex must point to its root, and to none above
// itself.
template <class Vertex>
void join_by_schedule(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* parent, const Options& options);

}  // namespace skerry
