// The edges of a list in device memory, in two columns that may be columns of one table. Ends are
// validated when they are read: see rows.h.
#pragma once

#include "gpu/state.h"

namespace skerry {

struct Ends {
  Vertex u;
  Vertex v;
};

struct EdgeList {
  const Id* source;
  const Id* target;
  u64 source_step;
  u64 target_step;
  u64 vertices;
  u64 edges;
  u64* state;

  // An edge with an end out of range is read as a loop of vertex 0; where there is an edge, there
  // is a vertex 0 or a fault.
  SKERRY_INLINE Ends operator[](u64 i) const {
    const Id u = source[i * source_step];
    const Id v = target[i * target_step];
    if (u >= vertices) {
      report(state, kSourceOutOfRange, i);
      return {0, 0};
    }
    if (v >= vertices) {
      report(state, kTargetOutOfRange, i);
      return {0, 0};
    }
    return {static_cast<Vertex>(u), static_cast<Vertex>(v)};
  }
};

}  // namespace skerry
