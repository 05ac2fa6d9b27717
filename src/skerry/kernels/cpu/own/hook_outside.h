// Hooks the rows of all vertices outside one component, the largest: Afforest's last step (Sutton,
// Ben-Nun & Barak 2018, sect. IV). Right only on a symmetric CSR: an entry of a row left out must
// stand in the other row too. The parents of the entries to come are fetched ahead.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
void hook_outside(Context& context, const CsrView<Vertex>& graph, Vertex skipped, Vertex* parent) {
  const std::uint64_t entries = graph.entries();
  if (entries == 0) return;
  constexpr std::uint64_t kAhead = 16;
  const std::uint64_t last = entries - 1;
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_ranges(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        for (std::uint64_t v = from; v < to; ++v) {
          if (Memory::load(parent + v) == skipped) continue;
          Vertex root = JumpHalving::find<Memory>(parent, static_cast<Vertex>(v), tally);
          const std::uint64_t end = graph.offset(v + 1);
          for (std::uint64_t e = graph.offset(v); e < end; ++e) {
            prefetch(parent + graph.neighbor(std::min(e + kAhead, last)));
            const Vertex up = Memory::load(parent + graph.neighbor(e));
            if (up == root) continue;
            const Vertex other = JumpHalving::find<Memory>(parent, up, tally);
            root = hook<Memory>(parent, other, root, tally);
          }
        }
      });
    });
  });
}

}  // namespace skerry
