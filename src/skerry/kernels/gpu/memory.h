// The GPU's Memory type for union_find.h: relaxed accesses at device scope. They are what makes the
// kernels free of data races; a relaxed load is served by the L2 cache, never by a stale line of
// L1. atomicCAS and its kin are relaxed and of device scope by definition.
#pragma once

#include "common/inline.h"
#include "gpu/types.h"

namespace skerry {

#ifdef __CUDACC__

SKERRY_INLINE u32 relaxed_load(const u32* address) {
  u32 value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
SKERRY_INLINE u64 relaxed_load(const u64* address) {
  u64 value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address));
  return value;
}
SKERRY_INLINE void relaxed_store(u32* address, u32 value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
SKERRY_INLINE void relaxed_store(u64* address, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

#endif  // without CUDA, the emulator declares these four

// Words in the shared memory of a block: relaxed accesses at its scope. NVIDIA's racecheck takes
// them for plain ones, so they are atomic operations when it runs (tools/gpu_sanitize.py).
#if defined(__CUDACC__) && !defined(SKERRY_RACECHECK)

SKERRY_INLINE u64 shared_load(u64* word) {
  const u32 address = static_cast<u32>(__cvta_generic_to_shared(word));
  u64 value;
  asm volatile("ld.relaxed.cta.shared.u64 %0, [%1];" : "=l"(value) : "r"(address));
  return value;
}
SKERRY_INLINE void shared_store(u64* word, u64 value) {
  const u32 address = static_cast<u32>(__cvta_generic_to_shared(word));
  asm volatile("st.relaxed.cta.shared.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
}

#else

SKERRY_INLINE u64 shared_load(u64* word) {
  return atomicCAS(word, u64{0}, u64{0});
}
SKERRY_INLINE void shared_store(u64* word, u64 value) {
  atomicExch(word, value);
}

#endif

struct Device {
  template <class T>
  static SKERRY_INLINE T load(const T* address) {
    return relaxed_load(address);
  }
  template <class T>
  static SKERRY_INLINE void store(T* address, T value) {
    relaxed_store(address, value);
  }
  template <class T>
  static SKERRY_INLINE T compare_and_swap(T* address, T expected, T desired) {
    return atomicCAS(address, expected, desired);
  }
};

}  // namespace skerry
