// Hooks the rows of all vertices outside one component, the largest: Afforest's last step (Sutton,
// Ben-Nun & Barak 2018, sect. IV). Right only on a symmetric CSR: an entry of a row left out must
// stand in the other row too. So a row is left as soon as its vertex is in that component: entries
// that lead out of it stand in rows outside. The parents of the entries to come are fetched ahead.
// Returns whether any trees were joined. `skipped` is the root of that component, or was.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/own/long_rows.h"
#include "cpu/own/prefetch_at.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// The first vertex of [v, to) that is not known to be inside: most are, so this loop has no call.
template <class Memory, class Vertex>
std::uint64_t next_outside(const Vertex* parent, std::uint64_t v, std::uint64_t to,
                           Vertex skipped) {
  while (v < to && Memory::load(parent + v) == skipped) ++v;
  return v;
}

// Returns whether it joined any trees.
template <class Memory, class Vertex, class Tally>
[[gnu::noinline]] bool hook_row_outside(const CsrView<Vertex>& graph, std::uint64_t v,
                                        Vertex skipped, Vertex* parent, Tally& tally) {
  constexpr std::uint64_t kAhead = 16;
  const Vertex n = static_cast<Vertex>(graph.vertices);
  const std::uint64_t last = graph.entries() - 1, end = graph.bound(v + 1);
  Vertex root = JumpHalving::find<Memory>(parent, static_cast<Vertex>(v), tally);
  bool any = false;
  for (std::uint64_t e = look(graph.offsets + v); e < end; ++e) {
    if (root == Memory::load(parent + skipped)) break;  // which others may have linked lower
    prefetch_at(parent, graph.neighbor(std::min(e + kAhead, last)));
    const Vertex u = graph.neighbor(e);
    if (u >= n) [[unlikely]]
      continue;
    const Vertex up = Memory::load(parent + u);
    if (up == root) continue;
    const Vertex other = JumpHalving::find<Memory>(parent, up, tally);
    any |= other != root;
    root = hook<Memory>(parent, other, root, tally);
  }
  return any;
}

template <class Vertex>
bool hook_outside(Context& context, const CsrView<Vertex>& graph, Vertex skipped, Vertex* parent) {
  if (graph.entries() == 0) return false;
  std::atomic<bool> any{false};
  LongRows<Vertex> long_rows(context, graph);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_parts(context, graph.vertices, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
      Tally tally(context);
      bool here = false;
      for (std::uint64_t v = from; (v = next_outside<Memory>(parent, v, to, skipped)) < to; ++v) {
        const auto [begin, end] = graph.row(v);
        if (begin >= end || long_rows.take(v)) continue;
        here |= hook_row_outside<Memory>(graph, v, skipped, parent, tally);
      }
      if (here) any.store(true, std::memory_order_relaxed);
    });
  });
  // Most hubs are inside by now.
  const bool left = long_rows.join(false, parent, [&](std::uint64_t v) {
    Silent silent(context);
    return JumpNone::find<Shared>(parent, static_cast<Vertex>(v), silent) !=
           JumpNone::find<Shared>(parent, skipped, silent);
  });
  return any.load() || left;
}

}  // namespace skerry
