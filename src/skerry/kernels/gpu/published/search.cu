// Breadth-first searches over rows, level by level, each from the smallest vertex that none before
// has reached; its label is given to all that it reaches. Labels are smallest members. Every edge
// must be stored in both directions.
//
// This is what Cusp does (Dalton et al., connected_components), whose search is that of Merrill,
// Garland & Grimshaw, "Scalable GPU graph traversal" (PPoPP 2012). Departures: small levels are
// left to one block (spread.h). After a number of searches one after the other, all others are made
// at once, or a graph of a million components would take a million times a few launches. Their
// sources are the vertices without a smaller neighbor at the start of their row: every smallest
// member is one, but a component may have several. Where two searches meet, their sources are
// united. So each vertex is listed once and each row read once, whatever the number of components.
//
// What holds in the searches at once: a source points to itself or to a smaller source, as
// union_find.h requires; any other vertex, once reached, points to a source, which may be larger
// than it. A component's smallest source is its smallest member, so the root of the sources is its
// label.
#include "common/union_find.h"
#include "gpu/published/spread.h"
#include "gpu/tally.h"

namespace skerry {

constexpr Vertex kUnreached = ~Vertex{0};  // never the id of a vertex
constexpr u64 kSourceEntries = 8;          // entries checked before a vertex becomes a source

struct Claim {
  Vertex* labels;
  Tally& tally;

  SKERRY_INLINE Vertex label(Vertex v) const { return Device::load(labels + v); }

  SKERRY_INLINE bool offer(Vertex source, Vertex v) const {
    Vertex seen = Device::load(labels + v);
    if (seen == kUnreached) {
      seen = Device::compare_and_swap(labels + v, kUnreached, source);
      if (seen == kUnreached) return true;
    }
    if (seen != source) unite<JumpHalving, Device>(labels, seen, source, tally);
    return false;
  }

  SKERRY_INLINE void next_level() const {}
};

// Isolated vertices are done.
extern "C" __global__ void search_start(SKERRY_SPREAD_PARAMETERS) {
  const Spread spread = SKERRY_SPREAD;
  for_each_thread(vertices, [&](u64 v) {
    labels[v] = spread.rows.row(v).size() == 0 ? static_cast<Vertex>(v) : kUnreached;
  });
}

// state[kChoice], zero before, becomes n less the smallest unreached vertex from `first` on.
extern "C" __global__ void search_find_source(const Vertex* labels, u64 vertices, u64* state,
                                              u64 first) {
  for (u64 v = first + thread_number(); v < vertices; v += thread_count()) {
    if (relaxed_load(state + kChoice) >= vertices - v) return;
    if (labels[v] != kUnreached) continue;
    atomicMax(state + kChoice, vertices - v);
    return;
  }
}

// The vertex found, if there is one, becomes the source of a search. One thread.
extern "C" __global__ void search_from_source(SKERRY_SPREAD_PARAMETERS) {
  if (thread_number() != 0 || state[kChoice] == 0) return;
  const Vertex source = static_cast<Vertex>(vertices - state[kChoice]);
  labels[source] = source;
  const Spread spread = SKERRY_SPREAD;
  spread.list(source);
}

SKERRY_INLINE bool sees_smaller(const Rows& rows, u64 v) {
  const Rows::Range row = rows.row(v);
  for (u64 e = row.begin; e < row.end && e < row.begin + kSourceEntries; ++e) {
    if (rows.neighbor(v, e) < v) return true;
  }
  return false;
}

// All that is unreached becomes a source, or has one in its component.
extern "C" __global__ void search_from_all(SKERRY_SPREAD_PARAMETERS) {
  const Spread spread = SKERRY_SPREAD;
  for_each_thread(vertices, [&](u64 v) {
    if (labels[v] != kUnreached || sees_smaller(spread.rows, v)) return;
    labels[v] = static_cast<Vertex>(v);
    spread.list(static_cast<Vertex>(v));
  });
}

extern "C" __global__ void search_level(SKERRY_SPREAD_PARAMETERS) {
  Tally tally(state);
  const Spread spread = SKERRY_SPREAD;
  spread.spread_level(Claim{labels, tally});
}

extern "C" __global__ void search_small_levels(SKERRY_SPREAD_PARAMETERS, u64 max_front,
                                               u64 max_levels, u64* progress) {
  Tally tally(state);
  Claim claim{labels, tally};
  spread_small_levels(SKERRY_SPREAD, claim, max_front, max_levels, progress);
}

// Every vertex is made to point to the root of its source. Rows that lack an edge's reverse,
// against the promise or because of a fault, may leave vertices unreached.
extern "C" __global__ void search_finish(SKERRY_SPREAD_PARAMETERS) {
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    if (labels[v] == kUnreached) {
      labels[v] = static_cast<Vertex>(v);
    } else {
      JumpSingle::find<Device>(labels, static_cast<Vertex>(v), tally);
    }
  });
}

}  // namespace skerry
