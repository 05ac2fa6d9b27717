// Kernels in the three styles of the Lonestar benchmarks of Galois: concurrent union-find over the
// rows of a CSR. registry.h has the contract of a kernel. The labels are the smallest members.
#pragma once

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

// A work item is a row.
template <class Vertex>
void galois_async(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                  const Options& options);

// A work item is a block of at most `block` (64) entries of a row.
template <class Vertex>
void galois_blocked(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                    const Options& options);

// Bulk-synchronous: rounds over one pending edge a row.
template <class Vertex>
void galois_sync(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
                 const Options& options);

}  // namespace skerry
