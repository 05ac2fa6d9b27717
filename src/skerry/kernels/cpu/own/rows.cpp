// "rows": skerry's solver for the rows of a CSR, in stages.
//
//   link     every vertex is linked with its first neighbor, if that is smaller
//   flatten  every vertex gets its root, unless trees are small
//   sample   how large is the largest tree, and what would make it larger?
//   grow     where it is not large yet, one of: sweep up what touches it; grow a seed and sweep up
//            what touches that, if the diameter is low; link second neighbors outside it
//   skip     leaves out the rows of the largest tree, if it holds much of the graph
//   join     else: all remaining entries, in one direction if each has its reverse
//   finish   every vertex gets its root
//
// After Afforest (Sutton, Ben-Nun & Barak 2018), ECL-CC (Jaiganesh & Burtscher 2018) and Multistep
// (Slota, Rajamanickam & Madduri 2014). Departures from Afforest: the first round needs no find and
// no atomic (first_neighbor.h); the second leaves out what the largest tree has, and is one of
// three ways to make a tree large, taken only if a sample of the trees made so far speaks for it.
// Where no tree is large after all, the rest is joined as ECL-CC does it, in the faster of two ways
// (join_faster.h). What to do is decided between stages, by the parent array and that sample;
// every decision can be forced by a choice.
#include <algorithm>

#include "cpu/own/bitmap.h"
#include "cpu/own/decisions.h"
#include "cpu/own/first_neighbor.h"
#include "cpu/own/grow.h"
#include "cpu/own/hook_outside.h"
#include "cpu/own/join_faster.h"
#include "cpu/own/kernels.h"
#include "cpu/own/pair_window.h"
#include "cpu/own/sample.h"
#include "cpu/own/sweep.h"
#include "cpu/passes/ordered_finish.h"

namespace skerry {

namespace {

template <class Vertex>
class RowSolver {
 public:
  RowSolver(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options)
      : context_(context),
        graph_(graph),
        parent_(parent),
        symmetric_(options.flag("one_direction")),
        grow_(static_cast<Grow>(options.count("grow", 0))),
        rest_(static_cast<Rest>(options.count("rest", 0))),
        join_(static_cast<Join>(options.count("join", 0))),
        check_(context, graph, FindOrder{symmetric_, kOrderFrom}) {}

  void run() {
    trees_ = init_first(context_, graph_, check_, parent_);
    context_.end_phase("link first neighbors");
    if (graph_.entries() == 0) return;  // all vertices are roots
    if (skips()) {
      const bool any = hook_outside(context_, graph_, largest_, parent_);
      context_.end_phase("skip the largest");
      if (!any && flat_) return;  // all vertices point to their roots already
    } else {
      with_entries(context_, symmetric_, [&]<Entries kEntries>() {
        join_faster<kEntries>(context_, graph_, parent_, join_);
      });
      context_.end_phase("join rows");
    }
    flatten("finish");
  }

 private:
  // Makes one tree large, if that pays; whether the rows of the largest are to be left out.
  bool skips() {
    // Right only if every entry has its reverse. To join all rows needs no sample.
    if (!symmetric_ || (rest_ == Rest::kJoin && grow_ <= Grow::kNone)) return false;
    if (trees_ * kSmallTree <= graph_.vertices) flatten("flatten");
    sample();
    if (!flat_ && (sample_.share >= kSmallShare || rest_ == Rest::kSkip)) {
      flatten("flatten");
      sample();
    }
    const bool large = grow();
    return rest_ == Rest::kAuto ? large : rest_ == Rest::kSkip;
  }

  // Returns whether a tree is large then.
  bool grow() {
    const bool chosen = grow_ != Grow::kAuto;
    if (chosen ? grow_ == Grow::kNone : sample_.share >= kEnough) return sample_.share >= kGiant;
    if (chosen ? grow_ == Grow::kSweep : sample_.touching >= kTouching) {
      if (!flat_) flatten("flatten");
      return sweep_tree();
    }
    const bool short_rows = graph_.entries() < kShortRows * graph_.vertices;
    const bool joining = !short_rows && sample_.joining >= kJoiningDegree;
    if (chosen ? grow_ == Grow::kSeed : joining) {
      Bitmap set(context_, graph_.vertices);
      const bool grown = grow_seed(context_, graph_, set);
      context_.end_phase("grow a seed");
      if (grown) return sweep(set);
    }
    const bool large = sample_.share >= (short_rows ? kGiant : kSmallShare);
    if (chosen ? grow_ != Grow::kSecond : !(large || joining)) return false;
    link_second();
    flatten("flatten");
    sample();
    if (!chosen && sample_.share < kEnough && sample_.touching >= kTouching) return sweep_tree();
    return sample_.share >= kGiant;
  }

  void flatten(const char* name) {
    finish_ordered(context_, graph_.vertices, parent_);
    context_.end_phase(name);
    flat_ = true;
  }

  void sample() {
    sample_ = sample_trees(context_, graph_, parent_);
    largest_ = sample_.largest;
    if (context_.counting) {
      const double trees = static_cast<double>(trees_) / static_cast<double>(graph_.vertices);
      std::vector<Measured>& measured = context_.statistics.measured;
      measured.insert(measured.end(), {Measured{"trees", trees},
                                       {"share", sample_.share},
                                       {"touching", sample_.touching},
                                       {"joining", sample_.joining}});
    }
    context_.end_phase("sample");
  }

  // Sweeps up what touches the largest tree, which is flat.
  bool sweep_tree() {
    Bitmap set(context_, graph_.vertices);
    fill_with_tree(set);
    return sweep(set);
  }

  void fill_with_tree(Bitmap& set) {
    std::uint64_t* const words = set.words();
    const Vertex* const parent = parent_;
    const Vertex root = largest_;
    for_ranges(context_, set.size(), 64, [&](std::uint64_t from, std::uint64_t to, int) {
      for (std::uint64_t w = from; w < to; ++w) {
        std::uint64_t word = 0;
        const std::uint64_t first = w * Bitmap::kBits;
        const std::uint64_t past = std::min(first + Bitmap::kBits, graph_.vertices);
        for (std::uint64_t v = first; v < past; ++v)
          word |= std::uint64_t{parent[v] == root} << (v - first);
        words[w] = word;
      }
    });
    Bitmap::add_masked(words, set.mask(), root);  // so it has a member, even if this was stopped
  }

  // Sweeps up what the set reaches soon. If its rows are to be left out then, it becomes one tree:
  // its smallest member is the root, to which all others point. What is taken from another tree
  // leaves no gap there: all of that tree is in one component, and the rows of its members outside
  // the set are read to their ends. Where rows are joined instead, first links must stay.
  bool sweep(Bitmap& set) {
    const std::uint64_t left = sweep_up(context_, graph_, check_, set);
    const bool large =
        static_cast<double>(left) < (1 - kGiant) * static_cast<double>(graph_.vertices);
    if (rest_ == Rest::kAuto ? large : rest_ == Rest::kSkip) {
      const Vertex smallest = smallest_member<Vertex>(set);
      for_each(context_, graph_.vertices, [&](std::uint64_t v) {
        if (Bitmap::has<Serial>(set.words(), v)) parent_[v] = smallest;
      });
      largest_ = smallest;
    }
    context_.end_phase("sweep");
    return large;
  }

  // Joins every vertex outside the largest tree with its second neighbor.
  void link_second() {
    const std::uint64_t last = graph_.entries() - 1;
    const Vertex highest = static_cast<Vertex>(graph_.vertices - 1);
    with_memory(context_, [&]<class Memory>() {
      with_tally(context_, [&]<class Tally>() {
        for_parts(
            context_, graph_.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
              Tally tally(context_);
              PairWindow<Memory, Vertex, Tally> window(parent_, tally);
              for (std::uint64_t v = from; v < to; ++v) {
                const auto [begin, end] = graph_.row(v);
                const Vertex u = std::min(graph_.neighbor(std::min(begin + 1, last)), highest);
                window.offer(u, static_cast<Vertex>(v),
                             (begin + 1 < end) & (Memory::load(parent_ + v) != largest_));
                if (window.full()) window.join_all();
              }
              window.join_all();
            });
      });
    });
    context_.end_phase("link second neighbors");
  }

  Context& context_;
  const CsrView<Vertex>& graph_;
  Vertex* const parent_;
  const bool symmetric_;
  const Grow grow_;
  const Rest rest_;
  const Join join_;
  RowCheck<Vertex> check_;
  std::uint64_t trees_ = 0;  // after the first links
  bool flat_ = false;        // every vertex pointed to its root once, and roots were joined since
  Sample<Vertex> sample_;
  Vertex largest_ = 0;
};

}  // namespace

template <class Vertex>
void rows(Context& context, const CsrView<Vertex>& graph, Vertex* parent, const Options& options) {
  RowSolver<Vertex>(context, graph, parent, options).run();
}

template void rows(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void rows(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
