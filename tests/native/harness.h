// Common to the native drivers: counting results, comparing partitions, small CSRs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cpu/options.h"
#include "cpu/views.h"
#include "graphs.h"

class CheckResults {
 public:
  void add(bool right, const std::string& what) {
    ++(right ? passed_ : failed_);
    if (!right) std::printf("FAILED %s\n", what.c_str());
  }
  // The closing line; returns the exit code.
  int close() const {
    std::printf("%d passed, %d failed\n", passed_, failed_);
    return failed_ == 0 && passed_ > 0 ? 0 : 1;
  }

 private:
  int passed_ = 0;
  int failed_ = 0;
};

// The solver of rows, left to itself and with its stages forced: see number_ranges.py.
inline std::vector<skerry::Options> row_choices(bool symmetric) {
  constexpr double kForced[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 2, 1}, {2, 2, 2}};
  std::vector<skerry::Options> choices;
  for (const auto& [seconds, rest, join] : kForced)
    choices.push_back(skerry::Options({{"one_direction", symmetric ? 1.0 : 0.0},
                                       {"seconds", seconds},
                                       {"rest", rest},
                                       {"join", join}}));
  return choices;
}

// Both ways: equal truths must get equal labels and different truths different ones.
template <class Vertex>
bool same_partition(const std::vector<std::uint64_t>& truth, const std::vector<Vertex>& labels) {
  std::vector<Vertex> label_of(truth.size());
  std::vector<Vertex> used;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    if (truth[v] == v) {
      label_of[v] = labels[v];
      used.push_back(labels[v]);
    } else if (labels[v] != label_of[truth[v]]) {
      return false;
    }
  }
  std::sort(used.begin(), used.end());
  return std::adjacent_find(used.begin(), used.end()) == used.end();
}

template <class Vertex>
bool equal(const std::vector<std::uint64_t>& truth, const std::vector<Vertex>& labels) {
  return std::equal(truth.begin(), truth.end(), labels.begin(), labels.end());
}

// The edges as rows, unsorted, loops and repeats kept: both directions, or only the one given.
template <class Vertex>
struct TestCsr {
  std::vector<std::uint64_t> offsets;
  std::vector<Vertex> neighbors;

  TestCsr(const TestGraph& graph, bool symmetric) : offsets(graph.vertices + 1, 0) {
    for (const auto& [u, v] : graph.edges) ++offsets[u + 1], offsets[v + 1] += symmetric;
    for (std::size_t v = 0; v < graph.vertices; ++v) offsets[v + 1] += offsets[v];
    neighbors.resize(offsets.back());
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (const auto& [u, v] : graph.edges) {
      neighbors[next[u]++] = static_cast<Vertex>(v);
      if (symmetric) neighbors[next[v]++] = static_cast<Vertex>(u);
    }
  }
  void sort_rows() {
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v)
      std::sort(neighbors.begin() + static_cast<std::ptrdiff_t>(offsets[v]),
                neighbors.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]));
  }
  skerry::CsrView<Vertex> view() const {
    return {offsets.data(), neighbors.data(), offsets.size() - 1, offsets.back()};
  }
};

template <class Id>
struct TestEdges {
  std::vector<Id> src, dst;

  explicit TestEdges(const TestGraph& graph) {
    for (const auto& [u, v] : graph.edges) {
      src.push_back(static_cast<Id>(u));
      dst.push_back(static_cast<Id>(v));
    }
  }
  skerry::EdgeView<Id> view() const { return {src.data(), dst.data(), 1, 1, src.size()}; }
};
