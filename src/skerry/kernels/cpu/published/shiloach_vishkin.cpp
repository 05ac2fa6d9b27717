// Shiloach-Vishkin in rounds of four phases: see shiloach_vishkin.h, also for why races are
// harmless.
#include "cpu/published/shiloach_vishkin.h"

#include <utility>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/scratch.h"

namespace skerry {

namespace {

using Mark = std::uint8_t;

// Marks count at roots only. A tree that is no star has a vertex two steps below its root.
template <class Memory, class Vertex>
void mark_stars(Context& context, std::uint64_t vertices, const Vertex* parent, Mark* stagnant) {
  for_each(context, vertices, [&](std::uint64_t v) { stagnant[v] = 1; });
  for_each(context, vertices, [&](std::uint64_t v) {
    const Vertex above = parent[v];
    const Vertex top = parent[above];
    if (above != top && Memory::load(stagnant + top) != 0) Memory::store(stagnant + top, Mark{0});
  });
}

template <class Memory, class Tally, class Vertex>
bool hook_onto_smaller(Context& context, const EdgeView<Vertex>& edges, Vertex* parent,
                       Mark* stagnant) {
  return any_change<Tally>(context, edges.count, kGrain, [&](std::uint64_t i, Tally& tally) {
    Vertex larger = Memory::load(parent + edges.source(i));
    Vertex smaller = Memory::load(parent + edges.target(i));
    if (larger == smaller) return false;
    if (larger < smaller) std::swap(larger, smaller);
    if (Memory::load(parent + larger) != larger) return false;
    Memory::store(parent + larger, smaller);
    Memory::store(stagnant + smaller, Mark{0});
    tally.hooked();
    return true;
  });
}

template <class Memory, class Tally, class Vertex>
bool hook_stagnant(Context& context, const EdgeView<Vertex>& edges, Vertex* parent,
                   const Mark* stagnant) {
  const auto hooked = [&](Vertex root, Vertex onto, Tally& tally) {
    if (stagnant[root] == 0 || Memory::load(parent + root) != root) return false;
    Memory::store(parent + root, onto);
    tally.hooked();
    return true;
  };
  return any_change<Tally>(context, edges.count, kGrain, [&](std::uint64_t i, Tally& tally) {
    const Vertex a = Memory::load(parent + edges.source(i));
    const Vertex b = Memory::load(parent + edges.target(i));
    return a != b && (hooked(a, b, tally) || hooked(b, a, tally));
  });
}

template <class Memory, class Vertex>
bool jump_once(Context& context, std::uint64_t vertices, Vertex* parent) {
  return any_change<Silent>(context, vertices, kGrain, [&](std::uint64_t v, Silent&) {
    const Vertex above = Memory::load(parent + v);
    const Vertex next = Memory::load(parent + above);
    if (next == above) return false;
    Memory::store(parent + v, next);
    return true;
  });
}

// after_round() runs between rounds: where the update step goes.
template <class Vertex, class AfterRound>
void join(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices, Vertex* parent,
          const Options& options, AfterRound&& after_round) {
  const bool jumps_first = options.number("jumps", 1) >= 2;
  const auto marks = make_scratch<Mark>(context.scratch, vertices);
  Mark* const stagnant = marks.get();
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    repeat_rounds(context, [&] {
      bool changed = jumps_first && jump_once<Memory>(context, vertices, parent);
      mark_stars<Memory>(context, vertices, parent, stagnant);
      changed |= hook_onto_smaller<Memory, Tally>(context, edges, parent, stagnant);
      changed |= hook_stagnant<Memory, Tally>(context, edges, parent, stagnant);
      changed |= jump_once<Memory>(context, vertices, parent);
      if (changed) after_round();
      return changed;
    });
  });
}

}  // namespace

template <class Vertex>
void join_by_hooking(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                     Vertex* parent, const Options& options) {
  join(context, edges, vertices, parent, options, [] {});
}

// An edge between the parents of two vertices joins the same two trees as one between them.
template <class Vertex>
void join_by_hooking_updt(Context& context, EdgeCopy<Vertex>& edges, std::uint64_t vertices,
                          Vertex* parent, const Options& options) {
  join(context, edges.view(), vertices, parent, options, [&] { edges.update(context, parent); });
}

template <class Vertex>
void shiloach_vishkin(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  join_by_hooking(context, edges, vertices, labels, options);
}

template <class Vertex>
void shiloach_vishkin_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                           Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  EdgeCopy<Vertex> copy = copy_of(context, edges);
  join_by_hooking_updt(context, copy, vertices, labels, options);
}

#define SKERRY_INSTANTIATE(Vertex)                                                               \
  template void shiloach_vishkin(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,      \
                                 const Options&);                                                \
  template void shiloach_vishkin_updt(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, \
                                      const Options&);                                           \
  template void join_by_hooking(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,       \
                                const Options&);                                                 \
  template void join_by_hooking_updt(Context&, EdgeCopy<Vertex>&, std::uint64_t, Vertex*,        \
                                     const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
