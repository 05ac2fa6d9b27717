// The checker on rows (CSR). The labels of all entries are compared first. Then any choice of edges
// that makes a spanning forest will do, so most rows of most graphs are not looked at again: the
// first entry of a row, if it is a smaller vertex, is the parent of the row's vertex (all at once:
// a parent is smaller, so there is no circle), a few entries of the other rows join most trees to
// one, then the rows of vertices outside of that tree are taken. That is enough where every entry
// has its reverse; where it was not, all rows are taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/check/forest.h"

namespace skerry::check {

// The row of an entry.
template <class Vertex>
std::uint64_t row_of(const CsrView<Vertex>& graph, std::uint64_t entry) {
  const std::uint64_t* end = graph.offsets + graph.vertices + 1;
  return static_cast<std::uint64_t>(std::upper_bound(graph.offsets, end, entry) - graph.offsets) -
         1;
}

// Compares the labels of the ends of all entries, and returns the first that differ. Labels are
// mostly those of the largest class: its vertices are marked in a bitmap, which stays in the
// caches.
template <class Vertex, class Label>
class LabelSweep {
 public:
  LabelSweep(const CsrView<Vertex>& graph, const Label* labels) : graph_(graph), labels_(labels) {}

  // The first entry that joins different labels, or kNone.
  std::uint64_t run(Context& context) {
    if (graph_.vertices > kBitmapFrom) mark_frequent(context);
    for_ranges(context, graph_.entries(), [&](std::uint64_t begin, std::uint64_t end, int) {
      if (Together::get(first_) <= begin) return;
      std::uint64_t v = row_of(graph_, begin);
      for (std::uint64_t e = begin; e < end; ++v) {
        const std::uint64_t stop = std::min(graph_.offsets[v + 1], end);
        const std::uint64_t wrong = in_row(v, e, stop, end);
        if (wrong < stop) {
          note(wrong);
          return;
        }
        e = stop;
      }
    });
    return first_;
  }

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

 private:
  static constexpr std::uint64_t kBitmapFrom = (1 << 16) / kShrink;
  static constexpr std::uint64_t kAhead = 32;
  static constexpr unsigned kSamples = 256;

  // The first entry of [begin, stop), all of row v, that joins different labels, or stop.
  std::uint64_t in_row(std::uint64_t v, std::uint64_t begin, std::uint64_t stop,
                       std::uint64_t end) const {
    const Label label = labels_[v];
    if (!marks_.empty() && label == frequent_) {
      std::uint64_t all = 1;
      for (std::uint64_t e = begin; e < stop; ++e)
        all &= marks_[graph_.neighbors[e] >> 6] >> (graph_.neighbors[e] & 63);
      if (all & 1) return stop;
    }
    for (std::uint64_t e = begin; e < stop; ++e) {
      fetch_early(labels_ + graph_.neighbors[std::min(e + kAhead, end - 1)]);
      if (labels_[graph_.neighbors[e]] != label) return e;
    }
    return stop;
  }

  void mark_frequent(Context& context) {
    Label sample[kSamples];
    std::uint64_t state = graph_.vertices;
    for (Label& label : sample) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      label = labels_[(state >> 20) % graph_.vertices];
    }
    std::sort(sample, sample + kSamples);
    unsigned longest = 0;
    for (unsigned begin = 0, end = 0; begin < kSamples; begin = end) {
      while (end < kSamples && sample[end] == sample[begin]) ++end;
      if (end - begin > longest) {
        longest = end - begin;
        frequent_ = sample[begin];
      }
    }
    if (4 * longest < kSamples) return;
    marks_.resize(Bits::words(graph_.vertices));
    for_ranges(context, marks_.size(), [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t w = begin; w < end; ++w) {
        std::uint64_t word = 0;
        const std::uint64_t stop = std::min(64 * w + 64, graph_.vertices);
        for (std::uint64_t v = 64 * w; v < stop; ++v)
          word |= std::uint64_t{labels_[v] == frequent_} << (v & 63);
        marks_[w] = word;
      }
    });
  }

  void note(std::uint64_t entry) {
    std::uint64_t seen = Together::get(first_);
    while (entry < seen && !Together::replace(first_, seen, entry)) seen = Together::get(first_);
  }

  const CsrView<Vertex>& graph_;
  const Label* labels_;
  Label frequent_ = 0;
  std::vector<std::uint64_t> marks_;
  std::uint64_t first_ = kNone;
};

// Makes the first entry of each row the parent of its vertex, if it is smaller.
template <class Word>
template <class Access, class Vertex>
void Forest<Word>::hook_to_first(Context& context, const CsrView<Vertex>& graph) {
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t word = 0, bits = 0;  // of the entries chosen, written when the word is complete
    for (std::uint64_t v = begin; v < end; ++v) {
      const std::uint64_t e = graph.offsets[v];
      if (e == graph.offsets[v + 1] || graph.neighbors[e] >= v) continue;
      nodes_[v].parent = static_cast<Word>(graph.neighbors[e]);
      if (e >> 6 != word) {
        if (bits != 0) Access::set_bits(chosen_[word], bits);
        word = e >> 6;
        bits = 0;
      }
      bits |= std::uint64_t{1} << (e & 63);
    }
    if (bits != 0) Access::set_bits(chosen_[word], bits);
  });
}

template <class Word>
template <class Vertex, class Label>
Fault Forest<Word>::take_rows(Context& context, const CsrView<Vertex>& graph, const Label* labels) {
  LabelSweep<Vertex, Label> sweep(graph, labels);
  const std::uint64_t wrong = sweep.run(context);
  if (wrong != sweep.kNone) return {Wrong::labels_differ, wrong};
  constexpr std::uint64_t kFew = 3;
  chosen_.assign(Bits::words(graph.entries()), 0);
  with_access(context.threads, [&]<class Access>() {
    using Entries = std::pair<std::uint64_t, std::uint64_t>;
    const auto join_some = [&](auto&& selected) {
      for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
        Pipeline<Access> pipeline(*this);
        for (std::uint64_t v = begin; v < end; ++v) {
          const auto [from, to] = selected(v);
          for (std::uint64_t e = from; e < to; ++e) pipeline.add(v, graph.neighbors[e], e);
        }
        pipeline.flush();
      });
    };
    hook_to_first<Access>(context, graph);
    join_some([&](std::uint64_t v) {
      const std::uint64_t first = graph.offsets[v], end = graph.offsets[v + 1];
      const bool hooked = first < end && graph.neighbors[first] < v;
      return hooked ? Entries{0, 0} : Entries{first, std::min(first + kFew, end)};
    });
    const Word tree = range_ > 0 ? sampled_tree<Access>() : kAbsent;
    const auto entries_of = [&](std::uint64_t v) {
      return Entries{graph.offsets[v], graph.offsets[v + 1]};
    };
    join_some([&](std::uint64_t v) {
      const Word top = root<Access>(static_cast<Word>(v));
      if (top != v) Access::put(nodes_[v].parent, top);
      // The largest tree may itself have been hooked since.
      const bool largest = tree != kAbsent && (top == tree || top == root<Access>(tree));
      return largest ? Entries{0, 0} : entries_of(v);
    });
    if (context.stopped()) return;
    const Trees so_far = trees(context);
    if (so_far.count != so_far.labels) join_some(entries_of);
    keep_chosen(context, graph.entries(), 0, nullptr);
  });
  return {};
}

}  // namespace skerry::check
