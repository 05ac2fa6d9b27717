// What the checker reports of wrong labels.
#pragma once

#include <cstdint>

#include "cpu/check/access.h"

namespace skerry::check {

enum class Wrong : int { nothing = 0, unknown_end = 1, labels_differ = 2 };

// The first edge that shows labels to be wrong.
struct Fault {
  Wrong what = Wrong::nothing;
  std::uint64_t row = 0;
};

// The smallest number that any thread notes.
class Smallest {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  void note(std::uint64_t value) {
    std::uint64_t seen = get();
    while (value < seen && !Together::replace(value_, seen, value)) seen = get();
  }
  std::uint64_t get() const { return Together::get(value_); }

 private:
  std::uint64_t value_ = kNone;
};

// The first faulty edge of many, looked at by several threads in any order.
class FirstFault {
 public:
  void note(Wrong what, std::uint64_t row) {
    code_.note(2 * row + (what == Wrong::labels_differ ? 1 : 0));
  }
  bool any() const { return code_.get() != Smallest::kNone; }
  // Whether an edge before this is faulty, so that this and those after it do not matter.
  bool is_before(std::uint64_t row) const { return code_.get() <= 2 * row; }
  Fault fault() const {
    if (!any()) return {};
    return {code_.get() & 1 ? Wrong::labels_differ : Wrong::unknown_end, code_.get() >> 1};
  }

 private:
  Smallest code_;
};

}  // namespace skerry::check
