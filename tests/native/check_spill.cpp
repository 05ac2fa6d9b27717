// Solves graphs block by block, and sorts ids and edges into parts, against an independent oracle.
// Built plain and under the sanitizers: threads join a block at the same time.
#include <cstdlib>
#include <numeric>

#include "cpu/spill/block_forest.h"
#include "cpu/spill/partition.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::EdgeView;

// The labels of a graph whose parents are in memory a block at a time.
template <class Vertex>
std::vector<Vertex> solve_in_blocks(const TestGraph& graph, std::uint64_t block, int threads) {
  Context context(threads, false, nullptr);
  std::vector<Vertex> labels(graph.vertices), edges;
  std::iota(labels.begin(), labels.end(), Vertex{0});
  for (const auto& [u, v] : graph.edges) {
    edges.push_back(static_cast<Vertex>(u));
    edges.push_back(static_cast<Vertex>(v));
  }
  const std::uint64_t blocks = (graph.vertices + block - 1) / block;
  for (std::uint64_t number = blocks; number-- > 0;) {
    const std::uint64_t low = number * block, size = std::min(block, graph.vertices - low);
    std::vector<Vertex> left(edges.size());
    const EdgeView<Vertex> view{edges.data(), edges.data() + 1, 2, 2, edges.size() / 2};
    left.resize(2 * join_block(context, view, low, size, labels.data() + low, left.data()));
    flatten_block(context, low, size, labels.data() + low);
    edges = left;
  }
  for (std::uint64_t v = 0; v < graph.vertices; ++v) labels[v] = labels[labels[v]];
  return labels;
}

template <class Vertex>
void check_blocks(CheckResults& results, const TestGraph& graph, std::uint64_t block, int threads) {
  const std::vector<Vertex> labels = solve_in_blocks<Vertex>(graph, block, threads);
  results.add(equal(oracle(graph), labels), graph.name + ", blocks of " + std::to_string(block) +
                                                ", " + std::to_string(sizeof(Vertex)) +
                                                "-byte labels, " + std::to_string(threads) +
                                                " threads");
}

template <class Vertex>
void check_parts(CheckResults& results, const TestGraph& graph, unsigned bits, int threads) {
  Context context(threads, false, nullptr);
  std::vector<skerry::Word> ids;
  std::vector<Vertex> edges;
  for (const auto& [u, v] : graph.edges) {
    ids.push_back(u * 0x9e3779b97f4a7c15u);
    edges.push_back(static_cast<Vertex>(u));
    edges.push_back(static_cast<Vertex>(v));
  }
  std::vector<std::uint8_t> routes(ids.size());
  std::vector<skerry::Word> scattered(ids.size());
  std::vector<std::uint64_t> counts(std::size_t{1} << bits);
  scatter_ids(context, ids.data(), ids.size(), 7, bits, routes.data(), scattered.data(),
              counts.data());
  std::vector<skerry::Word> gathered(ids.size());
  const bool agree = gather_numbers(context, routes.data(), ids.size(), counts.data(), 1u << bits,
                                    scattered.data(), gathered.data());
  results.add(agree && gathered == ids,
              graph.name + ", " + std::to_string(bits) + " bits: ids come back in their order");
  const Vertex block = static_cast<Vertex>(std::max<std::uint64_t>(graph.vertices / 3, 1));
  std::vector<Vertex> sorted(edges.size());
  std::vector<std::uint64_t> sizes(graph.vertices / block + 1);
  bool right = scatter_edges(context, edges.data(), edges.size() / 2, block,
                             static_cast<unsigned>(sizes.size()), sorted.data(), sizes.data());
  std::uint64_t at = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part)
    for (std::uint64_t i = 0; i < sizes[part]; ++i, ++at)
      right &= std::max(sorted[2 * at], sorted[2 * at + 1]) / block == part;
  results.add(right && 2 * at == edges.size(), graph.name + ": edges are in the block of an end");
}

}  // namespace

int main(int count, char** arguments) {
  const int scale = count > 1 ? std::atoi(arguments[1]) : 2000;
  CheckResults results;
  for (const TestGraph& graph : test_graphs(static_cast<std::uint64_t>(scale)))
    for (const int threads : {1, 3}) {
      for (const std::uint64_t block :
           {std::uint64_t{1}, graph.vertices / 3 + 1, graph.vertices + 1})
        if (block > 1 || graph.vertices < 500) {
          check_blocks<std::uint32_t>(results, graph, block, threads);
          check_blocks<std::uint64_t>(results, graph, block, threads);
        }
      check_parts<std::uint32_t>(results, graph, 0, threads);
      check_parts<std::uint64_t>(results, graph, 8, threads);
    }
  return results.close();
}
