// Bindings of inputs.h, for integer arrays of every width.
#include <nanobind/stl/pair.h>

#include "cpu/bind/bind.h"
#include "cpu/bind/integers.h"
#include "cpu/graph/copy_ids.h"
#include "cpu/graph/inputs.h"

namespace skerry {

void bind_inputs(nb::module_& module) {
  // (smallest, largest) of a non-empty integer array.
  module.def(
      "bounds",
      [](const Input& values, int threads) {
        return by_integer_type(values, [&]<class T>() -> nb::object {
          Bounds<T> range;
          run_native(threads, false, [&](Context& context) {
            range = bounds(context, read_pointer<T>(values), values.stride(0), values.shape(0));
          });
          return nb::cast(std::pair(range.low, range.high));
        });
      },
      nb::sig("def bounds(values: Array, threads: int, /) -> tuple[int, int]"));
  // The first row whose end lies before its start, or None.
  module.def(
      "first_falling_offset",
      [](const Input& offsets, int threads) {
        return by_integer_type(offsets, [&]<class T>() -> nb::object {
          std::uint64_t row = kNowhere;
          run_native(threads, false, [&](Context& context) {
            row = first_falling_offset(context, read_pointer<T>(offsets), offsets.shape(0) - 1);
          });
          if (row == kNowhere) return nb::none();
          return nb::cast(row);
        });
      },
      nb::sig("def first_falling_offset(offsets: Array, threads: int, /) -> int | None"));
  // Writes ids to an array of 32 or 64 bits without a sign; what does not fit becomes its maximum.
  module.def(
      "copy_ids",
      [](const Input& ids, const Output& copies, int threads) {
        if (ids.shape(0) != copies.shape(0)) throw std::invalid_argument("lengths differ");
        by_integer_type(ids, [&]<class T>() -> nb::object {
          by_width(copies, [&]<class Out>() {
            run_native(threads, false, [&](Context& context) {
              copy_ids(context, IdColumn<T>{read_pointer<T>(ids), ids.stride(0)}, ids.shape(0),
                       write_pointer<Out>(copies));
            });
          });
          return nb::none();
        });
      },
      nb::sig("def copy_ids(ids: Array, copies: Array, threads: int, /) -> None"));
  // The same with two columns of one type.
  module.def(
      "copy_edges",
      [](const Input& src, const Input& dst, const Output& sources, const Output& targets,
         int threads) {
        const std::uint64_t count = src.shape(0);
        if (dst.shape(0) != count || sources.shape(0) != count || targets.shape(0) != count)
          throw std::invalid_argument("lengths differ");
        if (src.dtype() != dst.dtype() || sources.itemsize() != targets.itemsize())
          throw std::invalid_argument("types differ");
        by_integer_type(src, [&]<class T>() -> nb::object {
          by_width(sources, [&]<class Out>() {
            run_native(threads, false, [&](Context& context) {
              copy_edges(context, IdColumn<T>{read_pointer<T>(src), src.stride(0)},
                         IdColumn<T>{read_pointer<T>(dst), dst.stride(0)}, count,
                         write_pointer<Out>(sources), write_pointer<Out>(targets));
            });
          });
          return nb::none();
        });
      },
      nb::sig("def copy_edges(src: Array, dst: Array, sources: Array, targets: Array, "
              "threads: int, /) -> None"));
}

}  // namespace skerry
