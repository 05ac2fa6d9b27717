// Runs the algorithms that "auto" takes while another thread writes to the caller's arrays: labels
// are then of no use, but nothing out of bounds may be accessed, and every call must end. Built
// plain and under the sanitizers; only AddressSanitizer can find something here. ThreadSanitizer
// would report the writing itself, so there the arrays are changed before each call, not during it.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "cpu/own/kernels.h"
#include "cpu/own/stream.h"
#include "cpu/passes/passes.h"
#include "harness.h"

namespace {

// Writes values of any size to elements of an array, and puts the right ones back.
template <class T>
class Writer {
 public:
  Writer(std::vector<T>& values, std::uint64_t seed) : values_(values), state_(seed) {
#ifndef __SANITIZE_THREAD__
    thread_ = std::thread([this] {
      while (!stop_.load(std::memory_order_relaxed)) {
        const std::uint64_t place = next() % values_.size();
        const T right = values_[place];
        store(place, any());
        std::this_thread::yield();
        store(place, right);
      }
    });
#endif
  }
  ~Writer() {
    stop_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
  }

  // Leaves one wrong value behind, before a call.
  void damage() {
#ifdef __SANITIZE_THREAD__
    values_[next() % values_.size()] = any();
#endif
  }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 20;
  }
  T any() {
    const std::uint64_t bits = next();
    return static_cast<T>((bits << 20) >> (bits % 64));
  }
  void store(std::uint64_t place, T value) {
    std::atomic_ref<T>(values_[place]).store(value, std::memory_order_relaxed);
  }

  std::vector<T>& values_;
  std::uint64_t state_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

template <class Vertex>
bool inside(const std::vector<Vertex>& labels) {
  for (std::uint64_t v = 0; v < labels.size(); ++v)
    if (labels[v] > v) return false;
  return true;
}

template <class Vertex>
void check_rows(CheckResults& results, const TestGraph& graph, int threads) {
  TestCsr<Vertex> csr(graph, true);
  const skerry::CsrView<Vertex> view = csr.view();
  Writer<std::uint64_t> offsets(csr.offsets, 1);
  Writer<Vertex> neighbors(csr.neighbors, 2);
  std::vector<Vertex> labels(graph.vertices);
  for (const bool symmetric : {true, false}) {
    for (const skerry::Options& choices : row_choices(symmetric)) {
      offsets.damage();
      neighbors.damage();
      skerry::Context context(threads, false, nullptr);
      context.checking = true;
      // Sorted or not, as is said: nothing may be out of bounds.
      context.sorted_rows = choices.number("join", 0) != 0;
      skerry::rows(context, view, labels.data(), choices);
      results.add(inside(labels), "rows on changing rows of " + graph.name);
    }
  }
}

// A run that is stopped before its first pass: the later ones meet labels that nothing has set.
template <class Vertex>
void check_stopped(CheckResults& results, const TestGraph& graph, int threads) {
  const TestCsr<Vertex> csr(graph, true);
  std::vector<Vertex> labels(graph.vertices);
  for (std::uint64_t v = 0; v < graph.vertices; ++v)
    labels[v] = static_cast<Vertex>(v % 3 * 0x9e3779b97f4a7c15u);
  skerry::Context context(threads, false, [] { return true; });
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // it asks every 50
  skerry::rows(context, csr.view(), labels.data(), skerry::Options({{"one_direction", 1}}));
  results.add(context.stopped(), "rows stopped on " + graph.name);
}

template <class Id, class Vertex>
void check_edges(CheckResults& results, const TestGraph& graph, int threads) {
  TestEdges<Id> edges(graph);
  Writer<Id> src(edges.src, 1), dst(edges.dst, 2);
  src.damage();
  dst.damage();
  std::vector<Vertex> labels(graph.vertices);
  skerry::Context context(threads, false, nullptr);
  skerry::init_own(context, graph.vertices, labels.data());
  skerry::stream_edges(context, edges.view(), graph.vertices, labels.data());
  results.add(inside(labels), "stream on changing edges of " + graph.name);
}

}  // namespace

// check_changing [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  const std::vector<TestGraph> graphs = test_graphs(size);
  for (const int threads : {1, 3}) {
    check_stopped<std::uint32_t>(results, graphs.back(), threads);
    check_stopped<std::uint64_t>(results, graphs.back(), threads);
  }
  for (const TestGraph& graph : graphs) {
    if (graph.edges.empty()) continue;
    for (const int threads : {1, 3}) {
      check_rows<std::uint32_t>(results, graph, threads);
      check_rows<std::uint64_t>(results, graph, threads);
      check_edges<std::uint32_t, std::uint32_t>(results, graph, threads);
      check_edges<std::uint64_t, std::uint32_t>(results, graph, threads);
      check_edges<std::uint64_t, std::uint64_t>(results, graph, threads);
    }
  }
  return results.close();
}
