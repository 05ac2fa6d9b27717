// The GPU's Memory types for union_find.h. All accesses to words that other threads may change are
// relaxed, that is atomic, and differ by their scope.
//
// Device: a load at device scope is served by the L2 cache and sees what all blocks have written.
// atomicCAS and its kin are relaxed and of device scope by definition.
//
// CachedDevice: a load at block scope is served by L1, several times faster, and may return any
// value that the word has had since the kernel began. PTX calls it a data race when the scopes of
// accesses do not include each other, but unlike C++ it defines what one of equal sizes returns
// (Lustig, Sahasrabuddhe & Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency Model",
// ASPLOS 2019), and no compiler reorders or repeats these loads, as it may plain ones.
//
// It returns nothing older than the kernel: a launch, or griddepcontrol.wait for a kernel that is
// set up early, makes the writes of all kernels before visible, L1 included. On an H200, 32,000
// kernels that began while L1 held outdated words read none of them
// (tests/gpu/test_launch_order_on_gpu.py).
//
// So links, and only links, may be read by CachedDevice:
// - To walk. Trees only grow together, hence an outdated link leads to a vertex of the same tree.
// - To compare. If two vertices had the same link or root, they are in one tree for good. If the
//   links differ, nothing follows.
// - To hook. A vertex that is taken for a root, but is none any more, is noticed by the
//   compare-and-swap, which is of device scope always and returns the newest link to go on from.
// - To label, only in a pass without hooks. Roots are final there, so every walk ends at the right
//   one, whichever links it has read.
// A store of what a walk has found may replace a newer link by an older one: both lead to the same
// root. In a pass that labels, that would undo a label: there only its own thread stores a link.
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
template <class T>
SKERRY_INLINE void prefetch_line(const T* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}
SKERRY_INLINE void block_store(u32* address, u32 value) {
  asm volatile("st.relaxed.cta.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
SKERRY_INLINE void block_store(u64* address, u64 value) {
  asm volatile("st.relaxed.cta.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
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

// What a published program's plain accesses are to the hardware, for the choice loads=plain: loads
// and stores at block scope go through L1 as plain ones do, yet none is a data race that could
// return anything: the argument above holds. A link that a find shortens is stored here. Such a
// store never makes a root of a vertex nor writes one, so which of two stores stays does not
// matter.
struct PlainDevice : CachedDevice {
  template <class T>
  static SKERRY_INLINE void store(T* address, T value) {
    block_store(address, value);
  }
};

}  // namespace skerry
