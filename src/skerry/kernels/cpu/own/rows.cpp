// "rows": skerry's solver for the rows of a CSR, in stages.
//
//   link     every vertex is linked with its first neighbor, if that is smaller
//   sample   how large is the largest tree, and is it about to grow?
//   flatten  every vertex gets its root, so that members of the largest tree are known by one load
//   skip     all rows but those of the largest tree; each is left when its vertex joins that tree
//   join     or, if no tree is large: all remaining entries, in one direction if each has its
//            reverse
//   finish   every vertex gets its root
//
// After Afforest (Sutton, Ben-Nun & Barak 2018) and ECL-CC (Jaiganesh & Burtscher 2018).
// Departures from Afforest: the first round needs no find and no atomic (first_neighbor.h). There
// is no second round: where second neighbors would make one tree large, so do the first rows that
// are read (hook_outside.h), and later ones are left early. Where they would not, entries are
// joined as ECL-CC does it, in the faster of two ways (join_faster.h). The parent array decides,
// by a sample of the trees that first links have made; choices force a decision.
#include "cpu/own/decisions.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/kernels.h"
#include "cpu/own/sample.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

template <class Vertex>
void flatten(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const char* name) {
  finish_ordered(context, graph.vertices, parent);
  context.end_phase(name);
}

template <class Vertex>
Sample<Vertex> take_sample(Context& context, const CsrView<Vertex>& graph, const Vertex* parent) {
  const Sample<Vertex> sample = sample_trees(context, graph, parent);
  if (context.counting) {
    std::vector<Measured>& measured = context.statistics.measured;
    measured.push_back({"largest tree", sample.share});
    measured.push_back({"touching it", sample.touching});
    measured.push_back({"joining degree", sample.joining});
  }
  context.end_phase("sample");
  return sample;
}

template <class Vertex>
bool pays_to_skip(const Sample<Vertex>& sample, Remaining rest) {
  if (rest != Remaining::kAuto) return rest == Remaining::kSkip;
  return sample.share >= kLarge || sample.touching >= kTouching || sample.joining >= kJoiningDegree;
}

// Whether the rows of the largest tree are to be left out. Then trees are flat.
template <class Vertex>
bool skips(Context& context, const CsrView<Vertex>& graph, Vertex* parent, Remaining rest,
           Vertex& largest) {
  if (rest == Remaining::kJoin) return false;
  Sample<Vertex> sample = take_sample(context, graph, parent);
  const bool deep = sample.unended > kLarge;  // as where ids are in order: nothing is known yet
  bool skips = pays_to_skip(sample, rest);
  if (deep || skips) flatten(context, graph, parent, "flatten");
  if (deep) {
    sample = take_sample(context, graph, parent);
    skips = pays_to_skip(sample, rest);
  }
  largest = sample.largest;
  while (parent[largest] != largest) largest = parent[largest];  // if its walk did not end
  return skips;
}

}  // namespace

template <class Vertex>
void rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  const bool symmetric = options.flag("one_direction");
  RowCheck<Vertex> check(context, graph, FindOrder{symmetric, kOrderFrom});
  init_first(context, graph, check, parent);
  context.end_phase("link first neighbors");
  if (graph.entries() == 0) return;  // all vertices are roots
  Vertex largest = 0;
  // Right only if every entry has its reverse.
  if (symmetric &&
      skips(context, graph, parent, static_cast<Remaining>(options.count("rest", 0)), largest)) {
    const bool any = hook_outside(context, graph, largest, parent);
    context.end_phase("skip the largest");
    if (!any) return;  // all vertices point to their roots already
  } else {
    const Join join = static_cast<Join>(options.count("join", 0));
    with_entries(context, symmetric,
                 [&]<Entries kEntries>() { join_faster<kEntries>(context, graph, parent, join); });
    context.end_phase("join rows");
  }
  flatten(context, graph, parent, "finish");
}

template void rows(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void rows(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
