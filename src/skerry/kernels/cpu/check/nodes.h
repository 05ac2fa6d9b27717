// The checker's trees: the textbook union-find, made to be used by several threads. A root is
// hooked below a root of a smaller number with a compare-and-swap, which succeeds for one thread
// only, and walks halve their path. parent <= child always holds and only roots are hooked, so
// there is no circle, and each hook joins two trees that were apart.
#pragma once

#include <cstdint>
#include <utility>

#include "cpu/check/access.h"
#include "cpu/check/chosen.h"
#include "cpu/check/first_fault.h"

namespace skerry::check {

// A parent and a label for each vertex; a view, to be copied into loops. Waiting for memory is
// nearly all of a check: they stand side by side if every edge needs both, and apart if labels are
// mostly known from a bitmap.
template <class Word>
class Nodes {
 public:
  static constexpr Word kAbsent = static_cast<Word>(~Word{0});

  Nodes() = default;
  // In `cells`, two for each vertex.
  Nodes(Word* cells, std::uint64_t range, bool apart)
      : parents_(cells), labels_(cells + (apart ? range : 1)), shift_(apart ? 0 : 1) {}

  Word& parent(std::uint64_t v) const { return parents_[v << shift_]; }
  Word& label(std::uint64_t v) const { return labels_[v << shift_]; }

  bool is_root(std::uint64_t v) const { return parent(v) == static_cast<Word>(v); }

  template <class Access>
  Word root(Word v) const {
    Word up = Access::get(parent(v));
    while (up != v) {
      const Word next = Access::get(parent(up));
      if (next == up) return up;
      Access::put(parent(v), next);
      v = next;
      up = Access::get(parent(v));
    }
    return v;
  }

  // From a vertex to the parent of its parent, which becomes its parent.
  template <class Access>
  Word climb(Word v) const {
    const Word up = Access::get(parent(v));
    const Word next = Access::get(parent(up));
    if (next != up) Access::put(parent(v), next);
    return next;
  }

  // Whether u and v were in two trees, which this call has joined.
  template <class Access>
  bool join(Word u, Word v) const {
    while (true) {
      u = root<Access>(u);
      v = root<Access>(v);
      if (u == v) return false;
      if (u < v) std::swap(u, v);
      if (Access::template replace<Word>(parent(u), u, v)) return true;
    }
  }

 private:
  Word* parents_ = nullptr;
  Word* labels_ = nullptr;
  unsigned shift_ = 0;
};

// Pairs of one thread on their way to be joined: the memory of all is asked for before it is used.
template <class Word, class Access>
class Pipeline {
 public:
  Pipeline(const Nodes<Word>& nodes, const Chosen& chosen)
      : nodes_(nodes), chosen_(chosen.bits()) {}
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  bool full() const { return count_ == kLength; }

  void add(std::uint64_t u, std::uint64_t v, std::uint64_t row) {
    fetch_early(&nodes_.parent(u));
    fetch_early(&nodes_.parent(v));
    pairs_[count_++] = {static_cast<Word>(u), static_cast<Word>(v), row};
  }

  // Compares the labels of all pairs, drops those with a fault, and notes that.
  void compare(FirstFault& first) {
    unsigned right = 0;
    for (unsigned i = 0; i < count_; ++i) {
      const Pair& pair = pairs_[i];
      if (Access::get(nodes_.parent(pair.u)) == nodes_.kAbsent ||
          Access::get(nodes_.parent(pair.v)) == nodes_.kAbsent) {
        first.note(Wrong::unknown_end, pair.row);
      } else if (nodes_.label(pair.u) != nodes_.label(pair.v)) {
        first.note(Wrong::labels_differ, pair.row);
      } else {
        pairs_[right++] = pair;
      }
    }
    count_ = right;
  }

  // Joins the ends of all pairs.
  void join() {
    unsigned apart = 0;
    for (unsigned i = 0; i < count_; ++i) {
      const Pair& pair = pairs_[i];
      const Word u_up = Access::get(nodes_.parent(pair.u));
      const Word v_up = Access::get(nodes_.parent(pair.v));
      if (u_up == v_up) continue;
      fetch_early(&nodes_.parent(u_up));
      fetch_early(&nodes_.parent(v_up));
      pairs_[apart++] = pair;
    }
    unsigned still_apart = 0;
    for (unsigned i = 0; i < apart; ++i) {
      const Word u = nodes_.template climb<Access>(pairs_[i].u);
      const Word v = nodes_.template climb<Access>(pairs_[i].v);
      if (u == v) continue;
      fetch_early(&nodes_.parent(u));
      fetch_early(&nodes_.parent(v));
      pairs_[still_apart++] = {u, v, pairs_[i].row};
    }
    for (unsigned i = 0; i < still_apart; ++i)
      if (nodes_.template join<Access>(pairs_[i].u, pairs_[i].v))
        Bits::set<Access>(chosen_, pairs_[i].row);
    count_ = 0;
  }

 private:
  static constexpr unsigned kLength = 64;
  struct Pair {
    Word u;
    Word v;
    std::uint64_t row;
  };

  const Nodes<Word> nodes_;
  std::uint64_t* const chosen_;
  unsigned count_ = 0;
  Pair pairs_[kLength];
};

}  // namespace skerry::check
