// Lets a long serial loop be stopped without a check at every step.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/team.h"

namespace skerry {

class Pacer {
 public:
  explicit Pacer(Context& context) : context_(context) {}

  // Called on the calling thread after some units of work (vertices or edges looked at); false
  // once the kernel is to return.
  bool go(std::uint64_t units) {
    since_check_ += units;
    if (since_check_ < kGrain) return !context_.stopped();
    since_check_ = 0;
    return context_.keep_going(0);
  }

 private:
  Context& context_;
  std::uint64_t since_check_ = 0;
};

}  // namespace skerry
