// The checker's spanning forest. It shares no step with the kernels that give answers.
//
// Labels are the components of a graph exactly if (1) every edge joins equal labels and (2) the
// vertices of each label are connected. The first is looked up at every edge. For the second, edges
// that join two trees (nodes.h) are recorded: a spanning forest. By (1) each label's vertices are
// whole trees, so (2) holds exactly if there are as many trees as labels, n - k edges for k labels.
//
// Most vertices of most graphs have the same label, and soon they are in one tree. Both are marked
// in bitmaps, which stay in the caches. Two marked labels are equal. Two vertices that are marked
// as in the tree have equal labels and are joined already, so nothing else is looked at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cpu/check/access.h"
#include "cpu/check/chosen.h"
#include "cpu/check/first_fault.h"
#include "cpu/check/marks.h"
#include "cpu/check/nodes.h"
#include "cpu/check/room.h"
#include "cpu/context.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry::check {

// How ids of edges become numbers of vertices: by subtraction.
struct Shift {
  std::uint64_t low = 0;     // the id of vertex 0, as a pattern of 64 bits
  bool reject_high = false;  // ids with the highest bit set are unknown: of the other signedness
};

template <class Word>
class Forest {
 public:
  static constexpr Word kAbsent = Nodes<Word>::kAbsent;

  // Room for vertices 0..range-1.
  explicit Forest(std::uint64_t range)
      : range_(range), loops_(Bits::words(range)), next_marking_(std::max(range, kMarkFrom)) {}

  std::uint64_t range() const { return range_; }

  // All vertices, with their labels; the edges will come from rows, or not.
  template <class Label>
  void fill(Context& context, const Label* labels, bool rows = false) {
    const Word frequent = rows ? kAbsent : frequent_of(labels, range_);
    make_nodes(rows || frequent != kAbsent);
    for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
      const Nodes<Word> nodes = nodes_;
      for (std::uint64_t v = begin; v < end; ++v) {
        nodes.parent(v) = static_cast<Word>(v);
        nodes.label(v) = static_cast<Word>(labels[v]);
      }
    });
    present_ = range_;
    mark_class(context, frequent);
  }

  // Only the vertices of these ids, all of them in the range. Returns the position of an id that
  // stands there twice, or `count`.
  template <class Label, class Id>
  std::uint64_t fill(Context& context, const Label* labels, const Id* ids, std::uint64_t count,
                     std::uint64_t low) {
    const Word frequent = frequent_of(labels, count);
    make_nodes(frequent != kAbsent);
    for_each(context, range_, [&](std::uint64_t v) { nodes_.parent(v) = kAbsent; });
    std::atomic<std::uint64_t> repeated{count};
    for_each(context, count, [&](std::uint64_t i) {
      const std::uint64_t v = pattern(ids[i]) - low;
      if (Together::exchange(nodes_.parent(v), static_cast<Word>(v)) != kAbsent)
        repeated.store(i, std::memory_order_relaxed);
      else
        nodes_.label(v) = static_cast<Word>(labels[i]);
    });
    present_ = count;
    mark_class(context, frequent);
    return repeated.load(std::memory_order_relaxed);
  }

  // Checks edges and joins their ends. Edge i is called base + i in the forest, or base +
  // names[i] where there are names.
  template <class Id>
  Fault take(Context& context, const EdgeView<Id>& edges, const Shift& shift, std::uint64_t base,
             const std::uint64_t* names) {
    FirstFault first;
    trees_.reset();
    chosen_.begin(edges.count);
    with_access(context.threads, [&]<class Access>() {
      for (std::uint64_t begin = 0; begin < edges.count && !context.stopped();) {
        const std::uint64_t end = begin + std::min(edges.count - begin, next_marking_ - taken_);
        join_edges<Access>(context, edges, shift, begin, end, first);
        if (first.any()) return;
        taken_ += end - begin;
        if (taken_ == next_marking_) mark_largest<Access>(context);
        begin = end;
      }
      context.end_phase("join");
      chosen_.keep(context, base, names, present_);
      context.end_phase("keep");
    });
    return first.fault();
  }

  // The same for rows, whose entries are the edges.
  template <class Vertex, class Label>
  Fault take_rows(Context& context, const CsrView<Vertex>& graph, const Label* labels);

  const EdgeList& edges() const { return chosen_.edges(); }
  EdgeList release_edges() { return chosen_.release(); }

  struct Trees {
    std::uint64_t count;   // trees
    std::uint64_t labels;  // different labels of their roots, and so of all vertices
  };
  Trees trees(Context& context) const { return trees_ ? *trees_ : count_trees(context); }

  // The first vertex that no edge and no loop has touched, or kNone.
  std::uint64_t first_untouched(Context& context) const;

  static constexpr std::uint64_t kNone = Smallest::kNone;

 private:
  Trees count_trees(Context& context) const;
  std::uint64_t count_labels(Context& context, std::uint64_t largest) const;

  template <class Id>
  static std::uint64_t pattern(Id id) {
    return static_cast<std::uint64_t>(id);  // extends the sign of signed ids
  }

  void make_nodes(bool apart) {
    cells_ = Room<Word>(2 * range_);
    nodes_ = Nodes<Word>(cells_.get(), range_, apart);
  }

  // The label that seems to be that of many vertices, or kAbsent.
  template <class Label>
  Word frequent_of(const Label* labels, std::uint64_t count) const {
    if (range_ <= kMarkFrom || count == 0) return kAbsent;
    Sample<Word> sample;
    sample.draw(count, [&](std::uint64_t i) { sample.add(static_cast<Word>(labels[i])); });
    return sample.frequent();
  }

  void mark_class(Context& context, Word frequent) {
    if (frequent == kAbsent) return;
    in_class_.fill(context, range_, [nodes = nodes_, frequent](std::uint64_t v) {
      return (nodes.parent(v) != kAbsent) & (nodes.label(v) == frequent);
    });
  }

  template <class Access, class Id>
  void join_edges(Context& context, const EdgeView<Id>& edges, const Shift& shift,
                  std::uint64_t first, std::uint64_t last, FirstFault& fault) {
    const std::uint64_t* tree = in_tree_.empty() ? nullptr : in_tree_.words();
    const std::uint64_t* known = in_class_.empty() ? nullptr : in_class_.words();
    for_ranges(context, last - first, [&](std::uint64_t begin, std::uint64_t end, int) {
      if (fault.is_before(first + begin)) return;
      Pipeline<Word, Access> same(nodes_, chosen_), others(nodes_, chosen_);
      for (std::uint64_t i = first + begin; i < first + end; ++i) {
        const std::uint64_t s = pattern(edges.source(i)), t = pattern(edges.target(i));
        const std::uint64_t u = s - shift.low, v = t - shift.low;
        if (u >= range_ || v >= range_ || (shift.reject_high && (s | t) >> 63)) {
          fault.note(Wrong::unknown_end, i);
          break;
        }
        if (tree != nullptr && Bits::get(tree, u) && Bits::get(tree, v)) continue;
        if (known != nullptr && Bits::get(known, u) && Bits::get(known, v)) {
          same.add(u, v, i);
          if (same.full()) same.join();
        } else {
          others.add(u, v, i);
          if (others.full()) compare_and_join(others, fault);
        }
        if (u == v) Bits::set<Access>(loops_.get(), u);
      }
      same.join();
      compare_and_join(others, fault);
    });
  }

  template <class Access>
  static void compare_and_join(Pipeline<Word, Access>& pipeline, FirstFault& fault) {
    pipeline.compare(fault);
    pipeline.join();
  }

  // Marks the vertices of the tree that seems largest, if it is large.
  template <class Access>
  void mark_largest(Context& context) {
    context.end_phase("join");
    next_marking_ = 2 * taken_;
    if (in_class_.empty() || in_tree_.count() >= in_class_.count() - in_class_.count() / 64) return;
    const Word tree = sampled_tree<Access>();
    if (tree == kAbsent || !in_class_.get(tree)) return;
    in_tree_.fill(context, range_, [&](std::uint64_t v) {
      const Word up = Access::get(nodes_.parent(v));
      return up == tree ||
             (up != kAbsent && nodes_.template root<Access>(static_cast<Word>(v)) == tree);
    });
    context.end_phase("mark");
  }

  // The tree of at least a quarter of some sampled vertices, or kAbsent.
  template <class Access>
  Word sampled_tree() const {
    Sample<Word> sample;
    sample.draw(range_, [&](std::uint64_t v) {
      if (Access::get(nodes_.parent(v)) != kAbsent)
        sample.add(nodes_.template root<Access>(static_cast<Word>(v)));
    });
    return sample.frequent();
  }

  std::uint64_t range_;
  std::uint64_t present_ = 0;  // vertices that are there
  Room<Word> cells_;
  Nodes<Word> nodes_;
  Room<std::uint64_t> loops_;   // a bit for each vertex with a loop
  Marks in_class_;              // the vertices of a frequent label
  Marks in_tree_;               // vertices of the largest tree, all of them of that label
  std::uint64_t taken_ = 0;     // edges so far
  std::uint64_t next_marking_;  // edges after which the largest tree is marked again
  Chosen chosen_;
  std::optional<Trees> trees_;  // where they were counted already
};

}  // namespace skerry::check

#include "cpu/check/rows.h"
#include "cpu/check/trees.h"
