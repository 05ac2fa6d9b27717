// Profile: a graph of stated size, degrees and components, to stand in for one that is known by
// these numbers only.
//
// Most vertices are the core, one component; the others lie in `parts` small components, paths of
// `part_size` vertices, spread evenly over the ids. Of every 16 vertices of the core `leaves` have
// one neighbor only. The others, the members, are numbered on their own. `late` of the leaves,
// spread evenly, have later neighbors only: Init3 of ECL-CC leaves as many hooks. The edges, in
// this order:
// Trunk  every vertex of the core but the first hangs from an earlier member, a late one from a
//        later member; nothing hangs from leaves, so this is a tree
// Near   from each member in turn to one whose number is 1 .. 2^octaves - 1 further: the binary
//        logarithm of the distance is uniform, as in crawls, where pages of a site lie together
// Far    the first `hub_links` lead to the hub, from evenly spaced members; the others from each
//        member in turn to a member drawn by rank. Ranks form groups of 1, 2, 4, ...; a link goes
//        to the largest group with probability 1 - keep, else to the one before with the same
//        probability, and so on: degrees fall as a power of the rank.
// Late   further links of late vertices to later members, each from one drawn at random
// Parts  the small components
// With a skew, near and far links come from members drawn by a rank, the product of 1 + skew
// uniform numbers, in place of each in turn: then many members have few links and some have many.
// Ranks below `skew_floor` would have more than the hub: any member sends their links.
// Which member has which rank is a random bijection, so hubs lie anywhere. No loops; an edge may
// come several times. skerry/generators/models.py finds the parameters for wanted figures.
//
// Freestanding, integers only: CPU and GPU agree bit for bit.
#pragma once

#include "common/generators.h"

namespace skerry {

struct Profile {
  Word count;
  Word parts;
  Word part_size;
  Word leaves;
  Word octaves;
  Word near_links;
  Word hub_links;
  Word far_links;  // those to the hub included
  Word keep;
  Word local;  // the probability that a vertex hangs from a near one
  Word late;
  Word late_links;
  Word skew;
  Word skew_floor;
  Word seed;

  static constexpr Word kBlock = 16;

  SKERRY_INLINE Word vertices() const { return count; }
  SKERRY_INLINE Word edges() const {
    if (count == 0) return 0;
    return core() - 1 + near_links + far_links + late_links + parts * (part_size - 1);
  }
  SKERRY_INLINE Word core() const { return count - parts * part_size; }
  SKERRY_INLINE Word members() const {
    return core() / kBlock * (kBlock - leaves) + core() % kBlock;
  }

  SKERRY_INLINE DrawnEdge edge(Word i) const {
    if (i < core() - 1) return {id(i + 1), id(trunk(i + 1))};
    i -= core() - 1;
    if (i < near_links) {
      const Word from = sender(i);
      return {id(member(from)), id(member(further(from, distance(draw(key(), 2 * i)))))};
    }
    i -= near_links;
    if (i < far_links) return far(i);
    i -= far_links;
    if (i < late_links) {
      const Word stream = stream_key(seed, kProfileLateStream);
      const Word from = late_position(below(draw(stream, 2 * i), late));
      return {id(from), id(later(from, draw(stream, 2 * i + 1)))};
    }
    i -= late_links;
    const Word part = i / (part_size - 1);
    const Word first = (part + 1) * stride() - part_size + i % (part_size - 1);
    return {first, first + 1};
  }

 private:
  SKERRY_INLINE Word key() const { return stream_key(seed, kProfileStream); }

  // Each of `parts` strides ends with a small component.
  SKERRY_INLINE Word stride() const { return count / parts; }
  SKERRY_INLINE Word id(Word position) const {
    if (parts == 0) return position;
    const Word before = position / (stride() - part_size);
    return position + part_size * (before < parts ? before : parts);
  }

  // The position in the core of a member, by its number. The leaves of a block follow one another,
  // at a random place of it; in the first block they come last, so that position 0 is a member, and
  // the incomplete block at the end has none.
  SKERRY_INLINE Word member(Word number) const {
    const Word in_blocks = core() / kBlock * (kBlock - leaves);
    if (number >= in_blocks) return core() / kBlock * kBlock + (number - in_blocks);
    const Word block = number / (kBlock - leaves);
    return block * kBlock + (turn(block) + number % (kBlock - leaves)) % kBlock;
  }

  SKERRY_INLINE Word turn(Word block) const {
    return block == 0 ? 0 : draw(stream_key(seed, kProfileLeafStream), block) % kBlock;
  }

  // All leaves are numbered, block by block; of these `late` are late.
  SKERRY_INLINE Word leaf_count() const { return core() / kBlock * leaves; }

  SKERRY_INLINE bool is_late(Word position) const {
    const Word block = position / kBlock;
    if (late == 0 || block >= core() / kBlock) return false;
    const Word index = (position % kBlock + kBlock - turn(block)) % kBlock;
    if (index < kBlock - leaves) return false;
    const Word leaf = block * leaves + (index - (kBlock - leaves));
    return (leaf + 1) * late / leaf_count() > leaf * late / leaf_count();
  }

  SKERRY_INLINE Word late_position(Word number) const {
    const Word leaf = ((number + 1) * leaf_count() + late - 1) / late - 1;
    const Word block = leaf / leaves;
    return block * kBlock + (turn(block) + kBlock - leaves + leaf % leaves) % kBlock;
  }

  // A member of a later block; where there is none, an earlier one.
  SKERRY_INLINE Word later(Word position, Word bits) const {
    const Word first = (position / kBlock + 1) * (kBlock - leaves);
    if (first >= members()) return earlier(position, bits);
    const Word ahead = happens(bits, local) ? first + distance(mix(bits)) - 1 : members();
    return member(ahead < members() ? ahead : first + below(mix(bits), members() - first));
  }

  SKERRY_INLINE Word trunk(Word position) const {
    const Word bits = draw(key(), 2 * position + 1);
    return is_late(position) ? later(position, bits) : earlier(position, bits);
  }

  SKERRY_INLINE Word earlier(Word position, Word bits) const {
    const Word before = position / kBlock * (kBlock - leaves);  // members of earlier blocks
    if (before == 0) {
      const Word first = core() < kBlock ? position : kBlock - leaves;
      return below(mix(bits), position < first ? position : first);
    }
    const Word back = distance(mix(bits));
    if (happens(bits, local) && back <= before) return member(before - back);
    return member(below(mix(bits), before));
  }

  SKERRY_INLINE Word distance(Word bits) const {
    const Word octave = below(bits << 32, octaves);
    return (Word{1} << octave) + below(bits & ~Word{0xffffffffu}, Word{1} << octave);
  }

  SKERRY_INLINE Word further(Word number, Word steps) const {
    number += steps;
    return number < members() ? number : number - members();
  }

  SKERRY_INLINE Word sender(Word link) const {
    if (skew == 0) return (link < near_links ? link : link - near_links) % members();
    const Word key = stream_key(seed, kProfileSkewStream);
    Word rank = members();
    const Word first = link * (skew + 2);
    for (Word k = 0; k <= skew; ++k) rank = below(draw(key, first + k), rank);
    if (rank < skew_floor) rank = below(draw(key, first + skew + 1), members());
    return permute(key, members(), rank);
  }

  SKERRY_INLINE DrawnEdge far(Word i) const {
    const Word ranks = stream_key(seed, kProfileRankStream);
    Word from = 0;
    Word rank = 0;
    if (i < hub_links) {
      from = i * (members() / hub_links);
    } else {
      from = sender(near_links + i);
      rank = drawn_rank(draw(stream_key(seed, kProfileFarStream), i));
    }
    Word to = permute(ranks, members(), rank);
    if (to == from) to = further(from, 1);
    return {id(member(from)), id(member(to))};
  }

  // Rank 0 is the hub, whose links are counted; ranks 2^g - 1 .. 2^(g + 1) - 2 are group g.
  SKERRY_INLINE Word drawn_rank(Word bits) const {
    Word group = bit_width(members() + 1) - 1;
    if (group < 2) return 0;
    --group;
    const Word part = bits >> 32;
    Word limit = keep;
    while (group > 1 && part < limit) {
      limit = limit * keep >> 32;
      --group;
    }
    return (Word{1} << group) - 1 + below(bits << 32, Word{1} << group);
  }
};

}  // namespace skerry
