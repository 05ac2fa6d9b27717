// The numbers by which "rows" decides between its stages, and the choices that force a decision.
// docs/algorithms.md has a table of what each was measured to gain; `make fit` measures that anew.
//
// Others stand beside what they decide about: kFewSmaller and kManyOver (first_neighbor.h),
// kOrderFrom (entries.h).
#pragma once

namespace skerry {

// The rows of the largest tree are left out from this share of the vertices with entries on.
inline constexpr double kLarge = 0.5;

// If it is smaller, second neighbors are joined where they would give each tree so many edges: then
// most trees are one soon. In groups whose members are each other's neighbors it is 2 to 5, in
// meshes 6 or more.
inline constexpr double kJoiningDegree = 5.5;

// So many edges a tree are enough: only as many second neighbors are joined.
inline constexpr double kSecondsOfTree = 2;

// In the order of the words in algorithms/number_ranges.py.
enum class Seconds { kAuto, kJoin, kLeave };
enum class Remaining { kAuto, kSkip, kJoin };
enum class Join { kAuto, kWindow, kAsRead };

}  // namespace skerry
