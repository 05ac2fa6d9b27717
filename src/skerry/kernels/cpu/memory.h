// The CPU's two Memory types for union_find.h: Serial (plain accesses, one thread) and Shared
// (relaxed atomics, many threads). On x86 and Arm a relaxed load or store is an ordinary one; what
// the atomics buy is that the compiler may not invent, split or merge accesses.
#pragma once

#include <atomic>

#include "cpu/context.h"

namespace skerry {

struct Serial {
  template <class T>
  static T load(const T* place) {
    return *place;
  }
  template <class T>
  static void store(T* place, T value) {
    *place = value;
  }
  template <class T>
  static T compare_and_swap(T* place, T expected, T desired) {
    const T seen = *place;
    if (seen == expected) *place = desired;
    return seen;
  }
  template <class T>
  static T fetch_add(T* place, T value) {
    const T seen = *place;
    *place = static_cast<T>(seen + value);
    return seen;
  }
  template <class T>
  static bool lower(T* place, T value) {
    if (value >= *place) return false;
    *place = value;
    return true;
  }
};

struct Shared {
  template <class T>
  static T load(const T* place) {
    return std::atomic_ref<T>(*const_cast<T*>(place)).load(std::memory_order_relaxed);
  }
  template <class T>
  static void store(T* place, T value) {
    std::atomic_ref<T>(*place).store(value, std::memory_order_relaxed);
  }
  template <class T>
  static T compare_and_swap(T* place, T expected, T desired) {
    std::atomic_ref<T>(*place).compare_exchange_strong(expected, desired,
                                                       std::memory_order_relaxed);
    return expected;  // what was seen: unchanged on success, the present value on failure
  }
  template <class T>
  static T fetch_add(T* place, T value) {
    return std::atomic_ref<T>(*place).fetch_add(value, std::memory_order_relaxed);
  }
  // Lowers *place to value; says whether this call did it.
  template <class T>
  static bool lower(T* place, T value) {
    T seen = load(place);
    while (value < seen) {
      const T before = compare_and_swap(place, seen, value);
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

template <class T>
inline void prefetch(const T* place) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

}  // namespace skerry
