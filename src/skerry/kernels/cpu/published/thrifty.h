// Thrifty label propagation: Koohi Esfahani, Kilpatrick & Vandierendonck, "Thrifty Label
// Propagation: Fast Connected Components for Skewed-Degree Graphs" (CLUSTER 2021).
//
// Label propagation for graphs with hubs: a vertex takes the smallest label among its neighbors'
// until nothing changes. Four ideas save most of the reading:
//   - Zero planting: vertex v begins with label v + 1, the vertex of largest degree with 0. Nearly
//     all vertices of a skewed graph are few steps from it, so the label that wins arrives first.
//   - Zero convergence: 0 is the smallest label. A vertex that has it is not looked at again, and
//     a row is read up to the first neighbor that has it.
//   - Initial push: the first round only writes 0 to the neighbors of the hub; nothing is read.
//   - Unified labels: one array, so that a label may travel many steps in one round.
// The first rounds pull: all vertices without 0 read their neighbors. Once the vertices that have
// changed and their entries come to less than 1 % of the entries, rounds push: those that have
// changed offer their labels.
//
// Why no label is missed. After a pull of all vertices, v has at most the label that u had when v
// read it; so where u has a smaller one now, u has changed in this round and is in the frontier. A
// push keeps this: a vertex whose label was lowered is in the next frontier. So when a round
// changes nothing, labels are equal along all edges. The round after the initial push is a pull.
//
// Departures:
//   - The authors' code counts changes while it pulls, and lists the changed vertices in one more
//     pull once there are few. Here every pull notes them in a bitmap, so there is no such round.
//   - Worklists of pushes have no repeats (a byte a vertex is set by compare-and-swap), so they
//     have a bound; theirs may have some. A long row is shared by the team, a small frontier is
//     pushed by the calling thread alone: see spread.h.
//   - Pieces of 4096 vertices are dealt out in order, not 64 partitions of equal entries a thread.
//   - At the end labels are made the smallest members: label - 1, and for 0 the first vertex that
//     has it. That is one sweep over the labels.
// With these it takes 1.03 to 1.16 times as long as the authors' code (LaganLighter, d2730ca, built
// with -O3 -march=native) on one thread of a Neoverse-N1.
//
// Options: plant (1): 0 plants the zero at vertex 0; push_first (1): 0 leaves out the initial push;
// density (0.01): the share of the entries below which rounds push.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void thrifty(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
             const Options& options);

}  // namespace skerry
