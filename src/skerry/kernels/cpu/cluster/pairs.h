// Packed pairs of 64-bit words: what the tasks of a cluster exchange, and the passes over them.
//
// Every pass is a function of its input alone, and its output is sorted or in the order of the
// input: a task that runs twice gives the same bits. One thread each: tasks share the cores.
#pragma once

#include <cstdint>

#include "common/random.h"
#include "cpu/context.h"

namespace skerry {

struct Pair {
  Word first, second;

  friend bool operator==(const Pair&, const Pair&) = default;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

// The order in which a round of contraction prefers vertices: a bijection, so that no two tie.
inline Word rank_of(Word id, Word key) {
  return mix(id ^ key);
}

// Sorts by the first word, then by the second, and drops repeats. Returns how many are left.
// `room` holds as many pairs.
std::uint64_t sort_pairs(Context& context, Pair* pairs, std::uint64_t count, Pair* room);

// Writes the pairs grouped by the part that owns their first word, in their order within a part.
void split_pairs(Context& context, const Pair* pairs, std::uint64_t count, Word key,
                 std::uint64_t parts, Pair* grouped, std::uint64_t* counts);

// The edges of trees again, each tree as a heap of `arity` children ordered by rank_of: for every
// vertex a pair of its id and that of its parent, which has a smaller rank, or of itself if it is
// the root. So no vertex has more than arity + 1 edges here, and all but roots have a neighbor to
// be contracted into. Vertices are numbers 0..count-1; roots[v] is the root of v's tree.
// False when there was no memory.
bool heap_pairs(Context& context, const Word* ids, const std::uint32_t* roots, std::uint64_t count,
                Word key, std::uint64_t arity, Pair* heaps);

// Of sorted candidates (vertex, neighbor or itself): writes (vertex, representative), which is the
// candidate of the smallest rank, and (neighbor, representative) for every neighbor.
// Returns how many of each.
struct PickCounts {
  std::uint64_t vertices = 0, edges = 0;
};
PickCounts pick_pairs(Context& context, const Pair* candidates, std::uint64_t count, Word key,
                      Pair* representatives, Pair* edges);

// Replaces first words by the second words of a table: (key, x) becomes (x, table[key]). Both are
// sorted by the first word, whose values are distinct in the table. Leaves out pairs of equal words
// if `drop_loops`. Counts keys that are not in the table, whose pairs are left out.
struct MatchCounts {
  std::uint64_t written = 0, missing = 0;
};
MatchCounts match_pairs(Context& context, const Pair* pairs, std::uint64_t count, const Pair* table,
                        std::uint64_t rows, bool drop_loops, Pair* matched);

// Two tables, each sorted with distinct first words, as one; where both have a word, that of `top`
// holds. Returns the number of rows.
std::uint64_t overlay_pairs(Context& context, const Pair* base, std::uint64_t base_count,
                            const Pair* top, std::uint64_t top_count, Pair* table);

// Keeps the first pair for each first word of sorted pairs, in place. Returns how many.
std::uint64_t keep_first_pairs(Context& context, Pair* pairs, std::uint64_t count);

// labels[v] = the smallest value in the tree of v. `labels` is filled completely.
void smallest_in_trees(Context& context, const std::uint32_t* roots, const Word* values,
                       std::uint64_t count, Word* labels);

}  // namespace skerry
