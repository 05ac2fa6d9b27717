// Where the runs of two rows touch, whose pixels are neighbors.
//
// Where two runs touch they do so in a stretch of columns: the first column of each is found
// by operations on words of 64 pixels, and each gives one union. No branch depends on a pixel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cpu/grid/row_bits.h"

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
  const Pixels& pixels;
  std::uint64_t row, other;               // their numbers
  std::uint64_t a_begin, b_begin, width;  // the first pixels of the rows
  const Word* joined[3] = {};  // pixels whose run touches another one at these steps already
  const Word* known[3] = {};   // pixels that are joined at these steps, if that was found before

  Word a_joined(std::uint64_t word) const { return a.at(word) & ~a_starts.at(word); }
  Word b_joined(std::uint64_t word) const { return b.at(word) & ~b_starts.at(word); }

  // Of bits at a step, those that call for a union: not those that are joined otherwise.
  template <int step>
  Word to_join(std::uint64_t word, Word bits) const {
    if (joined[step + 1] != nullptr) bits &= ~joined[step + 1][word];
    if (known[step + 1] != nullptr) return bits & known[step + 1][word];
    return pixels.kind == Values::equal ? same<step>(word, bits) : bits;
  }

  // Those of some pixels of `a` that may be joined with the one at this step in `b`.
  template <int step>
  Word same(std::uint64_t word, Word bits) const {
    if (bits == 0) return 0;
    const std::uint64_t first = word * kWordBits;
    if (Word few = bits & (bits - 1); (few & (few - 1)) == 0) {  // at most two pixels
      for_each_bit(bits, [&](unsigned bit) {
        if (!pixels.same(a_begin + first + bit, b_begin + first + bit + std::uint64_t(step)))
          bits &= ~(Word{1} << bit);
      });
      return bits;
    }
    const unsigned begin = step < 0 && word == 0;
    const std::uint64_t count = width - first - (step > 0 && width - first <= kWordBits);
    const auto end = static_cast<unsigned>(count < kWordBits ? count : kWordBits);
    return bits &
           pixels.compare(a_begin + first, b_begin + first + std::uint64_t(step), begin, end);
  }

  // Pixels of `a` whose runs touch those at this step in `b`. They are joined if they are equal,
  // too: runs of equal pixels are equal as a whole, so that a single comparison is left for later.
  template <int step>
  Word contacts(std::uint64_t word) const {
    if (word >= a.words) return 0;
    Word other = b.bits[word];
    if constexpr (step < 0) other = other << 1 | b.at(word - 1) >> (kWordBits - 1);
    if constexpr (step > 0) other = other >> 1 | b.at(word + 1) << (kWordBits - 1);
    const Word bits = a.bits[word] & other;
    return pixels.kind == Values::within ? same<step>(word, bits) : bits;
  }

  template <int step>
  Word joined_at(std::uint64_t word) const {
    return pixels.kind == Values::binary ? contacts<step>(word)
                                         : same<step>(word, contacts<step>(word));
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
    const Word first = here & ~(left & rows.a_joined(word) & b_joined);
    for_each_bit(rows.to_join<step>(word, first), [&](unsigned bit) {
      const std::uint64_t column = word * kWordBits + bit;
      pair(column, column + static_cast<std::uint64_t>(std::int64_t{step}));
    });
  }
}

// As above, for all three steps. Pixels one column apart are left out where pixels one above the
// other show that their runs touch. With `begin`, the first pair of each run of `a` goes to
// begin(column, other) instead, before other pairs of its word, if the run begins in that word.
template <class Pair, class Begin = std::nullptr_t>
void touching_around(const TwoRows& rows, Pair&& pair, Begin&& begin = nullptr) {
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
      Word ahead = rows.to_join<1>(word, upper);
      Word level = rows.to_join<0>(word, middle);
      Word behind = rows.to_join<-1>(word, lower);
      if constexpr (!std::is_null_pointer_v<std::decay_t<Begin>>) {
        // Adding moves the bit of a run's start over pixels without a pair to the first with one.
        const Word all = ahead | level | behind;
        const Word passed = (a_joined >> 1 | a_next << kTop) & ~all;
        const Word begins = (passed + rows.a_starts.bits[word]) & all;
        for_each_bit(begins, [&](unsigned bit) {
          begin(first + bit, first + bit + (ahead >> bit & 1) - (~(ahead | level) >> bit & 1));
        });
        behind &= ~begins | ahead | level;
        level &= ~begins | ahead;
        ahead &= ~begins;
      }
      // In one loop, as its end is hard to predict; in rare cases a pixel has both.
      for_each_bit(level | ahead,
                   [&](unsigned bit) { pair(first + bit, first + bit + (ahead >> bit & 1)); });
      for_each_bit(level & ahead, [&](unsigned bit) { pair(first + bit, first + bit); });
      for_each_bit(behind, [&](unsigned bit) { pair(first + bit, first + bit - 1); });
    }
    before = here, here = next, a_joined = a_next, b_joined = b_next;
  }
}

}  // namespace skerry
