// Counts of hooks, finds and path lengths. Compiled in only where the host asks for statistics.
#pragma once

#include "gpu/state.h"

namespace skerry {

#ifdef SKERRY_COUNTING

class Tally {
 public:
  explicit SKERRY_INLINE Tally(u64* state) : state_(state) {}
  Tally(const Tally&) = delete;
  SKERRY_INLINE ~Tally() {
    if (hooks_ != 0) atomicAdd(state_ + kHooks, hooks_);
    if (finds_ != 0) atomicAdd(state_ + kFinds, finds_);
    if (steps_ != 0) atomicAdd(state_ + kSteps, steps_);
    if (longest_ != 0) atomicMax(state_ + kLongest, longest_);
  }
  SKERRY_INLINE void step() { ++path_; }
  SKERRY_INLINE void found() {
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

#else

struct Tally {
  explicit SKERRY_INLINE Tally(u64*) {}
  SKERRY_INLINE void step() {}
  SKERRY_INLINE void found() {}
  SKERRY_INLINE void hooked() {}
};

#endif

}  // namespace skerry
