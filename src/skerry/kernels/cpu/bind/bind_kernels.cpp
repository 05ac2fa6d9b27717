// Bindings of the kernels that are complete algorithms, looked up by name in the registry.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "cpu/bind/bind.h"
#include "cpu/own/stream.h"
#include "cpu/registry.h"

namespace skerry {

namespace {

// Not by nanobind's conversion, which ends the process where memory ends: it may not throw.
Options options_of(const nb::sequence& options) {
  std::vector<std::pair<std::string, double>> values;
  for (const nb::handle each : options)
    values.emplace_back(nb::cast<const char*>(each[0]), nb::cast<double>(each[1]));
  return Options(std::move(values));
}

template <class Entry>
const Entry& entry_named(std::span<const Entry> entries, std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry;
  throw std::invalid_argument("no kernel named " + std::string(name));
}

template <class Vertex, class Entry>
auto kernel_of_width(const Entry& entry) {
  if constexpr (sizeof(Vertex) == 4) {
    return entry.narrow;
  } else {
    return entry.wide;
  }
}

template <class Entry>
std::vector<std::string> names_of(std::span<const Entry> entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

}  // namespace

void bind_kernels(nb::module_& module) {
  module.def(
      "stream_edges",
      [](const Input& src, const Input& dst, const Output& parent, int threads, bool counting,
         bool checking) {
        return by_width(parent, [&]<class Vertex>() {
          return by_width(src, [&]<class Id>() {
            const auto edges = edge_view<Id>(src, dst);
            return run_native(
                threads, counting,
                [&](Context& context) {
                  stream_edges(context, edges, parent.shape(0), write_pointer<Vertex>(parent));
                },
                checking);
          });
        });
      },
      nb::sig("def stream_edges(src: Array, dst: Array, parent: Array, threads: int, counting: "
              "bool, checking: bool, /) -> Report"));
  module.def(
      "csr_kernels", [] { return names_of(csr_kernels()); },
      nb::sig("def csr_kernels() -> list[str]"));
  module.def(
      "edge_kernels", [] { return names_of(edge_kernels()); },
      nb::sig("def edge_kernels() -> list[str]"));
  module.def(
      "run_csr",
      [](const char* name, const Input& offsets, const Input& neighbors, const Output& labels,
         const nb::sequence& options, int threads, bool counting, bool checking, bool sorted_rows) {
        const CsrEntry& entry = entry_named(csr_kernels(), name);
        const Options chosen = options_of(options);
        return by_width(labels, [&]<class Vertex>() {
          const auto graph = csr_view<Vertex>(offsets, neighbors);
          return run_native(
              threads, counting,
              [&](Context& context) {
                context.sorted_rows = sorted_rows;
                kernel_of_width<Vertex>(entry)(context, graph, write_pointer<Vertex>(labels),
                                               chosen);
              },
              checking);
        });
      },
      nb::sig("def run_csr(name: str, offsets: Array, neighbors: Array, labels: Array, options: "
              "Sequence[tuple[str, float]], threads: int, counting: bool, checking: bool, "
              "sorted_rows: bool, /) -> Report"));
  module.def(
      "run_edges",
      [](const char* name, const Input& src, const Input& dst, const Output& labels,
         const nb::sequence& options, int threads, bool counting) {
        const EdgeEntry& entry = entry_named(edge_kernels(), name);
        const Options chosen = options_of(options);
        return by_width(labels, [&]<class Vertex>() {
          if (src.itemsize() != sizeof(Vertex))
            throw std::invalid_argument("ids as wide as labels");
          const auto edges = edge_view<Vertex>(src, dst);
          return run_native(threads, counting, [&](Context& context) {
            kernel_of_width<Vertex>(entry)(context, edges, labels.shape(0),
                                           write_pointer<Vertex>(labels), chosen);
          });
        });
      },
      nb::sig("def run_edges(name: str, src: Array, dst: Array, labels: Array, options: "
              "Sequence[tuple[str, float]], threads: int, counting: bool, /) -> Report"));
}

}  // namespace skerry
