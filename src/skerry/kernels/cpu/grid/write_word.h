// Writes the labels of 64 pixels, from the labels of their runs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/grid/pixels.h"
#include "cpu/wide_vectors.h"

#if SKERRY_HAS_AVX2
#include <immintrin.h>
#endif

namespace skerry {

// Numbers in the array of labels of runs: that of the run the word begins within, those that begin
// in it, and as many as a vector reads too far.
inline constexpr unsigned kRunLabels = 1 + kWordBits + 8;

// Runs of a word up to which it is written run by run, not pixel by pixel.
inline constexpr unsigned kFewRuns = 4;

#if SKERRY_HAS_AVX2
// 8 pixels at a time: they lie in at most 8 runs, whose labels are one vector.
__attribute__((target("avx2"))) inline void write_by_vectors(Word bits, Word heads,
                                                             const std::uint32_t* of_run,
                                                             std::uint32_t* out) {
  constexpr Word kOnes = 0x0101010101010101, kBitOfByte = 0x8040201008040201;
  const __m256i flags = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (unsigned i = 0; i < kWordBits; i += 8, bits >>= 8, heads >>= 8, out += 8) {
    const Word begins = heads & 1;
    const Word spread = (((heads & 0xff) * kOnes & kBitOfByte) + 0x7f * kOnes) >> 7 & kOnes;
    const Word runs = spread * kOnes;  // byte by byte, the heads up to this pixel
    const auto indices = static_cast<long long>(runs - begins * kOnes);
    const __m256i labels = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(of_run + begins)),
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(indices)));
    const __m256i own = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits & 0xff)), flags);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                        _mm256_and_si256(labels, _mm256_cmpeq_epi32(own, flags)));
    of_run += runs >> 56;
  }
}
#endif

// Without a branch that depends on a pixel.
template <class Label>
void write_by_pixels(Word bits, Word heads, unsigned count, const Label* of_run, Label* out) {
  for (unsigned i = 0, run = 0; i < count; ++i, bits >>= 1, heads >>= 1) {
    run += heads & 1;
    out[i] = of_run[run] & (Label{0} - static_cast<Label>(bits & 1));
  }
}

template <class Label>
void write_by_runs(Word bits, Word heads, const Label* of_run, Label* out) {
  std::fill_n(out, kWordBits, Label{0});
  for (Word left = heads | (bits & 1); left != 0; left &= left - 1) {
    const auto begin = static_cast<unsigned>(std::countr_zero(left));
    const Word ends = (~bits | heads) & (~Word{1} << begin);
    of_run += heads >> begin & 1;
    std::fill(out + begin, out + std::countr_zero(ends), *of_run);
  }
}

// `bits`: the foreground; `heads`: where runs begin, `runs` of them; `of_run`: see kRunLabels.
template <class Label>
void write_word(Word bits, Word heads, unsigned count, unsigned runs, const Label* of_run,
                Label* out) {
  if (count < kWordBits) return write_by_pixels(bits, heads, count, of_run, out);
#if SKERRY_HAS_AVX2
  if constexpr (sizeof(Label) == 4)
    if (has_avx2) return write_by_vectors(bits, heads, of_run, out);
#endif
  if (runs > kFewRuns) return write_by_pixels(bits, heads, count, of_run, out);
  write_by_runs(bits, heads, of_run, out);
}

}  // namespace skerry
