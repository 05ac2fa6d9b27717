// Bindings of inputs.h, for integer arrays of every width.
#include <nanobind/stl/pair.h>

#include "cpu/bind/bind.h"
#include "cpu/bind/integers.h"
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
}

}  // namespace skerry
