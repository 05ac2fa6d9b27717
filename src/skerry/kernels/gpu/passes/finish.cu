// The last pass: every vertex is made to point to its root. ECL-CC's Fini1 to Fini3 (Jaiganesh &
// Burtscher 2018, sect. 5.1, Fig. 9), which are the core's finds; SKERRY_FINISH names one of them,
// SKERRY_LOADS how it reads links.
// No thread hooks meanwhile, so roots stay roots.
#include "common/union_find.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

extern "C" __global__ void finish(Vertex* parent, u64 vertices, u64* state) {
  Tally tally(state);
  for_each_thread(vertices, [&](u64 v) {
    using Find = SKERRY_FINISH;
    const Vertex root = Find::template find<SKERRY_LOADS>(parent, static_cast<Vertex>(v), tally);
    if (!Find::settles()) Device::store(parent + v, root);
  });
}

}  // namespace skerry
