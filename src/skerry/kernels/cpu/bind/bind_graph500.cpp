// Bindings of graph500.h. Python allocates; what is checked here is only what would otherwise write
// outside of the arrays.
#include <algorithm>
#include <array>
#include <bit>

#include "cpu/bind/bind.h"
#include "cpu/graph/graph500.h"

namespace skerry {

namespace {

constexpr std::uint64_t kPlanWords = sizeof(Graph500Plan) / sizeof(Word);
static_assert(sizeof(Graph500Plan) % sizeof(Word) == 0);

}  // namespace

void bind_graph500(nb::module_& module) {
  module.attr("GRAPH500_PLAN_WORDS") = kPlanWords;
  // Fills the words of the plan for threads that go `stride` edges ahead, for a device.
  module.def(
      "plan_graph500",
      [](std::uint64_t seed1, std::uint64_t seed2, std::uint64_t stride, const Output& words) {
        if (words.itemsize() != 8 || words.shape(0) != kPlanWords)
          throw std::invalid_argument("a plan has GRAPH500_PLAN_WORDS words of 64 bits");
        const auto plan =
            std::bit_cast<std::array<Word, kPlanWords>>(plan_graph500(seed1, seed2, stride));
        std::ranges::copy(plan, write_pointer<std::uint64_t>(words));
      },
      nb::sig("def plan_graph500(seed1: int, seed2: int, stride: int, words: Array, /) -> None"));
  module.def(
      "fill_graph500",
      [](std::uint64_t levels, std::uint64_t seed1, std::uint64_t seed2, std::uint64_t first,
         const Output& src, const Output& dst, int threads) {
        const std::uint64_t count = src.shape(0);
        if (count != dst.shape(0) || src.itemsize() != dst.itemsize())
          throw std::invalid_argument("src and dst must have one place for each edge");
        if (levels < 1 || levels >= 64 || first >> kEdgeBits != 0 || count >> kEdgeBits != 0)
          throw std::invalid_argument("levels must be in 1..63, edges in 0..2^62-1");
        const Graph500Plan plan = plan_graph500(seed1, seed2, 1);
        by_width(src, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            fill_graph500(context, Graph500{levels, &plan}, first, count,
                          write_pointer<Vertex>(src), write_pointer<Vertex>(dst));
          });
        });
      },
      nb::sig("def fill_graph500(levels: int, seed1: int, seed2: int, first: int, src: Array, dst: "
              "Array, threads: int, /) -> None"));
}

}  // namespace skerry
