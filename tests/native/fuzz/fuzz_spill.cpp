// What solves edges block by block on disk, with any edges, and what puts numbers back in order,
// with any routes: right ones give the oracle's labels, wrong ones are noticed.
#include "cpu/spill/block_forest.h"
#include "cpu/spill/partition.h"
#include "input.h"

namespace {

using skerry::Context;
using skerry::EdgeView;

template <class Vertex>
void join_blocks(fuzz::Input& input, int threads, bool raw) {
  const std::uint64_t vertices = input.take<std::uint8_t>() + 1u;
  const std::uint64_t block = input.take<std::uint8_t>() % vertices + 1;
  const std::size_t count = input.left() / (2 * sizeof(Vertex));
  std::vector<Vertex> edges = input.take<Vertex>(2 * count);
  edges.resize(2 * count);
  fuzz::Oracle oracle(vertices);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (!raw) edges[i] = static_cast<Vertex>(edges[i] % vertices);
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    right &= edges[2 * i] < vertices && edges[2 * i + 1] < vertices;
    if (right) oracle.join(edges[2 * i], edges[2 * i + 1]);
  }
  Context context(threads, false, nullptr);
  std::vector<Vertex> labels(vertices);
  for (std::uint64_t v = 0; v < vertices; ++v) labels[v] = static_cast<Vertex>(v);
  for (std::uint64_t number = (vertices + block - 1) / block; number-- > 0;) {
    const std::uint64_t low = number * block, size = std::min(block, vertices - low);
    std::vector<Vertex> left(edges.size());
    const Vertex* first = edges.data();
    const EdgeView<Vertex> view{first, edges.empty() ? first : first + 1, 2, 2, edges.size() / 2};
    left.resize(2 * join_block(context, view, low, size, labels.data() + low, left.data()));
    flatten_block(context, low, size, labels.data() + low);
    edges = left;
  }
  fuzz::require(right != context.faulty(), "wrong edges, and only these, are noticed");
  for (std::uint64_t v = 0; right && v < vertices; ++v) {
    labels[v] = labels[labels[v]];
    fuzz::require(labels[v] == oracle.root(v), "labels are the oracle's");
  }
}

void scatter(fuzz::Input& input, int threads) {
  const unsigned bits = input.take<std::uint8_t>() % 9, buckets = 1u << bits;
  const bool raw = (input.take<std::uint8_t>() & 1) != 0;
  Context context(threads, false, nullptr);
  std::vector<skerry::Word> ids = input.take<skerry::Word>(input.left() / 9);
  std::vector<std::uint8_t> routes(ids.size());
  std::vector<skerry::Word> scattered(ids.size()), gathered(ids.size());
  std::vector<std::uint64_t> counts(buckets);
  scatter_ids(context, ids.data(), ids.size(), 7, bits, routes.data(), scattered.data(),
              counts.data());
  if (raw)  // what was written to disk and came back damaged
    for (std::uint8_t& route : routes) route ^= input.take<std::uint8_t>();
  std::vector<std::uint64_t> seen(256);
  for (const std::uint8_t route : routes) ++seen[route];
  bool right = true;
  for (std::size_t i = 0; i < seen.size(); ++i) right &= seen[i] == (i < buckets ? counts[i] : 0);
  const bool agree = gather_numbers(context, routes.data(), ids.size(), counts.data(), buckets,
                                    scattered.data(), gathered.data());
  fuzz::require(agree == right, "wrong routes, and only these, are noticed");
  if (!raw) fuzz::require(agree && gathered == ids, "ids come back in their order");
}

template <class Vertex>
void scatter_to_blocks(fuzz::Input& input, int threads) {
  const Vertex block = static_cast<Vertex>(input.take<std::uint8_t>() + 1u);
  const unsigned blocks = input.take<std::uint8_t>() % 32 + 1u;
  const std::size_t count = input.left() / (2 * sizeof(Vertex));
  std::vector<Vertex> edges = input.take<Vertex>(2 * count);
  edges.resize(2 * count);
  std::vector<Vertex> sorted(edges.size());
  std::vector<std::uint64_t> sizes(blocks);
  Context context(threads, false, nullptr);
  bool right = true;
  for (const Vertex v : edges) right &= v / block < blocks;
  const bool done =
      scatter_edges(context, edges.data(), count, block, blocks, sorted.data(), sizes.data());
  fuzz::require(done == right, "wrong vertices, and only these, are noticed");
  std::uint64_t at = 0;
  for (unsigned part = 0; done && part < blocks; ++part)
    for (std::uint64_t i = 0; i < sizes[part]; ++i, ++at)
      fuzz::require(std::max(sorted[2 * at], sorted[2 * at + 1]) / block == part, "its block");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto form = input.take<std::uint8_t>();
  const int threads = (form & 8) != 0 ? 2 : 1;
  const bool raw = (form & 16) != 0;
  switch (form % 8) {
    case 0:
      join_blocks<std::uint32_t>(input, threads, raw);
      break;
    case 1:
      join_blocks<std::uint64_t>(input, threads, raw);
      break;
    case 2:
      scatter(input, threads);
      break;
    case 3:
      scatter_to_blocks<std::uint32_t>(input, threads);
      break;
    default:
      scatter_to_blocks<std::uint64_t>(input, threads);
  }
  return 0;
}
