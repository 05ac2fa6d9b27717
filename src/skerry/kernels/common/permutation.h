// A keyed bijection of 0..n-1, computed for each element on its own: no table, any thread can
// evaluate any element.
//
// Luby & Rackoff (SIAM J. Comput. 1988): a Feistel network permutes the numbers of 2k bits;
// Black & Rogaway, "Ciphers with Arbitrary Finite Domains" (CT-RSA 2002): cycle walking (go on
// until the result is below n) restricts it to n values. Departures: the halves may differ by a
// bit, so the domain is less than 2n and fewer than two walks are expected; the round function is
// a plain hash, as nothing here needs a cipher.
//
// Freestanding, integers only: CPU and GPU agree bit for bit.
#pragma once

#include "common/random.h"

namespace skerry {

// How many bits x has; 0 for 0.
SKERRY_INLINE unsigned bit_width(Word x) {
#if defined(__CUDACC__)
  return 64u - static_cast<unsigned>(__clzll(static_cast<long long>(x)));
#elif defined(__GNUC__)
  return x == 0 ? 0u : 64u - static_cast<unsigned>(__builtin_clzll(x));
#else
  unsigned bits = 0;
  while (bits < 64 && x >> bits != 0) ++bits;
  return bits;
#endif
}

// The permutation of the smallest power of two that holds n values, of which those below n are
// walked on to. Construct it once if many elements are evaluated.
struct Permutation {
  Word key;
  unsigned low_bits;
  Word low_mask;
  Word high_mask;

  SKERRY_INLINE Permutation(Word seeded, Word n) : key(seeded) {
    const unsigned bits = n == 1 ? 1 : bit_width(n - 1);
    low_bits = bits / 2;
    low_mask = (Word{1} << low_bits) - 1;
    high_mask = ~Word{0} >> (64 - (bits - low_bits));
  }

  // One step of the walk.
  SKERRY_INLINE Word step(Word i) const {
    Word low = i & low_mask;
    Word high = i >> low_bits;
    // Each line changes one half by a hash of the other, hence can be undone.
    for (Word round = 0; round < 2; ++round) {
      high ^= draw(key + 2 * round, low) & high_mask;
      low ^= draw(key + 2 * round + 1, high) & low_mask;
    }
    return high << low_bits | low;
  }
};

// Where i goes, for i < n.
SKERRY_INLINE Word permute(Word key, Word n, Word i) {
  const Permutation permutation(key, n);
  do {
    i = permutation.step(i);
  } while (i >= n);
  return i;
}

}  // namespace skerry
