// A search by halves among numbers, for what no iterator leads to.
#pragma once

#include <cstdint>

namespace skerry {

// The first number of [begin, end) for which `holds`, or `end`: it holds for all after it. Whatever
// it says, what is returned is one of these.
template <class Holds>
std::uint64_t first_where(std::uint64_t begin, std::uint64_t end, Holds&& holds) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (holds(middle)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return end;
}

}  // namespace skerry
