// A keyed bijection of 0..n-1, computed place by place: no table, any thread can ask for any place.
//
// Luby & Rackoff (SIAM J. Comput. 1988): a Feistel network permutes the numbers of 2k bits;
// Black & Rogaway, "Ciphers with Arbitrary Finite Domains" (CT-RSA 2002): cycle walking (go on
// until the result is below n) restricts it to n values. Departures: the halves may differ by a
// bit, so the domain is less than 2n and fewer than two walks are expected; the round function is
// a plain hash, as nothing here needs a cipher.
//
// Freestanding, integers only: CPU and GPU agree bit for bit.
#pragma once

#include "random.h"

namespace skerry {

// Where i goes, for i < n.
SKERRY_INLINE Word permute(Word key, Word n, Word i) {
  unsigned bits = 1;
  while (bits < 64 && (n - 1) >> bits != 0) ++bits;
  const unsigned low_bits = bits / 2;
  const Word low_mask = (Word{1} << low_bits) - 1;
  const Word high_mask = ~Word{0} >> (64 - (bits - low_bits));
  do {
    Word low = i & low_mask;
    Word high = i >> low_bits;
    // Each line changes one half by a hash of the other, hence can be undone.
    for (Word round = 0; round < 2; ++round) {
      high ^= draw(key + 2 * round, low) & high_mask;
      low ^= draw(key + 2 * round + 1, high) & low_mask;
    }
    i = high << low_bits | low;
  } while (i >= n);
  return i;
}

}  // namespace skerry
