// Numbers texts (strings of any bytes) 0, 1, 2, ... as they are first seen, by many threads at
// once. The method is that of key_table.h, except that a text does not fit into a slot.
//
// A slot is one word: 24 bits of the hash and a reference to the arena, where the number, the
// length and the bytes stand together. A text is written there before its slot is claimed, so any
// thread that finds a slot can read what it refers to. Bytes are always compared: a hash decides
// nothing. Three groups of texts are on their way at a time: one being hashed and its buckets
// fetched, one whose first likely match is being fetched from the arena, one being numbered.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/context.h"
#include "cpu/ids/arena.h"
#include "cpu/ids/bytes.h"
#include "cpu/ids/pages.h"
#include "cpu/ids/status.h"

namespace skerry {

// Texts side by side, as Arrow keeps them: the i-th from offsets[i] to offsets[i + 1], or all of
// one width.
struct TextView {
  const std::uint8_t* data;
  std::uint64_t data_size;
  const std::int32_t* short_offsets;  // at most one of the two is there
  const std::int64_t* long_offsets;
  std::uint64_t width;  // used where neither is
  std::uint64_t count;

  // False if the i-th lies outside of the data.
  bool read(std::uint64_t i, Text& text) const {
    std::uint64_t begin = i * width, end = begin + width;
    if (short_offsets != nullptr) {
      begin = static_cast<std::uint64_t>(short_offsets[i]);
      end = static_cast<std::uint64_t>(short_offsets[i + 1]);
    } else if (long_offsets != nullptr) {
      begin = static_cast<std::uint64_t>(long_offsets[i]);
      end = static_cast<std::uint64_t>(long_offsets[i + 1]);
    }
    if (begin > end || end > data_size) return false;
    text = {data + begin, end - begin};
    return true;
  }
};

class TextTable {
 public:
  explicit TextTable(const TableOptions& options)
      : options_(options), secret_(mix(options.seed + 0x9e3779b97f4a7c15u)) {}

  Status number(Context& context, const TextView& texts, std::uint32_t* numbers);

  // As `number`, but adds nothing: a text that is not there gets kUnknown.
  Status find(Context& context, const TextView& texts, std::uint32_t* numbers) const;

  // Finds the ascending order of the texts by their bytes: order[rank] is a number. Sums up their
  // bytes for `fill`. With `consume` frees the slots: nothing more can be numbered. False when
  // memory ran out.
  bool find_order(Context& context, bool consume, std::uint32_t* order, std::uint64_t* total);

  // Writes the texts in that order, one after the other, and where each begins; the last of the
  // offsets (one more than texts) is where all end. To be called once after find_order. There is
  // room for so many bytes; too few, or an order that is none, are a fault (Context::add_fault).
  void fill(Context& context, const std::uint32_t* order, std::uint64_t* offsets,
            std::uint8_t* data, std::uint64_t bytes);

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return pages_.bytes() + arena_.bytes() + refs_.bytes(); }

 private:
  static constexpr unsigned kSlots = 8;         // a cache line
  static constexpr unsigned kMaxPerBucket = 6;  // on average: 75% of all slots
  static constexpr unsigned kGroup = 16;

  struct alignas(64) Bucket {
    Word slots[kSlots];  // 24 bits of the hash above a reference; 0: free
  };
  struct Entry {
    std::uint32_t number;  // + 1; 0: not numbered yet
    std::uint32_t size;
    // and then the bytes

    Text text() const { return {reinterpret_cast<const std::uint8_t*>(this + 1), size}; }
    bool is(const Text& other) const {
      return size == other.size && same_bytes(text().data, other.data, size);
    }
  };

  class Group;

  Bucket* buckets() const { return pages_.as<Bucket>(); }
  std::uint64_t room() const { return count_ * kMaxPerBucket - size_; }
  Word hash(const Text& text) const {
    return hash_text(text, options_.seed, secret_) & options_.hash_bits;
  }
  Entry* entry(Word slot) const {
    return reinterpret_cast<Entry*>(arena_.at(slot & ((Word{1} << Arena::kRefBits) - 1)));
  }
  std::uint32_t find_number(const Text& text) const;
  bool grow(Context& context, std::uint64_t rows);
  void move_slots(const Bucket* from, std::uint64_t begin, std::uint64_t end, Bucket* to,
                  std::uint64_t to_count) const;
  Entry* claim(const Text& text, Word hash, Arena::Lane& lane, bool& won);
  bool collect_refs(Context& context);

  TableOptions options_;
  Word secret_;
  Pages pages_;
  std::uint64_t count_ = 0;  // of buckets
  std::uint64_t size_ = 0;
  Arena arena_;
  std::vector<Arena::Lane> lanes_;  // one a thread
  Pages refs_;                      // by number, between find_order and fill
};

}  // namespace skerry
