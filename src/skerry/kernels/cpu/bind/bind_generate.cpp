// Bindings of generate.h. Python allocates; what is checked here is only what would otherwise write
// outside of the arrays.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "cpu/bind/bind.h"
#include "cpu/graph/generate.h"

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

void fill(const Family& family, const Output& src, const Output& dst, int threads) {
  require_room(src, dst, count_edges(family));
  by_width(src, [&]<class Vertex>() {
    run_native(threads, false, [&](Context& context) {
      fill_edges(context, family, write_pointer<Vertex>(src), write_pointer<Vertex>(dst));
    });
  });
}

void bind_families(nb::module_& module) {
  // (vertices, edges) of a family that needs no table.
  module.def("family_size", [](const std::string& name, const Parameters& parameters) {
    const Family family = named_family(name, parameters);
    return std::pair(count_vertices(family), count_edges(family));
  });
  module.def("fill_family", [](const std::string& name, const Parameters& parameters,
                               const Output& src, const Output& dst, int threads) {
    fill(named_family(name, parameters), src, dst, threads);
  });
  module.def("fill_planted", [](const Input& starts, std::uint64_t chords, std::uint64_t seed,
                                const Output& src, const Output& dst, int threads) {
    if (starts.shape(0) == 0 || starts.itemsize() != 8 || starts.stride(0) != 1)
      throw std::invalid_argument("starts must be a contiguous 64-bit array");
    fill(Planted{read_pointer<Word>(starts), starts.shape(0) - 1, chords, seed}, src, dst, threads);
  });
}

void bind_road(nb::module_& module) {
  // Fills kept_before and gives (vertices, edges).
  module.def("count_streets", [](std::uint64_t width, std::uint64_t bends, std::uint64_t keep,
                                 std::uint64_t seed, const Output& kept_before, int threads) {
    const Road road{width, bends, keep, seed};
    if (kept_before.itemsize() != 8 || kept_before.shape(0) != road.crossings() + 1)
      throw std::invalid_argument("kept_before must be 64-bit with one place more than crossings");
    std::uint64_t kept = 0;
    run_native(threads, false, [&](Context& context) {
      kept = count_streets(context, road, write_pointer<std::uint64_t>(kept_before));
    });
    return std::pair(road.vertices(kept), road.edges(kept));
  });
  module.def("fill_road", [](std::uint64_t width, std::uint64_t bends, std::uint64_t keep,
                             std::uint64_t seed, const Output& kept_before, const Output& src,
                             const Output& dst, int threads) {
    const Road road{width, bends, keep, seed};
    const auto* table = write_pointer<std::uint64_t>(kept_before);
    require_room(src, dst, road.edges(table[road.crossings()]));
    by_width(src, [&]<class Vertex>() {
      run_native(threads, false, [&](Context& context) {
        fill_road(context, road, table, write_pointer<Vertex>(src), write_pointer<Vertex>(dst));
      });
    });
  });
}

}  // namespace

void bind_generate(nb::module_& module) {
  bind_families(module);
  bind_road(module);
  module.def("shuffle_ids",
             [](const Output& ids, std::uint64_t vertices, std::uint64_t seed, int threads) {
               by_width(ids, [&]<class Vertex>() {
                 run_native(threads, false, [&](Context& context) {
                   shuffle_ids(context, seed, vertices, write_pointer<Vertex>(ids), ids.shape(0));
                 });
               });
             });
  module.def("fill_draws", [](const Output& values, std::uint64_t seed, std::uint64_t stream,
                              int threads) {
    if (values.itemsize() != 8) throw std::invalid_argument("draws are 64 bits wide");
    run_native(threads, false, [&](Context& context) {
      fill_draws(context, seed, stream, write_pointer<std::uint64_t>(values), values.shape(0));
    });
  });
}

}  // namespace skerry
