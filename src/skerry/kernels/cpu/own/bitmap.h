// A set of vertices, a bit each: an eighth of a byte a vertex, so that the set of a graph with tens
// of millions of vertices still lies in a core's own cache.
#pragma once

#include <bit>
#include <cstdint>

#include "cpu/context.h"
#include "cpu/scratch.h"

namespace skerry {

class Bitmap {
 public:
  static constexpr std::uint64_t kBits = 64;

  Bitmap(Context& context, std::uint64_t vertices)
      : size_((vertices + kBits - 1) / kBits), words_(std::bit_ceil(size_), 0, context.scratch) {}

  std::uint64_t* words() { return words_.data(); }
  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t size() const { return size_; }

  template <class Memory>
  static bool has(const std::uint64_t* words, std::uint64_t v) {
    return (Memory::load(words + v / kBits) >> (v % kBits)) & 1;
  }

  // As many words as there are, a power of two, less one. With it any number may be looked up: one
  // that is no vertex gets the bit of another. An instruction, where a comparison takes two: 5 %
  // of a sweep.
  std::uint64_t mask() const { return words_.size() - 1; }

  template <class Memory>
  static bool has_masked(const std::uint64_t* words, std::uint64_t mask, std::uint64_t v) {
    return (Memory::load(words + (v / kBits & mask)) >> (v % kBits)) & 1;
  }

  // For one thread alone; returns whether v was new.
  static bool add_masked(std::uint64_t* words, std::uint64_t mask, std::uint64_t v) {
    std::uint64_t& word = words[v / kBits & mask];
    const std::uint64_t bit = std::uint64_t{1} << (v % kBits);
    const bool fresh = (word & bit) == 0;
    word |= bit;  // without a branch: in a search either case is as likely
    return fresh;
  }

 private:
  std::uint64_t size_;
  ScratchVector<std::uint64_t> words_;
};

}  // namespace skerry
