// The GPU's Memory types for union_find.h. All accesses to words that other threads may change are
// relaxed, that is atomic, and differ by their scope.
//
// Device: a load at device scope is served by the L2 cache and sees what all blocks have written.
// atomicCAS and its kin are relaxed and of device scope by definition.
//
// CachedDevice: a load at block scope is served by L1, several times faster, and may return what
// the word was earlier in this kernel. It returns nothing else. PTX calls accesses whose scopes do
// not include each other a data race, too, but unlike C++ it defines what one of equal sizes
// returns (Lustig, Sahasrabuddhe & Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency
// Model", ASPLOS 2019), and no compiler reorders or repeats these loads, as it may the plain ones
// that other codes use for this. Links may be read so: trees only grow together, hence an outdated
// link leads to a vertex of the same tree, and a vertex that is taken for a root, but is none any
// more, is noticed by the compare-and-swap that would hook it. That one is of device scope always.
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
SKERRY_INLINE u32 block_load(const u32* address) {
  u32 value;
  asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
SKERRY_INLINE u64 block_load(const u64* address) {
  u64 value;
  asm volatile("ld.relaxed.cta.global.u64 %0, [%1];" : "=l"(value) : "l"(address));
  return value;
}
SKERRY_INLINE void relaxed_store(u32* address, u32 value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
SKERRY_INLINE void relaxed_store(u64* address, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

#endif  // without CUDA, the emulator declares these

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

struct CachedDevice : Device {
  template <class T>
  static SKERRY_INLINE T load(const T* address) {
    return block_load(address);
  }
};

}  // namespace skerry
