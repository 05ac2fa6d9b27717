// Bindings of spanning_forest.h and rooted_forest.h.
#include <nanobind/stl/optional.h>

#include <optional>
#include <string>
#include <utility>

#include "cpu/bind/bind.h"
#include "cpu/own/rooted_forest.h"
#include "cpu/own/spanning_forest.h"

namespace skerry {

namespace {

template <class Array>
void check_size(const Array& array, std::uint64_t size, std::uint64_t itemsize, const char* name) {
  if (array.shape(0) != size || array.itemsize() != itemsize)
    throw std::invalid_argument(std::string(name) + " has another size or width");
}

template <class Vertex>
RootedForest<Vertex> rooted_view(const Output& up, const Output& edge, const Output& depth) {
  check_size(edge, up.shape(0), sizeof(Vertex), "edge");
  check_size(depth, up.shape(0), sizeof(Vertex), "depth");
  return {write_pointer<Vertex>(up), write_pointer<Vertex>(edge), write_pointer<Vertex>(depth)};
}

template <class Vertex>
ForestRecord<Vertex> record_view(const Output& words, std::uint64_t vertices, bool weighted) {
  const ForestRecord<Vertex> record{write_pointer<std::uint64_t>(words), weighted};
  check_size(words, vertices * record.width(), 8, "words");
  return record;
}

// A column of 64-bit words, one for each edge, or null.
const std::uint64_t* words_of_edges(const std::optional<Input>& column, std::uint64_t edges) {
  if (!column) return nullptr;
  check_size(*column, edges, 8, "names or weights");
  if (edges > 1 && column->stride(0) != 1)
    throw std::invalid_argument("names and weights must be contiguous");
  return read_pointer<std::uint64_t>(*column);
}

void bind_recording(nb::module_& module) {
  module.def(
      "record_edges",
      [](const Input& src, const Input& dst, std::uint64_t first, const std::optional<Input>& names,
         const std::optional<Input>& weights, const Output& parent, const Output& words,
         int threads) {
        const std::uint64_t count = src.shape(0), vertices = parent.shape(0);
        const EdgeNames called{words_of_edges(names, count), first, words_of_edges(weights, count)};
        return by_width(parent, [&]<class Vertex>() {
          const auto record = record_view<Vertex>(words, vertices, weights.has_value());
          return by_width(src, [&]<class Id>() {
            const EdgeView<Id> edges = edge_view<Id>(src, dst);
            return run_native(threads, false, [&](Context& context) {
              record_edges(context, edges, called, vertices, write_pointer<Vertex>(parent), record);
            });
          });
        });
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
      nb::arg(),
      nb::sig("def record_edges(src: Array, dst: Array, first: int, names: Array | None, weights: "
              "Array | None, parent: Array, words: Array, threads: int, /) -> Report"));
  module.def(
      "record_rows",
      [](const Input& offsets, const Input& neighbors, bool symmetric, const Output& parent,
         const Output& words, int threads) {
        return by_width(parent, [&]<class Vertex>() {
          const CsrView<Vertex> graph = csr_view<Vertex>(offsets, neighbors);
          if (graph.vertices != parent.shape(0))
            throw std::invalid_argument("there must be one more offset than parents");
          const auto record = record_view<Vertex>(words, graph.vertices, false);
          return run_native(threads, false, [&](Context& context) {
            record_rows(context, graph, symmetric, write_pointer<Vertex>(parent), record);
          });
        });
      },
      nb::sig("def record_rows(offsets: Array, neighbors: Array, symmetric: bool, parent: Array, "
              "words: Array, threads: int, /) -> Report"));
}

// Lets edges go around those of a rooted forest: pass(context, edges, vertices, forest, marks) says
// at which edge it stopped. `marks` has a number for each vertex.
template <class Pass>
std::uint64_t go_around(const Input& src, const Input& dst, const Output& up, const Output& edge,
                        const Output& depth, const Output& marks, const char* name, Pass&& pass) {
  check_size(marks, up.shape(0), up.itemsize(), name);
  std::uint64_t first_fault = 0;
  by_width(up, [&]<class Vertex>() {
    by_width(src, [&]<class Id>() {
      const EdgeView<Id> edges = edge_view<Id>(src, dst);
      run_native(1, false, [&](Context& context) {
        first_fault = pass(context, edges, up.shape(0), rooted_view<Vertex>(up, edge, depth),
                           write_pointer<Vertex>(marks));
      });
    });
  });
  return first_fault;
}

void bind_rooting(nb::module_& module) {
  module.def(
      "root_forest",
      [](const Input& src, const Input& dst, const Output& up, const Output& edge,
         const Output& depth, const Output& order) {
        check_size(order, src.shape(0), up.itemsize(), "order");
        check_size(src, dst.shape(0), up.itemsize(), "ends");
        std::uint64_t count = 0;
        by_width(up, [&]<class Vertex>() {
          const EdgeView<Vertex> edges = edge_view<Vertex>(src, dst);
          run_native(1, false, [&](Context& context) {
            count = root_forest(context, edges, up.shape(0), rooted_view<Vertex>(up, edge, depth),
                                write_pointer<Vertex>(order));
          });
        });
        return count;
      },
      nb::sig("def root_forest(src: Array, dst: Array, up: Array, edge: Array, depth: Array, "
              "order: Array, /) -> int"));
  module.def(
      "forest_path",
      [](const Output& up, const Output& edge, const Output& depth, std::uint64_t u,
         std::uint64_t v, const Output& vertices, const Output& edges) {
        if (u >= up.shape(0) || v >= up.shape(0)) throw std::invalid_argument("no such vertex");
        return by_width(up, [&]<class Vertex>() {
          const RootedForest<Vertex> forest = rooted_view<Vertex>(up, edge, depth);
          const std::uint64_t room = std::uint64_t{forest.depth[u]} + forest.depth[v];
          check_size(edges, room, sizeof(Vertex), "edges");
          check_size(vertices, room + 1, sizeof(Vertex), "vertices");
          return forest_path(forest, static_cast<Vertex>(u), static_cast<Vertex>(v),
                             write_pointer<Vertex>(vertices), write_pointer<Vertex>(edges));
        });
      },
      nb::sig("def forest_path(up: Array, edge: Array, depth: Array, u: int, v: int, vertices: "
              "Array, edges: Array, /) -> int"));
  module.def(
      "cover_paths",
      [](const Input& src, const Input& dst, const Output& up, const Output& edge,
         const Output& depth, const Output& top) {
        return go_around(src, dst, up, edge, depth, top, "top",
                         [](auto&&... arguments) { return cover_paths(arguments...); });
      },
      nb::sig("def cover_paths(src: Array, dst: Array, up: Array, edge: Array, depth: Array, top: "
              "Array, /) -> int"));
  module.def(
      "join_cycles",
      [](const Input& src, const Input& dst, const Output& up, const Output& edge,
         const Output& depth, const Output& block) {
        return go_around(src, dst, up, edge, depth, block, "block",
                         [](auto&&... arguments) { return join_cycles(arguments...); });
      },
      nb::sig(
          "def join_cycles(src: Array, dst: Array, up: Array, edge: Array, depth: Array, block: "
          "Array, /) -> int"));
  module.def(
      "subtree_sizes",
      [](const Output& up, const Output& order, const Output& sizes) {
        check_size(sizes, up.shape(0), up.itemsize(), "sizes");
        check_size(order, order.shape(0), up.itemsize(), "order");
        by_width(up, [&]<class Vertex>() {
          const RootedForest<Vertex> forest{write_pointer<Vertex>(up), nullptr, nullptr};
          without_gil([&] {
            subtree_sizes(forest, write_pointer<Vertex>(order), order.shape(0), up.shape(0),
                          write_pointer<Vertex>(sizes));
          });
        });
      },
      nb::sig("def subtree_sizes(up: Array, order: Array, sizes: Array, /) -> None"));
}

}  // namespace

void bind_spanning_forest(nb::module_& module) {
  bind_recording(module);
  bind_rooting(module);
}

}  // namespace skerry
