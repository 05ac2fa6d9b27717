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
      : words_((vertices + kBits - 1) / kBits, 0, context.scratch) {}

  std::uint64_t* words() { return words_.data(); }
  const std::uint64_t* words() const { return words_.data(); }
  std::uint64_t size() const { return words_.size(); }

  template <class Memory>
  static bool has(const std::uint64_t* words, std::uint64_t v) {
    return (Memory::load(words + v / kBits) >> (v % kBits)) & 1;
  }

  // For one thread alone; returns whether v was new.
  bool add(std::uint64_t v) {
    std::uint64_t& word = words_[v / kBits];
    const std::uint64_t bit = std::uint64_t{1} << (v % kBits);
    const bool fresh = (word & bit) == 0;
    word |= bit;  // without a branch: in a search either case is as likely
    return fresh;
  }
  void remove(std::uint64_t v) { words_[v / kBits] &= ~(std::uint64_t{1} << (v % kBits)); }

 private:
  ScratchVector<std::uint64_t> words_;
};

}  // namespace skerry
