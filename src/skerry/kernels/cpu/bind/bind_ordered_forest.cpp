// Bindings of ordered_forest.h.
#include <algorithm>

#include "cpu/bind/bind.h"
#include "cpu/own/ordered_forest.h"

namespace skerry {

namespace {

// Arrays that are read without a step between their values, and are as wide as the vertices.
void check_columns(const Input& src, const Input& dst, std::size_t width) {
  const auto in_one_piece = [](const Input& column) {
    return column.shape(0) == 0 || column.stride(0) == 1;
  };
  if (src.shape(0) != dst.shape(0) || src.itemsize() != width || dst.itemsize() != width ||
      !in_one_piece(src) || !in_one_piece(dst))
    throw std::invalid_argument("src and dst must match, be contiguous and as wide as parents");
}

void check_longs(const Output& array, std::size_t length) {
  if (array.itemsize() != 8 || array.shape(0) < length)
    throw std::invalid_argument("positions are 64-bit, one for each edge that may be kept");
}

}  // namespace

void bind_ordered_forest(nb::module_& module) {
  module.def(
      "keep_joining",
      [](const Input& src, const Input& dst, const Output& order, const Output& parent,
         const Output& kept) {
        check_columns(src, dst, parent.itemsize());
        check_longs(order, 0);
        const std::size_t vertices = parent.shape(0), count = order.shape(0);
        check_longs(kept, vertices == 0 ? 0 : std::min(count, vertices - 1));
        std::uint64_t joins = 0;
        bool faulty = false;
        by_width(parent, [&]<class Vertex>() {
          run_native(1, false, [&](Context& context) {
            joins = keep_joining(context, read_pointer<Vertex>(src), read_pointer<Vertex>(dst),
                                 src.shape(0), write_pointer<std::int64_t>(order), count, vertices,
                                 write_pointer<Vertex>(parent), write_pointer<std::int64_t>(kept));
            faulty = context.faulty();
          });
        });
        if (faulty) throw std::invalid_argument("an edge or a vertex that does not exist");
        return joins;
      },
      nb::sig("def keep_joining(src: Array, dst: Array, order: Array, parent: Array, kept: Array, "
              "/) -> int"));
  module.def(
      "merge_clusters",
      [](const Input& src, const Input& dst, std::uint64_t vertices, const Output& left,
         const Output& right, const Output& size) {
        check_columns(src, dst, src.itemsize());
        for (const Output& output : {left, right, size}) check_longs(output, src.shape(0));
        std::uint64_t merges = 0;
        by_width(src, [&]<class Vertex>() {
          run_native(1, false, [&](Context& context) {
            merges = merge_clusters(context, read_pointer<Vertex>(src), read_pointer<Vertex>(dst),
                                    src.shape(0), vertices, write_pointer<std::int64_t>(left),
                                    write_pointer<std::int64_t>(right),
                                    write_pointer<std::int64_t>(size));
          });
        });
        return merges;
      },
      nb::sig("def merge_clusters(src: Array, dst: Array, vertices: int, left: Array, right: "
              "Array, size: Array, /) -> int"));
}

}  // namespace skerry
