// Binding of strong.h.
#include "cpu/bind/bind.h"
#include "cpu/own/strong.h"

namespace skerry {

void bind_strong(nb::module_& module) {
  // The number of components, and whether the rows are no graph, so that the labels mean nothing.
  module.def(
      "strong_components",
      [](const Input& offsets, const Input& neighbors, const Output& labels, int threads) {
        return by_width(labels, [&]<class Vertex>() {
          const auto graph = csr_view<Vertex>(offsets, neighbors);
          if (labels.shape(0) != graph.vertices || graph.vertices + 2 > Vertex(-1))
            throw std::invalid_argument("there must be one more offset than labels");
          std::uint64_t count = 0;
          const nb::object report = run_native(threads, false, [&](Context& context) {
            count = strong_components(context, graph, write_pointer<Vertex>(labels));
          });
          return nb::make_tuple(count, report[3]);
        });
      },
      nb::sig("def strong_components(offsets: Array, neighbors: Array, labels: Array, threads: "
              "int, /) -> tuple[int, bool]"));
}

}  // namespace skerry
