// Rounds of plain hooks over the rows of a CSR: see eclaf.h.
#include "cpu/published/eclaf.h"

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/rounds.h"

namespace skerry {

namespace {

constexpr std::uint64_t kRows = 1 << 10;  // rows differ in length: small ranges balance them

// Returns whether it has stored a hook.
template <class Memory, class Vertex, class Tally>
bool hook_row_plainly(const CsrView<Vertex>& graph, std::uint64_t row, bool one_direction,
                      Vertex* parent, Tally& tally) {
  const Vertex v = static_cast<Vertex>(row);
  Vertex root = JumpHalving::find<Memory>(parent, v, tally);
  bool hooked = false;
  for (std::uint64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
    const Vertex u = graph.neighbors[e];
    if (one_direction && u >= v) continue;
    const Vertex other = JumpHalving::find<Memory>(parent, u, tally);
    if (other == root) continue;
    if (root < other) {
      Memory::store(parent + other, root);
    } else {
      Memory::store(parent + root, other);
      root = other;
    }
    tally.hooked();
    hooked = true;
  }
  return hooked;
}

}  // namespace

template <class Vertex>
void eclaf(Context& context, const CsrView<Vertex>& graph, Vertex* labels, const Options& options) {
  const bool one_direction = options.flag("one_direction");
  init_from_rows(context, graph, Init::first_smaller, labels);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    repeat_rounds(context, [&] {
      return any_change<Tally>(
          context, graph.vertices, kRows, [&](std::uint64_t row, Tally& tally) {
            return hook_row_plainly<Memory>(graph, row, one_direction, labels, tally);
          });
    });
  });
  if (!context.stopped()) finish(context, graph.vertices, Finish::single, labels);
}

#define SKERRY_INSTANTIATE(Vertex) \
  template void eclaf(Context&, const CsrView<Vertex>&, Vertex*, const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
