// Records spanning forests, and asks them for paths and bridges, against an independent oracle.
// Built plain and under the sanitizers: threads record at the same time.
#include <cstdlib>
#include <numeric>

#include "cpu/own/rooted_forest.h"
#include "cpu/own/spanning_forest.h"
#include "cpu/passes/passes.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::EdgeNames;
using skerry::EdgeView;
using skerry::ForestRecord;
using skerry::RootedForest;

template <class Vertex>
class Recorded {
 public:
  Recorded(CheckResults& results, const TestGraph& graph, int threads, const std::string& form)
      : results_(results),
        graph_(graph),
        context_(threads, false, nullptr),
        name_(graph.name + ", " + form + ", " + std::to_string(sizeof(Vertex)) + "-byte labels, " +
              std::to_string(threads) + " threads"),
        parent_(graph.vertices) {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
  }

  template <class Id>
  void edges() {
    std::vector<std::uint64_t> names, weights;
    for (std::uint64_t i = 0; i < graph_.edges.size(); ++i) {
      names.push_back(2 * i);
      weights.push_back(7 * i + 1);
    }
    const TestEdges<Id> edges(graph_);
    const auto record = make_record(true);
    record_edges(context_, edges.view(), EdgeNames{names.data(), 0, weights.data()},
                 graph_.vertices, parent_.data(), record);
    collect(record, [this](std::uint64_t row) { return graph_.edges[row / 2]; });
    bool same = true;
    for (std::size_t v = 0; v < graph_.vertices; ++v)
      if (parent_[v] != v) {
        const std::uint64_t* words = words_.data() + v * record.width();
        same &= words[record.width() - 1] == 7 * (words[0] / 2) + 1;
      }
    results_.add(same, "weights on " + name_);
    ask(edges.view());
  }

  void rows(bool symmetric) {
    const TestCsr<Vertex> csr(graph_, symmetric);
    const auto record = make_record(false);
    record_rows(context_, csr.view(), symmetric, parent_.data(), record);
    collect(record, [&csr](std::uint64_t entry) {
      const auto row = std::upper_bound(csr.offsets.begin(), csr.offsets.end(), entry);
      const auto v = static_cast<std::uint64_t>(row - csr.offsets.begin()) - 1;
      return std::pair<std::uint64_t, std::uint64_t>(v, csr.neighbors[entry]);
    });
  }

 private:
  ForestRecord<Vertex> make_record(bool weighted) {
    ForestRecord<Vertex> record{nullptr, weighted};
    words_.assign(graph_.vertices * record.width(), 0);
    record.words = words_.data();
    return record;
  }

  // The recorded edges: each must be the edge of its row, and there are n - k of them.
  template <class EdgeOfRow>
  void collect(const ForestRecord<Vertex>& record, EdgeOfRow edge_of_row) {
    finish(context_, graph_.vertices, skerry::Finish::ordered, parent_.data());
    const std::vector<std::uint64_t> truth = oracle(graph_);
    results_.add(equal(truth, parent_), "labels on " + name_);
    TestGraph forest{graph_.name, graph_.vertices, {}};
    bool in_rows = true;
    for (std::size_t v = 0; v < graph_.vertices; ++v) {
      if (parent_[v] == v) continue;
      const std::uint64_t* words = words_.data() + v * record.width();
      const std::uint64_t source = sizeof(Vertex) == 4 ? words[1] & 0xFFFFFFFF : words[1];
      const std::uint64_t target = sizeof(Vertex) == 4 ? words[1] >> 32 : words[2];
      in_rows &= edge_of_row(words[0]) == std::pair(source, target);
      forest.edges.push_back({source, target});
      sources_.push_back(static_cast<Vertex>(source));
      targets_.push_back(static_cast<Vertex>(target));
    }
    results_.add(in_rows, "rows of the forest on " + name_);
    results_.add(oracle(forest) == truth, "a forest that spans " + name_);
  }

  EdgeView<Vertex> forest_view() const {
    return {sources_.data(), targets_.data(), 1, 1, sources_.size()};
  }

  // Paths from each vertex to its label, and bridges: edges that the graph falls apart without.
  template <class Id>
  void ask(const EdgeView<Id>& edges) {
    const std::uint64_t n = graph_.vertices;
    std::vector<Vertex> up(n), edge(n), depth(n), order(sources_.size()), top(n), sizes(n);
    const RootedForest<Vertex> rooted{up.data(), edge.data(), depth.data()};
    const std::uint64_t count = root_forest(context_, forest_view(), n, rooted, order.data());
    results_.add(count == sources_.size(), "a forest without a cycle on " + name_);
    bool right = true;
    for (std::uint64_t v = 0; v < n; ++v) right &= is_path(rooted, static_cast<Vertex>(v));
    results_.add(right, "paths on " + name_);
    std::iota(top.begin(), top.end(), Vertex{0});
    const std::uint64_t fault = cover_paths(context_, edges, n, rooted, top.data());
    results_.add(fault == edges.count, "edges within trees on " + name_);
    subtree_sizes(rooted, order.data(), count, n, sizes.data());
    if (graph_.edges.size() <= kCut) check_bridges(rooted, top, sizes);
  }

  bool is_path(const RootedForest<Vertex>& rooted, Vertex v) const {
    const Vertex root = parent_[v];
    const std::size_t room = std::size_t{rooted.depth[v]} + rooted.depth[root];
    std::vector<Vertex> vertices(room + 1), edges(room);
    const auto length = forest_path(rooted, v, root, vertices.data(), edges.data());
    bool right = length <= room && vertices[0] == v && vertices[length] == root;
    for (std::size_t i = 0; right && i < length; ++i) {
      const std::pair step(vertices[i], vertices[i + 1]), back(step.second, step.first);
      const std::pair stated(sources_[edges[i]], targets_[edges[i]]);
      right = stated == step || stated == back;
    }
    return right;
  }

  void check_bridges(const RootedForest<Vertex>& rooted, const std::vector<Vertex>& top,
                     const std::vector<Vertex>& sizes) {
    bool right = true;
    for (std::size_t v = 0; v < graph_.vertices; ++v) {
      if (rooted.depth[v] == 0) continue;
      const std::uint64_t above = rooted.up[v];
      TestGraph cut{graph_.name, graph_.vertices, {}};
      for (const auto& [s, t] : graph_.edges)
        if (!(s == v && t == above) && !(s == above && t == v)) cut.edges.push_back({s, t});
      const std::vector<std::uint64_t> labels = oracle(cut);
      right &= (labels[v] != labels[above]) == (top[v] == v);
      const auto side = std::count(labels.begin(), labels.end(), labels[v]);
      if (top[v] == v) right &= static_cast<std::uint64_t>(side) == sizes[v];
    }
    results_.add(right, "bridges on " + name_);
  }

  static constexpr std::size_t kCut = 64;  // edges of graphs that are cut at each edge

  CheckResults& results_;
  const TestGraph& graph_;
  Context context_;
  std::string name_;
  std::vector<Vertex> parent_;
  std::vector<std::uint64_t> words_;
  std::vector<Vertex> sources_, targets_;
};

template <class Vertex>
void check(CheckResults& results, const TestGraph& graph, int threads) {
  Recorded<Vertex>(results, graph, threads, "narrow edges").template edges<std::uint32_t>();
  Recorded<Vertex>(results, graph, threads, "wide edges").template edges<std::uint64_t>();
  Recorded<Vertex>(results, graph, threads, "rows").rows(false);
  Recorded<Vertex>(results, graph, threads, "symmetric rows").rows(true);
}

}  // namespace

// check_spanning_forest [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  CheckResults results;
  std::vector<TestGraph> graphs = test_graphs(size);
  for (const TestGraph& graph : test_graphs(24)) graphs.push_back(graph);
  for (const TestGraph& graph : graphs) {
    for (const int threads : {1, 4}) {
      check<std::uint32_t>(results, graph, threads);
      check<std::uint64_t>(results, graph, threads);
    }
  }
  return results.close();
}
