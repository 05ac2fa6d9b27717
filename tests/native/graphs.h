// Small graphs and an independent answer for the native checks. The oracle is a plain
// quadratic-free flood fill over an adjacency list: nothing of the kernels under test is used here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

struct TestGraph {
  std::string name;
  std::uint64_t vertices = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;  // one direction each
};

inline std::vector<std::uint64_t> oracle(const TestGraph& graph) {
  std::vector<std::vector<std::uint64_t>> adjacent(graph.vertices);
  for (const auto& [u, v] : graph.edges) {
    adjacent[u].push_back(v);
    adjacent[v].push_back(u);
  }
  std::vector<std::uint64_t> label(graph.vertices, UINT64_MAX);
  std::vector<std::uint64_t> pending;
  for (std::uint64_t s = 0; s < graph.vertices; ++s) {
    if (label[s] != UINT64_MAX) continue;
    label[s] = s;
    pending.push_back(s);
    while (!pending.empty()) {
      const std::uint64_t v = pending.back();
      pending.pop_back();
      for (const std::uint64_t u : adjacent[v]) {
        if (label[u] != UINT64_MAX) continue;
        label[u] = s;
        pending.push_back(u);
      }
    }
  }
  return label;
}

inline std::vector<TestGraph> test_graphs(std::uint64_t size) {
  std::vector<TestGraph> graphs;
  graphs.push_back({"empty", 0, {}});
  graphs.push_back({"one vertex", 1, {}});
  graphs.push_back({"no edges", 7, {}});
  graphs.push_back({"loops", 3, {{0, 0}, {1, 1}, {2, 2}, {1, 1}}});
  graphs.push_back({"repeats, both directions, isolated end", 6, {{3, 1}, {1, 3}, {3, 1}, {0, 4}}});
  std::mt19937_64 random(7);
  const auto below = [&random](std::uint64_t n) { return random() % n; };

  TestGraph star{"star", size, {}}, path{"path", size, {}}, shuffled{"shuffled path", size, {}},
      sparse{"sparse random", size, {}}, dense{"dense random", size / 8 + 2, {}},
      hubs{"hubs and leaves", size, {}}, after{"hubs after leaves", size, {}},
      last{"two halves joined by the last edge", size, {}};
  std::vector<std::uint64_t> order(size);
  for (std::uint64_t v = 0; v < size; ++v) order[v] = v;
  for (std::uint64_t v = size - 1; v > 0; --v) std::swap(order[v], order[below(v + 1)]);
  for (std::uint64_t v = 1; v < size; ++v) {
    star.edges.push_back({size / 2, v == size / 2 ? 0 : v});
    path.edges.push_back({v, v - 1});
    shuffled.edges.push_back({order[v], order[v - 1]});
    hubs.edges.push_back({v, below(4) == 0 ? below(size) : below(3)});
    after.edges.push_back({v, std::max(v - 1, size - 1 - v % (size / 64 + 1))});
    if (v != size / 2) last.edges.push_back({v, v - 1});
  }
  last.edges.push_back({0, size - 1});
  for (std::uint64_t i = 0; i < size * 3 / 5; ++i)
    sparse.edges.push_back({below(size), below(size)});
  for (std::uint64_t i = 0; i < size * 2; ++i)
    dense.edges.push_back({below(dense.vertices), below(dense.vertices)});
  for (TestGraph* graph : {&star, &path, &shuffled, &sparse, &dense, &hubs, &after, &last})
    graphs.push_back(std::move(*graph));
  return graphs;
}
