// The checker on rows (CSR). The labels of all entries are compared first (sweep.h). Then any
// choice of edges that makes a spanning forest will do, so most entries of most graphs are not
// looked at again: a large class is flooded (flood.h), and only the rows of other vertices are
// taken. Where that does not work, the first entry of a row, if it is a smaller vertex, is the
// parent of the row's vertex (all at once: a parent is smaller, so there is no circle), and the
// rest is joined to that. Each step may be the last: there are as many trees as labels when the
// forest is complete. The early ones are enough where every entry has its reverse.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/check/flood.h"
#include "cpu/check/forest.h"
#include "cpu/check/sweep.h"

namespace skerry::check {

template <class Word, class Access, class Vertex>
class RowForest {
 public:
  RowForest(Context& context, const CsrView<Vertex>& graph, const Nodes<Word>& nodes,
            const Chosen& chosen)
      : context_(context), graph_(graph), nodes_(nodes), chosen_(chosen) {}

  // Takes a tree over some vertices, then the rows of all others.
  void join_flooded(const Marks& in_tree) {
    const std::uint64_t* tree = in_tree.words();
    std::uint64_t w = 0;
    while (tree[w] == 0) ++w;
    const Word top = static_cast<Word>(64 * w + static_cast<unsigned>(std::countr_zero(tree[w])));
    for_each(context_, graph_.vertices, [&](std::uint64_t v) {
      if (Bits::get(tree, v)) nodes_.parent(v) = top;
    });
    join_some([&](std::uint64_t v) { return Bits::get(tree, v) ? Entries{} : all_of(v); });
    context_.end_phase("outside");
  }

  // Makes the first entry of each row the parent of its vertex, if it is smaller.
  void hook_to_first() {
    for_ranges(context_, graph_.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      std::uint64_t word = 0, bits = 0;  // of the entries chosen, written when it is complete
      for (std::uint64_t v = begin; v < end; ++v) {
        if (!is_hooked(v)) continue;
        const std::uint64_t e = graph_.offsets[v];
        nodes_.parent(v) = static_cast<Word>(graph_.neighbors[e]);
        if (e >> 6 != word) {
          if (bits != 0) Access::set_bits(chosen_.bits()[word], bits);
          word = e >> 6;
          bits = 0;
        }
        bits |= std::uint64_t{1} << (e & 63);
      }
      if (bits != 0) Access::set_bits(chosen_.bits()[word], bits);
    });
    context_.end_phase("first");
  }

  // The entries of rows that are not hooked, a few of each.
  void join_few() {
    constexpr std::uint64_t kFew = 3;
    join_some([&](std::uint64_t v) {
      const auto [from, to] = all_of(v);
      return is_hooked(v) ? Entries{} : Entries{from, std::min(from + kFew, to)};
    });
    context_.end_phase("few");
  }

  // The entries of rows outside of a large tree.
  void join_outside(Word tree) {
    join_some([&](std::uint64_t v) {
      const Word top = nodes_.template root<Access>(static_cast<Word>(v));
      if (top != v) Access::put(nodes_.parent(v), top);
      // The largest tree may itself have been hooked since.
      const bool inside = top == tree || top == nodes_.template root<Access>(tree);
      return inside ? Entries{} : all_of(v);
    });
    context_.end_phase("outside");
  }

  // Entries that are smaller than their row, but the first, after hook_to_first().
  void join_smaller() {
    for_ranges(context_, graph_.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      Pipeline<Word, Access> pipeline(nodes_, chosen_);
      for (std::uint64_t v = begin; v < end; ++v)
        for (std::uint64_t e = graph_.offsets[v] + 1; e < graph_.offsets[v + 1]; ++e)
          if (graph_.neighbors[e] < v) {
            pipeline.add(v, graph_.neighbors[e], e);
            if (pipeline.full()) pipeline.join();
          }
      pipeline.join();
    });
    context_.end_phase("smaller");
  }

  void join_all() {
    join_some([&](std::uint64_t v) { return all_of(v); });
    context_.end_phase("all");
  }

 private:
  struct Entries {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };

  Entries all_of(std::uint64_t v) const { return {graph_.offsets[v], graph_.offsets[v + 1]}; }
  bool is_hooked(std::uint64_t v) const {
    const auto [from, to] = all_of(v);
    return from < to && graph_.neighbors[from] < v;
  }

  // Joins the entries selected(v) of each row v.
  template <class Select>
  void join_some(Select&& selected) {
    for_ranges(context_, graph_.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      Pipeline<Word, Access> pipeline(nodes_, chosen_);
      for (std::uint64_t v = begin; v < end; ++v) {
        const auto [from, to] = selected(v);
        for (std::uint64_t e = from; e < to; ++e) {
          pipeline.add(v, graph_.neighbors[e], e);
          if (pipeline.full()) pipeline.join();
        }
      }
      pipeline.join();
    });
  }

  Context& context_;
  const CsrView<Vertex>& graph_;
  const Nodes<Word>& nodes_;
  const Chosen& chosen_;
};

template <class Word>
template <class Vertex, class Label>
Fault Forest<Word>::take_rows(Context& context, const CsrView<Vertex>& graph, const Label* labels) {
  constexpr std::uint64_t kFloodFrom = 4;  // entries a vertex of the class; fewer expand slowly
  LabelSweep<Vertex, Label> sweep(context, graph, labels, in_class_);
  context.end_phase("class");
  chosen_.begin(graph.entries());
  std::uint64_t wrong = kNone;
  with_access(context.threads, [&]<class Access>() {
    Flood<Access, Vertex> flood(graph, in_class_, chosen_);
    const bool flooded = !in_class_.empty() && graph.entries() >= kFloodFrom * in_class_.count() &&
                         flood.seed(context);
    context.end_phase("seed");
    // Where there is a single label, no two can differ.
    if (in_class_.count() < graph.vertices || graph.vertices == 0) {
      wrong = sweep.run(context, [&](std::uint64_t from, std::uint64_t to) {
        if (flooded) flood.extend(from, to);
      });
    }
    context.end_phase("sweep");
    if (wrong != kNone || context.stopped()) return;
    RowForest<Word, Access, Vertex> rows(context, graph, nodes_, chosen_);
    const auto is_complete = [&] {
      trees_ = count_trees(context);
      context.end_phase("count");
      return trees_->count == trees_->labels || context.stopped();
    };
    const auto join_rows = [&] {
      if (flooded) {
        flood.run(context);
        context.end_phase("flood");
        rows.join_flooded(flood.in_tree());
        return is_complete();
      }
      rows.hook_to_first();
      if (is_complete()) return true;
      const bool sparse = graph.entries() < kFloodFrom * graph.vertices;
      if (!sparse) rows.join_few();
      const Word tree = sparse ? kAbsent : sampled_tree<Access>();
      if (tree == kAbsent)
        rows.join_smaller();
      else
        rows.join_outside(tree);
      return is_complete();
    };
    if (!join_rows()) {
      rows.join_all();
      trees_.reset();
    }
    if (!context.stopped()) chosen_.keep(context, 0, nullptr, present_);
    context.end_phase("keep");
  });
  if (wrong != kNone) return {Wrong::labels_differ, wrong};
  return {};
}

}  // namespace skerry::check
