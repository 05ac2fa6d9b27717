// Thread indices, and loops that any number of threads share.
#pragma once

#include "common/inline.h"
#include "gpu/types.h"

namespace skerry {

constexpr u32 kLanes = 32;
constexpr u32 kAllLanes = 0xffffffffu;
constexpr u32 kBlock = 256;  // threads of a block, unless the host chooses another number
constexpr u32 kEach = 4;     // vertices of a thread in passes over them, at most

// Blocks that fill a multiprocessor, where a kernel has 32 registers a thread at most: it holds
// 2048 threads in data centers, 1024 or 1536 elsewhere. NVRTC ignores what is too many, with a
// warning.
#ifndef __CUDA_ARCH__
#define SKERRY_FULL 8
#elif __CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 1070
#define SKERRY_FULL 4
#elif __CUDA_ARCH__ < 860 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100 && __CUDA_ARCH__ != 1010)
#define SKERRY_FULL 8
#else
#define SKERRY_FULL 6
#endif

SKERRY_INLINE u64 thread_number() {
  return u64{blockIdx.x} * blockDim.x + threadIdx.x;
}
SKERRY_INLINE u64 thread_count() {
  return u64{gridDim.x} * blockDim.x;
}
SKERRY_INLINE u32 lane() {
  return threadIdx.x % kLanes;
}
SKERRY_INLINE u64 warp_number() {
  return thread_number() / kLanes;
}
SKERRY_INLINE u64 warp_count() {
  return thread_count() / kLanes;
}

// Those of a set of lanes that come before this one.
SKERRY_INLINE u32 lanes_before(u32 lanes) {
  return lanes & ((1u << lane()) - 1);
}

// Index of the highest bit.
SKERRY_INLINE u32 highest(u32 bits) {
  return 31 - static_cast<u32>(__clz(static_cast<int>(bits)));
}

// The sum over the lanes before this one, and over all.
struct Sum {
  u32 before;
  u32 all;
};

SKERRY_INLINE Sum sum_of_warp(u32 value) {
  u32 end = value;
  for (u32 distance = 1; distance < kLanes; distance *= 2) {
    const u32 other = __shfl_up_sync(kAllLanes, end, distance);
    if (lane() >= distance) end += other;
  }
  return {end - value, __shfl_sync(kAllLanes, end, kLanes - 1)};
}

// The first statement of every recorded kernel (kernels/driver/launch.h). With programmatic
// dependent launch, a kernel is set up while the previous one still runs; the results of that one
// are visible when this returns. The next kernel may be set up as soon as all blocks of this one
// run. There must be no exception: a kernel that ended before its predecessor would release the
// next one too soon.
SKERRY_INLINE void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// body(i) for every i in [0, count), a thread each, neighboring threads at neighboring i.
template <class Body>
SKERRY_INLINE void for_each_thread(u64 count, Body&& body) {
  for (u64 i = thread_number(); i < count; i += thread_count()) body(i);
}

// body(first) for every stretch of each * blockDim.x from `first` on: a block takes one, so that
// accesses stay near each other and there are fewer blocks to start.
template <u32 each, class Body>
SKERRY_INLINE void for_each_stretch(u64 count, Body&& body) {
  const u64 stretch = u64{each} * blockDim.x;
  for (u64 first = blockIdx.x * stretch; first < count; first += gridDim.x * stretch) body(first);
}

// body(i) for every i in [0, count), `each` times a thread.
template <u32 each, class Body>
SKERRY_INLINE void for_each_of(u64 count, Body&& body) {
  for_each_stretch<each>(count, [&](u64 first) {
#pragma unroll
    for (u32 k = 0; k < each; ++k) {
      const u64 i = first + k * blockDim.x + threadIdx.x;
      if (i < count) body(i);
    }
  });
}

// pass.run<each>() with the number of vertices that a thread takes in a pass over all of them: 4,
// but 1 or 2 where more threads were started. Each vertex is a chain of loads, and a small graph
// has fewer than the device has threads.
template <class Pass>
SKERRY_INLINE void run_over_vertices(u64 vertices, const Pass& pass) {
  if (vertices <= thread_count()) {
    pass.template run<1>();
  } else if (vertices <= 2 * thread_count()) {
    pass.template run<2>();
  } else {
    pass.template run<4>();
  }
}

// body(group) for every group of 32 that holds an i in [0, count), all lanes of a warp with the
// same group. Every block takes one stretch of `each` a thread, or where there are fewer blocks as
// many stretches as it must, one after the other.
template <u32 each, class Body>
SKERRY_INLINE void for_each_group_of(u64 count, Body&& body) {
  const u64 stretch = u64{each} * blockDim.x;
  const u64 stretches = (count + stretch - 1) / stretch;
  const u64 own = (stretches + gridDim.x - 1) / gridDim.x * stretch;
  const u64 begin = blockIdx.x * own;
  const u64 end = begin + own < count ? begin + own : count;
  for (u64 i = begin + threadIdx.x; i / kLanes * kLanes < end; i += blockDim.x) body(i / kLanes);
}

// body(i) for every i in [0, count), all lanes of a warp with the same i.
template <class Body>
SKERRY_INLINE void for_each_warp(u64 count, Body&& body) {
  for (u64 i = warp_number(); i < count; i += warp_count()) body(i);
}

// The same, but a warp that is done takes the next i that is not taken yet: so they are begun in
// ascending order, by however many warps. `taken` must be 0 before.
template <class Body>
SKERRY_INLINE void for_each_warp_in_turn(u64 count, u64* taken, Body&& body) {
  for (u64 i = warp_number(); i < count;) {
    u64 next = 0;
    if (lane() == 0) next = warp_count() + atomicAdd(taken, u64{1});
    body(i);
    i = __shfl_sync(kAllLanes, next, 0);
  }
}

// body(i) for every i in [0, count), all threads of a block with the same i.
template <class Body>
SKERRY_INLINE void for_each_block(u64 count, Body&& body) {
  for (u64 i = blockIdx.x; i < count; i += gridDim.x) body(i);
}

// The same, but a block takes the next i that is not taken yet: so they are begun in ascending
// order, by however many blocks, and however many of them run at a time. Accesses stay near each
// other, and a grid without work ends soon, which takes 1 us for 1,700 blocks (H200). `taken`
// must be 0 before.
template <class Body>
SKERRY_INLINE void for_each_in_turn(u64 count, u64* taken, Body&& body) {
  __shared__ u64 turn;
  u64 next = 0;
  if (threadIdx.x == 0) next = atomicAdd(taken, u64{1});
  for (;;) {
    if (threadIdx.x == 0) turn = next;
    __syncthreads();
    const u64 i = turn;
    if (i >= count) return;
    if (threadIdx.x == 0) next = atomicAdd(taken, u64{1});  // while all are busy
    body(i);
    __syncthreads();
  }
}

}  // namespace skerry
