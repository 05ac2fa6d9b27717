// The CPU's two Memory types for union_find.h: Serial (plain accesses, one thread) and Shared
// (relaxed atomics, many threads). On x86 and Arm a relaxed load or store is an ordinary one; what
// the atomics buy is that the compiler may not invent, split or merge accesses.
#pragma once

#include <atomic>

#include "cpu/context.h"

namespace skerry {

struct Serial {
  template <class T>
  static T load(const T* address) {
    return *address;
  }
  template <class T>
  static void store(T* address, T value) {
    *address = value;
  }
  template <class T>
  static T compare_and_swap(T* address, T expected, T desired) {
    const T seen = *address;
    if (seen == expected) *address = desired;
    return seen;
  }
  template <class T>
  static T fetch_add(T* address, T value) {
    const T seen = *address;
    *address = static_cast<T>(seen + value);
    return seen;
  }
  template <class T>
  static bool lower(T* address, T value) {
    if (value >= *address) return false;
    *address = value;
    return true;
  }
};

struct Shared {
  template <class T>
  static T load(const T* address) {
    return std::atomic_ref<T>(*const_cast<T*>(address)).load(std::memory_order_relaxed);
  }
  template <class T>
  static void store(T* address, T value) {
    std::atomic_ref<T>(*address).store(value, std::memory_order_relaxed);
  }
  template <class T>
  static T compare_and_swap(T* address, T expected, T desired) {
    std::atomic_ref<T>(*address).compare_exchange_strong(expected, desired,
                                                         std::memory_order_relaxed);
    return expected;  // what was seen: unchanged on success, the present value on failure
  }
  template <class T>
  static T fetch_add(T* address, T value) {
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
  }
  // Lowers *address to value; returns whether this call did it.
  template <class T>
  static bool lower(T* address, T value) {
    T seen = load(address);
    while (value < seen) {
      const T before = compare_and_swap(address, seen, value);
      if (before == seen) return true;
      seen = before;
    }
    return false;
  }
};

// Calls body.operator()<Memory>() with plain accesses where one thread works alone.
template <class Body>
void with_memory(const Context& context, Body&& body) {
  if (context.threads <= 1) {
    body.template operator()<Serial>();
  } else {
    body.template operator()<Shared>();
  }
}

// Calls body.operator()<Memory, Tally>(). Runs that count are not timed, so that one thread has
// atomic accesses there too: a combination less to compile of every kernel.
template <class Body>
void with_memory_and_tally(const Context& context, Body&& body) {
  if (context.counting) {
    body.template operator()<Shared, Counting>();
  } else {
    with_memory(context, [&]<class Memory>() { body.template operator()<Memory, Silent>(); });
  }
}

template <class T>
inline void prefetch(const T* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace skerry
