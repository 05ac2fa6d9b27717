// Runs the checker on right and on wrong labels, from edges in batches and from rows, and its
// tables of ids against a map. Its forests are checked by an independent oracle. Built plain and
// under the sanitizers.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "cpu/check/forest.h"
#include "cpu/check/lookup.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::check::Fault;
using skerry::check::Forest;
using skerry::check::IntegerPositions;
using skerry::check::kUnknown;
using skerry::check::Strings;
using skerry::check::TextPositions;
using skerry::check::Wrong;

// Whether these edges alone give the same components, and none of them is too many.
bool is_spanning_forest(const TestGraph& graph, const std::vector<std::uint64_t>& truth,
                        const std::vector<std::pair<std::uint64_t, std::uint64_t>>& chosen) {
  TestGraph forest{graph.name, graph.vertices, chosen};
  std::uint64_t components = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) components += truth[v] == v;
  return oracle(forest) == truth && chosen.size() == graph.vertices - components;
}

template <class Word, class Id>
class Checked {
 public:
  Checked(CheckResults& results, const TestGraph& graph, int threads)
      : results_(results),
        graph_(graph),
        context_(threads, false, nullptr),
        truth_(oracle(graph)),
        labels_(truth_.begin(), truth_.end()),
        name_(" on " + graph.name + ", " + std::to_string(threads) + " threads") {}

  void right_labels() {
    Forest<Word> forest(graph_.vertices);
    const bool right = take_edges(forest, labels_);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> chosen;
    for (const std::uint64_t position : forest.edges()) chosen.push_back(graph_.edges[position]);
    results_.add(right && is_spanning_forest(graph_, truth_, chosen), "edges" + name_);
    for (const bool symmetric : {true, false}) {
      const TestCsr<Id> rows(graph_, symmetric);
      Forest<Word> of_rows(graph_.vertices);
      of_rows.fill(context_, labels_.data(), true);
      const Fault fault = of_rows.take_rows(context_, rows.view(), labels_.data());
      const auto trees = of_rows.trees(context_);
      chosen.clear();
      for (const std::uint64_t entry : of_rows.edges())
        chosen.push_back({skerry::check::row_of(rows.view(), entry), rows.neighbors[entry]});
      results_.add(fault.what == Wrong::nothing && trees.count == trees.labels &&
                       is_spanning_forest(graph_, truth_, chosen),
                   "rows" + name_);
    }
  }

  // Each wrong answer is one vertex that has the label of another component, or one of its own; a
  // row of one direction shows it from one side only.
  void wrong_labels() {
    for (std::uint64_t v = 0; v < graph_.vertices; v += graph_.vertices / 7 + 1) {
      for (const std::uint64_t other : {v / 2, graph_.vertices - 1, graph_.vertices}) {
        auto labels = labels_;
        labels[v] = static_cast<Word>(other < graph_.vertices ? truth_[other] : other);
        if (same_partition(truth_, labels)) continue;
        Forest<Word> forest(graph_.vertices);
        results_.add(!take_edges(forest, labels), "wrong labels of edges" + name_);
        for (const bool symmetric : {true, false}) {
          const TestCsr<Id> rows(graph_, symmetric);
          Forest<Word> of_rows(graph_.vertices);
          of_rows.fill(context_, labels.data(), true);
          const bool accepted =
              of_rows.take_rows(context_, rows.view(), labels.data()).what == Wrong::nothing;
          const auto trees = of_rows.trees(context_);
          results_.add(!accepted || trees.count != trees.labels, "wrong labels of rows" + name_);
        }
      }
    }
  }

 private:
  bool take_edges(Forest<Word>& forest, const std::vector<Word>& labels) {
    forest.fill(context_, labels.data());
    const TestEdges<Id> edges(graph_);
    const auto all = edges.view();
    const std::uint64_t size = all.count / 3 + 1;
    for (std::uint64_t begin = 0; begin < all.count; begin += size) {
      const skerry::EdgeView<Id> batch{all.src + begin, all.dst + begin, 1, 1,
                                       std::min(size, all.count - begin)};
      if (forest.take(context_, batch, {}, begin, nullptr).what != Wrong::nothing) return false;
    }
    const auto trees = forest.trees(context_);
    return trees.count == trees.labels;
  }

  CheckResults& results_;
  const TestGraph& graph_;
  Context context_;
  std::vector<std::uint64_t> truth_;
  std::vector<Word> labels_;
  std::string name_;
};

void check_integers(CheckResults& results, std::uint64_t count, std::int64_t step, int threads) {
  Context context(threads, false, nullptr);
  std::vector<std::int64_t> ids(count), asked(2 * count);
  for (std::uint64_t i = 0; i < count; ++i)
    ids[i] = (static_cast<std::int64_t>((i * 7919) % count) - 5) * step;
  for (std::uint64_t i = 0; i < asked.size(); ++i)
    asked[i] = (static_cast<std::int64_t>((i * 104729) % (2 * count)) - 5) * step;
  IntegerPositions table(count);
  table.build(context, ids.data(), 11);
  std::vector<std::uint32_t> positions(asked.size());
  table.find(context, asked.data(), 1, asked.size(), false, positions.data());
  std::map<std::int64_t, std::uint32_t> right;
  for (std::uint64_t i = 0; i < count; ++i) right[ids[i]] = static_cast<std::uint32_t>(i);
  bool same = right.size() == count && table.repeated() == kUnknown;
  for (std::uint64_t i = 0; i < asked.size(); ++i) {
    const auto known = right.find(asked[i]);
    same &= positions[i] == (known == right.end() ? kUnknown : known->second);
  }
  results.add(same, "positions of integers, " + std::to_string(threads) + " threads");
  ids[count - 1] = ids[0];
  IntegerPositions repeating(count);
  repeating.build(context, ids.data(), 11);
  results.add(repeating.repeated() != kUnknown, "an integer that is there twice");
}

void check_texts(CheckResults& results, std::uint64_t count, int threads) {
  Context context(threads, false, nullptr);
  const auto join = [](const std::vector<std::string>& texts, std::string& data) {
    std::vector<std::int32_t> offsets{0};
    for (const std::string& text : texts) {
      data += text;
      offsets.push_back(static_cast<std::int32_t>(data.size()));
    }
    return offsets;
  };
  const auto strings = [](const std::string& data, const std::vector<std::int32_t>& offsets) {
    return Strings<std::int32_t>{reinterpret_cast<const std::uint8_t*>(data.data()), data.size(),
                                 offsets.data(), 0};
  };
  std::vector<std::string> ids, asked;
  for (std::uint64_t i = 0; i < count; ++i)
    ids.push_back(std::string(i % 13, 'x') + std::to_string(i));
  for (std::uint64_t i = 0; i < 2 * count; ++i)
    asked.push_back(std::string(i % 13, 'x') + std::to_string((i * 104729) % (2 * count)));
  std::string id_data, asked_data;
  const auto id_offsets = join(ids, id_data), asked_offsets = join(asked, asked_data);
  TextPositions table(count);
  table.build(context, strings(id_data, id_offsets), 11);
  std::vector<std::uint32_t> positions(asked.size());
  const std::uint64_t broken =
      table.find(context, strings(asked_data, asked_offsets), asked.size(), positions.data());
  std::map<std::string, std::uint32_t> right;
  for (std::uint64_t i = 0; i < count; ++i) right[ids[i]] = static_cast<std::uint32_t>(i);
  bool same = broken == asked.size() && table.repeated() == kUnknown;
  for (std::uint64_t i = 0; i < asked.size(); ++i) {
    const auto known = right.find(asked[i]);
    same &= positions[i] == (known == right.end() ? kUnknown : known->second);
  }
  results.add(same, "positions of texts, " + std::to_string(threads) + " threads");
}

}  // namespace

// Graphs with a class so large that the checker marks it: of all vertices, of most beside small
// components, and of too many levels to be flooded.
std::vector<TestGraph> graphs_of_large_classes(std::uint64_t size) {
  const std::uint64_t n = std::max<std::uint64_t>(size, 1000), most = n - n / 10;
  TestGraph all{"a single class", n, {}}, beside{"a large class and small components", n, {}},
      long_{"a long class beside a vertex", n, {}};
  std::uint64_t state = 5;
  const auto below = [&state](std::uint64_t end) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % end;
  };
  for (std::uint64_t v = 1; v < n; ++v) all.edges.push_back({v, below(v)});
  for (std::uint64_t i = 0; i < 4 * n; ++i) all.edges.push_back({below(n), below(n)});
  for (std::uint64_t i = 0; i < 3 * n; ++i) beside.edges.push_back({below(most), below(most)});
  for (std::uint64_t v = most; v + 3 < n; v += 4) beside.edges.push_back({v, v + 2});
  for (std::uint64_t v = 3; v + 1 < n; ++v)
    for (std::uint64_t back = 1; back <= 3; ++back) long_.edges.push_back({v, v - back});
  return {all, beside, long_};
}

// check_verifier [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const int threads : {1, 2, 4}) {
    std::vector<TestGraph> graphs = test_graphs(size);
    for (TestGraph& graph : graphs_of_large_classes(size)) graphs.push_back(std::move(graph));
    for (const TestGraph& graph : graphs) {
      Checked<std::uint32_t, std::uint32_t> narrow(results, graph, threads);
      narrow.right_labels();
      narrow.wrong_labels();
      Checked<std::uint64_t, std::uint64_t>(results, graph, threads).right_labels();
    }
    check_integers(results, size, 3, threads);
    check_integers(results, size, std::int64_t{1} << 40, threads);
    check_texts(results, size, threads);
  }
  return results.close();
}
