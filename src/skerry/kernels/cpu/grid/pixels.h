// The pixels of an image as bits: which are foreground, which are joined with the one before them
// in their row, and which equal a neighbor in another row. A kernel works on 64 pixels at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "cpu/wide_vectors.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace skerry {

using Word = std::uint64_t;
inline constexpr unsigned kWordBits = 64;

// One byte a flag, 0 or 1, to one bit a flag.
inline Word pack_flags(const std::uint8_t* flags) {
  Word word = 0;
#ifdef __SSE2__  // on every x86-64
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags) + part);
    const int bits = _mm_movemask_epi8(_mm_sub_epi8(_mm_setzero_si128(), bytes));
    word |= static_cast<Word>(static_cast<unsigned>(bits)) << (16 * part);
  }
#else
  for (unsigned part = 0; part < 8; ++part) {
    Word bytes = 0;
    for (unsigned i = 0; i < 8; ++i) bytes |= static_cast<Word>(flags[8 * part + i]) << (8 * i);
    word |= (bytes * 0x0102040810204080ULL >> 56) << (8 * part);
  }
#endif
  return word;
}

// The bits of test(i) for every i in [0, count), 64 to a word. What is after the end is 0.
template <class Test>
void pack_row(std::uint64_t count, Word* bits, Test&& test) {
  std::uint8_t flags[kWordBits];
  std::uint64_t begin = 0;
  for (; begin + kWordBits <= count; begin += kWordBits) {
    for (unsigned i = 0; i < kWordBits; ++i) flags[i] = test(begin + i);
    *bits++ = pack_flags(flags);
  }
  if (begin == count) return;
  std::fill(flags, flags + kWordBits, std::uint8_t{0});
  for (std::uint64_t i = begin; i < count; ++i) flags[i - begin] = test(i);
  *bits = pack_flags(flags);
}

// When two neighbors of the foreground are joined: always; if they are equal; if they differ by no
// more than a given number.
enum class Values { binary, equal, within };

// The pixels of one image in raster order. Its functions are called once for a row.
class Pixels {
 public:
  explicit Pixels(Values values) : kind(values) {}
  virtual ~Pixels() = default;

  const Values kind;

  // Writes the foreground of the row that begins at this pixel, and `same`, which has the bit of
  // each pixel that may be joined with the one before it (of Values::binary nothing is written).
  // Returns false if the row has a NaN.
  virtual bool read_row(std::uint64_t begin, std::uint64_t width, Word* foreground,
                        Word* same) const = 0;

  // The bits of i in [begin, end) for which pixel + i and other + i may be joined; end <= 64.
  virtual Word compare(std::uint64_t pixel, std::uint64_t other, unsigned begin,
                       unsigned end) const = 0;

  // Whether two foreground pixels may be joined.
  virtual bool same(std::uint64_t pixel, std::uint64_t other) const = 0;
};

template <class Pixel, Values values>
class PixelsOf final : public Pixels {
 public:
  // A null background: all pixels are foreground. `delta`: the largest difference (Values::within).
  PixelsOf(const Pixel* pixels, const Pixel* background, Pixel delta)
      : Pixels(values), pixels_(pixels), background_(background), delta_(delta) {}

  bool read_row(std::uint64_t begin, std::uint64_t width, Word* foreground,
                Word* same) const override {
    const Pixel* const row = pixels_ + begin;
    bool is_number = true;
    if constexpr (std::is_floating_point_v<Pixel>) {
      unsigned nans = 0;
      for (std::uint64_t i = 0; i < width; ++i) nans |= row[i] != row[i];
      is_number = nans == 0;
    }
    if (background_ == nullptr) {
      pack_row(width, foreground, [](std::uint64_t) { return std::uint8_t{1}; });
    } else {
      const Pixel background = *background_;
      pack_row(width, foreground,
               [=](std::uint64_t i) -> std::uint8_t { return row[i] != background; });
    }
    if constexpr (values != Values::binary) {
      const Pixel delta = delta_;
      same[0] = 0;
      pack_row(width - 1, same, [=](std::uint64_t i) { return near(row[i], row[i + 1], delta); });
      Word last = 0;  // moved to the second pixel of each pair
      for (std::uint64_t word = 0; word * kWordBits < width; ++word) {
        const Word pairs = word * kWordBits < width - 1 ? same[word] : 0;
        same[word] = pairs << 1 | last;
        last = pairs >> (kWordBits - 1);
      }
    }
    return is_number;
  }

  Word compare(std::uint64_t pixel, std::uint64_t other, unsigned begin,
               unsigned end) const override {
    const Pixel* const a = pixels_ + pixel;
    const Pixel* const b = pixels_ + other;
    const Pixel delta = delta_;
    if (begin == 0 && end == kWordBits) {
      return with_widest_vectors([=]() SKERRY_LOOP {
        std::uint8_t flags[kWordBits];  // of the lambda itself: they alias nothing
        for (unsigned i = 0; i < kWordBits; ++i) flags[i] = near(a[i], b[i], delta);
        return pack_flags(flags);
      });
    }
    std::uint8_t flags[kWordBits] = {};
    for (unsigned i = begin; i < end; ++i) flags[i] = near(a[i], b[i], delta);
    return pack_flags(flags);
  }

  bool same(std::uint64_t pixel, std::uint64_t other) const override {
    return near(pixels_[pixel], pixels_[other], delta_) != 0;
  }

 private:
  static std::uint8_t near(Pixel a, Pixel b, [[maybe_unused]] Pixel delta) {
    if constexpr (values == Values::binary) {
      return 1;
    } else if constexpr (values == Values::equal) {
      return a == b;
    } else if constexpr (std::is_floating_point_v<Pixel>) {
      return std::abs(a - b) <= delta;
    } else {  // the difference of two signed numbers may need their unsigned type
      using Difference = std::make_unsigned_t<Pixel>;
      const auto low = static_cast<Difference>(a < b ? a : b);
      const auto high = static_cast<Difference>(a < b ? b : a);
      return static_cast<Difference>(high - low) <= static_cast<Difference>(delta);
    }
  }

  const Pixel* pixels_;
  const Pixel* background_;
  Pixel delta_;
};

}  // namespace skerry
