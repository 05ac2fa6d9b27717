// Runs every registered kernel on small graphs, both id widths, several thread counts, with and
// without statistics, against an independent oracle. Built plain and under the sanitizers.
#include <cstdlib>

#include "cpu/registry.h"
#include "harness.h"

namespace {

template <class Vertex, class Run>
void check(CheckResults& results, const TestGraph& graph, const std::vector<std::uint64_t>& truth,
           std::string_view kernel, int threads, bool counting, Run&& run) {
  std::vector<Vertex> labels(graph.vertices, static_cast<Vertex>(~Vertex{0}));
  skerry::Context context(threads, counting, nullptr);
  run(context, labels.data());
  const std::string name = std::string(kernel) + " on " + graph.name + ", " +
                           std::to_string(sizeof(Vertex)) + "-byte ids, " +
                           std::to_string(threads) + " threads";
  results.add(same_partition(truth, labels), name);
  results.add(context.scratch.current() == 0, name + ": all scratch memory is freed");
}

template <class Vertex>
void check_graph(CheckResults& results, const TestGraph& graph, const char* only) {
  const std::vector<std::uint64_t> truth = oracle(graph);
  const TestCsr<Vertex> csr(graph, true);
  TestCsr<Vertex> sorted = csr;
  sorted.sort_rows();
  const TestEdges<Vertex> edges(graph);
  const skerry::Options options;
  const skerry::Options others({{"one_direction", 1}});
  // By the letter of the papers: every kernel reads those that it has.
  const skerry::Options letters({{"one_direction", 1},
                                 {"keep", 1},
                                 {"shortcut", 1},
                                 {"jumps", 2},
                                 {"permute", 1},
                                 {"chunk", 1},
                                 {"drop", 0},
                                 {"team", 1},
                                 {"finish", 1},
                                 {"serial_below", 50},
                                 {"contract", 1},
                                 {"end", 1},
                                 {"leave", 1},
                                 {"block", 3},
                                 {"prefetch", 1}});
  for (const int threads : {1, 2, 4}) {
    for (const bool counting : {false, true}) {
      for (const auto& entry : skerry::csr_kernels()) {
        if (only != nullptr && entry.name != only) continue;
        const auto run = [&](const TestCsr<Vertex>& rows, const skerry::Options& chosen,
                             bool checking, bool known) {
          check<Vertex>(results, graph, truth, entry.name, threads, counting,
                        [&](auto& context, Vertex* out) {
                          context.checking = checking;
                          context.sorted_rows = known;
                          if constexpr (sizeof(Vertex) == 4)
                            entry.narrow(context, rows.view(), out, chosen);
                          if constexpr (sizeof(Vertex) == 8)
                            entry.wide(context, rows.view(), out, chosen);
                        });
        };
        run(csr, options, false, false);
        run(csr, others, false, false);
        run(csr, letters, false, false);
        run(csr, others, true, false);
        run(sorted, others, true, false);
        run(sorted, others, false, true);
        if (entry.name == "rows")
          for (const bool symmetric : {true, false})
            for (const skerry::Options& choices : row_choices(symmetric))
              run(csr, choices, symmetric, false);
      }
      for (const auto& entry : skerry::edge_kernels()) {
        if (only != nullptr && entry.name != only) continue;
        for (const skerry::Options& chosen : {options, letters}) {
          check<Vertex>(results, graph, truth, entry.name, threads, counting,
                        [&](auto& context, Vertex* out) {
                          if constexpr (sizeof(Vertex) == 4)
                            entry.narrow(context, edges.view(), graph.vertices, out, chosen);
                          if constexpr (sizeof(Vertex) == 8)
                            entry.wide(context, edges.view(), graph.vertices, out, chosen);
                        });
        }
      }
    }
  }
}

}  // namespace

// check_kernels [SIZE] [KERNEL]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  const char* only = argc > 2 ? argv[2] : nullptr;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    check_graph<std::uint32_t>(results, graph, only);
    check_graph<std::uint64_t>(results, graph, only);
  }
  return results.close();
}
