// Hooks the rows of all vertices outside one component, the largest: Afforest's last step (Sutton,
// Ben-Nun & Barak 2018, sect. IV). Right only on a symmetric CSR: an entry of a row left out must
// stand in the other row too. The parents of the entries to come are fetched ahead. Returns whether
// any trees were joined.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
bool hook_outside(Context& context, const CsrView<Vertex>& graph, Vertex skipped, Vertex* parent) {
  if (graph.entries() == 0) return false;
  constexpr std::uint64_t kAhead = 16;
  const std::uint64_t last = graph.entries() - 1;
  std::atomic<bool> any{false};
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_ranges(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        bool here = false;
        for (std::uint64_t v = from; v < to; ++v) {
          if (Memory::load(parent + v) == skipped) continue;
          Vertex root = JumpHalving::find<Memory>(parent, static_cast<Vertex>(v), tally);
          for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
            prefetch(parent + graph.neighbors[std::min(e + kAhead, last)]);
            const Vertex up = Memory::load(parent + graph.neighbors[e]);
            if (up == root) continue;
            const Vertex other = JumpHalving::find<Memory>(parent, up, tally);
            here |= other != root;
            root = hook<Memory>(parent, other, root, tally);
          }
        }
        if (here) any.store(true, std::memory_order_relaxed);
      });
    });
  });
  return any.load();
}

}  // namespace skerry
