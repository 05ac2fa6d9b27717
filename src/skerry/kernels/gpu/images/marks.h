// Images as bits: 32 pixels of a row are a word, and the rows of all images lie one after the
// other.
//
// The first mark of a pixel says whether it is part of an object. Where pixels are joined by their
// values, there are more: whether it is joined with the pixel before, and with each neighbor of the
// structure in the rows before. Otherwise these follow from the first marks.
#pragma once

#include "gpu/images/images.h"

namespace skerry {

// Bits of pixels that are to be united with the neighbor at the column before, the same, the next.
struct Touching {
  u32 before, same, after;
};

struct Marks {
  const Images& images;
  const u32* bits;
  u32 columns;

  SKERRY_INLINE Marks(const Images& of, const u32* words)
      : images(of), bits(words), columns(of.columns()) {}

  SKERRY_INLINE u64 words() const { return images.rows() * columns; }

  // All take the first word of a row, and a column of words, which may be none of the row.
  SKERRY_INLINE u32 objects(u64 row, u32 column) const {
    return column < columns ? bits[row + column] : 0;
  }
  SKERRY_INLINE u32 joined(u64 row, u32 column) const {
    if (column >= columns) return 0;
    if (images.by_value()) return bits[words() + row + column];
    if (!images.joins_in_row()) return 0;
    const u32 own = bits[row + column];
    return own & (own << 1 | objects(row, column - 1) >> (kLanes - 1));
  }
  SKERRY_INLINE u32 starts(u64 row, u32 column) const {
    return objects(row, column) & ~joined(row, column);
  }

  // Which pixels are to be united with neighbors in another row, one of four: above in the layer
  // before, the same there, below there, above. Two runs that touch at several pixels are united
  // at the first: there, one of the pixels is not joined with the one before it.
  SKERRY_INLINE Touching touching(u64 row, u64 other, u32 column, u32 which) const {
    Touching touching = neighbors(row, other, column, which);
    if (which % 2 == 0 && images.structure == kAllNeighbors) {
      // What touches a pixel between the two, which touches both, is united with both.
      const u64 layer = row - images.height * columns;
      Touching between = neighbors(row, layer, column, 1);
      if (which == 0) {
        const Touching above = neighbors(row, row - columns, column, 3);
        between.before |= above.before;
        between.same |= above.same;
        between.after |= above.after;
      }
      touching.before &= ~(between.before | between.same);
      touching.same &= ~(between.before | between.same | between.after);
      touching.after &= ~(between.same | between.after);
    }
    if ((images.structure >> (3 * which + 1) & 1) != 0) {
      const u32 here = joined(row, column);
      const u32 there = joined(other, column);
      touching.same &= ~(here & there);
      touching.before &= ~(here | there);
      touching.after &= ~((here | there) >> 1 |
                          (joined(row, column + 1) | joined(other, column + 1)) << (kLanes - 1));
    }
    return touching;
  }

 private:
  // Which pixels are joined with neighbors in another row.
  SKERRY_INLINE Touching neighbors(u64 row, u64 other, u32 column, u32 which) const {
    const u32 wanted = static_cast<u32>(images.structure >> 3 * which) & 7;
    Touching touching{0, 0, 0};
    if (wanted == 0) return touching;
    const u32 own = objects(row, column);
    const u32 there = images.by_value() ? 0 : objects(other, column);
    if ((wanted & 1) != 0)
      touching.before = images.by_value()
                            ? by_value(row + column, 3 * which)
                            : own & (there << 1 | objects(other, column - 1) >> (kLanes - 1));
    if ((wanted & 2) != 0)
      touching.same = images.by_value() ? by_value(row + column, 3 * which + 1) : own & there;
    if ((wanted & 4) != 0)
      touching.after = images.by_value()
                           ? by_value(row + column, 3 * which + 2)
                           : own & (there >> 1 | objects(other, column + 1) << (kLanes - 1));
    return touching;
  }
  SKERRY_INLINE u32 by_value(u64 word, u32 neighbor) const {
    const u32 earlier = static_cast<u32>(images.structure) & ((1u << neighbor) - 1);
    return bits[(2 + static_cast<u32>(__popc(earlier))) * words() + word];
  }
};

// The number of runs that begin in a word up to a bit.
SKERRY_INLINE u32 starts_to(u32 starts, u32 bit) {
  return static_cast<u32>(__popc(starts & ((2u << bit) - 1)));
}

// unite(bit, bit of the other row) for each pixel that is to be united: 32 is the first bit of the
// next word there, and 33 stands for the last one of the word before.
template <class Unite>
SKERRY_INLINE void for_each_touching(Touching left, Unite&& unite) {
  while ((left.before | left.same | left.after) != 0) {
    const u32 bits = left.same != 0 ? left.same : left.before != 0 ? left.before : left.after;
    const u32 bit = static_cast<u32>(__ffs(static_cast<int>(bits))) - 1;
    u32 there = bit;
    if (left.same != 0) {
      left.same &= bits - 1;
    } else if (left.before != 0) {
      left.before &= bits - 1;
      there = bit == 0 ? kLanes + 1 : bit - 1;
    } else {
      left.after &= bits - 1;
      there = bit + 1;
    }
    unite(bit, there);
  }
}

}  // namespace skerry
