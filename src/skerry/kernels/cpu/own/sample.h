// What a sample of the vertices shows of the trees that have been made: the instrument by which
// "rows" decides what to do next. It is taken by the team, since nearly every load is a cache miss
// in another core's cache: on one of 16 threads it took as long as joining a small graph.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/random.h"
#include "cpu/memory.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

inline constexpr Word kSampleKey = 1;

// Sizes of the sample, which decide nothing.
inline constexpr std::uint64_t kLeastSampled = 32, kMostSampled = 256;  // vertices, of n a 64th
inline constexpr int kDraws = 4;          // for one vertex that has entries
inline constexpr int kSampledSteps = 32;  // of a walk

template <class Vertex>
struct Sample {
  Vertex largest = 0;  // the root of the largest tree
  double share = 0;    // its share of the vertices with entries
  double joining = 0;  // edges that second neighbors would give each tree, of walks that ended
  double unended = 0;  // the share of the walks from these vertices that did not reach a root
};

// The root of a vertex, or where the walk to it was left.
template <class Vertex>
struct Walk {
  Vertex at = 0;
  bool ended = false;
};

template <class Vertex>
Walk<Vertex> walk_up(const Vertex* parent, Vertex v) {
  for (int i = 0; i < kSampledSteps; ++i) {
    const Vertex above = parent[v];
    if (above == v) return {v, true};
    v = above;
  }
  return {v, false};
}

// A vertex that has entries, and its second neighbor; itself if it has one neighbor.
template <class Vertex>
struct SampledRow {
  bool drawn = false;
  bool is_root = false;
  Walk<Vertex> own, second;
};

template <class Vertex>
SampledRow<Vertex> sample_row(const CsrView<Vertex>& graph, const Vertex* parent, std::uint64_t i) {
  for (int k = 0; k < kDraws; ++k) {
    const std::uint64_t v =
        multiply_high(draw(kSampleKey, i * kDraws + static_cast<unsigned>(k)), graph.vertices);
    const std::uint64_t begin = graph.bound(v), end = graph.bound(v + 1);
    if (begin >= end) continue;  // a component of its own
    const Walk<Vertex> own = walk_up(parent, static_cast<Vertex>(v));
    if (begin + 1 >= end) return {true, own.at == v, own, own};
    const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
    const Vertex second = std::min(graph.neighbor(begin + 1), highest);
    return {true, own.at == v, own, walk_up(parent, second)};
  }
  return {};
}

template <class Vertex>
Sample<Vertex> evaluate(const SampledRow<Vertex>* rows, std::uint64_t count) {
  Sample<Vertex> sample;
  Vertex roots[kMostSampled];
  std::uint64_t drawn = 0, members = 0, trees = 0, known = 0, leaving = 0, unended = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto& [is_drawn, is_root, own, second] = rows[i];
    if (!is_drawn) continue;
    roots[drawn++] = own.at;
    trees += is_root;
    unended += !own.ended;
    if (!own.ended || !second.ended) continue;
    ++known;
    leaving += own.at != second.at;
  }
  std::sort(roots, roots + drawn);
  for (std::uint64_t i = 0, next; i < drawn; i = next) {
    next = i + 1;
    while (next < drawn && roots[next] == roots[i]) ++next;
    if (next - i <= members) continue;
    members = next - i;
    sample.largest = roots[i];
  }
  const auto ratio = [](std::uint64_t part, std::uint64_t of) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(of, 1));
  };
  sample.share = ratio(members, drawn);
  sample.joining = 2 * ratio(leaving, known) / ratio(std::max<std::uint64_t>(trees, 1), drawn);
  sample.unended = ratio(unended, drawn);
  return sample;
}

// No thread hooks meanwhile.
template <class Vertex>
Sample<Vertex> sample_trees(Context& context, const CsrView<Vertex>& graph, const Vertex* parent) {
  const std::uint64_t count = std::clamp(graph.vertices / 64, kLeastSampled, kMostSampled);
  SampledRow<Vertex> rows[kMostSampled];
  for_ranges(context, count, 16, [&](std::uint64_t from, std::uint64_t to, int) {
    for (std::uint64_t i = from; i < to; ++i) rows[i] = sample_row(graph, parent, i);
  });
  return evaluate(rows, count);
}

}  // namespace skerry
