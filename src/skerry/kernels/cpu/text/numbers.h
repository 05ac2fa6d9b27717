// Numbers in text. The fast readers take eight digits at a time: a word is loaded, its first byte
// that is not a digit is found by arithmetic, and three multiplications add up the digits before
// it; no branch depends on how many there are. What they do not understand they leave to
// read_integer, which reads a token byte by byte and reports what is wrong with it.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>

#ifdef __APPLE__
#include <xlocale.h>
#endif
#include <version>

#include "cpu/text/text.h"

namespace skerry {

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

// Eight bytes, the first one lowest.
inline std::uint64_t load_eight(const char* cursor) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, cursor, 8);
  } else {
    for (int i = 7; i >= 0; --i) word = word << 8 | static_cast<unsigned char>(cursor[i]);
  }
  return word;
}

// Reads up to eight digits; moves `cursor` behind them and returns how many there were.
inline unsigned read_eight(const char*& cursor, std::uint64_t& value) {
  std::uint64_t word = load_eight(cursor) ^ 0x3030303030303030u;
  // A byte above 9 gets a bit in its upper half. A carry out of it reaches later bytes only.
  const std::uint64_t others = (word | (word + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u;
  const auto digits = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (digits == 0) return 0;
  word <<= 64 - 8 * digits;  // zeros come before the digits
  word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffu;
  word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffu;
  value = (word * 10000 + (word >> 32)) & 0xffffffffu;
  cursor += digits;
  return digits;
}

inline constexpr std::uint64_t kPowers[] = {1,      10,      100,      1000,     10000,
                                            100000, 1000000, 10000000, 100000000};

// Reads an integer of 1 to 19 digits without a sign; false if there is something else. All such
// numbers fit into 64 bits.
inline bool read_digits(const char*& cursor, std::uint64_t& value) {
  const unsigned first = read_eight(cursor, value);
  if (first < 8) return first != 0;
  std::uint64_t rest = 0;
  const unsigned second = read_eight(cursor, rest);
  value = value * kPowers[second] + rest;
  if (second < 8) return true;
  rest = 0;
  const unsigned third = read_eight(cursor, rest);
  value = value * kPowers[third] + rest;
  return third <= 3;
}

// Numbers do not depend on the locale, where a comma may stand for the point. LLVM's library has
// std::from_chars of floating point before it says so; macOS' own copy comes with the system.
#if defined(__APPLE__)
inline double number_of(const char* cursor, char** end) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(cursor, end, plain);
}
#else
inline double number_of(const char* cursor, char** end) {
  return std::strtod(cursor, end);
}
#if defined(__cpp_lib_to_chars) || (defined(_LIBCPP_VERSION) && _LIBCPP_VERSION >= 200000)
#define SKERRY_FROM_CHARS
#endif
#endif

// Reads a number in any notation; returns the end of it, or `cursor` if there is none.
inline const char* read_any_number(const char* cursor, double& value) {
  // strtod would pass over blanks and line ends first, out of the line and out of the text.
  if (*cursor == ' ' || (*cursor >= '\t' && *cursor <= '\r')) return cursor;
#ifdef SKERRY_FROM_CHARS
  const char* begin = cursor + (*cursor == '+' && cursor[1] != '-');
  const char* end = begin;
  while (*end != '\n') ++end;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::invalid_argument) return cursor;
  if (error == std::errc{}) return stop;
#endif
  char* last = nullptr;
  value = number_of(cursor, &last);  // too large or too small: infinity or 0
  return last;
}

struct Integer {
  Fault fault = Fault::none;
  bool negative = false;
  bool plain = false;       // as integers are written: no zeros or plus before it, no -0
  std::uint64_t value = 0;  // two's complement if negative
};

// Whether the digits [begin, end), of which there is one at least, are how an integer is written.
inline bool are_plain_digits(const char* begin, const char* end) {
  return *begin != '0' || end - begin == 1;
}

// Reads the token [begin, end), whatever it is.
inline Integer read_integer(const char* begin, const char* end) {
  const char* cursor = begin;
  Integer read;
  const bool minus = cursor < end && *cursor == '-';
  if (cursor < end && (*cursor == '-' || *cursor == '+')) ++cursor;
  const char* digits = cursor;
  bool overflow = false;
  for (; cursor < end && is_digit(*cursor); ++cursor) {
    const auto digit = static_cast<std::uint64_t>(*cursor - '0');
    overflow |= read.value > (UINT64_MAX - digit) / 10;
    read.value = read.value * 10 + digit;
  }
  if (cursor == end && cursor > digits) {
    overflow |= minus && read.value > std::uint64_t{1} << 63;
    if (overflow) read.fault = Fault::overflow;
    read.negative = minus && read.value > 0;
    read.plain = are_plain_digits(digits, end) && *begin != '+' && minus == read.negative;
    if (minus) read.value = 0 - read.value;
    return read;
  }
  double ignored = 0;
  const bool number = read_any_number(begin, ignored) == end && cursor > digits;
  read.fault = number ? Fault::fraction : Fault::word;
  return read;
}

// Reads a decimal number; moves `cursor` behind it. False if there is none, or if it is NaN.
inline bool read_weight(const char*& cursor, double& value) {
  // Both a mantissa below 2^53 and a power of ten up to 10^22 are exact doubles, so one division
  // rounds as it should (Clinger 1990). Here: up to 15 digits.
  static constexpr double kTens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* at = cursor;
  const bool minus = *at == '-';
  at += minus || *at == '+';
  std::uint64_t mantissa = 0;
  unsigned digits = 0, behind = 0;
  for (; is_digit(*at); ++at, ++digits)
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at - '0');
  if (*at == '.')
    for (++at; is_digit(*at); ++at, ++digits, ++behind)
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at - '0');
  if (digits > 0 && digits <= 15 && *at != 'e' && *at != 'E' && *at != 'x' && *at != 'X') {
    value = static_cast<double>(mantissa) / kTens[behind];
    if (minus) value = -value;
    cursor = at;
    return true;
  }
  const char* stop = read_any_number(cursor, value);
  if (stop == cursor || std::isnan(value)) return false;
  cursor = stop;
  return true;
}

// Whether an id is allowed; it is then counted from 0.
inline bool rebase_id(const Bounded& bounds, std::uint64_t& id) {
  if (!bounds.bounded) return true;
  id -= bounds.base;  // what is below the base becomes very large
  return id < bounds.count;
}

}  // namespace skerry
