// Runs the questions to a growing forest between batches of edges, and the leaving out of vertices
// without an edge, against an independent oracle. Built plain and under the sanitizers.
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "cpu/own/forest.h"
#include "cpu/own/root_reader.h"
#include "cpu/own/stream.h"
#include "cpu/passes/passes.h"
#include "harness.h"

namespace {

using skerry::Context;

constexpr int kBatches = 3;

template <class Vertex>
class Growing {
 public:
  Growing(CheckResults& results, const TestGraph& graph, int threads)
      : results_(results),
        graph_(graph),
        context_(threads, false, nullptr),
        name_(graph.name + ", " + std::to_string(sizeof(Vertex)) + "-byte labels, " +
              std::to_string(threads) + " threads"),
        parent_(graph.vertices) {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
  }

  template <class Id>
  void in_batches() {
    const std::size_t size = graph_.edges.size() / kBatches + 1;
    TestGraph so_far{graph_.name, graph_.vertices, {}};
    for (std::size_t begin = 0; begin < graph_.edges.size(); begin += size) {
      TestGraph batch{graph_.name, graph_.vertices, {}};
      const std::size_t end = std::min(begin + size, graph_.edges.size());
      batch.edges.assign(graph_.edges.begin() + static_cast<std::ptrdiff_t>(begin),
                         graph_.edges.begin() + static_cast<std::ptrdiff_t>(end));
      so_far.edges.insert(so_far.edges.end(), batch.edges.begin(), batch.edges.end());
      const TestEdges<Id> edges(batch);
      stream_edges(context_, edges.view(), graph_.vertices, parent_.data());
      find_all<Id>(oracle(so_far));
    }
  }

  // All edges again and again, the vertices growing: the giant is marked, used and forgotten. Of
  // the edges that joined two trees there are as many as there are trees fewer.
  template <class Id>
  void by_one_joiner() {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
    skerry::BatchJoiner joiner;
    bool right = true;
    for (const std::uint64_t vertices : {graph_.vertices / 2, graph_.vertices}) {
      TestGraph part{graph_.name, vertices, {}};
      for (const auto& edge : graph_.edges)
        if (edge.first < vertices && edge.second < vertices) part.edges.push_back(edge);
      const TestEdges<Id> edges(part);
      const std::vector<std::uint64_t> truth = oracle(part);
      for (int round = 0; round < 5; ++round) {
        const std::uint64_t before = roots(vertices), hooks = context_.statistics.hooks;
        joiner.join(context_, edges.view(), vertices, parent_.data());
        right &= before - roots(vertices) == context_.statistics.hooks - hooks;
        right &= !context_.faulty();
      }
      std::uint64_t trees = 0;
      for (std::size_t v = 0; v < vertices; ++v) trees += truth[v] == v;
      right &= trees == roots(vertices);
    }
    find_all<Id>(oracle(graph_));
    results_.add(right && (graph_.vertices < 64 || joiner.bytes() <= graph_.vertices),
                 "one joiner on " + name_);
  }

  void leave_out() {
    finish(context_, graph_.vertices, skerry::Finish::ordered, parent_.data());
    std::vector<std::uint8_t> flags(graph_.vertices, 0);
    mark_joined(context_, graph_.vertices, parent_.data(), flags.data());
    const std::uint64_t count = count_flags(context_, graph_.vertices, flags.data());
    std::vector<std::int64_t> kept(count);
    std::vector<Vertex> labels(count);
    keep_flagged(context_, graph_.vertices, parent_.data(), flags.data(), kept.data(),
                 labels.data());
    std::vector<std::int64_t> right;
    std::vector<bool> has_edge(graph_.vertices, false);
    for (const auto& [u, v] : graph_.edges)
      if (u != v) has_edge[u] = has_edge[v] = true;
    for (std::size_t v = 0; v < graph_.vertices; ++v)
      if (has_edge[v]) right.push_back(static_cast<std::int64_t>(v));
    bool same = kept == right;
    for (std::size_t i = 0; same && i < count; ++i)
      same = kept[labels[i]] == static_cast<std::int64_t>(parent_[static_cast<Vertex>(kept[i])]);
    results_.add(same, "vertices left out on " + name_);
  }

  // One thread asks while others join, search and flatten: what was joined before is joined in the
  // answer. Half of the vertices are a chain from the beginning.
  template <class Id>
  void read_meanwhile() {
    std::iota(parent_.begin(), parent_.end(), Vertex{0});
    const std::uint64_t chain = graph_.vertices / 2;
    for (std::uint64_t v = 1; v < chain; ++v) parent_[v] = static_cast<Vertex>(v - v % 8);
    for (std::uint64_t v = 8; v < chain; v += 8) parent_[v] = 0;
    std::atomic<bool> done{false}, right{true};
    std::thread reader([&] {
      const skerry::RootReader<Vertex> forest(parent_.data(), graph_.vertices);
      do {
        for (std::uint64_t v = 0; v < chain; v += 1 + chain / 64) {
          std::uint64_t root = 0;
          const bool known = forest.find(v, root);
          if (known && root > 0) right.store(false);
          if (forest.connected(v, chain - 1) == skerry::Answer::no) right.store(false);
        }
      } while (!done.load());
    });
    const TestEdges<Id> edges(graph_);
    skerry::BatchJoiner joiner;
    for (int round = 0; round < 3; ++round) {
      joiner.join(context_, edges.view(), graph_.vertices, parent_.data());
      std::vector<Id> ids(graph_.vertices);
      std::iota(ids.begin(), ids.end(), Id{0});
      std::vector<Vertex> answers(graph_.vertices);
      find_roots(context_, ids.data(), 1, graph_.vertices, graph_.vertices, parent_.data(),
                 answers.data());
      flatten(context_, graph_.vertices, parent_.data());
    }
    done.store(true);
    reader.join();
    results_.add(right.load(), "questions meanwhile on " + name_);
  }

 private:
  std::uint64_t roots(std::uint64_t vertices) const {
    std::uint64_t count = 0;
    for (std::size_t v = 0; v < vertices; ++v) count += parent_[v] == v;
    return count;
  }

  template <class Id>
  void find_all(const std::vector<std::uint64_t>& truth) {
    std::vector<Id> ids(2 * graph_.vertices);  // every other place is asked for, backwards
    for (std::size_t v = 0; v < graph_.vertices; ++v) ids[2 * v] = static_cast<Id>(v);
    std::vector<Vertex> roots(graph_.vertices);
    if (graph_.vertices > 0)
      find_roots(context_, ids.data() + 2 * (graph_.vertices - 1), -2, graph_.vertices,
                 graph_.vertices, parent_.data(), roots.data());
    std::reverse(roots.begin(), roots.end());
    results_.add(equal(truth, roots), "roots on " + name_);
  }

  CheckResults& results_;
  const TestGraph& graph_;
  Context context_;
  std::string name_;
  std::vector<Vertex> parent_;
};

template <class Vertex, class Id>
void check_graph(CheckResults& results, const TestGraph& graph) {
  for (const int threads : {1, 2, 4}) {
    Growing<Vertex> growing(results, graph, threads);
    growing.template in_batches<Id>();
    growing.leave_out();
    growing.template by_one_joiner<Id>();
    growing.template read_meanwhile<Id>();
  }
}

}  // namespace

// check_forest [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    check_graph<std::uint32_t, std::uint32_t>(results, graph);
    check_graph<std::uint64_t, std::uint32_t>(results, graph);
    check_graph<std::uint32_t, std::uint64_t>(results, graph);
  }
  return results.close();
}
