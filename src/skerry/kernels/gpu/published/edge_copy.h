// Edges that an algorithm may rewrite: a copy of its own, in device memory. Its ends were checked
// when it was made (edge_copy.cu), so they are vertices.
#pragma once

#include "gpu/edges.h"

namespace skerry {

// Read once a pass and far larger than a cache, so as not to drive the parents out of it.
struct OwnEdges {
  const Vertex* source;
  const Vertex* target;

  SKERRY_INLINE Ends operator[](u64 i) const { return {__ldcs(source + i), __ldcs(target + i)}; }
};

}  // namespace skerry
