// Runs the algorithms that "auto" takes while another thread writes to the caller's arrays: labels
// are then of no use, but nothing outside of memory may be accessed, and every call must end. Built
// plain and under the sanitizers, which is where it can fail.
#include <atomic>
#include <cstdlib>
#include <limits>
#include <thread>

#include "cpu/own/features.h"
#include "cpu/own/kernels.h"
#include "cpu/own/stream.h"
#include "cpu/passes/passes.h"
#include "harness.h"

namespace {

// Writes values of any size to elements of the arrays until it is destroyed, and puts them back.
template <class T>
class Writer {
 public:
  Writer(std::vector<T>& values, std::uint64_t seed)
      : thread_([this, &values, seed] {
          std::uint64_t state = seed;
          while (!stop_.load(std::memory_order_relaxed)) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            std::atomic_ref<T> value(values[(state >> 33) % values.size()]);
            const T right = value.load(std::memory_order_relaxed);
            value.store(static_cast<T>(state >> (state % 48)), std::memory_order_relaxed);
            std::this_thread::yield();
            value.store(right, std::memory_order_relaxed);
          }
        }) {}
  ~Writer() {
    stop_.store(true, std::memory_order_relaxed);
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

template <class Vertex>
void check_rows(CheckResults& results, const TestGraph& graph, int threads) {
  if (graph.edges.empty()) return;
  TestCsr<Vertex> csr(graph, true);
  skerry::CsrView<Vertex> view = csr.view();
  view.size = csr.neighbors.size();
  const Writer<std::uint64_t> offsets(csr.offsets, 1);
  const Writer<Vertex> neighbors(csr.neighbors, 2);
  std::vector<Vertex> labels(graph.vertices);
  for (const double one_direction : {1.0, 0.0}) {
    for (const auto kernel : {&skerry::window<Vertex>, &skerry::local<Vertex>,
                              &skerry::rounds<Vertex>, &skerry::flood<Vertex>}) {
      for (const double follow : {0.0, 1.0}) {
        skerry::Context context(threads, false, nullptr);
        skerry::csr_features(context, view, true);
        kernel(context, view, labels.data(),
               skerry::Options({{"one_direction", one_direction}, {"follow", follow}}));
        bool inside = true;
        for (std::uint64_t v = 0; v < graph.vertices; ++v) inside &= labels[v] <= v;
        results.add(inside, "labels on changing rows of " + graph.name);
      }
    }
  }
}

template <class Vertex>
void check_edges(CheckResults& results, const TestGraph& graph, int threads) {
  if (graph.edges.empty()) return;
  TestEdges<Vertex> edges(graph);
  const Writer<Vertex> src(edges.src, 1), dst(edges.dst, 2);
  std::vector<Vertex> labels(graph.vertices);
  skerry::Context context(threads, false, nullptr);
  skerry::init_own(context, graph.vertices, labels.data());
  skerry::stream_edges(context, edges.view(), graph.vertices, labels.data());
  bool inside = true;
  for (std::uint64_t v = 0; v < graph.vertices; ++v) inside &= labels[v] <= v;
  results.add(inside, "labels on changing edges of " + graph.name);
}

}  // namespace

// check_changing [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    for (const int threads : {1, 3}) {
      check_rows<std::uint32_t>(results, graph, threads);
      check_rows<std::uint64_t>(results, graph, threads);
      check_edges<std::uint32_t>(results, graph, threads);
      check_edges<std::uint64_t>(results, graph, threads);
    }
  }
  return results.close();
}
