// Runs CUDA kernels on a CPU, for tests: a thin stand-in for what a host compiler lacks.
//
// Every thread of a block is a fiber with a stack of its own; blocks are shared out among a few
// threads of the operating system. A fiber gives way at barriers and shuffles, and at random at
// every atomic access, so that the threads of a block really meet in the middle of a find or a
// hook, in an order that the seed decides; between blocks the operating system's threads do so.
// Accesses that are relaxed atomics on the device are relaxed atomics here. A load at block scope
// mostly returns what the word was when this or a neighboring word was first loaded so in this
// launch, however old that is.
//
// Not emulated: warps in lockstep (any order that independent thread scheduling allows may come,
// and any lanes of a warp that come to the same place may be told that they are there together),
// shared memory sized at launch, and more than one dimension.
//
// emulator/fibers.cpp has the fibers; it is a library of its own, compiled once. Here is only what
// kernels call, without a header of the standard library: there are many kernels to compile.
#pragma once

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__
#define __shared__ static thread_local
#define __launch_bounds__(...)

namespace emulated {

using Word = unsigned long long;

struct Dimension {
  unsigned x;
};

// Where the fiber that runs on this thread of the operating system stands.
struct Here {
  Dimension thread;
  Dimension block;
  Dimension block_size;
  Dimension grid;
  Word random;
};
extern constinit thread_local Here here;

// A word of an L1 cache, which serves the blocks that run on this thread of the operating system
// from the beginning of a launch to its end.
struct CachedWord {
  const void* address;
  Word value;
};
constexpr unsigned kCachedWords = 1 << 12;
extern constinit thread_local CachedWord cached_words[kCachedWords];

inline CachedWord& cached_word(const void* address) {
  return cached_words[reinterpret_cast<Word>(address) / 4 % kCachedWords];
}

using Kernel = void (*)(const Word* arguments);

void give_way();
void sync_block();
// What the lanes of a mask have offered, by lane, once all of them have.
const Word* exchange(unsigned mask, Word offered);
// Which lanes have come to the caller's place of the program together: a few, as chance has it.
unsigned together();

inline Word draw() {
  Word& x = here.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return x;
}

inline void maybe_give_way() {
  if ((draw() & 7) == 0) give_way();
}

// Calls a kernel with arguments that come as 64-bit words: pointers and integers. The braces make
// the compiler read them in their order.
struct Reader {
  const Word* next;
};

template <class Parameter>
struct Read {
  Parameter value;
  explicit Read(Reader& reader) : value((Parameter)(*reader.next++)) {}
};

template <class... Parameters>
struct Call {
  Call(void (*kernel)(Parameters...), Read<Parameters>... read) { kernel(read.value...); }
};

template <class... Parameters>
void call(void (*kernel)(Parameters...), const Word* arguments) {
  Reader reader{arguments};
  Call<Parameters...>{kernel, Read<Parameters>(reader)...};
}

template <class T>
T load(const T* address) {
  maybe_give_way();
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

// A miss brings a sector of 32 bytes, as in L1: so words grow outdated that nobody has read yet.
template <class T>
T load_in_block(const T* address) {
  maybe_give_way();
  CachedWord& word = cached_word(address);
  if (word.address != address || (draw() & 7) == 0) {
    const T* const sector = reinterpret_cast<const T*>(reinterpret_cast<Word>(address) / 32 * 32);
    for (unsigned i = 0; i < 32 / sizeof(T); ++i)
      cached_word(sector + i) = {sector + i, __atomic_load_n(sector + i, __ATOMIC_RELAXED)};
  }
  return static_cast<T>(word.value);
}

// A thread sees what it has written itself.
template <class T>
void store(T* address, T value) {
  maybe_give_way();
  CachedWord& word = cached_word(address);
  if (word.address == address) word.value = value;
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

template <class T, class Update>
T update(T* address, Update&& next) {
  maybe_give_way();
  if (cached_word(address).address == address) cached_word(address).address = nullptr;
  T seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &seen, next(seen), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
  return seen;
}

}  // namespace emulated

#define threadIdx (emulated::here.thread)
#define blockIdx (emulated::here.block)
#define blockDim (emulated::here.block_size)
#define gridDim (emulated::here.grid)

#define __activemask() (emulated::together())

inline void __syncthreads() {
  emulated::sync_block();
}
inline int __syncthreads_or(int value) {
  static thread_local bool any;  // of the block, whose threads are all on this one
  any = false;
  emulated::sync_block();
  if (value != 0) any = true;
  emulated::sync_block();
  const bool result = any;
  emulated::sync_block();  // before anyone asks again
  return result;
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  emulated::exchange(mask, 0);
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class T>
T __shfl_sync(unsigned mask, T value, unsigned lane) {
  return static_cast<T>(emulated::exchange(mask, static_cast<emulated::Word>(value))[lane % 32]);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
  const unsigned lane = threadIdx.x % 32;
  const emulated::Word* all = emulated::exchange(mask, static_cast<emulated::Word>(value));
  return lane < distance ? value : static_cast<T>(all[lane - distance]);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
  const unsigned lane = threadIdx.x % 32;
  const emulated::Word* all = emulated::exchange(mask, static_cast<emulated::Word>(value));
  return lane + distance > 31 ? value : static_cast<T>(all[lane + distance]);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, unsigned bits) {
  const unsigned lane = threadIdx.x % 32;
  return static_cast<T>(emulated::exchange(mask, static_cast<emulated::Word>(value))[lane ^ bits]);
}
inline unsigned __ballot_sync(unsigned mask, bool value) {
  const emulated::Word* all = emulated::exchange(mask, value);
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
T __ldg(const T* address) {
  return *address;
}
template <class T>
T __ldcs(const T* address) {
  return *address;
}

template <class T>
T atomicCAS(T* address, T expected, T desired) {
  return emulated::update(address, [&](T seen) { return seen == expected ? desired : seen; });
}
template <class T>
T atomicAdd(T* address, T value) {
  return emulated::update(address, [&](T seen) { return static_cast<T>(seen + value); });
}
template <class T>
T atomicSub(T* address, T value) {
  return emulated::update(address, [&](T seen) { return static_cast<T>(seen - value); });
}
template <class T>
T atomicMin(T* address, T value) {
  return emulated::update(address, [&](T seen) { return value < seen ? value : seen; });
}
template <class T>
T atomicMax(T* address, T value) {
  return emulated::update(address, [&](T seen) { return value > seen ? value : seen; });
}
template <class T>
T atomicOr(T* address, T value) {
  return emulated::update(address, [&](T seen) { return static_cast<T>(seen | value); });
}
template <class T>
T atomicAnd(T* address, T value) {
  return emulated::update(address, [&](T seen) { return static_cast<T>(seen & value); });
}
template <class T>
T atomicExch(T* address, T value) {
  return emulated::update(address, [&](T) { return value; });
}

namespace skerry {

inline unsigned relaxed_load(const unsigned* address) {
  return emulated::load(address);
}
inline unsigned long long relaxed_load(const unsigned long long* address) {
  return emulated::load(address);
}
inline unsigned block_load(const unsigned* address) {
  return emulated::load_in_block(address);
}
inline unsigned long long block_load(const unsigned long long* address) {
  return emulated::load_in_block(address);
}
template <class T>
inline void prefetch_line(const T*) {}
inline void block_store(unsigned* address, unsigned value) {
  emulated::store(address, value);
}
inline void block_store(unsigned long long* address, unsigned long long value) {
  emulated::store(address, value);
}
inline void relaxed_store(unsigned* address, unsigned value) {
  emulated::store(address, value);
}
inline void relaxed_store(unsigned long long* address, unsigned long long value) {
  emulated::store(address, value);
}

}  // namespace skerry
