// Makes small graphs of every family, whole by one thread and then in pieces by several, both id
// widths; what is made must not differ. Geometric graphs are held against all pairs of their
// points. Built plain and under the sanitizers.
#include <cstdlib>
#include <utility>

#include "cpu/graph/generate.h"
#include "cpu/graph/geometric.h"
#include "cpu/graph/graph500.h"
#include "harness.h"

namespace {

using skerry::Context;
using skerry::Family;
using skerry::Geometric;
using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

template <class Vertex>
void append(Pairs& pairs, const std::vector<Vertex>& src, const std::vector<Vertex>& dst) {
  for (std::size_t i = 0; i < src.size(); ++i) pairs.push_back({src[i], dst[i]});
}

std::vector<std::pair<std::string, Family>> families(std::uint64_t size,
                                                     const std::vector<std::uint64_t>& starts) {
  const std::uint64_t half = std::uint64_t{1} << 31;
  return {{"grid", skerry::Grid{7, size / 7 + 1}},
          {"torus", skerry::Torus{7, size / 7 + 1}},
          {"path", skerry::Path{size}},
          {"star", skerry::Star{size}},
          {"complete", skerry::Complete{size / 20 + 3}},
          {"uniform", skerry::Uniform{size, 3 * size, 1}},
          {"random picks", skerry::RandomPicks{size, 4, 1}},
          {"R-MAT", skerry::Rmat{9, 2 * size, half, half + half / 2, half + half / 2 + 1, 1}},
          {"mawi", skerry::Mawi{size, 5, half, size / 4, 1}},
          {"tiny", skerry::Tiny{size / 4 + 1, 7, 1}},
          {"planted", skerry::Planted{starts.data(), starts.size() - 1, size / 3, 1}},
          {"attachment", skerry::PreferentialAttachment{size, 3, 1}},
          {"web", skerry::Web{size, 3, half, 1}},
          {"ring", skerry::Ring{size, size / 2, 1}},
          {"R-MAT of any size",
           skerry::RmatOf{size, 2 * size, half, half + half / 2, half + half / 2 + 1, 1}},
          {"profile",
           skerry::Profile{size, 3, 2, 4, 5, size, size / 9, size, half + half / 2, half, 1}}};
}

// In pieces of about a third.
template <class Vertex>
Pairs make(const Family& family, int threads, std::uint64_t piece) {
  Pairs pairs;
  Context context(threads, false, nullptr);
  const std::uint64_t edges = count_edges(family);
  for (std::uint64_t first = 0; first < edges; first += piece) {
    const std::uint64_t count = std::min(piece, edges - first);
    std::vector<Vertex> src(count), dst(count);
    fill_edges(context, family, first, count, src.data(), dst.data());
    append(pairs, src, dst);
  }
  return pairs;
}

bool inside(const Pairs& pairs, std::uint64_t vertices) {
  return std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return pair.first < vertices && pair.second < vertices;
  });
}

void check_families(CheckResults& results, std::uint64_t size) {
  std::vector<std::uint64_t> starts{0, 1, 2, 10, size + 10};
  for (const auto& [name, family] : families(size, starts)) {
    const std::uint64_t edges = count_edges(family);
    const Pairs complete = make<std::uint32_t>(family, 1, edges + 1);
    results.add(complete.size() == edges && inside(complete, count_vertices(family)),
                "edges of " + name);
    for (const int threads : {2, 4}) {
      results.add(make<std::uint32_t>(family, threads, edges / 3 + 1) == complete,
                  "parts of " + name);
      results.add(make<std::uint64_t>(family, threads, edges) == complete, "wide ids of " + name);
    }
  }
}

template <class Vertex>
Pairs make_road(const skerry::Road& road, int threads, std::uint64_t piece) {
  Pairs pairs;
  Context context(threads, false, nullptr);
  std::vector<std::uint64_t> kept(road.crossings() + 1);
  count_streets(context, road, kept.data());
  for (std::uint64_t first = 0; first < road.crossings(); first += piece) {
    const std::uint64_t last = std::min(first + piece, road.crossings());
    const std::uint64_t count = road.edges(kept[last] - kept[first]);
    std::vector<Vertex> src(count), dst(count);
    fill_road(context, road, kept.data(), first, last, src.data(), dst.data());
    append(pairs, src, dst);
  }
  return pairs;
}

struct Points {
  std::vector<std::uint64_t> coordinates, starts, before;

  Points(Context& context, const Geometric& graph)
      : coordinates(graph.points()), starts(graph.cells() + 1), before(graph.cells() + 1) {
    graph.draw_points(context, coordinates.data(), starts.data());
    graph.count_edges(context, coordinates.data(), starts.data(), before.data());
  }
  Pairs close(std::uint64_t radius) const {
    Pairs pairs;
    for (std::size_t u = 0; u < coordinates.size(); ++u)
      for (std::size_t v = u + 1; v < coordinates.size(); ++v) {
        const auto dx = static_cast<double>(coordinates[u] & 0xffffffffu) -
                        static_cast<double>(coordinates[v] & 0xffffffffu);
        const auto dy =
            static_cast<double>(coordinates[u] >> 32) - static_cast<double>(coordinates[v] >> 32);
        const auto limit = static_cast<double>(radius);
        if (dx * dx + dy * dy < limit * limit) pairs.push_back({u, v});
      }
    return pairs;
  }
};

template <class Vertex>
Pairs make_geometric(const Geometric& graph, int threads, std::uint64_t piece) {
  Pairs pairs;
  Context context(threads, false, nullptr);
  const Points points(context, graph);
  for (std::uint64_t first = 0; first < graph.cells(); first += piece) {
    const std::uint64_t last = std::min(first + piece, graph.cells());
    const std::uint64_t count = points.before[last] - points.before[first];
    std::vector<Vertex> src(count), dst(count);
    graph.fill_edges(context, points.coordinates.data(), points.starts.data(), points.before.data(),
                     first, last, src.data(), dst.data());
    append(pairs, src, dst);
  }
  return pairs;
}

void check_tables(CheckResults& results, std::uint64_t size) {
  for (const std::uint64_t joined : {0, 1}) {
    const skerry::Road road{size / 40 + 2, 2, std::uint64_t{5} << 29, 1, joined, 9 * joined};
    const Pairs streets = make_road<std::uint32_t>(road, 1, road.crossings());
    for (const int threads : {2, 4})
      results.add(make_road<std::uint64_t>(road, threads, road.crossings() / 3 + 1) == streets,
                  "parts of road");
  }
  const std::uint64_t side = std::uint64_t{1} << Geometric::kBits;
  for (const std::uint64_t points : {std::uint64_t{0}, std::uint64_t{1}, size / 2})
    for (const std::uint64_t radius : {std::uint64_t{0}, side / 30, side / 3, side + side / 2}) {
      const Geometric graph(points, radius, 1);
      Context context(1, false, nullptr);
      const Pairs truth = Points(context, graph).close(radius);
      for (const int threads : {1, 4}) {
        const std::uint64_t piece = graph.cells() / 3 + 1;
        results.add(make_geometric<std::uint32_t>(graph, threads, piece) == truth, "geometric");
        results.add(make_geometric<std::uint64_t>(graph, threads, piece) == truth, "geometric");
      }
    }
}

template <class Vertex>
Pairs make_graph500(std::uint64_t levels, std::uint64_t edges, int threads, std::uint64_t piece) {
  Pairs pairs;
  Context context(threads, false, nullptr);
  const skerry::Graph500Plan plan = skerry::plan_graph500(2, 3, 1);
  for (std::uint64_t first = 0; first < edges; first += piece) {
    const std::uint64_t count = std::min(piece, edges - first);
    std::vector<Vertex> src(count), dst(count);
    fill_graph500(context, skerry::Graph500{levels, &plan}, first, count, src.data(), dst.data());
    append(pairs, src, dst);
  }
  return pairs;
}

void check_graph500(CheckResults& results, std::uint64_t size) {
  for (const std::uint64_t levels : {1, 9, 31}) {
    const Pairs complete = make_graph500<std::uint32_t>(levels, size, 1, size);
    results.add(inside(complete, std::uint64_t{1} << levels), "edges of Graph500");
    for (const int threads : {2, 4}) {
      results.add(make_graph500<std::uint32_t>(levels, size, threads, size / 3 + 1) == complete,
                  "parts of Graph500");
      results.add(make_graph500<std::uint64_t>(levels, size, threads, size) == complete,
                  "wide ids of Graph500");
    }
  }
}

void check_shuffle(CheckResults& results, std::uint64_t size) {
  Context context(4, false, nullptr);
  std::vector<std::uint32_t> ids(size);
  for (std::uint64_t v = 0; v < size; ++v) ids[v] = static_cast<std::uint32_t>(v);
  shuffle_ids(context, 1, size, ids.data(), size);
  std::vector<bool> seen(size);
  for (const std::uint32_t id : ids)
    if (id < size) seen[id] = true;
  results.add(std::find(seen.begin(), seen.end(), false) == seen.end(), "shuffled ids");
}

}  // namespace

// check_generate [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  check_families(results, size);
  check_tables(results, size);
  check_graph500(results, size);
  check_shuffle(results, size);
  return results.close();
}
