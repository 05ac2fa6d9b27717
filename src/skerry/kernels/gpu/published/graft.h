// The graft of CC, with the departures that graft.cu lists.
#pragma once

#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

// Both were roots when the round began. Returns whether it grafted.
SKERRY_INLINE bool graft(Vertex* parent, Vertex a, Vertex b, u64 keep_last, Tally& tally) {
  if (a == b) return false;
  const Vertex high = a > b ? a : b;
  const Vertex low = a > b ? b : a;
  if (keep_last != 0) {
    Device::store(parent + high, low);
  } else {
    if (Device::load(parent + high) <= low) return false;
    atomicMin(parent + high, low);
  }
  tally.hooked();
  return true;
}

}  // namespace skerry
