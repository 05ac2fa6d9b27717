// Sorts a piece of keys, and the numbers beside them, that fits a core's cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/random.h"
#include "cpu/ids/pages.h"

namespace skerry {

// One thread's room beside the piece it sorts. It grows to the largest piece that comes.
class SortRoom {
 public:
  bool fit(std::uint64_t count) {
    if (count <= capacity_) return true;
    pages_ = Pages();
    pages_ = Pages(count * (sizeof(Word) + sizeof(std::uint32_t)));
    capacity_ = pages_ ? count : 0;
    return capacity_ == count;
  }
  Word* keys() const { return pages_.as<Word>(); }
  std::uint32_t* numbers() const {
    return reinterpret_cast<std::uint32_t*>(pages_.as<Word>() + capacity_);
  }

 private:
  Pages pages_;
  std::uint64_t capacity_ = 0;
};

namespace sorting {

constexpr unsigned kDigit = 11;
constexpr std::uint64_t kInsertionUntil = 48;  // below, clearing the counts costs more

inline void insertion_sort(Word* keys, std::uint32_t* numbers, std::uint64_t count) {
  for (std::uint64_t i = 1; i < count; ++i) {
    const Word key = keys[i];
    const std::uint32_t number = numbers[i];
    std::uint64_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) {
      keys[at] = keys[at - 1];
      numbers[at] = numbers[at - 1];
    }
    keys[at] = key;
    numbers[at] = number;
  }
}

// One pass of a radix sort, by the digit that starts at bit `shift` of key - low.
inline void scatter_digit(const Word* keys, const std::uint32_t* numbers, std::uint64_t count,
                          Word low, unsigned shift, Word* to_keys, std::uint32_t* to_numbers) {
  constexpr Word kMask = (Word{1} << kDigit) - 1;
  std::uint32_t starts[kMask + 2] = {};
  for (std::uint64_t i = 0; i < count; ++i) ++starts[(((keys[i] - low) >> shift) & kMask) + 1];
  for (Word d = 1; d <= kMask; ++d) starts[d] += starts[d - 1];
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t at = starts[((keys[i] - low) >> shift) & kMask]++;
    to_keys[at] = keys[i];
    to_numbers[at] = numbers[i];
  }
}

}  // namespace sorting

// Sorts fewer than 2^32 keys ascending. False when there was no memory for the room.
inline bool sort_piece(Word* keys, std::uint32_t* numbers, std::uint64_t count, SortRoom& room) {
  using namespace sorting;
  if (count <= kInsertionUntil) {
    insertion_sort(keys, numbers, count);
    return true;
  }
  const auto [low, high] = std::minmax_element(keys, keys + count);
  const Word smallest = *low;
  const unsigned bits = static_cast<unsigned>(std::bit_width(*high - smallest));
  if (bits == 0) return true;
  if (!room.fit(count)) return false;
  const unsigned shift = bits > 2 * kDigit ? bits - 2 * kDigit : 0;
  scatter_digit(keys, numbers, count, smallest, shift, room.keys(), room.numbers());
  scatter_digit(room.keys(), room.numbers(), count, smallest, shift + kDigit, keys, numbers);
  if (shift == 0) return true;
  for (std::uint64_t begin = 0, end; begin < count; begin = end) {
    const Word top = (keys[begin] - smallest) >> shift;
    for (end = begin + 1; end < count && (keys[end] - smallest) >> shift == top;) ++end;
    // What is tied differs in 22 bits fewer: this calls itself twice at most.
    if (!sort_piece(keys + begin, numbers + begin, end - begin, room)) return false;
  }
  return true;
}

}  // namespace skerry
