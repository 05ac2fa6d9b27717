// Random numbers that any thread of any device can draw in any order: a number is a hash of
// (seed, stream, index), so nothing is carried from one draw to the next.
//
// Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): the
// finalizer of SplitMix64, here applied to a counter; Lemire, "Fast Random Integer Generation in
// an Interval" (TOMACS 2019) for the reduction to 0..n-1, without its rejection step: the bias is
// below n / 2^64, and a draw always takes the same time.
//
// Freestanding: includes no library header. Integers only, so that CPU and GPU agree bit for bit.
#pragma once

#include "common/inline.h"

namespace skerry {

#ifdef __UINT64_TYPE__
using Word = __UINT64_TYPE__;
#else
using Word = unsigned long long;
#endif

SKERRY_INLINE Word mix(Word x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The key of one stream of draws. A family of graphs has a stream of its own, so that two families
// with the same seed share nothing.
SKERRY_INLINE Word stream_key(Word seed, Word stream) {
  return mix(mix(seed + 0x9e3779b97f4a7c15u) + stream * 0xd1342543de82ef95u);
}

SKERRY_INLINE Word draw(Word key, Word index) {
  return mix(key + (index + 1) * 0x9e3779b97f4a7c15u);
}

SKERRY_INLINE Word multiply_high(Word a, Word b) {
#if defined(__CUDACC__)
  return __umul64hi(a, b);
#elif defined(__SIZEOF_INT128__)
  return static_cast<Word>((static_cast<unsigned __int128>(a) * b) >> 64);
#else
  const Word low = 0xffffffffu;
  const Word middle = (a >> 32) * (b & low) + (((a & low) * (b & low)) >> 32);
  const Word carry = (a & low) * (b >> 32) + (middle & low);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (carry >> 32);
#endif
}

// 64 random bits to a number in 0..n-1; n = 0 gives 0.
SKERRY_INLINE Word below(Word bits, Word n) {
  return multiply_high(bits, n);
}

// Probabilities come as integers, probability * 2^32, so that 0 is never and 2^32 always.
SKERRY_INLINE bool happens(Word bits, Word probability) {
  return (bits >> 32) < probability;
}

}  // namespace skerry
