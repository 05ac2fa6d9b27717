// Road: crossings of a square grid whose streets bend, so that there are vertices of degree 2 on
// every edge. Needs a table beside its parameters. Freestanding, integers only.
#pragma once

#include "common/generators.h"

namespace skerry {

// width * width crossings. A crossing owns the streets to its right and below it, where they are
// kept, and the `bends` vertices on each; ids follow the row sweep, each crossing before what it
// owns. kept_before[x] streets belong to crossings before x; one more element holds their sum.
//
// A joined road has, besides the streets that are kept, one from every crossing to the left or up:
// a maze, hence one component. Then one crossing in 256 x 256, if `largest` is not 0, is a square:
// it owns streets to crossings two steps away, as many as give it that degree.
//
// Of every 2 x 2 crossings, the last exchanges its id with the first with probability `late`: then
// it comes before all its neighbors, a local minimum, and the map stays as it is.
struct Road {
  Word width;
  Word bends;
  Word keep;
  Word seed;
  Word joined = 0;
  Word largest = 0;
  Word late = 0;

  SKERRY_INLINE Word crossings() const { return width * width; }
  SKERRY_INLINE Word vertices(Word kept) const { return crossings() + kept * bends; }
  SKERRY_INLINE Word edges(Word kept) const { return kept * (bends + 1); }
  SKERRY_INLINE Word id(Word x, const Word* kept_before) const {
    const Word position = exchanged(x);
    return position + kept_before[position] * bends;
  }

  // How many streets crossing x owns.
  SKERRY_INLINE Word streets(Word x) const {
    return Word{keeps_right(x)} + Word{keeps_below(x)} + square_streets(x);
  }

  // The edges of crossing x, which are those from number kept_before[x] * (bends + 1) on.
  template <class Sink>
  SKERRY_INLINE void for_each_edge(Word x, const Word* kept_before, Sink&& sink) const {
    const Word here = id(x, kept_before);
    Word last = x + kept_before[x] * bends;
    if (keeps_right(x)) last = street(here, last, id(x + 1, kept_before), sink);
    if (keeps_below(x)) last = street(here, last, id(x + width, kept_before), sink);
    const Word more = square_streets(x);
    for (Word k = 0; k < more; ++k)
      last = street(here, last, id(two_steps_from(x, k), kept_before), sink);
  }

 private:
  SKERRY_INLINE bool keeps_right(Word x) const {
    if ((x + 1) % width == 0) return false;
    return happens(draw(stream_key(seed, kRoadStream), 2 * x), keep) ||
           (joined != 0 && leads_left(x + 1));
  }
  SKERRY_INLINE bool keeps_below(Word x) const {
    if (x + width >= crossings()) return false;
    return happens(draw(stream_key(seed, kRoadStream), 2 * x + 1), keep) ||
           (joined != 0 && !leads_left(x + width));
  }

  // The crossing whose place among the ids x has.
  SKERRY_INLINE Word exchanged(Word x) const {
    if (late == 0) return x;
    const Word row = x / width;
    const Word column = x % width;
    if (row % 2 != column % 2) return x;
    if (row % 2 == 1) return comes_early(x) ? x - width - 1 : x;
    if (row + 1 >= width || column + 1 >= width) return x;
    return comes_early(x + width + 1) ? x + width + 1 : x;
  }
  SKERRY_INLINE bool comes_early(Word x) const {
    return happens(draw(stream_key(seed, kLateRoadStream), x), late);
  }

  // Where the maze leads from crossing x, other than the first: up at the left side, left in the
  // first row.
  SKERRY_INLINE bool leads_left(Word x) const {
    if (x % width == 0) return false;
    return x < width || draw(stream_key(seed, kTrunkRoadStream), x) % 2 == 0;
  }

  // What a square lacks of its degree beyond the streets of the grid; 0 for other crossings. The
  // place of a square in its 256 x 256 is such that all it leads to is on the map.
  SKERRY_INLINE Word square_streets(Word x) const {
    const Word row = x / width;
    const Word column = x % width;
    if (largest == 0 || row % 256 != 2 || column % 256 != 2) return 0;
    if (row + 2 >= width || column + 2 >= width) return 0;
    const Word grid = Word{keeps_right(x)} + Word{keeps_below(x)} + Word{keeps_right(x - 1)} +
                      Word{keeps_below(x - width)};
    const Word lacks = largest > grid ? largest - grid : 0;
    return lacks < 16 ? lacks : 16;
  }

  // The 16 crossings on the border of the 5 x 5 around x: the sides of that square, 4 each.
  SKERRY_INLINE Word two_steps_from(Word x, Word k) const {
    const Word corner = x - 2 * width - 2;
    const Word along = k / 4;
    if (k % 4 == 0) return corner + along;
    if (k % 4 == 1) return corner + 4 + along * width;
    if (k % 4 == 2) return corner + 4 * width + 4 - along;
    return corner + 4 * width - along * width;
  }

  // Goes from one crossing to the other over the bends that follow `last`; returns the last bend.
  template <class Sink>
  SKERRY_INLINE Word street(Word from, Word last, Word to, Sink&& sink) const {
    for (Word bend = 0; bend < bends; ++bend) {
      sink(from, ++last);
      from = last;
    }
    sink(from, to);
    return last;
  }
};

}  // namespace skerry
