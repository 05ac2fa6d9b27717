// Counts of hooks, finds and path lengths. Compiled in only if the host requests statistics, and
// designed not to change the run time of kernels: the threads of a warp that end together add up
// theirs first, and warps take turns at kCopies copies of the words. Additions by every thread to
// the same few words were seen to take thirty times as long as labeling a million vertices.
#pragma once

#include "gpu/state.h"
#include "gpu/together.h"

namespace skerry {

#ifdef SKERRY_COUNTING

class Tally {
 public:
  explicit SKERRY_INLINE Tally(u64* state) : state_(state) {}
  Tally(const Tally&) = delete;
  SKERRY_INLINE ~Tally() {
    const u32 together = __activemask();
    const u64 hooks = sum_together(together, hooks_);
    const u64 finds = sum_together(together, finds_);
    const u64 steps = sum_together(together, steps_);
    const u64 longest = max_together(together, longest_);
    if (!is_first_of(together)) return;
    u64* const counts = state_ + kCounts + warp_number() % kCopies * kCopyWords;
    if (hooks != 0) atomicAdd(counts + kHooks, hooks);
    if (finds != 0) atomicAdd(counts + kFinds, finds);
    if (steps != 0) atomicAdd(counts + kSteps, steps);
    if (longest != 0) atomicMax(counts + kLongest, longest);
  }
  SKERRY_INLINE void step() { ++path_; }
  SKERRY_INLINE void end_find() {
    ++finds_;
    steps_ += path_;
    if (path_ > longest_) longest_ = path_;
    path_ = 0;
  }
  SKERRY_INLINE void hooked() { ++hooks_; }

 private:
  u64* state_;
  u64 hooks_ = 0;
  u64 finds_ = 0;
  u64 steps_ = 0;
  u64 longest_ = 0;
  u64 path_ = 0;
};

#elif defined(SKERRY_COUNTING_HOOKS)

// Hooks alone, for a forest that must know how many of its trees were joined: a register.
class Tally {
 public:
  explicit SKERRY_INLINE Tally(u64* state) : state_(state) {}
  Tally(const Tally&) = delete;
  SKERRY_INLINE ~Tally() {
    const u32 together = __activemask();
    const u64 hooks = sum_together(together, hooks_);
    if (hooks == 0 || !is_first_of(together)) return;
    atomicAdd(state_ + kCounts + warp_number() % kCopies * kCopyWords + kHooks, hooks);
  }
  SKERRY_INLINE void step() {}
  SKERRY_INLINE void end_find() {}
  SKERRY_INLINE void hooked() { ++hooks_; }

 private:
  u64* state_;
  u32 hooks_ = 0;
};

#else

struct Tally {
  explicit SKERRY_INLINE Tally(u64*) {}
  SKERRY_INLINE void step() {}
  SKERRY_INLINE void end_find() {}
  SKERRY_INLINE void hooked() {}
};

#endif

}  // namespace skerry
