// What must be known of a user's arrays before a kernel may touch them: the range of ids, and the
// first fault of a CSR. These read the arrays in place, whatever their integer type and step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

#include "cpu/team.h"
#include "cpu/wide_vectors.h"

namespace skerry {

template <class T>
struct Bounds {
  T low = std::numeric_limits<T>::max();
  T high = std::numeric_limits<T>::min();

  void include(T value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

template <class T>
void include_all(Bounds<T>& part, const T* values, std::uint64_t count) {
  with_widest_vectors([&]() SKERRY_LOOP {
    T low = part.low, high = part.high;
    for (std::uint64_t i = 0; i < count; ++i) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    part.low = low;
    part.high = high;
  });
}

// Whether all ids are below the limit, which is below 2^63 where they have 64 bits.
bool all_below(const std::uint32_t* ids, std::uint64_t count, std::uint32_t limit);
bool all_below(const std::uint64_t* ids, std::uint64_t count, std::uint64_t limit);

// As all_below, and adds to `falls` how often an id is smaller than the one before it.
bool all_below(const std::uint32_t* ids, std::uint64_t count, std::uint32_t limit,
               std::uint64_t& falls);
bool all_below(const std::uint64_t* ids, std::uint64_t count, std::uint64_t limit,
               std::uint64_t& falls);

// Whether none of `rows` rows ends before its start, and no end is 2^63 or more.
bool never_fall(const std::uint64_t* offsets, std::uint64_t rows);

template <class T>
Bounds<T> bounds(Context& context, const T* values, std::ptrdiff_t step, std::uint64_t count) {
  Bounds<T> all;
  std::mutex mutex;
  for_ranges(context, count, 1 << 18, [&](std::uint64_t begin, std::uint64_t end, int) {
    Bounds<T> part;
    if (step == 1) {
      include_all(part, values + begin, end - begin);
    } else {
      const T* value = values + static_cast<std::ptrdiff_t>(begin) * step;
      for (std::uint64_t i = begin; i < end; ++i, value += step) part.include(*value);
    }
    const std::lock_guard lock(mutex);
    all.include(part.low);
    all.include(part.high);
  });
  return all;
}

inline constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

// The first row whose end lies before its start, or kNowhere.
template <class T>
std::uint64_t first_falling_offset(Context& context, const T* offsets, std::uint64_t vertices) {
  std::atomic<std::uint64_t> first{kNowhere};
  for_ranges(context, vertices, 1 << 18, [&](std::uint64_t begin, std::uint64_t end, int) {
    bool rising = true;
    for (std::uint64_t v = begin; v < end; ++v) rising &= offsets[v] <= offsets[v + 1];
    if (rising) return;
    std::uint64_t v = begin;
    while (offsets[v] <= offsets[v + 1]) ++v;
    std::uint64_t seen = first.load(std::memory_order_relaxed);
    while (v < seen && !first.compare_exchange_weak(seen, v, std::memory_order_relaxed)) continue;
  });
  return first.load();
}

}  // namespace skerry
