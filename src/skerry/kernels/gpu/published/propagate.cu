// Label propagation over rows: every vertex offers its label to its neighbors, which keep the
// smallest label seen, and a round looks only at vertices whose label changed in the round before.
// The labels are smallest members. Every edge must be stored in both directions.
//
// Shun & Blelloch, "Ligra" (PPoPP 2013), Components; Jaiganesh & Burtscher 2018, sect. 1 and 2;
// Jaiganesh 2017, sect. 2, Algorithm 7. Departures: labels change in place, so they may go further
// than one edge in a round; the round in which a vertex was last listed shows whether it is listed
// for the next one, instead of a copy of the labels; rounds with few vertices are left to one block
// (spread.h).
//
// The smallest label moves by one edge a round at least, and seldom by much more: a component of
// diameter d takes about d rounds, and one whose ids rise along a path d rounds over all of it.
#include "gpu/published/spread.h"

namespace skerry {

struct Lower {
  Vertex* labels;
  Vertex* listed;  // the last round in which a vertex was listed for the next
  Vertex round;

  SKERRY_INLINE Vertex label(Vertex v) const { return Device::load(labels + v); }

  SKERRY_INLINE bool offer(Vertex label, Vertex v) const {
    if (Device::load(labels + v) <= label || atomicMin(labels + v, label) <= label) return false;
    return Device::load(listed + v) != round && atomicExch(listed + v, round) != round;
  }

  SKERRY_INLINE void next_level() { ++round; }
};

// Rounds count from 1. Isolated vertices are done.
extern "C" __global__ void propagate_start(SKERRY_SPREAD_PARAMETERS, Vertex* listed) {
  const Spread spread = SKERRY_SPREAD;
  for_each_thread(vertices, [&](u64 v) {
    labels[v] = static_cast<Vertex>(v);
    listed[v] = 0;
    if (spread.rows.row(v).size() != 0) spread.list(static_cast<Vertex>(v));
  });
}

extern "C" __global__ void propagate_level(SKERRY_SPREAD_PARAMETERS, Vertex* listed, u64 round) {
  const Spread spread = SKERRY_SPREAD;
  spread.spread_level(Lower{labels, listed, static_cast<Vertex>(round)});
}

extern "C" __global__ void propagate_small_levels(SKERRY_SPREAD_PARAMETERS, Vertex* listed,
                                                  u64 round, u64 max_front, u64 max_levels,
                                                  u64* progress) {
  Lower lower{labels, listed, static_cast<Vertex>(round)};
  spread_small_levels(SKERRY_SPREAD, lower, max_front, max_levels, progress);
}

}  // namespace skerry
