// Prefetching where a number of the caller's leads to, which may be anywhere: an address that does
// not exist does no harm, but a pointer must not be made of it by pointer arithmetic.
#pragma once

#include <cstdint>

#include "cpu/memory.h"

namespace skerry {

template <class T>
void prefetch_at(const T* base, std::uint64_t index) {
  prefetch(reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(base) + index * sizeof(T)));
}

}  // namespace skerry
