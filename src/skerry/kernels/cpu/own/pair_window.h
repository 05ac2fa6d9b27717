// A window of vertex pairs to be joined. Union-find on a CPU is bound by random accesses to the
// parent array and by the branches that depend on them. So pairs are first collected without a
// branch, then joined while the parents of later pairs are prefetched: the parents 2 * kAhead pairs
// ahead, the parents of those kAhead pairs ahead. Both ends of a pair that was joined are linked
// with the root at once: the next pairs with one of them find it in one step.
#pragma once

#include <cstdint>

#include "common/union_find.h"
#include "cpu/memory.h"

namespace skerry {

template <class Memory, class Vertex, class Tally>
class PairWindow {
 public:
  PairWindow(Vertex* parent, Tally& tally) : parent_(parent), tally_(tally) {}

  // Takes the pair if `keep`; there must be room.
  void offer(Vertex u, Vertex v, bool keep) {
    u_[size_] = u;
    v_[size_] = v;
    size_ += keep;
  }

  bool full() const { return size_ >= kCapacity; }

  // Not inlined: the loop that collects pairs keeps its registers (10 to 25 % with two threads).
  // All inside it is: the linker takes any of several files' copies, and one was a quarter slower.
  [[gnu::noinline, gnu::flatten]] void join_all() {
    // What is looked at ahead of the last pairs must be this thread's to read, too.
    const Vertex own = size_ > 0 ? v_[0] : 0;
    for (unsigned i = 0; i < 2 * kAhead; ++i) u_[size_ + i] = v_[size_ + i] = own;
    for (unsigned i = 0; i < 2 * kAhead; ++i) prefetch(parent_ + u_[i]);
    for (unsigned i = 0; i < size_; ++i) {
      prefetch(parent_ + u_[i + 2 * kAhead]);
      prefetch(parent_ + Memory::load(parent_ + u_[i + kAhead]));
      prefetch(parent_ + Memory::load(parent_ + v_[i + kAhead]));
      const Vertex u = u_[i], v = v_[i];
      const Vertex above_u = Memory::load(parent_ + u), above_v = Memory::load(parent_ + v);
      if (above_u == above_v) continue;
      const Vertex root = unite<JumpHalving, Memory>(parent_, above_u, above_v, tally_);
      // No roots, and they will not become any; a root may be linked by another thread meanwhile.
      if (above_u != u) Memory::store(parent_ + u, root);
      if (above_v != v) Memory::store(parent_ + v, root);
    }
    size_ = 0;
  }

 private:
  static constexpr unsigned kAhead = 8;
  static constexpr unsigned kCapacity = 1024;

  Vertex* parent_;
  Tally& tally_;
  unsigned size_ = 0;
  Vertex u_[kCapacity + 2 * kAhead];
  Vertex v_[kCapacity + 2 * kAhead];
};

}  // namespace skerry
