// The Kronecker graphs of the Graph500 benchmark, edge by edge those of its reference code 2.1.4.
//
// What defines them was read there (github.com/graph500/graph500, tag graph500-2.1.4, folder
// generator: Willcock & Lumsdaine, Indiana University); the code here is our own.
//
// Random numbers are the recurrence s[k] = 107374182 s[k-1] + 104480 s[k-5] modulo 2^31 - 1
// (L'Ecuyer, Blouin & Couture, "A search for good multiple recursive random number generators",
// TOMACS 1993). Edge e begins at position e * 2^64 of the sequence and takes a number for each
// level, and one more for each that is rejected.
//
// To jump n positions, no power of a matrix is needed. With t^n = c[0] + c[1] t + ... + c[4] t^4
// modulo the characteristic polynomial t^5 - 107374182 t^4 - 104480, s[k+n] = c[0] s[k] + ... +
// c[4] s[k+4] for every k (Haramoto et al., INFORMS J. Computing 2008, do so in characteristic 2).
// So a jump is five numbers, and two jumps multiply as polynomials. The plan of a graph holds the
// jumps of 1, 2, 4, ... edges: any thread finds the position of any edge, and from there takes one
// jump an edge.
//
// Freestanding, integers only.
#pragma once

#include "common/generators.h"

namespace skerry {

// Below 2^31, and 32 bits wide: GPUs multiply 64-bit numbers in several steps.
using Residue = unsigned;

constexpr Word kMrgModulus = 0x7fffffff;
constexpr Word kMrgFirst = 107374182;
constexpr Word kMrgFifth = 104480;
constexpr int kMrgTerms = 5;
constexpr int kEdgeBits = 62;  // of numbers of edges

// A number below 2^62 to one below 2^31 + 2^31, of the same residue.
SKERRY_INLINE Word mrg_fold(Word x) {
  return (x & kMrgModulus) + (x >> 31);
}

// A number below 2 (2^31 - 1) to its residue.
SKERRY_INLINE Residue mrg_reduce(Word x) {
  return static_cast<Residue>(x >= kMrgModulus ? x - kMrgModulus : x);
}

// A jump in the sequence, as a polynomial.
struct MrgJump {
  Residue factors[kMrgTerms];
};

// Five numbers of the sequence, the oldest first.
struct MrgWindow {
  Residue values[kMrgTerms];

  // The number after the newest one, which becomes the newest.
  SKERRY_INLINE Residue next() {
    const Word sum = kMrgFirst * values[4] + kMrgFifth * values[0];
    for (int i = 0; i + 1 < kMrgTerms; ++i) values[i] = values[i + 1];
    return values[4] = mrg_reduce(mrg_fold(sum));
  }

  // The window as far ahead as the jump says.
  SKERRY_INLINE MrgWindow ahead(const MrgJump& jump) const {
    Residue row[2 * kMrgTerms - 1];
    MrgWindow walk = *this;
    for (int i = 0; i < kMrgTerms; ++i) row[i] = values[i];
    for (int i = kMrgTerms; i < 2 * kMrgTerms - 1; ++i) row[i] = walk.next();
    MrgWindow result;
    for (int i = 0; i < kMrgTerms; ++i) {
      Word sum = 0;  // five numbers below 2^32
      for (int k = 0; k < kMrgTerms; ++k) sum += mrg_fold(Word{jump.factors[k]} * row[i + k]);
      result.values[i] = mrg_reduce(mrg_fold(sum));
    }
    return result;
  }
};

// All that depends on the seeds, without padding: it is copied to a device as 64-bit words.
struct Graph500Plan {
  MrgWindow first;           // where edge 0 begins
  MrgJump stride;            // as many edges as a thread goes ahead
  Word scramble[2];          // keys of the vertex ids
  MrgJump edges[kEdgeBits];  // by 1, 2, 4, ... edges
};

SKERRY_INLINE Word reverse_bits(Word x) {
  Word mask = ~Word{0};
  for (int width = 32; width > 0; width /= 2) {
    mask ^= mask << width;
    x = ((x >> width) & mask) | ((x & mask) << width);
  }
  return x;
}

struct Graph500 {
  Word levels;  // at least 1
  const Graph500Plan* plan;

  SKERRY_INLINE MrgWindow window(Word edge) const {
    MrgWindow result = plan->first;
    for (int bit = 0; edge >> bit != 0; ++bit)
      if ((edge >> bit & 1) != 0) result = result.ahead(plan->edges[bit]);
    return result;
  }

  // The edge whose numbers follow this window. Of 10,000 draws 5,700 choose the upper left quarter
  // of the matrix, 1,900 the upper right, 1,900 the lower left and 500 the lower right. While both
  // ends are equal, the lower left is taken for the upper right, so the first end is not larger
  // before ids are scrambled.
  SKERRY_INLINE DrawnEdge edge(MrgWindow window) const {
    DrawnEdge ends{0, 0};
    for (Word level = 0; level < levels; ++level) {
      const Residue part = draw_below_10000(window);
      const Word right = (part < 1900) | (part >= 9500);
      const Word lower = ((part >= 1900) & (part < 3800)) | (part >= 9500);
      const Word flip = (ends.u == ends.v) & (lower > right);
      ends.u = 2 * ends.u + (flip != 0 ? right : lower);
      ends.v = 2 * ends.v + (flip != 0 ? lower : right);
    }
    return {scrambled(ends.u), scrambled(ends.v)};
  }

 private:
  // Numbers below 7295, the rest of 2^32 - 1 by 10,000, are rejected.
  SKERRY_INLINE static Residue draw_below_10000(MrgWindow& window) {
    Residue value = window.next();
    while (value < 7295) value = window.next();
    return value % 10000;
  }

  // Twice a product with an odd key whose highest bits become, in reverse, the lowest.
  SKERRY_INLINE Word scrambled(Word id) const {
    const Word shift = 64 - levels;
    id += plan->scramble[0] + plan->scramble[1];
    id = reverse_bits(id * (plan->scramble[0] | 0x4519840211493211u)) >> shift;
    return reverse_bits(id * (plan->scramble[1] | 0x3050852102c843a5u)) >> shift;
  }
};

}  // namespace skerry
