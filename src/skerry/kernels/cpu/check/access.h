// How the checker reads and writes memory that its threads share: relaxed atomics, or plain
// accesses where one thread works alone. The checker has its own, so that it shares nothing with
// the kernels that it checks but the team of threads (team.h) and the views of graphs (views.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace skerry::check {

struct Alone {
  template <class T>
  static T get(const T& cell) {
    return cell;
  }
  template <class T>
  static void put(T& cell, T value) {
    cell = value;
  }
  // Whether the cell held `expected`, and now holds `desired`.
  template <class T>
  static bool replace(T& cell, T expected, T desired) {
    if (cell != expected) return false;
    cell = desired;
    return true;
  }
  template <class T>
  static T exchange(T& cell, T value) {
    const T before = cell;
    cell = value;
    return before;
  }
  template <class T>
  static void set_bits(T& cell, T bits) {
    cell |= bits;
  }
};

struct Together {
  template <class T>
  static T get(const T& cell) {
    return std::atomic_ref<T>(const_cast<T&>(cell)).load(std::memory_order_relaxed);
  }
  template <class T>
  static void put(T& cell, T value) {
    std::atomic_ref<T>(cell).store(value, std::memory_order_relaxed);
  }
  template <class T>
  static bool replace(T& cell, T expected, T desired) {
    return std::atomic_ref<T>(cell).compare_exchange_strong(expected, desired,
                                                            std::memory_order_relaxed);
  }
  template <class T>
  static T exchange(T& cell, T value) {
    return std::atomic_ref<T>(cell).exchange(value, std::memory_order_relaxed);
  }
  template <class T>
  static void set_bits(T& cell, T bits) {
    std::atomic_ref<T>(cell).fetch_or(bits, std::memory_order_relaxed);
  }
};

// Calls body.operator()<Access>().
template <class Body>
void with_access(int threads, Body&& body) {
  if (threads <= 1) {
    body.template operator()<Alone>();
  } else {
    body.template operator()<Together>();
  }
}

template <class T>
inline void fetch_early(const T* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

// A flag for each of many vertices.
class Bits {
 public:
  static std::uint64_t words(std::uint64_t bits) { return (bits + 63) / 64; }
  static bool get(const std::uint64_t* bits, std::uint64_t i) {
    return (bits[i >> 6] >> (i & 63)) & 1;
  }
  // The same of bits that are being set.
  template <class Access>
  static bool look(const std::uint64_t* bits, std::uint64_t i) {
    return (Access::get(bits[i >> 6]) >> (i & 63)) & 1;
  }
  template <class Access>
  static void set(std::uint64_t* bits, std::uint64_t i) {
    Access::set_bits(bits[i >> 6], std::uint64_t{1} << (i & 63));
  }
};

}  // namespace skerry::check
