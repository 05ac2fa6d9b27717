// Numbers 64-bit keys 0, 1, 2, ... as they are first seen, by many threads at once.
//
// Open addressing over buckets of one cache line, which hold five keys and their numbers: finding a
// key costs one miss, and the lines of a group of keys are fetched while the group before is worked
// on. A key is claimed by compare-and-swap and gets its number a moment later: a group's winners
// take theirs with one addition to the shared count and publish them before anyone in the group
// waits for another's, so that no two groups can wait for each other. With one thread, numbers
// follow first appearance.
//
// Buckets are in the order of the hashes (the upper half of hash * buckets picks one), so a larger
// table is filled in one sweep over the old, whose memory is given back on the way, and may be
// larger by any factor: beyond 16 MiB it is a half. At no time is there more than the larger of the
// two, 16 to 25 bytes an id.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/context.h"
#include "cpu/ids/pages.h"
#include "cpu/ids/status.h"

namespace skerry {

class KeyTable {
 public:
  explicit KeyTable(const TableOptions& options) : options_(options) {}

  // Writes the number of each value. T is any integer type; what counts is the value as 64 bits.
  template <class T>
  Status number(Context& context, const T* values, std::ptrdiff_t step, std::uint64_t count,
                std::uint32_t* numbers);

  // As `number`, but adds nothing: a value that is not there gets kUnknown.
  template <class T>
  void find(Context& context, const T* values, std::ptrdiff_t step, std::uint64_t count,
            std::uint32_t* numbers) const;

  // Writes every key to the position given by its number.
  void keys_by_number(Context& context, Word* keys) const;

  // Whether any key is 2^63 or more, or a negative number.
  bool any_high(Context& context) const;

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return pages_.bytes(); }

 private:
  static constexpr unsigned kSlots = 5;
  static constexpr unsigned kMaxPerBucket = 4;  // on average: 80% of all slots
  static constexpr unsigned kGroup = 32;

  struct alignas(64) Bucket {
    Word keys[kSlots];              // as `stored` returns them; 0: free
    std::uint32_t numbers[kSlots];  // + 1; 0: claimed and not numbered yet
  };

  class Group;

  Bucket* buckets() const { return pages_.as<Bucket>(); }
  std::uint64_t room() const { return count_ * kMaxPerBucket - size_; }
  std::uint64_t home(Word stored) const {
    return below(mix(stored ^ options_.seed) & options_.hash_bits, count_);
  }
  bool grow(Context& context, std::uint64_t rows);
  std::uint32_t find_number(Word key) const;
  template <class Memory>
  std::uint32_t* claim(Word stored, Bucket* bucket, bool& won);
  template <class Memory>
  void move_from(const KeyTable& old, std::uint64_t begin, std::uint64_t end);
  template <class Body>
  void for_each_key(Context& context, Body&& body) const;

  TableOptions options_;
  Pages pages_;
  std::uint64_t count_ = 0;  // of buckets; one more holds the key that looks like a free slot
  std::uint64_t size_ = 0;
};

}  // namespace skerry
