// Connectivity by low-diameter decomposition. registry.h has the contract of a kernel.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

// Options: `beta` (0.2; cut to 0.001 .. 1), how fast searches are started: a larger one gives more
// and smaller clusters and more levels; `seed` (1), of the order in which they are started.
template <class Vertex>
void ndhybrid(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
              const Options& options);

}  // namespace skerry
