// CRONO's hook and shortcut over rows: see crono_sv.h.
#include "cpu/published/crono_sv.h"

#include <utility>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/rounds.h"

namespace skerry {

namespace {

constexpr std::uint64_t kRows = 1 << 10;  // rows differ in length: small ranges balance them

template <class Memory, class Vertex, class Tally>
bool hook_parents_of_row(const CsrView<Vertex>& graph, std::uint64_t row, bool one_direction,
                         Vertex* parent, Tally& tally) {
  bool hooked = false;
  for (std::uint64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
    const Vertex u = graph.neighbors[e];
    if (one_direction && u >= row) continue;
    Vertex larger = Memory::load(parent + row);
    Vertex smaller = Memory::load(parent + u);
    if (larger == smaller) continue;
    if (larger < smaller) std::swap(larger, smaller);
    if (Memory::load(parent + larger) != larger) continue;
    Memory::store(parent + larger, smaller);
    tally.hooked();
    hooked = true;
  }
  return hooked;
}

}  // namespace

template <class Vertex>
void crono_sv(Context& context, const CsrView<Vertex>& graph, Vertex* labels,
              const Options& options) {
  const bool one_direction = options.flag("one_direction");
  init_own(context, graph.vertices, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    repeat_rounds(context, [&] {
      const bool hooked =
          any_change<Tally>(context, graph.vertices, kRows, [&](std::uint64_t row, Tally& tally) {
            return hook_parents_of_row<Memory>(graph, row, one_direction, labels, tally);
          });
      if (hooked) finish(context, graph.vertices, Finish::single, labels);
      return hooked;
    });
  });
}

#define SKERRY_INSTANTIATE(Vertex) \
  template void crono_sv(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
