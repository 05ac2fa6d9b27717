// Compares the labels of the ends of all entries of rows: the checker's part that reads everything,
// and writes nothing.
//
// Many vertices mostly have the same label: their class is marked in a bitmap, which stays in the
// caches. The entries of a range are then counted rather than compared, without a branch for each
// or for the end of each row: if the entries of all rows outside the class have the label of their
// row, they are not marked; so those of the rows inside are all marked exactly if there are as many
// marked entries as entries of such rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/check/access.h"
#include "cpu/check/first_fault.h"
#include "cpu/check/marks.h"
#include "cpu/context.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry::check {

// The row of an entry.
template <class Vertex>
std::uint64_t row_of(const CsrView<Vertex>& graph, std::uint64_t entry) {
  const std::uint64_t* end = graph.offsets + graph.vertices + 1;
  return static_cast<std::uint64_t>(std::upper_bound(graph.offsets, end, entry) - graph.offsets) -
         1;
}

template <class Vertex, class Label>
class LabelSweep {
 public:
  // Marks the vertices of a frequent label, if there is such a label.
  LabelSweep(Context& context, const CsrView<Vertex>& graph, const Label* labels, Marks& in_class)
      : graph_(graph), labels_(labels), in_class_(in_class) {
    if (graph.vertices <= kMarkFrom) return;
    Sample<Label> sample;
    sample.draw(graph.vertices, [&](std::uint64_t v) { sample.add(labels[v]); });
    const Label frequent = sample.frequent();
    if (frequent == sample.kNone) return;
    in_class.fill(context, graph.vertices,
                  [labels, frequent](std::uint64_t v) { return labels[v] == frequent; });
  }

  // The first entry that joins different labels, or Smallest::kNone. Calls then(from, to) for rows
  // whose entries were just read, each row once, as long as none was wrong.
  template <class Then>
  std::uint64_t run(Context& context, Then&& then) {
    for_ranges(context, graph_.entries(), [&](std::uint64_t begin, std::uint64_t end, int) {
      if (first_.get() <= begin) return;
      const std::uint64_t row = row_of(graph_, begin), last = row_of(graph_, end - 1);
      if (in_class_.empty() || !are_equal(row, last, begin, end)) {
        const std::uint64_t wrong = first_wrong(row, begin, end);
        if (wrong < end) return first_.note(wrong);
      }
      then(row + (graph_.offsets[row] < begin), last + 1);
    });
    return first_.get();
  }

 private:
  static constexpr std::uint64_t kAhead = 32;

  // Whether the entries of [begin, end), in rows from `row` to `last`, all join equal labels.
  bool are_equal(std::uint64_t row, std::uint64_t last, std::uint64_t begin,
                 std::uint64_t end) const {
    std::uint64_t inside = end - begin;  // entries of rows of the class
    const std::uint64_t* marks = in_class_.words();
    for (std::uint64_t w = row >> 6; w <= last >> 6; ++w) {
      std::uint64_t outside = ~marks[w];
      if (w == row >> 6) outside &= ~std::uint64_t{0} << (row & 63);
      if (w == last >> 6) outside &= ~std::uint64_t{0} >> (63 - (last & 63));
      for (; outside != 0; outside &= outside - 1) {
        const std::uint64_t v = 64 * w + static_cast<unsigned>(std::countr_zero(outside));
        const std::uint64_t from = std::max(graph_.offsets[v], begin);
        const std::uint64_t to = std::min(graph_.offsets[v + 1], end);
        for (std::uint64_t e = from; e < to; ++e)
          if (labels_[graph_.neighbors[e]] != labels_[v]) return false;
        inside -= to - from;
      }
    }
    return marked(begin, end) == inside;
  }

  // How many of these entries are in the class. Mostly all of them are, and a group is tested at
  // once. The branch also keeps compilers from vectors, which are slower: looking up is scalar.
  std::uint64_t marked(std::uint64_t begin, std::uint64_t end) const {
    constexpr unsigned kGroup = 8;
    const std::uint64_t* marks = in_class_.words();
    const auto shifted = [&](Vertex v) { return marks[v >> 6] >> (v & 63); };
    std::uint64_t count = 0;
    for (; begin + kGroup <= end; begin += kGroup) {
      std::uint64_t all = 1;
      for (unsigned i = 0; i < kGroup; ++i) all &= shifted(graph_.neighbors[begin + i]);
      if (all != 0) {
        count += kGroup;
        continue;
      }
      for (unsigned i = 0; i < kGroup; ++i) count += shifted(graph_.neighbors[begin + i]) & 1;
    }
    for (; begin < end; ++begin) count += shifted(graph_.neighbors[begin]) & 1;
    return count;
  }

  // The first of these entries that joins different labels, or `end`.
  std::uint64_t first_wrong(std::uint64_t row, std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t v = row, e = begin; e < end; ++v) {
      const Label label = labels_[v];
      for (const std::uint64_t stop = std::min(graph_.offsets[v + 1], end); e < stop; ++e) {
        fetch_early(labels_ + graph_.neighbors[std::min(e + kAhead, end - 1)]);
        if (labels_[graph_.neighbors[e]] != label) return e;
      }
    }
    return end;
  }

  const CsrView<Vertex>& graph_;
  const Label* labels_;
  const Marks& in_class_;
  Smallest first_;
};

}  // namespace skerry::check
