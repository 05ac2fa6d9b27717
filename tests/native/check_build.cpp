// Runs the builders of rows on small graphs, both id widths, several thread counts, against rows
// made by a plain sorted set. Built plain and under the sanitizers.
#include <cstdlib>
#include <set>

#include "cpu/graph/build.h"
#include "cpu/graph/read_rows.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::CsrView;

using Entries = std::set<std::pair<std::uint64_t, std::uint64_t>>;

template <class Vertex>
bool holds(const Entries& truth, const CsrView<Vertex>& rows) {
  auto entry = truth.begin();
  for (std::uint64_t v = 0; v < rows.vertices; ++v)
    for (std::uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e, ++entry)
      if (entry == truth.end() || entry->first != v || entry->second != rows.neighbors[e])
        return false;
  return entry == truth.end();
}

template <class Vertex>
void check_graph(CheckResults& results, const TestGraph& graph, int threads) {
  const std::string where = " of " + graph.name + ", " + std::to_string(threads) + " threads";
  Entries truth;
  for (const auto& [u, v] : graph.edges) {
    if (u == v) continue;
    truth.insert({u, v});
    truth.insert({v, u});
  }
  Context context(threads, false, nullptr);
  const TestEdges<Vertex> edges(graph);
  const std::uint64_t n = graph.vertices;
  std::vector<std::uint64_t> offsets(n + 1), again_offsets(n + 1);
  std::vector<Vertex> neighbors(2 * edges.src.size()), again(4 * edges.src.size());
  symmetric_rows(context, edges.view(), n, offsets.data(), neighbors.data());
  const CsrView<Vertex> rows{offsets.data(), neighbors.data(), n, offsets[n]};
  results.add(holds(truth, rows), "rows" + where);
  results.add(rows_ascend(context, rows), "order of rows" + where);
  results.add(first_one_way(context, rows) == skerry::kNowhere, "symmetry" + where);
  const TestCsr<Vertex> one_way(graph, false);
  symmetric_rows(context, one_way.view(), again_offsets.data(), again.data());
  results.add(
      holds(truth, CsrView<Vertex>{again_offsets.data(), again.data(), n, again_offsets[n]}),
      "rows of rows" + where);
  transposed_rows(context, rows, again_offsets.data(), again.data());
  results.add(
      holds(truth, CsrView<Vertex>{again_offsets.data(), again.data(), n, again_offsets[n]}),
      "transposed rows" + where);
}

}  // namespace

// check_build [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(size)) {
    for (const int threads : {1, 2, 4}) {
      check_graph<std::uint32_t>(results, graph, threads);
      check_graph<std::uint64_t>(results, graph, threads);
    }
  }
  return results.close();
}
