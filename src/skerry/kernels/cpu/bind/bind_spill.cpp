// Bindings of what works on a part of a graph whose rest is on disk.
#include "cpu/bind/bind.h"
#include "cpu/spill/block_forest.h"
#include "cpu/spill/partition.h"

namespace skerry {

namespace {

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

void bind_partition(nb::module_& module) {
  module.def(
      "scatter_ids",
      [](const Output& ids, std::uint64_t seed, unsigned bits, const Output& routes,
         const Output& scattered, const Output& counts, int threads) {
        require(bits <= 8, "there are at most 256 buckets");
        require(ids.itemsize() == 8 && scattered.itemsize() == 8, "ids must be 64 bits wide");
        require(routes.itemsize() == 1 && counts.itemsize() == 8, "routes are bytes, counts words");
        require(routes.shape(0) == ids.shape(0) && scattered.shape(0) == ids.shape(0) &&
                    counts.shape(0) == std::size_t{1} << bits,
                "there must be a place for every id, and for every bucket");
        run_native(threads, false, [&](Context& context) {
          scatter_ids(context, write_pointer<Word>(ids), ids.shape(0), seed, bits,
                      write_pointer<std::uint8_t>(routes), write_pointer<Word>(scattered),
                      write_pointer<std::uint64_t>(counts));
        });
      },
      nb::sig("def scatter_ids(ids: Array, seed: int, bits: int, routes: Array, scattered: Array, "
              "counts: Array, threads: int, /) -> None"));
  module.def(
      "gather_numbers",
      [](const Output& routes, const Output& counts, const Output& numbers,
         const Output& gathered) {
        require(routes.itemsize() == 1 && counts.itemsize() == 8, "routes are bytes, counts words");
        require(numbers.itemsize() == gathered.itemsize() && routes.shape(0) == numbers.shape(0) &&
                    routes.shape(0) == gathered.shape(0) && counts.shape(0) <= 256,
                "there must be a number for every route");
        bool agree = false;
        by_width(numbers, [&]<class Number>() {
          run_native(1, false, [&](Context& context) {
            agree = gather_numbers(context, write_pointer<std::uint8_t>(routes), routes.shape(0),
                                   write_pointer<std::uint64_t>(counts),
                                   static_cast<unsigned>(counts.shape(0)),
                                   write_pointer<Number>(numbers), write_pointer<Number>(gathered));
          });
        });
        require(agree, "routes and counts do not agree");
      },
      nb::sig("def gather_numbers(routes: Array, counts: Array, numbers: Array, gathered: Array, "
              "/) -> None"));
  module.def(
      "scatter_edges",
      [](const Output& edges, std::uint64_t block, const Output& scattered, const Output& counts) {
        require(block > 0 && counts.itemsize() == 8, "blocks have vertices, counts are words");
        require(edges.shape(0) % 2 == 0 && edges.shape(0) == scattered.shape(0) &&
                    edges.itemsize() == scattered.itemsize(),
                "there must be a place for every edge");
        bool known = false;
        by_width(edges, [&]<class Vertex>() {
          run_native(1, false, [&](Context& context) {
            known = scatter_edges(
                context, write_pointer<Vertex>(edges), edges.shape(0) / 2,
                static_cast<Vertex>(block), static_cast<unsigned>(counts.shape(0)),
                write_pointer<Vertex>(scattered), write_pointer<std::uint64_t>(counts));
          });
        });
        require(known, "a vertex is in none of the blocks");
      },
      nb::sig("def scatter_edges(edges: Array, block: int, scattered: Array, counts: Array, /) -> "
              "None"));
}

}  // namespace

void bind_spill(nb::module_& module) {
  bind_partition(module);
  module.def(
      "join_block",
      [](const Input& src, const Input& dst, const Output& parent, std::uint64_t low,
         const Output& left, int threads) {
        require(src.itemsize() == parent.itemsize() && left.itemsize() == parent.itemsize() &&
                    left.shape(0) >= 2 * src.shape(0),
                "edges are as wide as parents, and all may be left");
        std::uint64_t count = 0;
        nb::object report;
        by_width(parent, [&]<class Vertex>() {
          report = run_native(threads, false, [&](Context& context) {
            count = join_block(context, edge_view<Vertex>(src, dst), low, parent.shape(0),
                               write_pointer<Vertex>(parent), write_pointer<Vertex>(left));
          });
        });
        require(!nb::cast<bool>(report[3]), "an end of an edge is above the block");
        return count;
      },
      nb::sig("def join_block(src: Array, dst: Array, parent: Array, low: int, left: Array, "
              "threads: int, /) -> int"));
  module.def(
      "flatten_block",
      [](const Output& parent, std::uint64_t low, int threads) {
        by_width(parent, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            flatten_block(context, low, parent.shape(0), write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def flatten_block(parent: Array, low: int, threads: int, /) -> None"));
  module.def(
      "count_block",
      [](const Output& values, std::uint64_t low, const Output& counts) {
        require(values.itemsize() == counts.itemsize(), "counts are as wide as values");
        by_width(values, [&]<class Vertex>() {
          run_native(1, false, [&](Context& context) {
            count_block(context, write_pointer<Vertex>(values), values.shape(0), low,
                        counts.shape(0), write_pointer<Vertex>(counts));
          });
        });
      },
      nb::sig("def count_block(values: Array, low: int, counts: Array, /) -> None"));
}

}  // namespace skerry
