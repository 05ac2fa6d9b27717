// The loops over generators.h and grown.h, and the table that finds a family by its name.
#include "cpu/graph/generate.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cpu/scan.h"
#include "cpu/team.h"

namespace skerry {

namespace {

using Parameters = std::span<const std::uint64_t>;

struct FamilyEntry {
  std::string_view name;
  std::size_t parameters;
  Family (*make)(Parameters p);
};

constexpr FamilyEntry kFamilies[] = {
    {"grid", 2, [](Parameters p) -> Family { return Grid{p[0], p[1]}; }},
    {"torus", 2, [](Parameters p) -> Family { return Torus{p[0], p[1]}; }},
    {"path", 1, [](Parameters p) -> Family { return Path{p[0]}; }},
    {"star", 1, [](Parameters p) -> Family { return Star{p[0]}; }},
    {"complete", 1, [](Parameters p) -> Family { return Complete{p[0]}; }},
    {"uniform", 3, [](Parameters p) -> Family { return Uniform{p[0], p[1], p[2]}; }},
    {"random_picks", 3, [](Parameters p) -> Family { return RandomPicks{p[0], p[1], p[2]}; }},
    {"rmat", 6, [](Parameters p) -> Family { return Rmat{p[0], p[1], p[2], p[3], p[4], p[5]}; }},
    {"mawi", 5, [](Parameters p) -> Family { return Mawi{p[0], p[1], p[2], p[3], p[4]}; }},
    {"tiny", 3, [](Parameters p) -> Family { return Tiny{p[0], p[1], p[2]}; }},
    {"preferential_attachment", 3,
     [](Parameters p) -> Family { return PreferentialAttachment{p[0], p[1], p[2]}; }},
    {"web", 4, [](Parameters p) -> Family { return Web{p[0], p[1], p[2], p[3]}; }},
    {"ring", 3, [](Parameters p) -> Family { return Ring{p[0], p[1], p[2]}; }},
    {"rmat_of", 6,
     [](Parameters p) -> Family { return RmatOf{p[0], p[1], p[2], p[3], p[4], p[5]}; }},
    {"profile", 15,
     [](Parameters p) -> Family {
       return Profile{p[0], p[1], p[2],  p[3],  p[4],  p[5],  p[6], p[7],
                      p[8], p[9], p[10], p[11], p[12], p[13], p[14]};
     }},
};

}  // namespace

std::optional<Family> make_family(std::string_view name, Parameters parameters) {
  for (const FamilyEntry& entry : kFamilies)
    if (entry.name == name && entry.parameters == parameters.size()) return entry.make(parameters);
  return std::nullopt;
}

std::uint64_t count_vertices(const Family& family) {
  return std::visit([](const auto& graph) { return graph.vertices(); }, family);
}

std::uint64_t count_edges(const Family& family) {
  return std::visit([](const auto& graph) { return graph.edges(); }, family);
}

template <class Vertex>
void fill_edges(Context& context, const Family& family, std::uint64_t first, std::uint64_t count,
                Vertex* src, Vertex* dst) {
  std::visit(
      [&](const auto& graph) {
        for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
          [[maybe_unused]] Word near = 0;
          for (std::uint64_t i = begin; i < end; ++i) {
            DrawnEdge ends;
            if constexpr (requires { graph.edge(i, near); }) {
              ends = graph.edge(first + i, near);
            } else {
              ends = graph.edge(first + i);
            }
            src[i] = static_cast<Vertex>(ends.u);
            dst[i] = static_cast<Vertex>(ends.v);
          }
        });
      },
      family);
}

std::uint64_t count_streets(Context& context, const Road& road, std::uint64_t* kept_before) {
  const std::uint64_t crossings = road.crossings();
  for_each(context, crossings, [&](std::uint64_t x) { kept_before[x] = road.streets(x); });
  kept_before[crossings] = exclusive_scan(context, kept_before, crossings);
  return kept_before[crossings];
}

template <class Vertex>
void fill_road(Context& context, const Road& road, const std::uint64_t* kept_before,
               std::uint64_t first, std::uint64_t last, Vertex* src, Vertex* dst) {
  for_each(context, last - first, [&](std::uint64_t i) {
    const std::uint64_t x = first + i;
    std::uint64_t position = road.edges(kept_before[x] - kept_before[first]);
    road.for_each_edge(x, kept_before, [&](Word u, Word v) {
      src[position] = static_cast<Vertex>(u);
      dst[position] = static_cast<Vertex>(v);
      ++position;
    });
  });
}

// The number of steps of an id is unpredictable. So all ids of a block take the first step, those
// that need it the next, and so on: many independent steps and few mispredicted branches.
template <class Vertex>
void shuffle_ids(Context& context, std::uint64_t seed, std::uint64_t vertices, Vertex* ids,
                 std::uint64_t count) {
  const Permutation permutation(stream_key(seed, kShuffleStream), vertices);
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t walking[256];
    for (; begin < end; begin += std::min<std::uint64_t>(end - begin, std::size(walking))) {
      const std::uint64_t stop = std::min<std::uint64_t>(end, begin + std::size(walking));
      std::size_t left = 0;
      const auto step = [&](std::uint64_t i, Word value) {
        value = permutation.step(value);
        ids[i] = static_cast<Vertex>(value);
        walking[left] = i;
        left += value >= vertices;
      };
      for (std::uint64_t i = begin; i < stop; ++i) step(i, ids[i]);
      while (left > 0) {
        const std::size_t known = std::exchange(left, 0);
        for (std::size_t k = 0; k < known; ++k) step(walking[k], ids[walking[k]]);
      }
    }
  });
}

void fill_draws(Context& context, std::uint64_t seed, std::uint64_t stream, std::uint64_t* values,
                std::uint64_t count) {
  const Word key = stream_key(seed, stream);
  for_each(context, count, [&](std::uint64_t i) { values[i] = draw(key, i); });
}

template void fill_edges(Context&, const Family&, std::uint64_t, std::uint64_t, std::uint32_t*,
                         std::uint32_t*);
template void fill_edges(Context&, const Family&, std::uint64_t, std::uint64_t, std::uint64_t*,
                         std::uint64_t*);
template void fill_road(Context&, const Road&, const std::uint64_t*, std::uint64_t, std::uint64_t,
                        std::uint32_t*, std::uint32_t*);
template void fill_road(Context&, const Road&, const std::uint64_t*, std::uint64_t, std::uint64_t,
                        std::uint64_t*, std::uint64_t*);
template void shuffle_ids(Context&, std::uint64_t, std::uint64_t, std::uint32_t*, std::uint64_t);
template void shuffle_ids(Context&, std::uint64_t, std::uint64_t, std::uint64_t*, std::uint64_t);

}  // namespace skerry
