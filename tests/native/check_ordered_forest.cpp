// Runs the spanning forests in an order, and the merges that they make, against an independent
// oracle. Built plain and under the sanitizers.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "cpu/own/ordered_forest.h"
#include "harness.h"

namespace {

using skerry::Context;

template <class Vertex>
void check_graph(CheckResults& results, const TestGraph& graph) {
  const std::string name = graph.name + ", " + std::to_string(sizeof(Vertex)) + "-byte labels";
  Context context(1, false, nullptr);
  std::vector<Vertex> src, dst, parent(graph.vertices);
  for (const auto& [u, v] : graph.edges) {
    src.push_back(static_cast<Vertex>(u));
    dst.push_back(static_cast<Vertex>(v));
  }
  std::iota(parent.begin(), parent.end(), Vertex{0});
  std::vector<std::int64_t> order(src.size());  // backwards
  std::iota(order.rbegin(), order.rend(), 0);
  const std::size_t room = graph.vertices == 0 ? 0 : graph.vertices - 1;
  std::vector<std::int64_t> kept(std::min(src.size(), room));
  kept.resize(keep_joining(context, src.data(), dst.data(), src.size(), order.data(), order.size(),
                           graph.vertices, parent.data(), kept.data()));
  const std::vector<std::uint64_t> truth = oracle(graph);
  std::size_t components = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) components += truth[v] == v;
  results.add(kept.size() == graph.vertices - components, "edges of the forest of " + name);
  results.add(std::is_sorted(kept.rbegin(), kept.rend()), "order of the forest of " + name);

  std::vector<Vertex> u, v;
  for (const std::int64_t edge : kept) {
    u.push_back(src[static_cast<std::size_t>(edge)]);
    v.push_back(dst[static_cast<std::size_t>(edge)]);
  }
  std::vector<std::int64_t> left(u.size()), right(u.size()), size(u.size());
  const std::uint64_t merges = merge_clusters(context, u.data(), v.data(), u.size(), graph.vertices,
                                              left.data(), right.data(), size.data());
  results.add(merges == u.size(), "merges of " + name);
  // Each cluster is merged at most once; the sizes of those that never are sum up to all vertices.
  std::vector<std::uint64_t> times(graph.vertices + u.size(), 0);
  bool ordered = true;
  for (std::size_t i = 0; i < u.size(); ++i) {
    ++times[static_cast<std::size_t>(left[i])];
    ++times[static_cast<std::size_t>(right[i])];
    ordered = ordered && left[i] < right[i];
  }
  std::uint64_t vertices = 0, tops = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    ordered = ordered && times[i] <= 1;
    if (times[i] != 0) continue;
    ++tops;
    vertices += i < graph.vertices ? 1 : static_cast<std::uint64_t>(size[i - graph.vertices]);
  }
  results.add(ordered && tops == components && vertices == graph.vertices, "clusters of " + name);
  if (!u.empty()) {  // an edge that joins nothing ends it
    u.push_back(u[0]);
    v.push_back(v[0]);
    for (auto* column : {&left, &right, &size}) column->push_back(0);
    results.add(merge_clusters(context, u.data(), v.data(), u.size(), graph.vertices, left.data(),
                               right.data(), size.data()) == u.size() - 1,
                "a circle in " + name);
  }
}

}  // namespace

// check_ordered_forest [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    check_graph<std::uint32_t>(results, graph);
    check_graph<std::uint64_t>(results, graph);
  }
  return results.close();
}
