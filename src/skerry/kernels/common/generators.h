// Families of graphs for tests and benchmarks: each is a pure function from (parameters, number of
// the edge) to its two ends, so that any thread of any device can make any edge. Every edge comes
// once and in one direction; families that draw with replacement may repeat an edge or draw a loop.
//
// Grid, Torus, Path, Star, Complete   as their names say
// Uniform      Erdos & Renyi's G(n, m), drawn with replacement
// RandomPicks  every vertex picks k others
// Ring         a cycle, and pairs drawn from all ("r4-2e23" of the Galois inputs has the numbers of
//              a cycle with three pairs for each vertex)
// Rmat         Chakrabarti, Zhan & Faloutsos (SDM 2004), with the probabilities left as they are at
//              every level (GTgraph adds noise, the Graph500 shuffles ids: see permutation.h)
// RmatOf       the same with any number of vertices: the ids of the next power of two, scaled down
// Mawi         internet traffic as in the MAWI project's traces: a few vertices see most others
// Tiny         many random recursive trees of 1, 2, ... max_size, 1, 2, ... vertices
// Planted      random recursive trees of given sizes, and chords inside them; needs a table of them
// See road.h for streets, grown.h for those that grow vertex by vertex, profile.h for the graph
// that has stated degrees and components, and cpu/graph/geometric.h for points in a square.
//
// Freestanding, integers only. A probability p is the integer p * 2^32.
#pragma once

#include "common/permutation.h"
#include "common/random.h"

namespace skerry {

struct DrawnEdge {
  Word u;
  Word v;
};

enum Stream : Word {
  kUniformStream = 1,
  kPicksStream,
  kRmatStream,
  kMawiStream,
  kHubStream,
  kTinyStream,
  kPlantedStream,
  kRoadStream,
  kShuffleStream,
  kAttachmentStream,
  kWebStream,
  kModelStream,
  kGeometricStream,
  kRingStream,
  kProfileStream,
  kProfileLeafStream,
  kProfileRankStream,
  kProfileFarStream,
  kTrunkRoadStream,
  kProfileLateStream,
  kLateRoadStream,
  kProfileSkewStream,
};

// Edges in the order of a row sweep: a row's horizontal ones, then those to the row below.
struct Grid {
  Word rows;
  Word columns;

  SKERRY_INLINE Word vertices() const { return rows * columns; }
  SKERRY_INLINE Word edges() const {
    return rows == 0 || columns == 0 ? 0 : rows * (2 * columns - 1) - columns;
  }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word first = i / (2 * columns - 1) * columns;
    const Word k = i % (2 * columns - 1);
    if (k < columns - 1) return {first + k, first + k + 1};
    const Word v = first + k - (columns - 1);
    return {v, v + columns};
  }
};

// A side of 1 makes loops and one of 2 makes repeats.
struct Torus {
  Word rows;
  Word columns;

  SKERRY_INLINE Word vertices() const { return rows * columns; }
  SKERRY_INLINE Word edges() const { return 2 * rows * columns; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word v = i / 2;
    if (i % 2 == 1) return {v, v + columns < vertices() ? v + columns : v + columns - vertices()};
    return {v, (v + 1) % columns != 0 ? v + 1 : v + 1 - columns};
  }
};

struct Path {
  Word count;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count == 0 ? 0 : count - 1; }
  SKERRY_INLINE DrawnEdge edge(Word i) const { return {i, i + 1}; }
};

struct Star {
  Word count;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count == 0 ? 0 : count - 1; }
  SKERRY_INLINE DrawnEdge edge(Word i) const { return {0, i + 1}; }
};

// By the distance of the ends around a circle: all at distance 1, then all at distance 2, ...; at
// distance n / 2 the numbering stops halfway, where the pairs would begin to repeat.
struct Complete {
  Word count;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const {
    return count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
  }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word u = i % count;
    return {u, (u + 1 + i / count) % count};
  }
};

struct Uniform {
  Word count;
  Word pairs;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return pairs; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word key = stream_key(seed, kUniformStream);
    return {below(draw(key, 2 * i), count), below(draw(key, 2 * i + 1), count)};
  }
};

struct RandomPicks {
  Word count;
  Word picks;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count * picks; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    return {i / picks, below(draw(stream_key(seed, kPicksStream), i), count)};
  }
};

// Edges 0 .. count - 1 are the cycle; of one vertex it is a loop, of two a repeat.
struct Ring {
  Word count;
  Word chords;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count + (count == 0 ? 0 : chords); }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    if (i < count) return {i, i + 1 < count ? i + 1 : 0};
    const Word key = stream_key(seed, kRingStream);
    return {below(draw(key, 2 * i), count), below(draw(key, 2 * i + 1), count)};
  }
};

// The quadrant of each level is chosen by 32 bits, the two levels of a draw one after the other;
// the limits are the sums a, a + b and a + b + c.
struct Rmat {
  Word levels;
  Word pairs;
  Word limit_a;
  Word limit_b;
  Word limit_c;
  Word seed;

  SKERRY_INLINE Word vertices() const { return Word{1} << levels; }
  SKERRY_INLINE Word edges() const { return pairs; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word key = stream_key(seed, kRmatStream);
    const Word draws = (levels + 1) / 2;
    DrawnEdge ends{0, 0};
    Word bits = 0;
    for (Word level = 0; level < levels; ++level) {
      bits = level % 2 == 0 ? draw(key, i * draws + level / 2) : bits << 32;
      const Word part = bits >> 32;
      const Word below_b = part >= limit_b;
      ends.u = 2 * ends.u + below_b;
      ends.v = 2 * ends.v + ((part >= limit_a) - below_b + (part >= limit_c));
    }
    return ends;
  }
};

struct RmatOf {
  Word count;
  Word pairs;
  Word limit_a;
  Word limit_b;
  Word limit_c;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count == 0 ? 0 : pairs; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word levels = bit_width(count - 1);
    if (levels == 0) return {0, 0};
    const DrawnEdge ends = Rmat{levels, pairs, limit_a, limit_b, limit_c, seed}.edge(i);
    return {below(ends.u << (64 - levels), count), below(ends.v << (64 - levels), count)};
  }
};

// Every vertex sends one edge, with probability hub_share to a hub, else to any vertex; then come
// `extra` edges between any two. The rank of the hub is Zipf-like: each group of ranks 1, 2-3,
// 4-7, ... is as likely as the others, and what lies beyond the last rank starts again at the
// first.
struct Mawi {
  Word count;
  Word hubs;
  Word hub_share;
  Word extra;
  Word seed;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const { return count + extra; }
  SKERRY_INLINE Word hub(Word rank) const {
    return permute(stream_key(seed, kHubStream), count, rank);
  }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word key = stream_key(seed, kMawiStream);
    const Word bits = draw(key, 2 * i);
    const Word target = draw(key, 2 * i + 1);
    if (i >= count) return {below(bits, count), below(target, count)};
    if (!happens(bits, hub_share)) return {i, below(target, count)};
    Word groups = 0;
    while (hubs >> groups != 0) ++groups;
    const Word size = Word{1} << ((bits & 0xffffffffu) * groups >> 32);
    return {i, hub((size - 1 + below(target, size)) % hubs)};
  }
};

// The vertex at `position` of a random recursive tree whose vertices begin at `first`, and the
// earlier one that it hangs from.
SKERRY_INLINE DrawnEdge recursive_tree_edge(Word bits, Word first, Word position) {
  return {first + below(bits, position), first + position};
}

struct Tiny {
  Word components;
  Word max_size;
  Word seed;

  SKERRY_INLINE Word vertices() const {
    const Word rest = components % max_size;
    return components / max_size * (max_size * (max_size + 1) / 2) + rest * (rest + 1) / 2;
  }
  SKERRY_INLINE Word edges() const { return vertices() - components; }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    const Word edges_in_cycle = max_size * (max_size - 1) / 2;
    Word rest = i % edges_in_cycle;
    Word first = i / edges_in_cycle * (max_size * (max_size + 1) / 2) + 1;
    Word size = 2;
    for (; rest >= size - 1; ++size) {
      rest -= size - 1;
      first += size;
    }
    return recursive_tree_edge(draw(stream_key(seed, kTinyStream), i), first, rest + 1);
  }
};

// Component c has the vertices starts[c] .. starts[c + 1]; starts has components + 1 elements.
struct Planted {
  const Word* starts;
  Word components;
  Word chords;
  Word seed;

  SKERRY_INLINE Word vertices() const { return starts[components]; }
  SKERRY_INLINE Word tree_edges() const { return vertices() - components; }
  SKERRY_INLINE Word edges() const { return tree_edges() + (vertices() == 0 ? 0 : chords); }
  SKERRY_INLINE DrawnEdge edge(Word i) const {
    Word near = 0;
    return edge(i, near);
  }
  // `near` is where the search for the component begins, and is set to that component: edges in
  // ascending order need no search.
  SKERRY_INLINE DrawnEdge edge(Word i, Word& near) const {
    const Word key = stream_key(seed, kPlantedStream);
    const Word bits = draw(key, 2 * i);
    if (i < tree_edges()) {
      near = component(i, 1, near);
      return recursive_tree_edge(bits, starts[near], i + near + 1 - starts[near]);
    }
    const Word u = below(bits, vertices());
    const Word c = component(u, 0, components);  // anywhere
    return {u, starts[c] + below(draw(key, 2 * i + 1), starts[c + 1] - starts[c])};
  }

 private:
  // The first component before whose end lie more than `index` vertices, where `omitted` vertices
  // of each component are not counted.
  SKERRY_INLINE Word component(Word index, Word omitted, Word near) const {
    const Word few = 4;  // components of one vertex have no edges and are passed over
    for (Word c = near; c < components && c < near + few; ++c) {
      if (starts[c] - omitted * c > index) break;
      if (starts[c + 1] - omitted * (c + 1) > index) return c;
    }
    Word low = 0;
    Word high = components - 1;
    while (low < high) {
      const Word middle = (low + high) / 2;
      if (starts[middle + 1] - omitted * (middle + 1) > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
};

}  // namespace skerry
