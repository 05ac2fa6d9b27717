// The edges that joined two trees: a bit for each while they are taken, then their names in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/check/access.h"
#include "cpu/check/room.h"
#include "cpu/context.h"
#include "cpu/team.h"

namespace skerry::check {

class Chosen {
 public:
  // Edges 0..count-1 will be taken, none of them is chosen yet.
  void begin(std::uint64_t count) {
    words_ = Bits::words(count);
    if (bits_.size() < words_)
      bits_ = Room<std::uint64_t>(words_);
    else
      std::fill_n(bits_.get(), words_, 0);
  }
  std::uint64_t* bits() const { return bits_.get(); }

  // Appends the names of the chosen edges in their order: base + i, or base + names[i]. Of all
  // edges ever taken no more than `bound` are chosen.
  void keep(Context& context, std::uint64_t base, const std::uint64_t* names, std::uint64_t bound) {
    const std::uint64_t blocks = (words_ + kBlock - 1) / kBlock;
    std::vector<std::uint64_t> starts(blocks + 1, edges_.size());
    for_ranges(context, blocks, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t b = begin; b < end; ++b) {
        std::uint64_t here = 0;
        for (std::uint64_t w = b * kBlock; w < std::min(b * kBlock + kBlock, words_); ++w)
          here += static_cast<std::uint64_t>(std::popcount(bits_[w]));
        starts[b + 1] = here;
      }
    });
    for (std::uint64_t b = 0; b < blocks; ++b) starts[b + 1] += starts[b];
    edges_.resize(starts[blocks], bound);
    for_ranges(context, blocks, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t b = begin; b < end; ++b) {
        std::uint64_t at = starts[b];
        for (std::uint64_t w = b * kBlock; w < std::min(b * kBlock + kBlock, words_); ++w)
          for (std::uint64_t word = bits_[w]; word != 0; word &= word - 1) {
            const std::uint64_t row = 64 * w + static_cast<unsigned>(std::countr_zero(word));
            edges_.data()[at++] = base + (names == nullptr ? row : names[row]);
          }
      }
    });
  }

  const EdgeList& edges() const { return edges_; }
  EdgeList release() { return std::exchange(edges_, EdgeList{}); }

 private:
  static constexpr std::uint64_t kBlock = 256;  // words

  Room<std::uint64_t> bits_;
  std::uint64_t words_ = 0;
  EdgeList edges_;
};

}  // namespace skerry::check
