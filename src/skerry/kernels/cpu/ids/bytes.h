// Reading short strings of bytes a word at a time: their hash, whether two are the same, and eight
// of them as a number that orders as they do. Nothing is read outside of a string.
//
// The hash multiplies 64 by 64 bits and folds the 128 of the product, as in Wang Yi's wyhash; both
// factors depend on a seed that is drawn for each table, so that colliding strings cannot be
// prepared in advance.
#pragma once

#include <cstdint>
#include <cstring>

#include "common/random.h"

namespace skerry {

struct Text {
  const std::uint8_t* data;
  std::uint64_t size;
};

inline Word load_word(const std::uint8_t* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

inline Word load_half(const std::uint8_t* from) {
  std::uint32_t half;
  std::memcpy(&half, from, sizeof half);
  return half;
}

inline Word fold(Word a, Word b) {
  return (a * b) ^ multiply_high(a, b);
}

inline Word hash_text(const Text& text, Word seed, Word secret) {
  const std::uint8_t* at = text.data;
  std::uint64_t rest = text.size;
  Word state = seed ^ (text.size * 0x9e3779b97f4a7c15u);
  for (; rest > 16; at += 16, rest -= 16)
    state = fold(load_word(at) ^ secret, load_word(at + 8) ^ state);
  Word a = 0, b = 0;
  if (rest >= 8) {
    a = load_word(at);
    b = load_word(at + rest - 8);
  } else if (rest >= 4) {
    a = load_half(at);
    b = load_half(at + rest - 4);
  } else if (rest > 0) {
    a = (Word{at[0]} << 16) | (Word{at[rest / 2]} << 8) | at[rest - 1];
  }
  return mix(fold(a ^ secret, b ^ state));
}

inline bool same_bytes(const std::uint8_t* a, const std::uint8_t* b, std::uint64_t size) {
  if (size < 4) {
    for (std::uint64_t i = 0; i < size; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
  if (size < 8)
    return load_half(a) == load_half(b) && load_half(a + size - 4) == load_half(b + size - 4);
  for (std::uint64_t i = 0; i + 8 < size; i += 8)
    if (load_word(a + i) != load_word(b + i)) return false;
  return load_word(a + size - 8) == load_word(b + size - 8);
}

// The eight bytes from `depth` on, the first uppermost; zeros where the text has ended.
inline Word prefix_at(const Text& text, std::uint64_t depth) {
  const std::uint64_t rest = text.size > depth ? text.size - depth : 0;
  Word prefix = 0;
  if (rest >= 8) {
    for (unsigned i = 0; i < 8; ++i) prefix = (prefix << 8) | text.data[depth + i];
    return prefix;
  }
  for (std::uint64_t i = 0; i < rest; ++i) prefix |= Word{text.data[depth + i]} << (56 - 8 * i);
  return prefix;
}

// Whether `a` comes before `b`, of which the first `depth` bytes are known to be the same.
inline bool text_before(const Text& a, const Text& b, std::uint64_t depth) {
  const std::uint64_t common = (a.size < b.size ? a.size : b.size) - depth;
  const int difference =
      common == 0 ? 0
                  : std::memcmp(a.data + depth, b.data + depth, static_cast<std::size_t>(common));
  return difference != 0 ? difference < 0 : a.size < b.size;
}

}  // namespace skerry
