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
inline constexpr std::uint64_t kSampledEntries = 8;                     // of a row, at most
inline constexpr int kDraws = 4;          // for one vertex that has entries
inline constexpr int kSampledSteps = 64;  // of a walk

template <class Vertex>
struct Sample {
  Vertex largest = 0;   // the root of the largest tree
  double share = 0;     // its share of the vertices with entries
  double touching = 0;  // the share of the others that have a neighbor in it
  double joining = 0;   // edges that second neighbors would give each tree
  double unended = 0;   // the share of the walks from these vertices that did not reach a root
};

// A vertex that has entries, and where its first neighbors are.
template <class Vertex>
struct SampledRow {
  bool drawn = false;
  bool is_root = false;
  bool ended = true;  // its walk, at a root
  Vertex root = 0;
  std::uint64_t entries = 0;
  Vertex neighbors[kSampledEntries];  // their roots
};

template <class Vertex>
Vertex sampled_root(const Vertex* parent, Vertex v) {
  for (int i = 0; i < kSampledSteps; ++i) {
    const Vertex above = parent[v];
    if (above == v) break;
    v = above;
  }
  return v;
}

template <class Vertex>
SampledRow<Vertex> sample_row(const CsrView<Vertex>& graph, const Vertex* parent, std::uint64_t i) {
  SampledRow<Vertex> sampled;
  for (int k = 0; k < kDraws; ++k) {
    const std::uint64_t v =
        multiply_high(draw(kSampleKey, i * kDraws + static_cast<unsigned>(k)), graph.vertices);
    const auto [begin, end] = graph.row(v);
    if (begin >= end) continue;  // a component of its own
    const Vertex highest = static_cast<Vertex>(graph.vertices - 1);
    sampled.drawn = true;
    sampled.root = sampled_root(parent, static_cast<Vertex>(v));
    sampled.is_root = sampled.root == v;
    sampled.ended = parent[sampled.root] == sampled.root;
    sampled.entries = std::min(end - begin, kSampledEntries);
    for (std::uint64_t e = 0; e < sampled.entries; ++e)
      sampled.neighbors[e] = sampled_root(parent, std::min(graph.neighbor(begin + e), highest));
    break;
  }
  return sampled;
}

template <class Vertex>
Sample<Vertex> evaluate(const SampledRow<Vertex>* rows, std::uint64_t count) {
  Sample<Vertex> sample;
  Vertex roots[kMostSampled];
  std::uint64_t drawn = 0, members = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    if (rows[i].drawn) roots[drawn++] = rows[i].root;
  if (drawn == 0) return sample;
  std::sort(roots, roots + drawn);
  for (std::uint64_t i = 0, next; i < drawn; i = next) {
    next = i + 1;
    while (next < drawn && roots[next] == roots[i]) ++next;
    if (next - i <= members) continue;
    members = next - i;
    sample.largest = roots[i];
  }
  std::uint64_t trees = 0, leaving = 0, touching = 0, unended = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const SampledRow<Vertex>& row = rows[i];
    if (!row.drawn) continue;
    trees += row.is_root;
    unended += !row.ended;
    leaving += row.entries > 1 && row.neighbors[1] != row.root;
    if (row.root == sample.largest) continue;
    const Vertex* const past = row.neighbors + row.entries;
    touching += std::find(row.neighbors, past, sample.largest) != past;
  }
  const auto ratio = [](std::uint64_t part, std::uint64_t of) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(of, 1));
  };
  sample.share = ratio(members, drawn);
  sample.touching = ratio(touching, drawn - members);
  sample.joining = 2 * ratio(leaving, trees);
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
