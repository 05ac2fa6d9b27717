// Graft and shortcut: see graft.h.
#include "cpu/published/graft.h"

#include "cpu/memory.h"
#include "cpu/passes/passes.h"

namespace skerry {

// Harmless races: when a round begins, every vertex points to a root. Only values found in the
// parent array are grafted, so only vertices that were roots then are written, always with a
// smaller one. Hence no cycle; and every round that grafts anything leaves fewer roots.
template <class Vertex>
void join_by_grafting(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* parent, const Options& options) {
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    const auto graft_all = [&](bool keep_last) {
      return any_change<Tally>(context, edges.count, kGrain, [&](std::uint64_t i, Tally& tally) {
        const Vertex a = Memory::load(parent + edges.source(i));
        const Vertex b = Memory::load(parent + edges.target(i));
        return graft<Memory>(parent, a, b, keep_last, tally);
      });
    };
    graft_in_rounds<Memory>(context, vertices, parent, options, graft_all, [] {});
  });
}

template <class Vertex>
void graft_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
              Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  join_by_grafting(context, edges, vertices, labels, options);
}

template <class Vertex>
void graft_cc_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                   Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  EdgeCopy<Vertex> copy = copy_of(context, edges);
  const EdgeView<Vertex> ends = copy.view();
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    const auto graft_all = [&](bool keep_last) {
      return any_change<Tally>(context, ends.count, kGrain, [&](std::uint64_t i, Tally& tally) {
        return graft<Memory>(labels, ends.source(i), ends.target(i), keep_last, tally);
      });
    };
    graft_in_rounds<Memory>(context, vertices, labels, options, graft_all,
                            [&] { copy.update(context, labels); });
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                          \
  template void graft_cc(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,         \
                         const Options&);                                                   \
  template void graft_cc_updt(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,    \
                              const Options&);                                              \
  template void join_by_grafting(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, \
                                 const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
