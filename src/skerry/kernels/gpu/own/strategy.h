// Which strategy is taken for rows. The size of the graph leaves one, or a choice that depends on
// how many trees first links (own/links.h) have made: algorithms/gpu_planner.py has the rules. Each
// run has one word of them, its plan. Kernels of strategies that are not selected return at once,
// so the host does not wait.
#pragma once

#include "gpu/state.h"

namespace skerry {

enum Strategy : u64 { kLinks = 1, kDirect = 2, kPlain = 3 };

// Numbers of a plan, from its lowest bits on: the strategies for few trees, for some and for many,
// the share of trees up to which they are few, and that from which on they are many.
constexpr u32 kPlanBits = 12;    // of each
constexpr u64 kTreeUnit = 1000;  // shares of trees are in parts of it
enum PlanPart : u32 { kIfFew, kIfSome, kIfMany, kFewShare, kManyShare };

SKERRY_INLINE u64 part_of_plan(u64 plan, u32 part) {
  return plan >> (part * kPlanBits) & ((u64{1} << kPlanBits) - 1);
}

// Whether trees need be counted.
SKERRY_INLINE bool depends_on_trees(u64 plan) {
  const u64 some = part_of_plan(plan, kIfSome);
  return part_of_plan(plan, kIfFew) != some || some != part_of_plan(plan, kIfMany);
}

// By the share of trees among the vertices with entries. To be called after the first links.
SKERRY_INLINE Strategy planned_strategy(const u64* state, u64 vertices, u64 plan) {
  const u64 trees = kTreeUnit * state[kTrees];
  const u64 filled = vertices - state[kEmpty];
  const bool few = trees <= part_of_plan(plan, kFewShare) * filled;
  const bool many = trees >= part_of_plan(plan, kManyShare) * filled;
  return static_cast<Strategy>(part_of_plan(plan, few ? kIfFew : many ? kIfMany : kIfSome));
}

// Whether every entry has its reverse, by a promise or by own/reverses.h: then one direction of an
// edge is enough, and rows may be skipped.
SKERRY_INLINE bool has_reverses(const u64* state) {
  return state[kReverseSum] == 0;
}

// To be called after the check for reverses.
SKERRY_INLINE Strategy selected_strategy(const u64* state, u64 vertices, u64 plan) {
  const Strategy planned = planned_strategy(state, vertices, plan);
  return planned == kLinks && !has_reverses(state) ? kDirect : planned;
}

// How the rows are joined at last: none are skipped where no large tree was found.
SKERRY_INLINE Strategy strategy_for_rows(const u64* state, u64 vertices, u64 plan) {
  const Strategy selected = selected_strategy(state, vertices, plan);
  return selected == kLinks && state[kLargest] == 0 ? kDirect : selected;
}

}  // namespace skerry
