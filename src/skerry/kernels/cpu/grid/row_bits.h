// The runs of all rows, as bits: a run is a stretch of pixels of one row that are joined.
#pragma once

#include <bit>
#include <cstdint>

#include "common/inline.h"
#include "cpu/context.h"
#include "cpu/grid/pixels.h"
#include "cpu/grid/shape.h"

namespace skerry {

inline void for_each_bit(Word bits, auto&& body) {
  for (; bits != 0; bits &= bits - 1) body(static_cast<unsigned>(std::countr_zero(bits)));
}

// The runs of one row.
template <class Label>
struct RunsOf {
  const Word* starts;
  const Label* entering;
  Label begin;  // the first pixel of the row

  // The first pixel of the run of a foreground pixel.
  SKERRY_INLINE Label at(std::uint64_t column) const {
    const std::uint64_t word = column / kWordBits;
    const Word heads = starts[word] & (~Word{0} >> (kWordBits - 1 - column % kWordBits));
    const Label outside = entering[word];  // read before it is needed: no branch
    const Label inside = begin + static_cast<Label>(column | (kWordBits - 1)) -
                         static_cast<Label>(std::countl_zero(heads | 1));
    return heads == 0 ? outside : inside;
  }
};

// Per pixel two bits, and per 64 pixels one number: 1/12 of 32-bit labels.
template <class Label>
class RowBits {
 public:
  RowBits(Context& context, const GridShape& shape)
      : shape_(shape),
        foreground_(make_scratch<Word>(context.scratch, shape.rows * shape.words)),
        starts_(make_scratch<Word>(context.scratch, shape.rows * shape.words)),
        entering_(make_scratch<Label>(context.scratch, shape.rows * shape.words)) {}

  // Reads a row, and makes each run a tree of its own. Returns false if the row has a NaN.
  bool read(const Pixels& pixels, std::uint64_t row, Label* parent) {
    const std::uint64_t begin = row * shape_.width;
    Word* const foreground = foreground_.get() + row * shape_.words;
    Word* const starts = starts_.get() + row * shape_.words;
    Label* const entering = entering_.get() + row * shape_.words;
    const bool is_number = pixels.read_row(begin, shape_.width, foreground, starts);
    Word before = 0;  // the last pixel of the previous word
    Label run = 0;
    for (std::uint64_t word = 0; word < shape_.words; ++word) {
      const Word bits = foreground[word];
      Word joined = 0;
      if (shape_.along_rows)
        joined = (bits << 1 | before) & (pixels.kind == Values::binary ? ~Word{0} : starts[word]);
      const Word heads = bits & ~joined;
      starts[word] = heads;
      entering[word] = run;
      const Label first = static_cast<Label>(begin + word * kWordBits);
      for_each_bit(heads, [&](unsigned bit) { parent[first + bit] = first + bit; });
      if (heads != 0)
        run = first + (kWordBits - 1 - static_cast<unsigned>(std::countl_zero(heads)));
      before = bits >> (kWordBits - 1);
    }
    return is_number;
  }

  const Word* foreground(std::uint64_t row) const { return foreground_.get() + row * shape_.words; }
  const Word* starts(std::uint64_t row) const { return starts_.get() + row * shape_.words; }

  RunsOf<Label> runs(std::uint64_t row) const {
    return {starts(row), entering_.get() + row * shape_.words,
            static_cast<Label>(row * shape_.width)};
  }
  Label run(std::uint64_t row, std::uint64_t column) const { return runs(row).at(column); }
  bool has(std::uint64_t row, std::uint64_t column) const {
    return foreground(row)[column / kWordBits] >> (column % kWordBits) & 1;
  }

 private:
  const GridShape& shape_;
  Scratch<Word> foreground_;
  Scratch<Word> starts_;
  Scratch<Label> entering_;  // the first pixel of the run that a word begins within
};

}  // namespace skerry
