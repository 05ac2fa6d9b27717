// Unites the runs of two rows whose pixels are neighbors.
//
// Where two runs touch they do so in a stretch of columns: the first column of each stretch is found
// by operations on words of 64 pixels, and each gives one union. No branch depends on a pixel.
#pragma once

#include <cstdint>

#include "common/union_find.h"
#include "cpu/grid/row_bits.h"
#include "cpu/memory.h"

namespace skerry {

// The foreground of a row, or another row of bits; words outside are 0.
struct BitRow {
  const Word* bits;
  std::uint64_t words;

  Word at(std::uint64_t word) const { return word < words ? bits[word] : 0; }
};

// The words of two rows `a` and `b`, read from left to right.
struct TwoRows {
  BitRow a, a_starts, b, b_starts;
  const Word* same[3];  // for the column steps -1, 0, 1; null: all pixels are the same

  Word a_joined(std::uint64_t word) const { return a.at(word) & ~a_starts.at(word); }
  Word b_joined(std::uint64_t word) const { return b.at(word) & ~b_starts.at(word); }

  // Pixels of `a` with a neighbor at this step of columns in `b`.
  template <int step>
  Word contacts(std::uint64_t word) const {
    if (word >= a.words) return 0;
    Word other = b.bits[word];
    if constexpr (step < 0) other = other << 1 | b.at(word - 1) >> (kWordBits - 1);
    if constexpr (step > 0) other = other >> 1 | b.at(word + 1) << (kWordBits - 1);
    const Word* const flags = same[step + 1];
    return a.bits[word] & other & (flags == nullptr ? ~Word{0} : flags[word]);
  }
};

// Calls pair(column, other) for columns of `a` and `b` whose runs touch at one step of columns.
template <int step, class Pair>
void touching_at(const TwoRows& rows, Pair&& pair) {
  Word before = 0;  // contacts of the previous word
  for (std::uint64_t word = 0; word < rows.a.words; ++word) {
    const Word here = rows.contacts<step>(word);
    Word b_joined = rows.b_joined(word);
    if constexpr (step < 0) b_joined = b_joined << 1 | rows.b_joined(word - 1) >> (kWordBits - 1);
    if constexpr (step > 0) b_joined = b_joined >> 1 | rows.b_joined(word + 1) << (kWordBits - 1);
    const Word left = here << 1 | before >> (kWordBits - 1);
    before = here;
    for_each_bit(here & ~(left & rows.a_joined(word) & b_joined), [&](unsigned bit) {
      const std::uint64_t column = word * kWordBits + bit;
      pair(column, column + static_cast<std::uint64_t>(std::int64_t{step}));
    });
  }
}

// As above, for all three steps. Pixels one column apart are left out where pixels one above the
// other show that their runs touch.
template <class Pair>
void touching_around(const TwoRows& rows, Pair&& pair) {
  constexpr unsigned kTop = kWordBits - 1;
  Word before = 0, here = rows.contacts<0>(0);
  Word a_joined = rows.a_joined(0), b_joined = rows.b_joined(0);
  for (std::uint64_t word = 0; word < rows.a.words; ++word) {
    const Word next = rows.contacts<0>(word + 1);
    const Word a_next = rows.a_joined(word + 1), b_next = rows.b_joined(word + 1);
    if (rows.a.bits[word] != 0) {
      const Word left = here << 1 | before >> kTop, right = here >> 1 | next << kTop;
      const Word middle = here & ~(left & a_joined & b_joined);
      const Word lower = rows.contacts<-1>(word) & ~(here & b_joined) & ~(left & a_joined);
      const Word upper = rows.contacts<1>(word) & ~(here & (b_joined >> 1 | b_next << kTop)) &
                         ~(right & (a_joined >> 1 | a_next << kTop));
      const std::uint64_t first = word * kWordBits;
      for_each_bit(middle, [&](unsigned bit) { pair(first + bit, first + bit); });
      for_each_bit(lower, [&](unsigned bit) { pair(first + bit, first + bit - 1); });
      for_each_bit(upper, [&](unsigned bit) { pair(first + bit, first + bit + 1); });
    }
    before = here, here = next, a_joined = a_next, b_joined = b_next;
  }
}

// What a thread needs to unite runs: Memory is Serial while no other thread can reach these trees.
template <class Label>
class RowJoiner {
 public:
  // A null `pixels`: runs touch wherever foreground pixels do.
  RowJoiner(Context& context, const GridShape& shape, const RowBits<Label>& bits,
            const Pixels* pixels, Label* parent)
      : context_(context),
        shape_(shape),
        bits_(bits),
        pixels_(pixels),
        parent_(parent),
        same_(make_scratch<Word>(context.scratch, pixels == nullptr ? 0 : 3 * shape.words)) {}

  // Joins a row with another one, where `columns` says which columns are neighbors (RowOffset).
  template <class Memory>
  void join(std::uint64_t row, std::uint64_t other, unsigned columns) {
    TwoRows rows{{bits_.foreground(row), shape_.words},
                 {bits_.starts(row), shape_.words},
                 {bits_.foreground(other), shape_.words},
                 {bits_.starts(other), shape_.words},
                 {nullptr, nullptr, nullptr}};
    if (pixels_ != nullptr) compare(rows, row, other, columns);
    const auto pair = [&](std::uint64_t column, std::uint64_t beside) {
      unite<Memory>(bits_.run(row, column), bits_.run(other, beside));
    };
    if (columns == 7) return touching_around(rows, pair);
    if (columns & 1) touching_at<-1>(rows, pair);
    if (columns & 2) touching_at<0>(rows, pair);
    if (columns & 4) touching_at<1>(rows, pair);
  }

  // Joins the first column of a row with the last of another one, or the last with the first.
  void join_ends(std::uint64_t row, std::uint64_t other, unsigned columns) {
    const std::uint64_t last = shape_.width - 1;
    if (columns & 1) join_pixels(row, 0, other, last);
    if (columns & 4) join_pixels(row, last, other, 0);
  }

 private:
  template <class Memory>
  void unite(Label a, Label b) {
    Silent tally(context_);
    unite_if_apart<Memory>(parent_, a, b, tally);
  }

  void compare(TwoRows& rows, std::uint64_t row, std::uint64_t other, unsigned columns) {
    for (int step = -1; step <= 1; ++step) {
      if ((columns >> (step + 1) & 1) == 0) continue;
      Word* const same = same_.get() + static_cast<std::uint64_t>(step + 1) * shape_.words;
      pixels_->compare_rows(row * shape_.width, other * shape_.width, step, shape_.width, same);
      rows.same[step + 1] = same;
    }
  }

  void join_pixels(std::uint64_t row, std::uint64_t column, std::uint64_t other,
                   std::uint64_t beside) {
    if (!bits_.has(row, column) || !bits_.has(other, beside)) return;
    if (pixels_ != nullptr &&
        !pixels_->same(row * shape_.width + column, other * shape_.width + beside))
      return;
    unite<Shared>(bits_.run(row, column), bits_.run(other, beside));
  }

  Context& context_;
  const GridShape& shape_;
  const RowBits<Label>& bits_;
  const Pixels* const pixels_;
  Label* const parent_;
  Scratch<Word> same_;
};

}  // namespace skerry
