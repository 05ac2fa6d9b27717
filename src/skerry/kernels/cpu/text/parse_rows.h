// Lines that are rows of neighbors (METIS, WebGraph ASCII), and plain lists of numbers (Ligra).
#pragma once

#include "cpu/text/text.h"

namespace skerry {

struct RowSyntax {
  char comment = '\0';  // a line that begins with it is a comment
  std::uint64_t skip =
      0;           // numbers at the start of a row before the neighbors: weights of the vertex
  Bounded bounds;  // of the neighbors; always given
};

// Room that the arrays must have: a number and what ends it.
inline std::uint64_t max_numbers(std::uint64_t size) {
  return size / 2 + 1;
}

// Every line is a row, also an empty one. `src` gets the number of the row within this text, from
// 0. With `weights` every neighbor is followed by one.
template <class Word>
Parsed parse_rows(const char* text, std::uint64_t size, const RowSyntax& syntax, Word* src,
                  Word* dst, double* weights, bool weighted);

// Integers from 0 on, between any blanks and line ends; `edges` of the result is their number.
Parsed parse_numbers(const char* text, std::uint64_t size, std::uint64_t* numbers);

}  // namespace skerry
