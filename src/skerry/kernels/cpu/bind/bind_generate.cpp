// Bindings of generate.h and geometric.h. Python allocates; what is checked here is only what would
// otherwise write outside of the arrays.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "cpu/bind/bind.h"
#include "cpu/graph/generate.h"
#include "cpu/graph/geometric.h"

namespace skerry {

namespace {

using Parameters = std::vector<std::uint64_t>;

Family named_family(const std::string& name, const Parameters& parameters) {
  const auto family = make_family(name, parameters);
  if (!family) throw std::invalid_argument("no family of graphs with this name and parameters");
  return *family;
}

void require_room(const Output& src, const Output& dst, std::uint64_t edges) {
  if (src.shape(0) != edges || dst.shape(0) != edges || src.itemsize() != dst.itemsize())
    throw std::invalid_argument("src and dst must have one place for each edge");
}

// The edges from number `first` on, as many as there is room for.
void fill(const Family& family, std::uint64_t first, const Output& src, const Output& dst,
          int threads) {
  const std::uint64_t edges = count_edges(family);
  const std::uint64_t count = src.shape(0);
  if (first > edges || count > edges - first)
    throw std::invalid_argument("the family has no edges of these numbers");
  require_room(src, dst, count);
  by_width(src, [&]<class Vertex>() {
    run_native(threads, false, [&](Context& context) {
      fill_edges(context, family, first, count, write_pointer<Vertex>(src),
                 write_pointer<Vertex>(dst));
    });
  });
}

// Checks a table with an element for each owner of edges and one for the sum, and the range first
// .. last.
void require_range(const Output& table, std::uint64_t owners, std::uint64_t first,
                   std::uint64_t last) {
  if (table.itemsize() != 8 || table.shape(0) != owners + 1)
    throw std::invalid_argument("a table must be 64-bit with one place more than it counts");
  if (first > last || last > owners) throw std::invalid_argument("this is no range of the table");
}

void bind_families(nb::module_& module) {
  // (vertices, edges) of a family that needs no table.
  module.def(
      "family_size",
      [](const std::string& name, const Parameters& parameters) {
        const Family family = named_family(name, parameters);
        return std::pair(count_vertices(family), count_edges(family));
      },
      nb::sig("def family_size(name: str, parameters: Sequence[int], /) -> tuple[int, int]"));
  module.def(
      "fill_family",
      [](const std::string& name, const Parameters& parameters, std::uint64_t first,
         const Output& src, const Output& dst,
         int threads) { fill(named_family(name, parameters), first, src, dst, threads); },
      nb::sig("def fill_family(name: str, parameters: Sequence[int], first: int, src: Array, dst: "
              "Array, threads: int, /) -> None"));
  module.def(
      "fill_planted",
      [](const Input& starts, std::uint64_t chords, std::uint64_t seed, std::uint64_t first,
         const Output& src, const Output& dst, int threads) {
        if (starts.shape(0) == 0 || starts.itemsize() != 8 || starts.stride(0) != 1)
          throw std::invalid_argument("starts must be a contiguous 64-bit array");
        fill(Planted{read_pointer<Word>(starts), starts.shape(0) - 1, chords, seed}, first, src,
             dst, threads);
      },
      nb::sig("def fill_planted(starts: Array, chords: int, seed: int, first: int, src: Array, "
              "dst: Array, threads: int, /) -> None"));
}

Road make_road(const Parameters& p) {
  if (p.size() != 7) throw std::invalid_argument("a road has seven parameters");
  return Road{p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
}

// The parameters of a road are the fields of Road, in their order.
void bind_road(nb::module_& module) {
  // Fills kept_before and returns (vertices, edges).
  module.def(
      "count_streets",
      [](const Parameters& parameters, const Output& kept_before, int threads) {
        const Road road = make_road(parameters);
        require_range(kept_before, road.crossings(), 0, 0);
        std::uint64_t kept = 0;
        run_native(threads, false, [&](Context& context) {
          kept = count_streets(context, road, write_pointer<std::uint64_t>(kept_before));
        });
        return std::pair(road.vertices(kept), road.edges(kept));
      },
      nb::sig("def count_streets(parameters: Sequence[int], kept_before: Array, threads: int, /) "
              "-> tuple[int, int]"));
  module.def(
      "fill_road",
      [](const Parameters& parameters, const Output& kept_before, std::uint64_t first,
         std::uint64_t last, const Output& src, const Output& dst, int threads) {
        const Road road = make_road(parameters);
        require_range(kept_before, road.crossings(), first, last);
        const auto* table = write_pointer<std::uint64_t>(kept_before);
        require_room(src, dst, road.edges(table[last] - table[first]));
        by_width(src, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            fill_road(context, road, table, first, last, write_pointer<Vertex>(src),
                      write_pointer<Vertex>(dst));
          });
        });
      },
      nb::sig("def fill_road(parameters: Sequence[int], kept_before: Array, first: int, last: int, "
              "src: Array, dst: Array, threads: int, /) -> None"));
}

void bind_geometric(nb::module_& module) {
  module.def(
      "geometric_cells",
      [](std::uint64_t points, std::uint64_t radius) {
        return Geometric(points, radius, 0).cells();
      },
      nb::sig("def geometric_cells(points: int, radius: int, /) -> int"));
  // Fills coordinates, starts and edges_before; returns the number of edges.
  module.def(
      "draw_geometric",
      [](std::uint64_t radius, std::uint64_t seed, const Output& coordinates, const Output& starts,
         const Output& edges_before, int threads) {
        if (coordinates.itemsize() != 8) throw std::invalid_argument("places are 64 bits wide");
        const Geometric graph(coordinates.shape(0), radius, seed);
        require_range(starts, graph.cells(), 0, 0);
        require_range(edges_before, graph.cells(), 0, 0);
        std::uint64_t edges = 0;
        run_native(threads, false, [&](Context& context) {
          auto* points = write_pointer<std::uint64_t>(coordinates);
          auto* first_points = write_pointer<std::uint64_t>(starts);
          graph.draw_points(context, points, first_points);
          if (context.stopped()) return;
          edges = graph.count_edges(context, points, first_points,
                                    write_pointer<std::uint64_t>(edges_before));
        });
        return edges;
      },
      nb::sig("def draw_geometric(radius: int, seed: int, coordinates: Array, starts: Array, "
              "edges_before: Array, threads: int, /) -> int"));
  module.def(
      "fill_geometric",
      [](std::uint64_t radius, std::uint64_t seed, const Output& coordinates, const Output& starts,
         const Output& edges_before, std::uint64_t first, std::uint64_t last, const Output& src,
         const Output& dst, int threads) {
        const Geometric graph(coordinates.shape(0), radius, seed);
        require_range(starts, graph.cells(), 0, 0);
        require_range(edges_before, graph.cells(), first, last);
        const auto* table = write_pointer<std::uint64_t>(edges_before);
        require_room(src, dst, table[last] - table[first]);
        by_width(src, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            graph.fill_edges(context, write_pointer<std::uint64_t>(coordinates),
                             write_pointer<std::uint64_t>(starts), table, first, last,
                             write_pointer<Vertex>(src), write_pointer<Vertex>(dst));
          });
        });
      },
      nb::sig("def fill_geometric(radius: int, seed: int, coordinates: Array, starts: Array, "
              "edges_before: Array, first: int, last: int, src: Array, dst: Array, threads: int, "
              "/) -> None"));
}

}  // namespace

void bind_generate(nb::module_& module) {
  bind_families(module);
  bind_road(module);
  bind_geometric(module);
  module.def(
      "shuffle_ids",
      [](const Output& ids, std::uint64_t vertices, std::uint64_t seed, int threads) {
        by_width(ids, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            shuffle_ids(context, seed, vertices, write_pointer<Vertex>(ids), ids.shape(0));
          });
        });
      },
      nb::sig("def shuffle_ids(ids: Array, vertices: int, seed: int, threads: int, /) -> None"));
  module.def(
      "fill_draws",
      [](const Output& values, std::uint64_t seed, std::uint64_t stream, int threads) {
        if (values.itemsize() != 8) throw std::invalid_argument("draws are 64 bits wide");
        run_native(threads, false, [&](Context& context) {
          fill_draws(context, seed, stream, write_pointer<std::uint64_t>(values), values.shape(0));
        });
      },
      nb::sig("def fill_draws(values: Array, seed: int, stream: int, threads: int, /) -> None"));
}

}  // namespace skerry
