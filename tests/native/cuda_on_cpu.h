// Runs CUDA kernels on a CPU, for tests: a thin stand-in for what a host compiler lacks.
//
// Every thread of a block is a fiber with a stack of its own; blocks are shared out among a few
// threads of the operating system. A fiber gives way at barriers and shuffles, and at random at
// every atomic access, so that the threads of a block really meet in the middle of a find or a
// hook, in an order that the seed decides; between blocks the operating system's threads do so.
// Accesses that are relaxed atomics on the device are relaxed atomics here.
//
// Not emulated: warps in lockstep (any order that independent thread scheduling allows may come),
// shared memory sized at launch, and more than one dimension.
#pragma once

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __shared__ static thread_local
#define __launch_bounds__(...)

namespace emulated {

struct Dimension {
  unsigned x = 1;
};

constexpr unsigned kLanes = 32;
constexpr std::size_t kStack = 64 << 10;

enum class Waiting { no, for_block, for_warp, done };

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[kStack]};
  Dimension thread;
  Waiting waiting = Waiting::no;
  std::uint64_t ticket = 0;  // the barrier's or the exchange's round that it waits for the end of
  struct Exchange* exchange = nullptr;
};

// Lanes that exchange values: one for every mask in use.
struct Exchange {
  unsigned arrived = 0;
  std::uint64_t round = 0;
  std::array<std::uint64_t, kLanes> offered{};
  std::array<std::uint64_t, kLanes> result{};
};

// One thread of the operating system, running one block at a time.
struct Worker {
  ucontext_t scheduler;
  std::vector<Fiber> fibers;
  std::vector<std::map<unsigned, Exchange>> exchanges;  // of every warp
  Fiber* running = nullptr;
  Dimension block;
  Dimension grid;
  Dimension block_size;
  unsigned arrived = 0;  // at the block's barrier
  unsigned live = 0;
  std::uint64_t round = 0;
  std::uint64_t random = 1;
  const std::function<void()>* kernel = nullptr;
};

inline Worker& worker() {
  static thread_local Worker here;
  return here;
}

inline std::uint64_t draw() {
  std::uint64_t& x = worker().random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

inline void give_way() {
  swapcontext(&worker().running->context, &worker().scheduler);
}

inline void maybe_give_way() {
  if ((draw() & 7) == 0) give_way();
}

inline void release_barrier_if_complete() {
  Worker& here = worker();
  if (here.arrived != 0 && here.arrived == here.live) {
    here.arrived = 0;
    ++here.round;
  }
}

inline void sync_block() {
  Worker& here = worker();
  Fiber& self = *here.running;
  ++here.arrived;
  self.ticket = here.round;
  self.waiting = Waiting::for_block;
  release_barrier_if_complete();
  give_way();
}

inline const std::array<std::uint64_t, kLanes>& exchange(unsigned mask, std::uint64_t value) {
  Worker& here = worker();
  Fiber& self = *here.running;
  const unsigned lane = self.thread.x % kLanes;
  if ((mask >> lane & 1) == 0) {
    std::fputs("a lane outside of its mask\n", stderr);
    std::abort();
  }
  // Lanes that the block does not have are not waited for.
  const unsigned lanes = here.block_size.x - self.thread.x / kLanes * kLanes;
  if (lanes < kLanes) mask &= (1u << lanes) - 1;
  Exchange& slot = here.exchanges[self.thread.x / kLanes][mask];
  slot.offered[lane] = value;
  slot.arrived |= 1u << lane;
  if (slot.arrived == mask) {
    slot.arrived = 0;
    slot.result = slot.offered;
    ++slot.round;
    maybe_give_way();
  } else {
    self.exchange = &slot;
    self.ticket = slot.round;
    self.waiting = Waiting::for_warp;
    give_way();
  }
  return slot.result;
}

inline void run_fiber() {
  Worker& here = worker();
  (*here.kernel)();
  here.running->waiting = Waiting::done;
  --here.live;
  release_barrier_if_complete();
  give_way();
}

inline bool ready(const Worker& here, Fiber& fiber) {
  if (fiber.waiting == Waiting::for_block && fiber.ticket != here.round) {
    fiber.waiting = Waiting::no;
  }
  if (fiber.waiting == Waiting::for_warp && fiber.ticket != fiber.exchange->round) {
    fiber.waiting = Waiting::no;
  }
  return fiber.waiting == Waiting::no;
}

inline void run_block() {
  Worker& here = worker();
  const unsigned count = here.block_size.x;
  if (here.fibers.size() < count) here.fibers = std::vector<Fiber>(count);
  here.exchanges.assign((count + kLanes - 1) / kLanes, {});
  here.arrived = 0;
  here.live = count;
  for (unsigned t = 0; t < count; ++t) {
    Fiber& fiber = here.fibers[t];
    fiber.thread.x = t;
    fiber.waiting = Waiting::no;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStack;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, run_fiber, 0);
  }
  while (here.live != 0) {
    bool moved = false;
    const unsigned first = static_cast<unsigned>(draw() % count);
    for (unsigned i = 0; i < count; ++i) {
      Fiber& fiber = here.fibers[(first + i) % count];
      if (!ready(here, fiber)) continue;
      moved = true;
      here.running = &fiber;
      swapcontext(&here.scheduler, &fiber.context);
    }
    if (!moved && here.live != 0) {
      std::fputs("all threads of a block wait for each other\n", stderr);
      std::abort();
    }
  }
}

inline void launch(const std::function<void()>& kernel, unsigned grid, unsigned block,
                   std::uint64_t seed, unsigned workers) {
  std::atomic<unsigned> next{0};
  const auto work = [&](unsigned number) {
    Worker& here = worker();
    here.grid.x = grid;
    here.block_size.x = block;
    here.kernel = &kernel;
    here.random = (seed + 1) * 0x9e3779b97f4a7c15u + number * 2 + 1;
    for (unsigned b; (b = next.fetch_add(1)) < grid;) {
      here.block.x = b;
      run_block();
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < workers && i < grid; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& other : others) other.join();
}

// Calls a kernel with arguments that come as 64-bit words: pointers and whole numbers.
template <class... Parameters>
void launch_words(void (*kernel)(Parameters...), const std::uint64_t* words, unsigned grid,
                  unsigned block, std::uint64_t seed, unsigned workers) {
  const std::function<void()> body = [=] {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      kernel((Parameters)(words[i])...);
    }(std::index_sequence_for<Parameters...>());
  };
  launch(body, grid, block, seed, workers);
}

}  // namespace emulated

#define threadIdx (emulated::worker().running->thread)
#define blockIdx (emulated::worker().block)
#define blockDim (emulated::worker().block_size)
#define gridDim (emulated::worker().grid)

inline void __syncthreads() {
  emulated::sync_block();
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  emulated::exchange(mask, 0);
}
inline void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

template <class T>
T __shfl_sync(unsigned mask, T value, unsigned lane) {
  return static_cast<T>(emulated::exchange(mask, static_cast<std::uint64_t>(value))[lane % 32]);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
  const unsigned lane = threadIdx.x % 32;
  const auto& all = emulated::exchange(mask, static_cast<std::uint64_t>(value));
  return lane < distance ? value : static_cast<T>(all[lane - distance]);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
  const unsigned lane = threadIdx.x % 32;
  const auto& all = emulated::exchange(mask, static_cast<std::uint64_t>(value));
  return lane + distance > 31 ? value : static_cast<T>(all[lane + distance]);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned bits) {
  const unsigned lane = threadIdx.x % 32;
  return static_cast<T>(emulated::exchange(mask, static_cast<std::uint64_t>(value))[lane ^ bits]);
}
inline unsigned __ballot_sync(unsigned mask, bool value) {
  const auto& all = emulated::exchange(mask, value);
  unsigned set = 0;
  for (unsigned i = 0; i < 32; ++i) set |= (mask >> i & 1 & static_cast<unsigned>(all[i])) << i;
  return set;
}
inline bool __any_sync(unsigned mask, bool value) {
  return __ballot_sync(mask, value) != 0;
}
inline bool __all_sync(unsigned mask, bool value) {
  return __ballot_sync(mask, !value) == 0;
}
inline int __popc(unsigned bits) {
  return __builtin_popcount(bits);
}
inline int __ffs(unsigned bits) {
  return __builtin_ffs(static_cast<int>(bits));
}
inline int __clz(unsigned bits) {
  return bits == 0 ? 32 : __builtin_clz(bits);
}
template <class T>
T __ldg(const T* place) {
  return *place;
}
template <class T>
T __ldcs(const T* place) {
  return *place;
}

namespace emulated {

template <class T>
T load(const T* place) {
  maybe_give_way();
  return std::atomic_ref<T>(*const_cast<T*>(place)).load(std::memory_order_relaxed);
}

template <class T, class Update>
T update(T* place, Update&& next) {
  maybe_give_way();
  std::atomic_ref<T> word(*place);
  T seen = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(seen, next(seen), std::memory_order_relaxed)) {
  }
  return seen;
}

}  // namespace emulated

template <class T>
T atomicCAS(T* place, T expected, T desired) {
  return emulated::update(place, [&](T seen) { return seen == expected ? desired : seen; });
}
template <class T>
T atomicAdd(T* place, T value) {
  return emulated::update(place, [&](T seen) { return static_cast<T>(seen + value); });
}
template <class T>
T atomicSub(T* place, T value) {
  return emulated::update(place, [&](T seen) { return static_cast<T>(seen - value); });
}
template <class T>
T atomicMin(T* place, T value) {
  return emulated::update(place, [&](T seen) { return value < seen ? value : seen; });
}
template <class T>
T atomicMax(T* place, T value) {
  return emulated::update(place, [&](T seen) { return value > seen ? value : seen; });
}
template <class T>
T atomicOr(T* place, T value) {
  return emulated::update(place, [&](T seen) { return static_cast<T>(seen | value); });
}
template <class T>
T atomicExch(T* place, T value) {
  return emulated::update(place, [&](T) { return value; });
}

namespace skerry {

inline unsigned relaxed_load(const unsigned* place) {
  return emulated::load(place);
}
inline unsigned long long relaxed_load(const unsigned long long* place) {
  return emulated::load(place);
}
inline void relaxed_store(unsigned* place, unsigned value) {
  emulated::maybe_give_way();
  std::atomic_ref<unsigned>(*place).store(value, std::memory_order_relaxed);
}
inline void relaxed_store(unsigned long long* place, unsigned long long value) {
  emulated::maybe_give_way();
  std::atomic_ref<unsigned long long>(*place).store(value, std::memory_order_relaxed);
}

}  // namespace skerry
