// Runs every registered kernel on small graphs, both id widths, several thread counts, with and
// without statistics, against an independent oracle. Built plain and under the sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../src/skerry/kernels/cpu/registry.h"
#include "graphs.h"

namespace {

int passed = 0;
int failed = 0;

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
struct Csr {
  std::vector<std::uint64_t> offsets;
  std::vector<Vertex> neighbours;

  explicit Csr(const TestGraph& graph) : offsets(graph.vertices + 1, 0) {
    for (const auto& [u, v] : graph.edges) ++offsets[u + 1], ++offsets[v + 1];
    for (std::size_t v = 0; v < graph.vertices; ++v) offsets[v + 1] += offsets[v];
    neighbours.resize(offsets.back());
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (const auto& [u, v] : graph.edges) {
      neighbours[next[u]++] = static_cast<Vertex>(v);
      neighbours[next[v]++] = static_cast<Vertex>(u);
    }
  }
  skerry::CsrView<Vertex> view() const {
    return {offsets.data(), neighbours.data(), offsets.size() - 1};
  }
};

template <class Vertex, class Run>
void check(const TestGraph& graph, const std::vector<std::uint64_t>& truth, std::string_view kernel,
           int threads, bool counting, Run&& run) {
  std::vector<Vertex> labels(graph.vertices, static_cast<Vertex>(~Vertex{0}));
  skerry::Context context(threads, counting, nullptr);
  run(context, labels.data());
  if (same_partition(truth, labels)) {
    ++passed;
  } else {
    ++failed;
    std::printf("FAILED %.*s on %s, %zu-byte ids, %d threads\n", static_cast<int>(kernel.size()),
                kernel.data(), graph.name.c_str(), sizeof(Vertex), threads);
  }
}

template <class Vertex>
void check_graph(const TestGraph& graph, const char* only) {
  const std::vector<std::uint64_t> truth = oracle(graph);
  const Csr<Vertex> csr(graph);
  std::vector<Vertex> src, dst;
  for (const auto& [u, v] : graph.edges) {
    src.push_back(static_cast<Vertex>(u));
    dst.push_back(static_cast<Vertex>(v));
  }
  const skerry::EdgeView<Vertex> edges{src.data(), dst.data(), 1, 1, src.size()};
  const skerry::Options options;
  for (const int threads : {1, 2, 4}) {
    for (const bool counting : {false, true}) {
      for (const auto& entry : skerry::csr_kernels()) {
        if (only != nullptr && entry.name != only) continue;
        check<Vertex>(graph, truth, entry.name, threads, counting, [&](auto& context, Vertex* out) {
          if constexpr (sizeof(Vertex) == 4) entry.narrow(context, csr.view(), out, options);
          if constexpr (sizeof(Vertex) == 8) entry.wide(context, csr.view(), out, options);
        });
      }
      for (const auto& entry : skerry::edge_kernels()) {
        if (only != nullptr && entry.name != only) continue;
        check<Vertex>(graph, truth, entry.name, threads, counting, [&](auto& context, Vertex* out) {
          if constexpr (sizeof(Vertex) == 4)
            entry.narrow(context, edges, graph.vertices, out, options);
          if constexpr (sizeof(Vertex) == 8)
            entry.wide(context, edges, graph.vertices, out, options);
        });
      }
    }
  }
}

}  // namespace

// check_kernels [SIZE] [KERNEL]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  const char* only = argc > 2 ? argv[2] : nullptr;
  for (const TestGraph& graph : test_graphs(size)) {
    check_graph<std::uint32_t>(graph, only);
    check_graph<std::uint64_t>(graph, only);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
