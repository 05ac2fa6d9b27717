// Runs the union-find passes in all their combinations, the edge stream and the label passes, on
// symmetric and one-way rows, against an independent oracle. Built plain and under the sanitizers.
#include <cstdlib>

#include "cpu/own/stream.h"
#include "cpu/passes/passes.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::Finish;
using skerry::Init;
using skerry::Jump;
using skerry::Rows;

template <class Vertex>
class Checks {
 public:
  Checks(CheckResults& results, const TestGraph& graph, int threads)
      : results_(results),
        graph_(graph),
        truth_(oracle(graph)),
        threads_(threads),
        labels_(graph.vertices, 0) {}

  void rows_in_all_combinations() {
    for (const bool symmetric : {true, false}) {
      const TestCsr<Vertex> csr(graph_, symmetric);
      for (const Init init : {Init::own, Init::smallest, Init::first_smaller})
        for (const Jump jump : {Jump::multiple, Jump::single, Jump::none, Jump::halving})
          for (const Finish end :
               {Finish::halving, Finish::multiple, Finish::single, Finish::ordered})
            check("rows", [&](Context& context, Vertex* parent) {
              init_from_rows(context, csr.view(), init, parent);
              hook_rows(context, csr.view(), jump, Rows{.one_direction = symmetric}, parent);
              finish(context, graph_.vertices, end, parent);
            });
    }
  }

  void rows_in_falling_ranges() {
    const TestCsr<Vertex> csr(graph_, true);
    check("guided rows", [&](Context& context, Vertex* parent) {
      init_own(context, graph_.vertices, parent);
      hook_rows(context, csr.view(), Jump::halving, Rows{.one_direction = true, .guided = true},
                parent);
      finish(context, graph_.vertices, Finish::single, parent);
    });
  }

  void afforest() {
    const TestCsr<Vertex> csr(graph_, true);
    check("afforest", [&](Context& context, Vertex* parent) {
      init_own(context, graph_.vertices, parent);
      hook_nth(context, csr.view(), 0, parent);
      finish(context, graph_.vertices, Finish::single, parent);
      const auto largest = skerry::guess_largest(graph_.vertices, parent).label;
      hook_rows(context, csr.view(), Jump::halving, Rows{false, 1, true, largest}, parent);
      finish(context, graph_.vertices, Finish::single, parent);
    });
  }

  template <class Id>
  void edges() {
    const TestEdges<Id> edges(graph_);
    check("edges", [&](Context& context, Vertex* parent) {
      init_own(context, graph_.vertices, parent);
      hook_edges(context, edges.view(), Jump::halving, parent);
      finish(context, graph_.vertices, Finish::multiple, parent);
    });
    check("stream", [&](Context& context, Vertex* parent) {
      init_own(context, graph_.vertices, parent);
      stream_edges(context, edges.view(), graph_.vertices, parent);
      finish(context, graph_.vertices, Finish::ordered, parent);
    });
  }

  void labels() {
    Context context(threads_, false, nullptr);
    // Any member of a class as its label: here the largest.
    std::vector<Vertex> label(truth_.begin(), truth_.end());
    for (std::size_t v = 0; v < truth_.size(); ++v) label[truth_[v]] = static_cast<Vertex>(v);
    std::vector<Vertex> largest(truth_.size());
    for (std::size_t v = 0; v < truth_.size(); ++v) largest[v] = label[truth_[v]];
    make_canonical(context, graph_.vertices, largest.data());
    results_.add(equal(truth_, largest), "canonical labels of " + graph_.name);
    std::vector<Vertex> dense(truth_.size());
    const std::uint64_t count = make_dense(context, graph_.vertices, largest.data(), dense.data());
    results_.add(count == count_components(context, graph_.vertices, largest.data()) &&
                     same_partition(truth_, dense) &&
                     std::all_of(dense.begin(), dense.end(), [&](Vertex d) { return d < count; }),
                 "dense labels of " + graph_.name);
  }

 private:
  template <class Run>
  void check(const char* what, Run&& run) {
    for (const bool counting : {false, true}) {
      Context context(threads_, counting, nullptr);
      run(context, labels_.data());
      results_.add(equal(truth_, labels_), std::string(what) + " on " + graph_.name + ", " +
                                               std::to_string(sizeof(Vertex)) + "-byte ids, " +
                                               std::to_string(threads_) + " threads");
    }
  }

  CheckResults& results_;
  const TestGraph& graph_;
  std::vector<std::uint64_t> truth_;
  int threads_;
  std::vector<Vertex> labels_;
};

template <class Vertex>
void check_graph(CheckResults& results, const TestGraph& graph) {
  for (const int threads : {1, 2, 4}) {
    Checks<Vertex> checks(results, graph, threads);
    checks.rows_in_all_combinations();
    checks.rows_in_falling_ranges();
    checks.afforest();
    checks.template edges<std::uint32_t>();
    checks.template edges<std::uint64_t>();
    checks.labels();
  }
}

}  // namespace

// check_passes [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    check_graph<std::uint32_t>(results, graph);
    check_graph<std::uint64_t>(results, graph);
  }
  return results.close();
}
