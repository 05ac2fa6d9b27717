// Which strategy the device selects: the first rule that holds for what a sample of the rows has
// counted. The rules are rows of the table in algorithms/gpu_planner.py; the host leaves out those
// that the size of the graph excludes, and algorithms/gpu/rule_words.py writes the others down as
// arguments of the kernel that samples.
#pragma once

#include "gpu/state.h"
#include "gpu/together.h"

namespace skerry {

enum Strategy : u64 { kLinks = 1, kTiles = 2, kHubLinks = 3, kDirect = 4, kPlain = 5 };

// A rule is two words: two bounds, and the strategy above the first. A bound is the number of a
// state word and the least and largest share of the sampled rows that it may be, in parts of
// kShareUnit. The last rule has no bounds.
constexpr u64 kShareUnit = 1024;
constexpr u32 kShareBits = 16;  // of a share; the word's number is above two of them
constexpr u32 kBoundBits = 40;  // of a bound
constexpr u32 kRuleWords = 16;

// A bound of a lane's own rule. All loads of a lane are issued before one is used.
SKERRY_INLINE bool holds(u64 bound, u64 count, u64 sampled) {
  const u64 low = bound >> kShareBits & ((1u << kShareBits) - 1);
  const u64 high = bound & ((1u << kShareBits) - 1);
  return low * sampled <= kShareUnit * count && kShareUnit * count < high * sampled;
}

// Whether every entry has its reverse, by a promise or by own/reverses.h: then one direction of an
// edge is enough, and rows may be skipped.
SKERRY_INLINE bool has_reverses(const u64* state) {
  return state[kReverseSum] == 0;
}

// By one warp, the last one that samples: a rule for each lane. Later kernels see the result.
SKERRY_INLINE void select_strategy(u64* state, const u64 (&rules)[kRuleWords]) {
  u64 first = 0;
  u64 second = 0;
#pragma unroll
  for (u32 i = 0; i < kRuleWords; i += 2) {
    if (lane() == i / 2) {
      first = rules[i];
      second = rules[i + 1];
    }
  }
  const u64 bound = first & ((u64{1} << kBoundBits) - 1);
  const u64 sampled = relaxed_load(state + kSampled);
  const u64 count = relaxed_load(state + (bound >> (2 * kShareBits)));
  const u64 other = relaxed_load(state + (second >> (2 * kShareBits)));
  const bool bounded = sampled != 0 && holds(bound, count, sampled) &&
                       (second == 0 || holds(second, other, sampled));
  const u32 those = __ballot_sync(kAllLanes, first != 0 && (bound == 0 || bounded));
  if (is_first_of(those)) relaxed_store(state + kChoice, first >> kBoundBits);
}

// Plain rows are for one direction of each edge.
SKERRY_INLINE Strategy selected_strategy(const u64* state) {
  const Strategy selected = static_cast<Strategy>(state[kChoice]);
  return selected == kPlain && !has_reverses(state) ? kDirect : selected;
}

SKERRY_INLINE bool looks_for_tree(Strategy strategy) {
  return strategy == kLinks || strategy == kHubLinks;
}

// How the rows are joined at last, which may be by another strategy: a tree whose rows are skipped
// pays only if it was found and if every entry has its reverse in another row.
SKERRY_INLINE Strategy strategy_for_rows(const u64* state) {
  const Strategy selected = selected_strategy(state);
  const bool skips = has_reverses(state) && state[kLargest] != 0;
  return looks_for_tree(selected) && !skips ? kDirect : selected;
}

}  // namespace skerry
