// A summary of which vertices are in one component, of constant size: a bit for each group of
// vertices with near ids, set if all of them are in. Up to 8 million vertices a group is one
// vertex.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

namespace skerry {

class Members {
 public:
  Members(Context& context, std::uint64_t vertices)
      : vertices_(vertices),
        shift_(std::max(0, static_cast<int>(std::bit_width(vertices)) - kLogBits)),
        size_(((vertices - std::min<std::uint64_t>(vertices, 1)) >> shift_) / kWord + 1),
        words_(std::bit_ceil(size_), 0, context.scratch) {}

  // Calls finish(from, to) on ranges of vertices, and right after it marks the groups of that
  // range.
  template <class Vertex, class Finish>
  void finish_and_mark(Context& context, const Vertex* parent, Vertex root, Finish&& finish) {
    for_ranges(context, size_, kWords, [&](std::uint64_t from, std::uint64_t to, int) {
      const auto vertex = [this](std::uint64_t w) {
        return std::min((w * kWord) << shift_, vertices_);
      };
      finish(vertex(from), vertex(to));
      for (std::uint64_t w = from; w < to; ++w) {
        std::uint64_t word = 0;
        for (std::uint64_t bit = 0; bit < kWord; ++bit)
          word |= std::uint64_t{all_in_group(parent, root, w * kWord + bit)} << bit;
        words_[w] = word;
      }
    });
  }

  // What a loop looks at. Any number may be looked up, as in a Bitmap.
  struct View {
    const std::uint64_t* words;
    std::uint64_t mask;  // as many words as there are, a power of two, less one
    int shift;

    // Certainly both in; false may mean only that a neighbor in id is not.
    bool both(std::uint64_t u, std::uint64_t v) const { return bit(u) & bit(v); }

   private:
    bool bit(std::uint64_t v) const {
      const std::uint64_t group = v >> shift;
      return (words[group / kWord & mask] >> (group % kWord)) & 1;
    }
  };
  View view() const { return {words_.data(), words_.size() - 1, shift_}; }

 private:
  static constexpr int kLogBits = 23;  // a megabyte: half of a core's own cache, as such caches are
  static constexpr std::uint64_t kWord = 64;
  static constexpr std::uint64_t kWords = 256;  // a range of 2^14 vertices, or groups of them

  template <class Vertex>
  bool all_in_group(const Vertex* parent, Vertex root, std::uint64_t group) const {
    const std::uint64_t begin = group << shift_;
    const std::uint64_t end = std::min((group + 1) << shift_, vertices_);
    bool all = begin < end;
    // Ranges are finished by one thread at a time, but others may still read their parents.
    for (std::uint64_t v = begin; v < end; ++v) all &= Shared::load(parent + v) == root;
    return all;
  }

  std::uint64_t vertices_;
  int shift_;
  std::uint64_t size_;
  ScratchVector<std::uint64_t> words_;
};

}  // namespace skerry
