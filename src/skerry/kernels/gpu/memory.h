// The GPU's Memory type for union_find.h: relaxed accesses at device scope. They are what makes the
// kernels free of data races; a relaxed load is served by the L2 cache, never by a stale line of L1.
// atomicCAS and its kin are relaxed and of device scope by definition.
#pragma once

#include "common/inline.h"
#include "gpu/types.h"

namespace skerry {

#ifdef __CUDACC__

SKERRY_INLINE u32 relaxed_load(const u32* place) {
  u32 value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(place));
  return value;
}
SKERRY_INLINE u64 relaxed_load(const u64* place) {
  u64 value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(place));
  return value;
}
SKERRY_INLINE void relaxed_store(u32* place, u32 value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(place), "r"(value) : "memory");
}
SKERRY_INLINE void relaxed_store(u64* place, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(place), "l"(value) : "memory");
}

#endif  // without CUDA, whoever emulates it declares these four before

struct Device {
  template <class T>
  static SKERRY_INLINE T load(const T* place) {
    return relaxed_load(place);
  }
  template <class T>
  static SKERRY_INLINE void store(T* place, T value) {
    relaxed_store(place, value);
  }
  template <class T>
  static SKERRY_INLINE T compare_and_swap(T* place, T expected, T desired) {
    return atomicCAS(place, expected, desired);
  }
};

}  // namespace skerry
