// What the algorithms that repeat rounds over one parent array share: the loop, the question
// whether a round has changed anything, the graft by a plain store, and an own copy of the edges
// with the update step. Cong & Muzio, "Fast Parallel Connected Components Algorithms on GPUs"
// (Euro-Par 2014 Workshops), Algorithms 1 and 2. Their shortcut is Finish::single of passes.h.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <tuple>
#include <utility>

#include "cpu/context.h"
#include "cpu/memory.h"
#include "cpu/options.h"
#include "cpu/passes/passes.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// Calls round() until it returns false: nothing has changed.
template <class Round>
void repeat_rounds(Context& context, Round&& round) {
  bool changed = true;
  while (changed && !context.stopped()) {
    ++context.statistics.rounds;
    changed = round();
  }
}

// Calls body(i, tally) for every i in [0, count); returns whether any call returned true.
template <class Tally, class Body>
bool any_change(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  std::atomic<bool> changed{false};
  for_ranges(context, count, grain, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    bool here = false;
    for (std::uint64_t i = begin; i < end; ++i) here |= body(i, tally);
    if (here) changed.store(true, std::memory_order_relaxed);
  });
  return changed.load(std::memory_order_relaxed);
}

// Grafts the larger of two vertices that were roots when the round began onto the smaller, by a
// plain store; returns whether it stored. Of two threads that graft the same root one is lost, and
// the next round, which looks at every edge again, makes up for it: what earlier rounds joined
// depends on the links of vertices that are not roots, and those are never written.
//
// Departure from Algorithms 1 and 2: a store that would not lower the parent is left out. Without
// that the last store wins, and a hub whose neighbors come in ascending order joins only the
// largest of them a round: n rounds instead of a few. Where nothing is stored in a round, every
// root still is its own parent, so no edge can have been left out for this reason. By the letter
// (keep=last) every store is made for so many rounds.
inline constexpr std::uint64_t kLastKeptRounds = 64;

template <class Memory, class Vertex, class Tally>
bool graft(Vertex* parent, Vertex a, Vertex b, bool keep_last, Tally& tally) {
  if (a == b) return false;
  if (a < b) std::swap(a, b);
  if (!keep_last && Memory::load(parent + a) <= b) return false;
  Memory::store(parent + a, b);
  tally.hooked();
  return true;
}

// Rounds of graft and shortcut until graft_all(keep_last) grafts nothing; then after_shortcut().
// shortcut=steps stores every step of a walk, as Algorithm 1 prints it; else only the root, which
// is less to write. No thread grafts meanwhile, so both end at the root.
template <class Memory, class Vertex, class GraftAll, class AfterShortcut>
void graft_in_rounds(Context& context, std::uint64_t vertices, Vertex* parent,
                     const Options& options, GraftAll&& graft_all, AfterShortcut&& after_shortcut) {
  std::uint64_t rounds = 0;
  repeat_rounds(context, [&] {
    if (!graft_all(options.flag("keep") && rounds++ < kLastKeptRounds)) return false;
    if (options.flag("shortcut")) {
      for_each(context, vertices, [&](std::uint64_t v) {
        Vertex above = Memory::load(parent + v);
        for (Vertex next; (next = Memory::load(parent + above)) != above; above = next)
          Memory::store(parent + v, next);
      });
    } else {
      finish(context, vertices, Finish::single, parent);
    }
    after_shortcut();
    return true;
  });
}

// Edges that an algorithm may rewrite.
template <class Vertex>
class EdgeCopy {
 public:
  EdgeCopy(Context& context, std::uint64_t capacity)
      : source_(make_scratch<Vertex>(context.scratch, capacity)),
        target_(make_scratch<Vertex>(context.scratch, capacity)) {}

  // Makes this copy hold count edges; edge(i) returns the i-th as a pair.
  template <class Edge>
  void fill(Context& context, std::uint64_t count, Edge&& edge) {
    count_ = count;
    for_each(context, count, [&](std::uint64_t i) { std::tie(source_[i], target_[i]) = edge(i); });
  }

  // Adds edges; threads may do so at the same time.
  void append(const Vertex* sources, const Vertex* targets, std::uint64_t count) {
    if (count == 0) return;
    const std::uint64_t first = Shared::fetch_add(&count_, count);
    std::copy_n(sources, count, source_.get() + first);
    std::copy_n(targets, count, target_.get() + first);
  }
  void clear() { count_ = 0; }

  // Makes this copy hold count edges, to be set.
  void resize(std::uint64_t count) { count_ = count; }
  void set(std::uint64_t i, Vertex source, Vertex target) {
    source_[i] = source;
    target_[i] = target;
  }

  // The update step: both ends of every edge move to their parents.
  void update(Context& context, const Vertex* parent) {
    for_each(context, count_, [&](std::uint64_t i) {
      source_[i] = parent[source_[i]];
      target_[i] = parent[target_[i]];
    });
  }

  EdgeView<Vertex> view() const { return {source_.get(), target_.get(), 1, 1, count_}; }

 private:
  Scratch<Vertex> source_;
  Scratch<Vertex> target_;
  std::uint64_t count_ = 0;
};

template <class Vertex>
EdgeCopy<Vertex> copy_of(Context& context, const EdgeView<Vertex>& edges) {
  EdgeCopy<Vertex> copy(context, edges.count);
  copy.fill(context, edges.count,
            [&](std::uint64_t i) { return std::pair(edges.source(i), edges.target(i)); });
  return copy;
}

}  // namespace skerry
