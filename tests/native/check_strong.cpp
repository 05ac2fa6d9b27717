// Strong components beside a plain search from every vertex, with and without a giant found first:
// the sanitizers' builds look for one from 256 vertices on.
#include <cstdlib>
#include <random>

#include "cpu/own/strong.h"
#include "harness.h"

namespace {

// For each vertex the smallest one that it reaches and that reaches it.
template <class Vertex>
std::vector<std::uint64_t> mutual(const TestCsr<Vertex>& rows) {
  const std::size_t n = rows.offsets.size() - 1;
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (std::size_t s = 0; s < n; ++s) {
    std::vector<std::size_t> pending{s};
    reach[s][s] = true;
    while (!pending.empty()) {
      const std::size_t v = pending.back();
      pending.pop_back();
      for (std::uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e) {
        if (reach[s][rows.neighbors[e]]) continue;
        reach[s][rows.neighbors[e]] = true;
        pending.push_back(rows.neighbors[e]);
      }
    }
  }
  std::vector<std::uint64_t> smallest(n);
  for (std::size_t v = 0; v < n; ++v)
    while (!(reach[v][smallest[v]] && reach[smallest[v]][v])) ++smallest[v];
  return smallest;
}

template <class Vertex>
void check_graph(CheckResults& results, const TestGraph& graph, bool both) {
  const TestCsr<Vertex> rows(graph, both);
  const std::vector<std::uint64_t> truth = mutual(rows);
  std::uint64_t components = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) components += truth[v] == v;
  std::vector<Vertex> first;
  for (const int threads : {1, 2, 4}) {
    const std::string name = graph.name + ", " + std::to_string(8 * sizeof(Vertex)) + " bits, " +
                             std::to_string(threads) + " threads";
    std::vector<Vertex> labels(graph.vertices);
    skerry::Context context(threads, false, nullptr);
    const std::uint64_t count = skerry::strong_components(context, rows.view(), labels.data());
    results.add(count == components && same_partition(truth, labels) && !context.faulty(), name);
    if (threads == 1) first = labels;
    results.add(labels == first, "numbers of " + name);
    bool ordered = true;
    for (std::size_t v = 0; v < truth.size(); ++v)
      for (std::uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e)
        ordered = ordered && labels[v] >= labels[rows.neighbors[e]];
    results.add(ordered, "order of " + name);
  }
}

// A random graph with as many edges as asked for, and sources and sinks of its own.
TestGraph random_graph(std::uint64_t vertices, std::uint64_t edges, unsigned seed) {
  TestGraph graph{std::to_string(edges) + " random edges", vertices, {}};
  std::mt19937_64 random(seed);
  const std::uint64_t inner = vertices - vertices / 8;
  for (std::uint64_t i = 0; i < edges; ++i)
    graph.edges.emplace_back(random() % inner, random() % inner);
  for (std::uint64_t v = inner; v < vertices; ++v)
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t other = random() % v;
      graph.edges.emplace_back(v % 2 ? v : other, v % 2 ? other : v);
    }
  return graph;
}

// Rows of which one neighbor or offset is wrong: nothing out of bounds is read, and it is found.
template <class Vertex>
void check_invalid(CheckResults& results, std::uint64_t size) {
  const TestCsr<Vertex> right(random_graph(size, 8 * size, 9), false);
  std::vector<Vertex> labels(size);
  for (std::uint64_t i = 1; i < size; i += 1 + size / 40)
    for (const int threads : {1, 2}) {
      TestCsr<Vertex> id = right, offset = right;
      id.neighbors[i] = static_cast<Vertex>(i % 2 ? size : -1);
      offset.offsets[i] = i % 2 ? UINT64_MAX : right.offsets[i + 1] + 1;
      for (const auto& rows : {id, offset}) {
        skerry::Context context(threads, false, nullptr);
        skerry::strong_components(context, rows.view(), labels.data());
        results.add(context.faulty(), "invalid rows, vertex " + std::to_string(i));
      }
    }
}

}  // namespace

// check_strong [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size =
      std::min<std::uint64_t>(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 600, 600);
  CheckResults results;
  std::vector<TestGraph> graphs = test_graphs(size);
  for (unsigned seed = 0; seed < 12; ++seed)
    graphs.push_back(random_graph(size, size / 2 + size * seed, seed));
  for (const TestGraph& graph : graphs)
    for (const bool both : {false, true}) {
      check_graph<std::uint32_t>(results, graph, both);
      check_graph<std::uint64_t>(results, graph, both);
    }
  check_invalid<std::uint32_t>(results, size);
  check_invalid<std::uint64_t>(results, size);
  return results.close();
}
