// Copies ids of any integer type into 32 or 64 bits without a sign, by a team: into memory that a
// device reads. One thread alone copies slower than a device takes it.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/team.h"
#include "cpu/wide_vectors.h"

namespace skerry {

// What is negative or does not fit becomes the largest number, which is never a vertex.
template <class Out, class T>
Out saturated(T value) {
  constexpr std::uint64_t kLargest = std::numeric_limits<Out>::max();
  using Signed = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  const std::uint64_t wide = static_cast<std::uint64_t>(static_cast<Signed>(value));
  return static_cast<Out>(wide > kLargest ? kLargest : wide);
}

template <class Out, class T>
void copy_saturated(const T* ids, Out* copies, std::uint64_t count) {
  with_widest_vectors([&]() SKERRY_LOOP {
    for (std::uint64_t i = 0; i < count; ++i) copies[i] = saturated<Out>(ids[i]);
  });
}

// A column of ids with a step between them, in elements.
template <class T>
struct IdColumn {
  const T* ids;
  std::ptrdiff_t step;
};

template <class Out, class T>
void copy_range(IdColumn<T> column, std::uint64_t begin, std::uint64_t end, Out* copies) {
  const T* id = column.ids + static_cast<std::ptrdiff_t>(begin) * column.step;
  if constexpr (std::is_same_v<Out, T>) {
    if (column.step == 1) {
      std::memcpy(copies + begin, id, (end - begin) * sizeof(Out));
      return;
    }
  }
  if (column.step == 1) {
    copy_saturated(id, copies + begin, end - begin);
  } else {
    for (std::uint64_t i = begin; i < end; ++i, id += column.step) copies[i] = saturated<Out>(*id);
  }
}

template <class Out, class T>
void copy_ids(Context& context, IdColumn<T> column, std::uint64_t count, Out* copies) {
  for_ranges(context, count, 1 << 18, [&](std::uint64_t begin, std::uint64_t end, int) {
    copy_range(column, begin, end, copies);
  });
}

// Two columns, range by range: those of one table are read once.
template <class Out, class T>
void copy_edges(Context& context, IdColumn<T> src, IdColumn<T> dst, std::uint64_t count,
                Out* sources, Out* targets) {
  for_ranges(context, count, 1 << 16, [&](std::uint64_t begin, std::uint64_t end, int) {
    copy_range(src, begin, end, sources);
    copy_range(dst, begin, end, targets);
  });
}

}  // namespace skerry
