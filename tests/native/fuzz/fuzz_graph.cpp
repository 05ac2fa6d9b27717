// The solvers of rows and of edges on any arrays: right ones give the oracle's labels, wrong ones
// are noticed, and nothing is accessed out of bounds. The first bytes choose; the rest is the
// graph.
#include "cpu/own/kernels.h"
#include "cpu/own/stream.h"
#include "cpu/passes/passes.h"
#include "input.h"

namespace {

constexpr std::uint64_t kVertices = 64;  // of a graph, at most

template <class Vertex>
void check(const std::vector<Vertex>& labels, const fuzz::Oracle& oracle) {
  for (std::uint64_t v = 0; v < labels.size(); ++v)
    fuzz::require(labels[v] == oracle.root(v), "labels are the oracle's");
}

template <class Vertex>
void solve_rows(fuzz::Input& input, std::uint64_t vertices, int threads, std::uint8_t choice) {
  const bool symmetric = (choice & 1) != 0, raw = (choice & 2) != 0;
  std::vector<std::uint64_t> offsets(vertices + 1);
  for (std::uint64_t v = 1; v <= vertices; ++v)
    offsets[v] =
        raw ? input.take<std::uint64_t>() : offsets[v - 1] + input.take<std::uint8_t>() % 8;
  const std::uint64_t wanted = std::min<std::uint64_t>(offsets[vertices], 4096);
  std::vector<Vertex> neighbors = raw ? input.take<Vertex>(wanted) : std::vector<Vertex>(wanted);
  if (!raw)
    for (Vertex& each : neighbors) each = input.take<std::uint8_t>();
  offsets[vertices] = neighbors.size();  // both are compared before any solver is called
  const skerry::CsrView<Vertex> view{offsets.data(), neighbors.data(), vertices, neighbors.size()};
  bool right = offsets[0] == 0;
  fuzz::Oracle oracle(vertices);
  for (std::uint64_t v = 0; v < vertices; ++v) right &= offsets[v] <= offsets[v + 1];
  for (const Vertex each : neighbors) right &= each < vertices;
  std::vector<char> edge(vertices * vertices, 0);
  for (std::uint64_t v = 0; right && v < vertices; ++v)
    for (std::uint64_t e = offsets[v]; e < offsets[v + 1]; ++e) {
      oracle.join(v, neighbors[e]);
      edge[v * vertices + neighbors[e]] = 1;
    }
  bool reverses = right;
  for (std::uint64_t v = 0; right && v < vertices; ++v)
    for (std::uint64_t u = 0; u < vertices; ++u)
      reverses &= edge[v * vertices + u] == edge[u * vertices + v];
  skerry::Context context(threads, false, nullptr);
  context.checking = true;
  std::vector<Vertex> labels(vertices);
  const skerry::Options options({{"one_direction", symmetric ? 1.0 : 0.0},
                                 {"seconds", choice >> 2 & 3},
                                 {"rest", choice >> 4 & 3},
                                 {"join", choice >> 6 & 3}});
  skerry::rows(context, view, labels.data(), options);
  // Without an entry nothing is read, so nothing is noticed, and all vertices stand alone.
  const bool noticed = context.faulty() || (neighbors.empty() && !right);
  fuzz::require(right != noticed, "wrong rows, and only these, are noticed");
  if (right && (reverses || !symmetric)) check(labels, oracle);
}

template <class Id, class Vertex>
void solve_edges(fuzz::Input& input, std::uint64_t vertices, int threads) {
  const std::size_t count = input.left() / (2 * sizeof(Id));
  const std::vector<Id> ids = input.take<Id>(2 * count);
  const Id* first = ids.data();
  const skerry::EdgeView<Id> view{first, ids.empty() ? first : first + 1, 2, 2, count};
  fuzz::Oracle oracle(vertices);
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto u = static_cast<std::uint64_t>(ids[2 * i]);
    const auto v = static_cast<std::uint64_t>(ids[2 * i + 1]);
    right &= u < vertices && v < vertices;
    if (right) oracle.join(u, v);
  }
  std::vector<Vertex> labels(vertices);
  skerry::Context context(threads, false, nullptr);
  context.checking = true;
  skerry::init_own(context, vertices, labels.data());
  skerry::stream_edges(context, view, vertices, labels.data());
  fuzz::require(right != context.faulty(), "wrong edges, and only these, are noticed");
  if (right) check(labels, oracle);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto form = input.take<std::uint8_t>();
  const auto choice = input.take<std::uint8_t>();
  const std::uint64_t vertices = input.take<std::uint8_t>() % kVertices + 1;
  const int threads = (form & 8) != 0 ? 2 : 1;
  switch (form % 8) {
    case 0:
      solve_rows<std::uint32_t>(input, vertices, threads, choice);
      break;
    case 1:
      solve_rows<std::uint64_t>(input, vertices, threads, choice);
      break;
    case 2:
      solve_edges<std::uint32_t, std::uint32_t>(input, vertices, threads);
      break;
    case 3:
      solve_edges<std::uint32_t, std::uint64_t>(input, vertices, threads);
      break;
    case 4:
      solve_edges<std::uint64_t, std::uint32_t>(input, vertices, threads);
      break;
    default:
      solve_edges<std::uint64_t, std::uint64_t>(input, vertices, threads);
  }
  return 0;
}
