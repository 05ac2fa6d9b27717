// Bindings of inputs.h, for integer arrays of every width.
#include <nanobind/stl/pair.h>

#include "cpu/bind/bind.h"
#include "cpu/graph/inputs.h"

namespace skerry {

namespace {

template <class Body>
nb::object by_integer_type(const Input& array, Body&& body) {
  const auto type = array.dtype();
  const bool is_signed = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
  const bool is_unsigned = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
  if (!is_signed && !is_unsigned) throw std::invalid_argument("not an integer array");
  switch (type.bits) {
    case 8:
      return is_signed ? body.template operator()<std::int8_t>()
                       : body.template operator()<std::uint8_t>();
    case 16:
      return is_signed ? body.template operator()<std::int16_t>()
                       : body.template operator()<std::uint16_t>();
    case 32:
      return is_signed ? body.template operator()<std::int32_t>()
                       : body.template operator()<std::uint32_t>();
    case 64:
      return is_signed ? body.template operator()<std::int64_t>()
                       : body.template operator()<std::uint64_t>();
    default:
      throw std::invalid_argument("not an integer array");
  }
}

}  // namespace

void bind_inputs(nb::module_& module) {
  // (smallest, largest) of a non-empty integer array.
  module.def("bounds", [](const Input& values, int threads) {
    return by_integer_type(values, [&]<class T>() -> nb::object {
      Bounds<T> found;
      run_native(threads, false, [&](Context& context) {
        found = bounds(context, read_pointer<T>(values), values.stride(0), values.shape(0));
      });
      return nb::cast(std::pair(found.low, found.high));
    });
  });
  // The first row whose end lies before its start, or None.
  module.def("first_falling_offset", [](const Input& offsets, int threads) {
    return by_integer_type(offsets, [&]<class T>() -> nb::object {
      std::uint64_t row = kNowhere;
      run_native(threads, false, [&](Context& context) {
        row = first_falling_offset(context, read_pointer<T>(offsets), offsets.shape(0) - 1);
      });
      if (row == kNowhere) return nb::none();
      return nb::cast(row);
    });
  });
}

}  // namespace skerry
