// Bindings of build.h and read_rows.h. Python allocates the arrays; what is checked here is only
// what would otherwise read or write outside of them.
#include "cpu/bind/bind.h"
#include "cpu/graph/build.h"
#include "cpu/graph/read_rows.h"

namespace skerry {

namespace {

template <class Vertex>
CsrView<Vertex> validated_csr(const Input& offsets, const Input& neighbors) {
  const auto graph = csr_view<Vertex>(offsets, neighbors);
  if (graph.offsets[0] != 0) throw std::invalid_argument("offsets must begin with 0");
  return graph;
}

void require_room(const Output& offsets, const Output& neighbors, std::uint64_t vertices,
                  std::uint64_t entries) {
  if (offsets.itemsize() != 8 || offsets.shape(0) != vertices + 1)
    throw std::invalid_argument("offsets must be 64-bit with one place more than vertices");
  if (neighbors.shape(0) < entries)
    throw std::invalid_argument("neighbors must have a place for every entry");
}

nb::object position_or_none(std::uint64_t position) {
  return position == kNowhere ? nb::none() : nb::cast(position);
}

// (entries, first edge outside or None)
nb::object report(const Built& built) {
  return nb::make_tuple(built.entries, position_or_none(built.outside));
}

nb::object rows_of_edges(const Input& src, const Input& dst, std::uint64_t vertices,
                         const Output& offsets, const Output& neighbors, int threads,
                         std::uint64_t stage) {
  require_room(offsets, neighbors, vertices, 2 * src.shape(0));
  return by_width(src, [&]<class Id>() {
    return by_width(neighbors, [&]<class Vertex>() {
      const auto edges = edge_view<Id>(src, dst);
      Built built;
      run_native(threads, false, [&](Context& context) {
        built = symmetric_rows(context, edges, vertices, write_pointer<std::uint64_t>(offsets),
                               write_pointer<Vertex>(neighbors), stage);
      });
      return report(built);
    });
  });
}

// `build` is symmetric_rows or transposed_rows; `growth` how many entries come of one.
template <class Build>
auto rows_of_rows(std::uint64_t growth, Build build) {
  return [growth, build](const Input& offsets, const Input& neighbors, const Output& new_offsets,
                         const Output& new_neighbors, int threads) {
    return by_width(neighbors, [&]<class Vertex>() {
      const auto graph = validated_csr<Vertex>(offsets, neighbors);
      require_room(new_offsets, new_neighbors, graph.vertices, growth * graph.entries());
      if (new_neighbors.itemsize() != sizeof(Vertex))
        throw std::invalid_argument("neighbors must keep their width");
      Built built;
      run_native(threads, false, [&](Context& context) {
        built = build(context, graph, write_pointer<std::uint64_t>(new_offsets),
                      write_pointer<Vertex>(new_neighbors));
      });
      return report(built);
    });
  };
}

void bind_rows_from_rows(nb::module_& module) {
  module.def(
      "symmetric_rows_of_rows",
      rows_of_rows(2, [](Context& context, const auto& graph, auto* offsets,
                         auto* rows) { return symmetric_rows(context, graph, offsets, rows); }),
      nb::sig("def symmetric_rows_of_rows(offsets: Array, neighbors: Array, new_offsets: Array, "
              "new_neighbors: Array, threads: int, /) -> tuple[int, int | None]"));
  module.def(
      "transposed_rows",
      rows_of_rows(1, [](Context& context, const auto& graph, auto* offsets,
                         auto* rows) { return transposed_rows(context, graph, offsets, rows); }),
      nb::sig("def transposed_rows(offsets: Array, neighbors: Array, new_offsets: Array, "
              "new_neighbors: Array, threads: int, /) -> tuple[int, int | None]"));
  module.def(
      "sort_rows",
      [](const Input& offsets, const Output& neighbors, int threads) {
        by_width(neighbors, [&]<class Vertex>() {
          const auto graph = validated_csr<Vertex>(offsets, Input(neighbors));
          run_native(threads, false, [&](Context& context) {
            sort_rows(context, graph.vertices, graph.offsets, write_pointer<Vertex>(neighbors));
          });
        });
      },
      nb::sig("def sort_rows(offsets: Array, neighbors: Array, threads: int, /) -> None"));
}

// Binds a function that reads a graph and returns a plain value.
template <class Read>
auto reader(Read read) {
  return [read](const Input& offsets, const Input& neighbors, int threads) {
    return by_width(neighbors, [&]<class Vertex>() {
      const auto graph = validated_csr<Vertex>(offsets, neighbors);
      decltype(read(std::declval<Context&>(), graph)) value{};
      run_native(threads, false, [&](Context& context) { value = read(context, graph); });
      return value;
    });
  };
}

void bind_readers(nb::module_& module) {
  module.def("rows_ascend", reader([](Context& context, const auto& graph) {
               return rows_ascend(context, graph);
             }),
             nb::sig("def rows_ascend(offsets: Array, neighbors: Array, threads: int, /) -> bool"));
  module.def("count_upper", reader([](Context& context, const auto& graph) {
               return count_upper(context, graph);
             }),
             nb::sig("def count_upper(offsets: Array, neighbors: Array, threads: int, /) -> int"));
  module.def(
      "first_one_way",
      [](const Input& offsets, const Input& neighbors, int threads) {
        const auto read = reader(
            [](Context& context, const auto& graph) { return first_one_way(context, graph); });
        return position_or_none(read(offsets, neighbors, threads));
      },
      nb::sig(
          "def first_one_way(offsets: Array, neighbors: Array, threads: int, /) -> int | None"));
  module.def(
      "fill_sources",
      [](const Input& offsets, const Input& neighbors, const Output& src, int threads) {
        by_width(neighbors, [&]<class Vertex>() {
          const auto graph = validated_csr<Vertex>(offsets, neighbors);
          if (src.shape(0) != graph.entries() || src.itemsize() != sizeof(Vertex))
            throw std::invalid_argument("src must have one place for each entry");
          run_native(threads, false, [&](Context& context) {
            fill_sources(context, graph, write_pointer<Vertex>(src));
          });
        });
      },
      nb::sig("def fill_sources(offsets: Array, neighbors: Array, src: Array, threads: int, /) -> "
              "None"));
  module.def(
      "fill_upper",
      [](const Input& offsets, const Input& neighbors, const Output& src, const Output& dst,
         int threads) {
        by_width(neighbors, [&]<class Vertex>() {
          const auto graph = validated_csr<Vertex>(offsets, neighbors);
          if (src.itemsize() != sizeof(Vertex) || dst.itemsize() != sizeof(Vertex) ||
              src.shape(0) != dst.shape(0))
            throw std::invalid_argument("src and dst must match the neighbors");
          bool filled = false;
          run_native(threads, false, [&](Context& context) {
            filled = fill_upper(context, graph, src.shape(0), write_pointer<Vertex>(src),
                                write_pointer<Vertex>(dst));
          });
          if (!filled) throw std::invalid_argument("src and dst must have count_upper places");
        });
      },
      nb::sig("def fill_upper(offsets: Array, neighbors: Array, src: Array, dst: Array, threads: "
              "int, /) -> None"));
}

}  // namespace

void bind_build(nb::module_& module) {
  module.def(
      "symmetric_rows_of_edges", &rows_of_edges, nb::arg("src"), nb::arg("dst"),
      nb::arg("vertices"), nb::arg("offsets"), nb::arg("neighbors"), nb::arg("threads"),
      nb::arg("stage") = kStage,
      nb::sig("def symmetric_rows_of_edges(src: Array, dst: Array, vertices: int, offsets: Array, "
              "neighbors: Array, threads: int, stage: int = ...) -> tuple[int, int | None]"));
  bind_rows_from_rows(module);
  bind_readers(module);
}

}  // namespace skerry
