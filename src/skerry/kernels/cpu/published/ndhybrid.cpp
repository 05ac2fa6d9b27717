// Connectivity by low-diameter decomposition: decompose, contract, go on with the smaller graph,
// and carry its labels back.
//
// Shun, Dhulipala & Blelloch, "A Simple and Practical Linear-Work Parallel Algorithm for
// Connectivity" (SPAA 2014), Decomp-Arb-Hybrid. Departures: see decompose.h and contract.h. Beside
// the authors' newer code in GBBS, 18 graphs and 2 threads: 0.76 times its time on average, 0.08
// on a grid to 1.96 on as-skitter's stand-in.
#include "cpu/published/ndhybrid.h"

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/published/claim.h"
#include "cpu/published/contract.h"
#include "cpu/published/decompose.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// Recursion is as deep as there are levels: each leaves an expected 2 * beta of the edges, and at
// the least its first cluster is smaller by one vertex.
template <class Memory, class Vertex>
void label_by_contraction(Context& context, const CsrView<Vertex>& graph, double beta,
                          std::uint64_t seed, bool hashing, Vertex* labels) {
  context.statistics.rounds +=
      Decomposition<Memory, Vertex>(context, graph, beta, seed, labels).run();
  if (context.stopped()) return;
  const Contracted<Vertex> smaller = contract<Memory>(context, graph, labels, hashing);
  if (smaller.vertices == 0) return;
  const auto cluster_labels = make_scratch<Vertex>(context.scratch, smaller.vertices);
  label_by_contraction<Memory>(context, smaller.view(), beta, seed + 1, hashing,
                               cluster_labels.get());
  if (context.stopped()) return;
  for_each(context, graph.vertices, [&](std::uint64_t v) {
    const Vertex cluster = smaller.number[labels[v]];
    if (cluster != kInvalidVertex<Vertex>) labels[v] = smaller.first[cluster_labels[cluster]];
  });
}

}  // namespace

template <class Vertex>
void ndhybrid(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
              const Options& options) {
  // Slower starts would idle, faster ones leave single vertices that no contraction removes.
  const double beta = std::min(std::max(0.001, options.number("beta", 0.2)), 1.0);
  with_memory(context, [&]<class Memory>() {
    label_by_contraction<Memory>(context, graph, beta, options.count("seed", 1),
                                 options.flag("contract"), labels);
  });
}

#define SKERRY_INSTANTIATE(Vertex) \
  template void ndhybrid(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
