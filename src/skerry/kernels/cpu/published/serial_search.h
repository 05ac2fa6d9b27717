// Breadth-first search by one thread: one queue, no levels.
#pragma once

#include <cstdint>

#include "cpu/pacer.h"
#include "cpu/published/claim.h"
#include "cpu/published/spread.h"
#include "cpu/views.h"

namespace skerry {

// Labels all that can be reached from `source` and has no label yet with `source`. The queue has
// room for that many vertices. False once the kernel is to return.
template <class Vertex>
bool search_serially(Pacer& pacer, const CsrView<Vertex>& graph, Vertex source, Vertex* queue,
                     Vertex* labels) {
  labels[source] = source;
  std::uint64_t size = 0;
  queue[size++] = source;
  for (std::uint64_t i = 0; i < size; ++i) {
    prefetch_rows(graph, queue, i, size);
    const Vertex v = queue[i];
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const Vertex u = graph.neighbors[e];
      if (labels[u] != kInvalidVertex<Vertex>) continue;
      labels[u] = source;
      queue[size++] = u;
    }
    if (!pacer.go(graph.degree(v) + 1)) return false;
  }
  return true;
}

}  // namespace skerry
