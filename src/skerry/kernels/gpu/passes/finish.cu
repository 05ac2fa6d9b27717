// The last pass: every vertex is made to point to its root. ECL-CC's Fini1 to Fini3 (Jaiganesh &
// Burtscher 2018, sect. 5.1, Fig. 9), which are the core's finds; SKERRY_FINISH names one of them.
// No thread hooks meanwhile, so roots stay roots.
#include "common/union_find.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

extern "C" __global__ void finish(Vertex* parent, u64 vertices, u64* state) {
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    // Not every find leaves its first vertex at the root.
    const Vertex root = SKERRY_FINISH::template find<Device>(parent, static_cast<Vertex>(v), tally);
    Device::store(parent + v, root);
  });
}

}  // namespace skerry
