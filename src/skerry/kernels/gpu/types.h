// The integer types of one compilation. The host names their widths, so that every kernel is
// compiled for exactly the arrays it is given:
//   Vertex  labels and parents     Id  ids as the input stores them     Offset  where rows begin
#pragma once

namespace skerry {

using u32 = unsigned int;
using u64 = unsigned long long;

template <int bits>
struct UnsignedOf {
  using Type = u32;
};
template <>
struct UnsignedOf<64> {
  using Type = u64;
};

using Vertex = UnsignedOf<SKERRY_VERTEX_BITS>::Type;
using Id = UnsignedOf<SKERRY_ID_BITS>::Type;
using Offset = UnsignedOf<SKERRY_OFFSET_BITS>::Type;

}  // namespace skerry
