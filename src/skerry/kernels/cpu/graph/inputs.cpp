// The loops of inputs.h that kernels call while they read a caller's arrays. They have a file of
// their own since each is compiled for several kinds of vectors.
#include "cpu/graph/inputs.h"

namespace skerry {

bool all_below(const std::uint32_t* ids, std::uint64_t count, std::uint32_t limit) {
  return with_widest_vectors([&]() SKERRY_LOOP {
    // Two halves at once: with one maximum each vector would wait for the one before it.
    const std::uint64_t half = count / 2;
    const std::uint32_t* const rest = ids + half;
    std::uint32_t high = count % 2 == 0 ? 0 : ids[count - 1], other = 0;
    for (std::uint64_t i = 0; i < half; ++i) {
      high = std::max(high, ids[i]);
      other = std::max(other, rest[i]);
    }
    return count == 0 || std::max(high, other) < limit;
  });
}

bool all_below(const std::uint64_t* ids, std::uint64_t count, std::uint64_t limit) {
  return with_widest_vectors([&]() SKERRY_LOOP {
    // Few processors have a maximum of such numbers: the highest bit of a difference says as much.
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < count; ++i) bits |= (limit - 1 - ids[i]) | ids[i];
    return count == 0 || (limit > 0 && bits >> 63 == 0);
  });
}

bool all_below(const std::uint32_t* ids, std::uint64_t count, std::uint32_t limit,
               std::uint64_t& falls) {
  return with_widest_vectors([&]() SKERRY_LOOP {
    constexpr std::uint64_t kPart = 1 << 30;  // so that counts as wide as the ids suffice
    if (count == 0) return true;
    std::uint32_t high = ids[0];
    for (std::uint64_t begin = 1; begin < count; begin += kPart) {
      const std::uint64_t end = std::min(begin + kPart, count);
      std::uint32_t here = 0;
      for (std::uint64_t i = begin; i < end; ++i) {
        high = std::max(high, ids[i]);
        here += ids[i] < ids[i - 1];
      }
      falls += here;
    }
    return high < limit;
  });
}

bool all_below(const std::uint64_t* ids, std::uint64_t count, std::uint64_t limit,
               std::uint64_t& falls) {
  with_widest_vectors([&]() SKERRY_LOOP {
    std::uint64_t here = 0;
    for (std::uint64_t i = 1; i < count; ++i) here += ids[i] < ids[i - 1];
    falls += here;
  });
  return all_below(ids, count, limit);
}

bool never_fall(const std::uint64_t* offsets, std::uint64_t rows) {
  return with_widest_vectors([&]() SKERRY_LOOP {
    std::uint64_t bits = 0;
    for (std::uint64_t v = 0; v < rows; ++v) bits |= (offsets[v + 1] - offsets[v]) | offsets[v + 1];
    return bits >> 63 == 0;
  });
}

}  // namespace skerry
