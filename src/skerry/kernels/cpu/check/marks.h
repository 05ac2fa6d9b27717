// Vertices marked in a bitmap, which stays in the caches of a core where what it summarizes does
// not; and the sample that shows which vertices are worth it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "cpu/check/access.h"
#include "cpu/check/room.h"
#include "cpu/context.h"
#include "cpu/team.h"

namespace skerry::check {

inline constexpr std::uint64_t kMarkFrom = (1 << 16) / kShrink;  // fewer vertices stay in caches

class Marks {
 public:
  // Marks the vertices v in [0, range) with is_marked(v), and no others.
  template <class Predicate>
  void fill(Context& context, std::uint64_t range, const Predicate& is_marked) {
    if (words_.size() != Bits::words(range)) words_ = Room<std::uint64_t>(Bits::words(range));
    std::atomic<std::uint64_t> count{0};
    for_ranges(context, words_.size(), kWords, [&](std::uint64_t from, std::uint64_t to, int) {
      std::uint64_t here = 0;
      for (std::uint64_t w = from; w < to; ++w) {
        words_[w] = word_of(64 * w, std::min<std::uint64_t>(64, range - 64 * w), is_marked);
        here += static_cast<std::uint64_t>(std::popcount(words_[w]));
      }
      count.fetch_add(here, std::memory_order_relaxed);
    });
    count_ = count.load(std::memory_order_relaxed);
  }
  // Marks none.
  void clear(std::uint64_t range) {
    words_ = Room<std::uint64_t>(Bits::words(range));
    count_ = 0;
  }

  bool empty() const { return words_.size() == 0; }
  std::uint64_t count() const { return count_; }  // when they were filled
  std::uint64_t* words() const { return words_.get(); }
  std::uint64_t size() const { return words_.size(); }
  bool get(std::uint64_t v) const { return Bits::get(words_.get(), v); }

 private:
  static constexpr std::uint64_t kWords = 64;

  // Bits of the vertices from `first` on. Bytes first, which compilers make of vectors; the product
  // collects the lowest bits of 8 bytes in its highest byte.
  template <class Predicate>
  static std::uint64_t word_of(std::uint64_t first, std::uint64_t count, Predicate is_marked) {
    std::uint8_t flags[64] = {};
    if (count == 64) {
      for (unsigned i = 0; i < 64; ++i) flags[i] = is_marked(first + i);
    } else {
      for (unsigned i = 0; i < count; ++i) flags[i] = is_marked(first + i);
    }
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 64; i += 8) {
      std::uint64_t bytes = 0;
      for (unsigned j = 0; j < 8; ++j) bytes |= std::uint64_t{flags[i + j]} << (8 * j);
      word |= ((bytes * 0x0102040810204080u) >> 56) << i;
    }
    return word;
  }

  Room<std::uint64_t> words_;
  std::uint64_t count_ = 0;
};

// The value of at least a quarter of a sample, or kNone.
template <class Value>
class Sample {
 public:
  static constexpr Value kNone = static_cast<Value>(~Value{0});
  static constexpr unsigned kSize = 256;

  // Calls visit(v) for vertices drawn from [0, range); the same ones each time.
  template <class Visit>
  static void draw(std::uint64_t range, Visit&& visit) {
    std::uint64_t state = range;
    for (unsigned i = 0; i < kSize; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      visit((state >> 20) % range);
    }
  }
  void add(Value value) { values_[count_++] = value; }
  Value frequent() {
    std::sort(values_, values_ + count_);
    Value best = kNone;
    unsigned longest = 1;
    for (unsigned begin = 0, end = 0; begin < count_; begin = end) {
      while (end < count_ && values_[end] == values_[begin]) ++end;
      if (end - begin > longest) {
        longest = end - begin;
        best = values_[begin];
      }
    }
    return 4 * longest >= count_ ? best : kNone;
  }

 private:
  Value values_[kSize];
  unsigned count_ = 0;
};

}  // namespace skerry::check
