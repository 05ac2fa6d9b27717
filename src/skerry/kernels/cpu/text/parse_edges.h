// Lines "u v ..." to arrays of ids, and of weights if requested.
//
// Blanks, tabs, commas and semicolons stand between columns, in any mixture; any number of blanks
// and tabs counts as one, but two commas have an empty column between them. Lines end with LF or CR
// LF. Empty lines, and lines that begin with a character of comments, are passed over. Strictly, as
// in CSV, only the delimiter stands between columns, and there are no other columns.
//
// Without bounds ids are names, which could be text as well: 007 is not the name 7, and is refused
// (Fault::notation). Within bounds they are numbers in any notation.
#pragma once

#include <algorithm>

#include "cpu/text/text.h"

namespace skerry {

struct LineSyntax {
  bool comment[256] = {};  // whether a line that begins so is a comment; "/" needs a second one
  char delimiter = '\0';   // one more character that stands between columns
  bool strict = false;     // nothing but delimiter stands between columns, and none is left over
  bool letters = false;    // DIMACS: a leading "a" or "e" is no column
  unsigned source = 0;     // number of the column of one end, from 0
  unsigned target = 1;     // of the other
  unsigned weight = 2;     // of the weight
  Bounded bounds;
};

// Room that the arrays must have. The shortest line with an edge has a digit for each end, or one
// for both where they are one column, a comma for each column before the last, and its line end.
inline std::uint64_t max_edges(std::uint64_t size, const LineSyntax& syntax) {
  const std::uint64_t columns = std::max(syntax.source, syntax.target);
  return size / (columns + (syntax.source == syntax.target ? 2 : 3)) + 1;
}

// Word is std::uint32_t or std::uint64_t; `weights` may be null.
template <class Word>
Parsed parse_edges(const char* text, std::uint64_t size, const LineSyntax& syntax, Word* src,
                   Word* dst, double* weights);

}  // namespace skerry
