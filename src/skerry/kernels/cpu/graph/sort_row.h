// Sorts one row of a graph. Most rows are short, and many are sorted already; the few long ones
// hold much of a skewed graph, and counting sorts by low and high digits (LSD radix sort) beat
// comparisons there several times.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

namespace skerry {

class RowSorter {
 public:
  // For ids below `vertices`. Every thread needs a sorter of its own.
  explicit RowSorter(std::uint64_t vertices) {
    const int bits = std::max(1, static_cast<int>(std::bit_width(vertices)));
    // An even number of passes brings the ids back to where they were; digits of at most 12 bits
    // keep the counters in the first-level cache.
    passes_ = 2 * ((bits + 23) / 24);
    digit_bits_ = (bits + passes_ - 1) / passes_;
    counters_.resize(std::size_t{1} << digit_bits_);
  }

  // `spare` has as many elements as the row.
  template <class Vertex>
  void sort(Vertex* first, Vertex* last, Vertex* spare) {
    if (std::is_sorted(first, last)) return;
    const auto count = static_cast<std::uint64_t>(last - first);
    if (count < kRadixFrom) {
      std::sort(first, last);
      return;
    }
    for (int pass = 0; pass < passes_; pass += 2) {
      move(first, spare, count, pass * digit_bits_);
      move(spare, first, count, (pass + 1) * digit_bits_);
    }
  }

 private:
  // Clearing and summing the counters costs about as much as sorting this many by comparison.
  static constexpr std::uint64_t kRadixFrom = 1024;

  template <class Vertex>
  void move(const Vertex* from, Vertex* to, std::uint64_t count, int shift) {
    const std::uint64_t mask = counters_.size() - 1;
    std::fill(counters_.begin(), counters_.end(), 0);
    for (std::uint64_t i = 0; i < count; ++i) ++counters_[(std::uint64_t{from[i]} >> shift) & mask];
    std::exclusive_scan(counters_.begin(), counters_.end(), counters_.begin(), std::uint64_t{0});
    for (std::uint64_t i = 0; i < count; ++i)
      to[counters_[(std::uint64_t{from[i]} >> shift) & mask]++] = from[i];
  }

  int passes_;
  int digit_bits_;
  std::vector<std::uint64_t> counters_;
};

}  // namespace skerry
