// Dispatch on the type of an integer array.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "cpu/bind/bind.h"

namespace skerry {

// Calls body.operator()<T>() with the type of the array's items.
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

}  // namespace skerry
