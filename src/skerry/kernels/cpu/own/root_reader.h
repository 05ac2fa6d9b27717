// Questions about single vertices of a forest that other threads may be joining: nothing is
// written, and nothing waits.
//
// A parent that is read is an ancestor, whatever others do at the same time. Long paths are not
// walked: there the caller is to take its lock and halve them.
#pragma once

#include <cstdint>

#include "cpu/memory.h"

namespace skerry {

enum class Answer { no, yes, unknown };

template <class Vertex>
class RootReader {
 public:
  static constexpr unsigned kLongest = 32;  // steps of one walk

  RootReader(const Vertex* parent, std::uint64_t size) : parent_(parent), size_(size) {}

  // False if v is no vertex, or its root is far away.
  bool find(std::uint64_t v, std::uint64_t& root) const {
    if (v >= size_) return false;
    for (unsigned steps = 0; steps < kLongest; ++steps) {
      const std::uint64_t up = Shared::load(parent_ + v);
      if (up == v) {
        root = v;
        return true;
      }
      v = up;
    }
    return false;
  }

  Answer connected(std::uint64_t u, std::uint64_t v) const {
    for (unsigned tries = 0; tries < kLongest; ++tries) {
      if (!find(u, u) || !find(v, v)) return Answer::unknown;
      if (u == v) return Answer::yes;
      // Two roots are two sets, unless the first became a child while the second was looked for.
      if (Shared::load(parent_ + u) == u) return Answer::no;
    }
    return Answer::unknown;
  }

 private:
  const Vertex* parent_;
  std::uint64_t size_;
};

}  // namespace skerry
