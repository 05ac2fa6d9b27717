// The numbers by which "rows" decides, and the choices that force a decision. docs/algorithms.md
// has a table of what each was measured to gain; `make fit` measures that anew.
//
// Three more stand beside what they decide about: kFrontier (grow.h), kFewSmaller and kManyOver
// (first_neighbor.h), kOrderFrom (entries.h).
#pragma once

#include <cstdint>

namespace skerry {

// Vertices of an average tree of the first links from which on trees are flattened before they are
// sampled: walks in smaller ones are short.
inline constexpr std::uint64_t kSmallTree = 8;

// The share of the vertices with entries that a tree needs for its rows to be skipped.
inline constexpr double kGiant = 0.4;

// The share from which on nothing is done before that to make it larger.
inline constexpr double kEnough = 0.5;

// The share of the largest below which all trees are small.
inline constexpr double kSmallShare = 0.02;

// The share of the sampled vertices outside the largest tree that must have a neighbor inside, for
// a sweep.
inline constexpr double kTouching = 0.25;

// Entries a vertex below which second neighbors are most of what is left to be joined anyway.
inline constexpr std::uint64_t kShortRows = 3;

// The edges that second neighbors must give each tree, for one of many small ones to grow large.
// In groups whose members are each other's neighbors it is 2 to 5, in meshes 6 or more.
inline constexpr double kJoiningDegree = 5.5;

// In the order of the words in algorithms/number_ranges.py.
enum class Grow { kAuto, kNone, kSweep, kSeed, kSecond };
enum class Rest { kAuto, kSkip, kJoin };
enum class Join { kAuto, kWindow, kAsRead };

}  // namespace skerry
