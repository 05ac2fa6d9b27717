// The checker's way from ids to positions in a column of distinct ids: a table of all numbers where
// integers leave few gaps, otherwise open addressing with linear probing. It shares nothing with
// the tables that number ids. Hashes depend on a seed that is drawn for each table.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "cpu/check/access.h"
#include "cpu/context.h"
#include "cpu/team.h"

namespace skerry::check {

inline constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

// Mixes all bits of a word into all others (the finalizer of Stafford's variant 13).
inline std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// An array that is not initialized, so that the threads that fill it touch it first.
template <class T>
std::unique_ptr<T[]> raw_array(std::uint64_t size) {
  return std::unique_ptr<T[]>(new T[size]);
}

// Distinct ids at the positions 0..count-1, of which there are fewer than kUnknown.
class Positions {
 public:
  explicit Positions(std::uint64_t count) : count_(count) {
    if (count >= kUnknown) throw std::invalid_argument("too many ids");
  }
  // The position of an id that is there twice, or kUnknown.
  std::uint32_t repeated() const { return repeated_.load(std::memory_order_relaxed); }
  std::uint64_t count() const { return count_; }

 protected:
  std::uint64_t slots() const { return count_ + count_ / 2 + 8; }
  std::uint64_t home(std::uint64_t hash) const { return ((hash >> 32) * slots()) >> 32; }

  std::uint64_t count_;
  std::atomic<std::uint32_t> repeated_{kUnknown};
};

class IntegerPositions : public Positions {
 public:
  using Positions::Positions;

  template <class T>
  void build(Context& context, const T* ids, std::uint64_t seed) {
    seed_ = seed;
    std::uint64_t range = 0;
    if (count_ > 0) {
      const auto [low, high] = bounds(context, ids);
      low_ = static_cast<std::uint64_t>(low);
      range = static_cast<std::uint64_t>(high) - low_;  // less 1
    }
    if (range / kGaps <= std::max(count_, kSmall / kGaps)) {
      range_ = count_ > 0 ? range + 1 : 0;
      fill_table(context, ids);
    } else {
      fill_slots(context, ids);
    }
  }

  // reject_high: ids with the highest bit set are unknown, being of the other signedness.
  template <class T>
  void find(Context& context, const T* ids, std::ptrdiff_t step, std::uint64_t count,
            bool reject_high, std::uint32_t* positions) const {
    for_ranges(context, count, [&](std::uint64_t first, std::uint64_t last, int) {
      std::uint64_t keys[kBatch], at[kBatch];
      for (std::uint64_t begin = first; begin < last; begin += kBatch) {
        const std::uint64_t size = std::min(last - begin, kBatch);
        for (std::uint64_t i = 0; i < size; ++i) {
          keys[i] = static_cast<std::uint64_t>(ids[static_cast<std::ptrdiff_t>(begin + i) * step]);
          at[i] = table_ != nullptr ? keys[i] - low_ : home(scramble(keys[i] ^ seed_));
          if (table_ == nullptr)
            fetch_early(&slots_[at[i]]);
          else if (at[i] < range_)
            fetch_early(&table_[at[i]]);
        }
        for (std::uint64_t i = 0; i < size; ++i) {
          std::uint32_t position = kUnknown;
          if (table_ == nullptr)
            position = probe(keys[i], at[i]);
          else if (at[i] < range_)
            position = table_[at[i]];
          positions[begin + i] = reject_high && keys[i] >> 63 ? kUnknown : position;
        }
      }
    });
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t position;
  };
  static constexpr std::uint64_t kBatch = 64;
  static constexpr std::uint64_t kGaps = 8;         // numbers in the table for each id
  static constexpr std::uint64_t kSmall = 1 << 20;  // a table of so many is always small enough

  template <class T>
  std::pair<T, T> bounds(Context& context, const T* ids) const {
    T low = ids[0], high = ids[0];
    for_ranges(context, count_, [&](std::uint64_t begin, std::uint64_t end, int) {
      const auto [smallest, largest] = std::minmax_element(ids + begin, ids + end);
      T seen = Together::get(low);
      while (*smallest < seen && !Together::replace(low, seen, *smallest))
        seen = Together::get(low);
      seen = Together::get(high);
      while (*largest > seen && !Together::replace(high, seen, *largest))
        seen = Together::get(high);
    });
    return {low, high};
  }

  template <class T>
  void fill_table(Context& context, const T* ids) {
    table_ = raw_array<std::uint32_t>(range_);
    for_each(context, range_, [&](std::uint64_t i) { table_[i] = kUnknown; });
    for_each(context, count_, [&](std::uint64_t i) {
      auto& cell = table_[static_cast<std::uint64_t>(ids[i]) - low_];
      if (Together::exchange(cell, static_cast<std::uint32_t>(i)) != kUnknown)
        repeated_.store(static_cast<std::uint32_t>(i), std::memory_order_relaxed);
    });
  }

  template <class T>
  void fill_slots(Context& context, const T* ids) {
    slots_ = raw_array<Slot>(slots());
    for_each(context, slots(), [&](std::uint64_t i) { slots_[i].position = kUnknown; });
    for_ranges(context, count_, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t i = begin; i < end; ++i) {
        if (i + kBatch < end) {
          const auto later = static_cast<std::uint64_t>(ids[i + kBatch]);
          fetch_early(&slots_[home(scramble(later ^ seed_))]);
        }
        insert(ids, static_cast<std::uint32_t>(i));
      }
    });
  }

  // Compares through `ids`: the key of a slot that another thread has taken may not be there yet.
  template <class T>
  void insert(const T* ids, std::uint32_t position) {
    const auto key = static_cast<std::uint64_t>(ids[position]);
    std::uint64_t at = home(scramble(key ^ seed_));
    while (!Together::replace(slots_[at].position, kUnknown, position)) {
      if (ids[Together::get(slots_[at].position)] == ids[position]) {
        repeated_.store(position, std::memory_order_relaxed);
        return;
      }
      if (++at == slots()) at = 0;
    }
    slots_[at].key = key;
  }

  std::uint32_t probe(std::uint64_t key, std::uint64_t at) const {
    while (slots_[at].position != kUnknown && slots_[at].key != key)
      if (++at == slots()) at = 0;
    return slots_[at].position;
  }

  std::uint64_t seed_ = 0;
  std::uint64_t low_ = 0;    // the smallest id, as a pattern of 64 bits
  std::uint64_t range_ = 0;  // of the table
  std::unique_ptr<std::uint32_t[]> table_;
  std::unique_ptr<Slot[]> slots_;
};

// Strings of bytes side by side: between offsets, or of one width where there are none.
template <class Offset>
struct Strings {
  const std::uint8_t* data;
  std::uint64_t bytes;
  const Offset* offsets;
  std::uint64_t width;

  std::uint64_t begin(std::uint64_t i) const {
    return offsets != nullptr ? static_cast<std::uint64_t>(offsets[i]) : i * width;
  }
  std::uint64_t size(std::uint64_t i) const {
    return offsets != nullptr ? static_cast<std::uint64_t>(offsets[i + 1]) - begin(i) : width;
  }
  // Whether string i lies inside its data, and is shorter than 4 GiB.
  bool is_valid(std::uint64_t i) const {
    return begin(i) <= bytes && size(i) <= bytes - begin(i) && size(i) >> 32 == 0;
  }
};

class TextPositions : public Positions {
 public:
  using Positions::Positions;

  // The data must stay where it is as long as the table is used.
  template <class Offset>
  void build(Context& context, const Strings<Offset>& ids, std::uint64_t seed) {
    if (ids.bytes >> kStartBits) throw std::invalid_argument("too many bytes of ids");
    seed_ = seed;
    data_ = ids.data;
    slots_ = raw_array<Slot>(slots());
    std::atomic<bool> valid{true};
    for_each(context, slots(), [&](std::uint64_t i) { slots_[i] = {kUnwritten, 0, kUnknown}; });
    for_each(context, count_, [&](std::uint64_t i) {
      if (!ids.is_valid(i)) valid.store(false, std::memory_order_relaxed);
    });
    if (!valid.load()) throw std::invalid_argument("an id lies outside the data of its column");
    for_ranges(context, count_, [&](std::uint64_t first, std::uint64_t last, int) {
      std::uint64_t hashes[kBatch];
      for (std::uint64_t begin = first; begin < last; begin += kBatch) {
        const std::uint64_t size = std::min(last - begin, kBatch);
        for (std::uint64_t i = 0; i < size; ++i) {
          hashes[i] = hash(ids.data + ids.begin(begin + i), ids.size(begin + i));
          fetch_early(&slots_[home(hashes[i])]);
        }
        for (std::uint64_t i = 0; i < size; ++i)
          insert(ids, static_cast<std::uint32_t>(begin + i), hashes[i]);
      }
    });
  }

  // Returns the first string that lies outside its data, or `count`.
  template <class Offset>
  std::uint64_t find(Context& context, const Strings<Offset>& texts, std::uint64_t count,
                     std::uint32_t* positions) const {
    std::atomic<std::uint64_t> broken{count};
    for_ranges(context, count, [&](std::uint64_t first, std::uint64_t last, int) {
      std::uint64_t hashes[kBatch], at[kBatch];
      for (std::uint64_t begin = first; begin < last; begin += kBatch) {
        const std::uint64_t size = std::min(last - begin, kBatch);
        for (std::uint64_t i = 0; i < size; ++i) {
          if (!texts.is_valid(begin + i)) {
            broken.store(begin + i, std::memory_order_relaxed);
            return;
          }
          hashes[i] = hash(texts.data + texts.begin(begin + i), texts.size(begin + i));
          fetch_early(&slots_[home(hashes[i])]);
        }
        for (std::uint64_t i = 0; i < size; ++i) {
          at[i] = similar(home(hashes[i]), hashes[i], texts.size(begin + i));
          if (slots_[at[i]].position != kUnknown) fetch_early(data_ + slots_[at[i]].start());
        }
        for (std::uint64_t i = 0; i < size; ++i)
          positions[begin + i] =
              same(at[i], hashes[i], texts.data + texts.begin(begin + i), texts.size(begin + i));
      }
    });
    return broken.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kBatch = 32;
  static constexpr unsigned kStartBits = 40;
  // Of a slot that a thread has taken and not yet filled: what it holds is compared as a whole.
  static constexpr std::uint64_t kUnwritten = ~std::uint64_t{0};

  struct Slot {
    std::uint64_t start_and_tag;
    std::uint32_t size;  // its lower bits
    std::uint32_t position;

    std::uint64_t start() const { return start_and_tag & ((std::uint64_t{1} << kStartBits) - 1); }
    std::uint64_t tag() const { return start_and_tag >> kStartBits; }
  };
  static std::uint64_t tag_of(std::uint64_t hash) { return hash & 0xffffff; }

  static std::uint64_t word_at(const std::uint8_t* from, std::uint64_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    return word;
  }

  std::uint64_t hash(const std::uint8_t* text, std::uint64_t size) const {
    std::uint64_t state = seed_ ^ size;
    for (; size >= 8; text += 8, size -= 8) state = scramble(state ^ word_at(text, 8));
    std::uint64_t rest = 0;  // one byte at a time: the number of them is not known beforehand
    for (std::uint64_t i = 0; i < size; ++i) rest |= std::uint64_t{text[i]} << (8 * i);
    return scramble(state ^ rest);
  }

  template <class Offset>
  void insert(const Strings<Offset>& ids, std::uint32_t position, std::uint64_t hash) {
    const std::uint64_t begin = ids.begin(position), size = ids.size(position);
    std::uint64_t at = home(hash);
    while (!Together::replace(slots_[at].position, kUnknown, position)) {
      const std::uint64_t word = Together::get(slots_[at].start_and_tag);
      const std::uint32_t other = Together::get(slots_[at].position);
      const bool may_be_same = word == kUnwritten || word >> kStartBits == tag_of(hash);
      if (may_be_same && ids.size(other) == size &&
          is_same(ids.data + ids.begin(other), ids.data + begin, size)) {
        repeated_.store(position, std::memory_order_relaxed);
        return;
      }
      if (++at == slots()) at = 0;
    }
    Together::put(slots_[at].start_and_tag, begin | (tag_of(hash) << kStartBits));
    slots_[at].size = static_cast<std::uint32_t>(size);
  }

  // The first slot from `at` on that is empty or has the same tag and size.
  std::uint64_t similar(std::uint64_t at, std::uint64_t hash, std::uint64_t size) const {
    while (slots_[at].position != kUnknown && (slots_[at].tag() != tag_of(hash) ||
                                               slots_[at].size != static_cast<std::uint32_t>(size)))
      if (++at == slots()) at = 0;
    return at;
  }

  std::uint32_t same(std::uint64_t at, std::uint64_t hash, const std::uint8_t* text,
                     std::uint64_t size) const {
    while (slots_[at].position != kUnknown && !is_same(data_ + slots_[at].start(), text, size)) {
      if (++at == slots()) at = 0;
      at = similar(at, hash, size);
    }
    return slots_[at].position;
  }

  static bool is_same(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t size) {
    for (; size >= 8; a += 8, b += 8, size -= 8)
      if (word_at(a, 8) != word_at(b, 8)) return false;
    for (std::uint64_t i = 0; i < size; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

  std::uint64_t seed_ = 0;
  const std::uint8_t* data_ = nullptr;
  std::unique_ptr<Slot[]> slots_;
};

}  // namespace skerry::check
