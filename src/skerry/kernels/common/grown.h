// Two families whose vertices come one after the other and link to earlier ones, so early links
// influence all later ones. Every edge is still a function of its number: what a draw refers to is
// not stored but drawn again, following references until one is a vertex. This is the method of
// Sanders & Schulz, "Scalable generation of scale-free graphs" (Inf. Process. Lett. 2016, arXiv
// 1602.07106). References lead to earlier edges only and end with a fixed probability each, so a
// handful of draws suffices.
//
// PreferentialAttachment  Barabasi & Albert (Science 1999), by the array of edge ends of Batagelj &
//                         Brandes (Phys. Rev. E 2005): a random end is a vertex drawn by its degree
// Web                     the linear copying model of Kumar et al., "Stochastic models for the Web
//                         graph" (FOCS 2000): a page copies the links of an earlier one
//
// Vertex 0 has no links of its own; of every other vertex v, the links are the edges number (v - 1)
// * links on, each to an earlier vertex. So the graph is connected and has no loops; an edge may
// come several times.
//
// Freestanding, integers only: CPU and GPU agree bit for bit.
#pragma once

#include "common/generators.h"

namespace skerry {

// Elements 2 * i and 2 * i + 1 of a virtual array are the ends of edge i: its source and its
// target. The target is the value at a random position before the edges of the source.
struct PreferentialAttachment {
  Word count;
  Word links;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count == 0 ? 0 : (count - 1) * links; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word key = stream_key(seed, kAttachmentStream);
    Word position = 2 * i + 1;
    while (position % 2 == 1) {
      const Word from = position / 2 / links;  // one less than the source
      if (from == 0) return {i / links + 1, 0};
      position = below(draw(key, position / 2), 2 * links * from);
    }
    return {i / links + 1, position / 2 / links + 1};
  }
};

// Link number j of a vertex is, with probability `copied`, link number j of its model, an earlier
// vertex that it has for all its links; else it leads to any earlier vertex.
struct Web {
  Word count;
  Word links;
  Word copied;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count == 0 ? 0 : (count - 1) * links; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word key = stream_key(seed, kWebStream);
    const Word models = stream_key(seed, kModelStream);
    const Word link = i % links;
    Word v = i / links + 1;
    while (happens(draw(key, 2 * ((v - 1) * links + link)), copied)) {
      const Word model = below(draw(models, v), v);
      if (model == 0) break;  // it has no links to copy
      v = model;
    }
    return {i / links + 1, below(draw(key, 2 * ((v - 1) * links + link) + 1), v)};
  }
};

}  // namespace skerry
