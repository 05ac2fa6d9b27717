// Hooking over an edge list: the same finds and hooks as over rows, one edge at a time.
#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/passes/with_jump.h"
#include "cpu/team.h"

namespace skerry {

template <class Id, class Vertex>
void hook_edges(Context& context, const EdgeView<Id>& edges, Jump jump, Vertex* parent) {
  with_jump(jump, [&]<class JumpKind>() {
    with_memory_and_tally(context, [&]<class Memory, class Tally>() {
      for_ranges(context, edges.count, [&](std::uint64_t begin, std::uint64_t end, int) {
        Tally tally(context);
        for (std::uint64_t i = begin; i < end; ++i)
          unite<JumpKind, Memory>(parent, static_cast<Vertex>(edges.source(i)),
                                  static_cast<Vertex>(edges.target(i)), tally);
      });
    });
  });
}

#define SKERRY_INSTANTIATE(Id, Vertex) \
  template void hook_edges(Context&, const EdgeView<Id>&, Jump, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint32_t, std::uint64_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
