// A tree over the vertices of one class, without union-find: a few are reached breadth-first, then
// each vertex of the class joins as soon as an entry of its row is in the tree. It had not been in
// the tree before and the other end had, so the entries by which vertices joined make no circle.
// All that is looked up at random is a bitmap.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "cpu/check/access.h"
#include "cpu/check/chosen.h"
#include "cpu/check/marks.h"
#include "cpu/context.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry::check {

template <class Access, class Vertex>
class Flood {
 public:
  Flood(const CsrView<Vertex>& graph, const Marks& in_class, const Chosen& chosen)
      : graph_(graph), class_(in_class), chosen_(chosen) {
    in_tree_.clear(graph.vertices);
  }

  // Grows the tree breadth-first; whether that was quick. Otherwise there is no tree.
  bool seed(Context& context);

  // Lets vertices of the class in [from, to) join.
  void extend(std::uint64_t from, std::uint64_t to) {
    std::uint64_t* tree = in_tree_.words();
    for (std::uint64_t w = from >> 6; 64 * w < to; ++w) {
      std::uint64_t left = class_.words()[w] & ~Access::get(tree[w]), added = 0;
      if (w == from >> 6) left &= ~std::uint64_t{0} << (from & 63);
      if (to - 64 * w < 64) left &= ~(~std::uint64_t{0} << (to & 63));
      for (; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        if (joins(64 * w + bit, tree)) added |= std::uint64_t{1} << bit;
      }
      if (added != 0) Access::set_bits(tree[w], added);
    }
  }

  // Lets vertices join as long as many do.
  void run(Context& context) {
    for (const std::uint64_t e : seed_entries_) Bits::set<Alone>(chosen_.bits(), e);
    for (int i = 0; i < kSweeps && !context.stopped(); ++i) {
      const std::uint64_t before = reached(context);
      if (before == class_.count()) break;
      for_ranges(context, graph_.vertices, kRows,
                 [&](std::uint64_t from, std::uint64_t to, int) { extend(from, to); });
      if ((reached(context) - before) * kWorthwhile < class_.count()) break;
    }
  }

  const Marks& in_tree() const { return in_tree_; }

 private:
  static constexpr int kSweeps = 16;
  static constexpr std::uint64_t kWorthwhile = 32;  // the part of the class that a sweep must add
  static constexpr std::uint64_t kSeedPart = 64;    // of the class is reached breadth-first
  static constexpr std::uint64_t kLevels = 16;      // at most, of a class that is worth it
  static constexpr std::uint64_t kAhead = 4;
  static constexpr std::uint64_t kRows = 1 << 12;

  // A vertex of the class that has many entries.
  std::uint64_t start() const {
    std::uint64_t best = 0, entries = 0;
    Sample<std::uint64_t>::draw(graph_.vertices, [&](std::uint64_t v) {
      if (!class_.get(v) || graph_.degree(v) <= entries) return;
      best = v;
      entries = graph_.degree(v);
    });
    return best;
  }

  std::uint64_t reached(Context& context) const {
    std::atomic<std::uint64_t> count{0};
    for_ranges(context, in_tree_.size(), [&](std::uint64_t from, std::uint64_t to, int) {
      std::uint64_t here = 0;
      for (std::uint64_t w = from; w < to; ++w)
        here += static_cast<std::uint64_t>(std::popcount(in_tree_.words()[w]));
      count.fetch_add(here, std::memory_order_relaxed);
    });
    return count.load(std::memory_order_relaxed);
  }

  // Whether an entry of a row is in the tree; the first is chosen.
  bool joins(std::uint64_t v, const std::uint64_t* tree) const {
    for (std::uint64_t e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e)
      if (Bits::look<Access>(tree, graph_.neighbors[e])) {
        Bits::set<Access>(chosen_.bits(), e);
        return true;
      }
    return false;
  }

  const CsrView<Vertex>& graph_;
  const Marks& class_;
  const Chosen& chosen_;
  Marks in_tree_;
  // By which vertices joined breadth-first. They are chosen later, when a team has touched the
  // memory of the choice for the first time: that takes longer than all the rest of the seed.
  std::vector<std::uint64_t> seed_entries_;
};

template <class Access, class Vertex>
bool Flood<Access, Vertex>::seed(Context& context) {
  const std::uint64_t limit = std::clamp<std::uint64_t>(class_.count() / kSeedPart, 1, kGrain * 4);
  std::vector<Vertex> members{static_cast<Vertex>(start())};
  if (!class_.get(members[0])) return false;
  std::uint64_t* tree = in_tree_.words();
  Bits::set<Alone>(tree, members[0]);
  std::uint64_t levels = 0, level_end = 0;
  for (std::uint64_t next = 0; next < members.size() && members.size() < limit; ++next) {
    if (next == level_end) {
      if (++levels > kLevels || !context.keep_going(0)) return false;
      level_end = members.size();
    }
    if (next + 2 * kAhead < members.size()) {
      fetch_early(graph_.offsets + members[next + 2 * kAhead]);
      fetch_early(graph_.neighbors + graph_.offsets[members[next + kAhead]]);
    }
    const std::uint64_t v = members[next];
    for (std::uint64_t e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e) {
      const Vertex u = graph_.neighbors[e];
      if (Bits::get(tree, u)) continue;
      Bits::set<Alone>(tree, u);
      members.push_back(u);
      seed_entries_.push_back(e);
    }
  }
  if (members.size() < limit) return false;
  return true;
}

}  // namespace skerry::check
