// A finish for the order in which it runs: small ranges are dealt out upwards. Since parent[v] < v
// for all but roots, a vertex' parent has mostly been finished before it, so that two loads find
// its root without a loop; the first of them is prefetched. ECL-CC's Fini3 (single pointer jumping)
// is the same walk without the order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/team.h"

namespace skerry {

// One range of the sweep.
template <class Memory, class Vertex>
void finish_range(std::uint64_t from, std::uint64_t to, std::uint64_t vertices, Vertex* parent) {
  constexpr std::uint64_t kAhead = 32;
  for (std::uint64_t v = from; v < to; ++v) {
    prefetch(parent + Memory::load(parent + std::min(v + kAhead, vertices - 1)));
    const Vertex up = Memory::load(parent + v);
    Vertex root = Memory::load(parent + up);
    for (Vertex next; (next = Memory::load(parent + root)) != root;) root = next;
    // Also where it is there already: a branch on that, mispredicted, costs more than the store
    // (0.3 to 0.96 of the time, Neoverse-N1).
    Memory::store(parent + v, root);
  }
}

template <class Vertex>
void finish_ordered(Context& context, std::uint64_t vertices, Vertex* parent) {
  with_memory(context, [&]<class Memory>() {
    for_ranges(context, vertices, [&](std::uint64_t from, std::uint64_t to, int) {
      finish_range<Memory>(from, to, vertices, parent);
    });
  });
}

}  // namespace skerry
