// Which strategy the device selects: the first rule that holds for what a sample of the rows has
// counted. The rules are rows of the table in algorithms/gpu_planner.py; the host leaves out those
// that the size of the graph excludes, and algorithms/gpu/rule_words.py writes the others down as
// words of the state.
#pragma once

#include "gpu/state.h"

namespace skerry {

enum Strategy : u64 { kLinks = 1, kTiles = 2, kHubLinks = 3, kDirect = 4, kCached = 5 };

// A rule is two words: two bounds, and the strategy above the first. A bound is the number of a
// state word and the least and largest share of the sampled rows that it may be, in parts of
// kShareUnit. The last rule has no bounds.
constexpr u64 kShareUnit = 1024;
constexpr u32 kShareBits = 16;  // of a share; the word's number is above two of them
constexpr u32 kBoundBits = 40;  // of a bound

SKERRY_INLINE bool holds(const u64* state, u64 bound, u64 sampled) {
  if (bound == 0) return true;
  const u64 count = kShareUnit * relaxed_load(state + (bound >> (2 * kShareBits)));
  const u64 low = bound >> kShareBits & ((1u << kShareBits) - 1);
  const u64 high = bound & ((1u << kShareBits) - 1);
  return low * sampled <= count && count < high * sampled;
}

SKERRY_INLINE u64 first_rule_that_holds(const u64* state) {
  const u64 sampled = relaxed_load(state + kSampled);
  u64 strategy = 0;
  for (u32 i = 0; i < kRuleWords && state[kRules + i] != 0; i += 2) {
    const u64 first = state[kRules + i];
    strategy = first >> kBoundBits;
    const u64 bound = first & ((u64{1} << kBoundBits) - 1);
    const bool free = bound == 0;
    if (free || (sampled != 0 && holds(state, bound, sampled) &&
                 holds(state, state[kRules + i + 1], sampled))) {
      break;
    }
  }
  return strategy;
}

// By the last kernel that samples. Later kernels see the result.
SKERRY_INLINE void select_strategy(u64* state) {
  relaxed_store(state + kChoice, first_rule_that_holds(state));
}

SKERRY_INLINE Strategy selected_strategy(const u64* state) {
  return static_cast<Strategy>(state[kChoice]);
}

// Whether all rows are processed, without one tree whose rows are skipped: own/direct_rows.h. Such
// a tree pays only if it was found and if every entry has its reverse in another row.
SKERRY_INLINE bool reads_all_rows(const u64* state, bool symmetric) {
  const Strategy strategy = selected_strategy(state);
  return strategy >= kDirect || (strategy != kTiles && !(symmetric && state[kLargest] != 0));
}

// Whether that is done with a cache of links: own/cached_rows.h.
SKERRY_INLINE bool caches_links(const u64* state) {
  return selected_strategy(state) != kDirect;
}

}  // namespace skerry
