// Common to the parsers of text: the layout of the input and the description of errors.
//
// A text is a block of complete lines (the last may lack its line end), followed by kPadding line
// ends that are not part of it. So a scan for the end of a line always finds one, eight bytes can
// be loaded at any position, and no step has to check for the end of the text.
#pragma once

#include <cstdint>
#include <cstring>

namespace skerry {

inline constexpr std::uint64_t kPadding = 32;

enum class Fault : int {
  none,
  word,      // not a number
  fraction,  // a number, but not an integer
  overflow,  // an integer that 64 bits do not hold
  missing,   // the line ends before it
  outside,   // not within the range that the header allows
  weight,    // a weight that is not a number
  wide,      // does not fit the caller's arrays, but wider ones would do
  columns,   // fewer or more columns than there must be
  notation,  // an integer, but not as integers are written: 007, +7, -0
};

// Where a text was found wrong: bytes from its beginning.
struct ParseError {
  Fault fault = Fault::none;
  std::uint64_t line_begin = 0;
  std::uint64_t begin = 0;  // of the number, word or gap that is wrong
  std::uint64_t end = 0;
};

struct Parsed {
  std::uint64_t edges = 0;
  std::uint64_t lines = 0;  // complete lines; on an error, those before it
  std::uint64_t rows = 0;   // parse_rows only: lines that are rows
  bool negative = false;    // an id below 0 was stored, as two's complement
  bool huge = false;        // an id from 2^63 on was stored
  ParseError error;
};

// Ids that are allowed: [base, base + count); they are stored as 0..count - 1. Without bounds
// (count 0, bounded false) any id is allowed and stored as it is.
struct Bounded {
  std::uint64_t base = 0;
  std::uint64_t count = 0;
  bool bounded = false;
};

inline const char* end_of_line(const char* cursor, const char* end) {
  // The padding's first line end is at `end`, so there is one in this range.
  return static_cast<const char*>(
      std::memchr(cursor, '\n', static_cast<std::size_t>(end - cursor) + 1));
}

}  // namespace skerry
