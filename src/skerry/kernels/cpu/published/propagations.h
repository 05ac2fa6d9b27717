// Kernels built on label propagation. registry.h has the contract of a kernel.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

// Ligra's Components; the labels are the smallest members.
template <class Vertex>
void label_propagation(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                       const Options& options);

// One search from the vertex of the largest degree, propagation over what is left; from
// `serial_below` (10000) vertices left downwards, serial searches instead.
template <class Vertex>
void multistep(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
               const Options& options);

}  // namespace skerry
