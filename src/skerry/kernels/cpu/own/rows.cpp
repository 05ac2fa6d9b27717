// "rows": skerry's solver for the rows of a CSR, in stages.
//
//   link     every vertex is linked with its first neighbor, if that is smaller
//   sample   how large is the largest tree, and would second neighbors make it so?
//   seconds  if so, some vertices are joined with their second neighbors; then a second sample
//   flatten  every vertex gets its root, so that members of the largest tree are known by one load
//   skip     all rows but those of the largest tree; each is left when its vertex joins that tree
//   join     or, if no tree is large: all remaining entries, in one direction if each has its
//            reverse
//   finish   every vertex gets its root
//
// After Afforest (Sutton, Ben-Nun & Barak 2018) and ECL-CC (Jaiganesh & Burtscher 2018).
// Departures from Afforest: the first round needs no find and no atomic (first_neighbor.h), and the
// second takes no more vertices than make one tree large (join_seconds.h). Where they would not,
// entries are joined as ECL-CC does it, in the faster of two ways (join_faster.h). The parent array
// decides, by samples of the trees; choices force a decision.
#include "cpu/own/decisions.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/join_seconds.h"
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
    measured.push_back({"joining degree", sample.joining});
  }
  context.end_phase("sample");
  return sample;
}

// Whether the rows of the largest tree are to be left out. Then trees are flat.
template <class Vertex>
bool skips(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options,
           Vertex& largest) {
  const Remaining rest = static_cast<Remaining>(options.count("rest", 0));
  const Seconds seconds = static_cast<Seconds>(options.count("seconds", 0));
  if (rest == Remaining::kJoin && seconds != Seconds::kJoin) return false;
  Sample<Vertex> sample = take_sample(context, graph, parent);
  bool flat = false;
  const auto flatten_and_sample = [&] {
    flatten(context, graph, parent, "flatten");
    sample = take_sample(context, graph, parent);
    flat = true;
  };
  if (sample.unended > kLarge) flatten_and_sample();  // as where ids are in order
  const bool grows = sample.share < kLarge && sample.joining >= kJoiningDegree;
  if (seconds == Seconds::kAuto ? grows : seconds == Seconds::kJoin) {
    const double step = std::max(sample.joining / kSecondsOfTree, 1.0);
    join_seconds(context, graph, parent, static_cast<std::uint64_t>(step));
    context.end_phase("join second neighbors");
    flatten_and_sample();
  }
  if (rest == Remaining::kAuto ? sample.share < kLarge : rest == Remaining::kJoin) return false;
  if (!flat) flatten(context, graph, parent, "flatten");
  largest = parent[sample.largest];  // a walk may have been left before its root
  return true;
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
  if (symmetric && skips(context, graph, parent, options, largest)) {
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
