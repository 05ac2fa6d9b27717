// Low-diameter decomposition: breadth-first searches that start at exponentially shifted times and
// grow side by side until every vertex belongs to a cluster.
//
// Miller, Peng & Xu, "Parallel Graph Decompositions Using Random Shifts" (SPAA 2013); Shun,
// Dhulipala & Blelloch, "A Simple and Practical Linear-Work Parallel Algorithm for Connectivity"
// (SPAA 2014): Decomp-Arb, where a vertex reached by several clusters at once joins any of them,
// and Decomp-Arb-Hybrid, which pulls while the frontier is large.
// As in the paper's code the shifts are not drawn: exp(beta * t) vertices in a random order may
// have started by step t. Departures: the random order is computed, not stored; steps without a
// frontier are skipped by starting the next vertex at once; the direction is chosen as in spread.h,
// by the work that a step means instead of the frontier's share of the vertices.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "cpu/pacer.h"
#include "cpu/published/claim.h"
#include "cpu/published/frontier.h"
#include "cpu/published/spread.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// A random order of 0 .. size() - 1, the next power of two from `count` on: multiplication by an
// odd number and the shift are both one to one there, so no table is needed.
class Shuffle {
 public:
  Shuffle(std::uint64_t count, std::uint64_t seed)
      : mask_(std::bit_ceil(std::max<std::uint64_t>(count, 1)) - 1),
        shift_(std::max(1, std::popcount(mask_) / 2)) {
    for (Round& round : rounds_) {
      round.factor = next_random(seed) | 1;
      round.summand = next_random(seed);
    }
  }

  std::uint64_t size() const { return mask_ + 1; }

  std::uint64_t operator()(std::uint64_t position) const {
    for (const Round& round : rounds_) {
      position = (position * round.factor + round.summand) & mask_;
      position ^= position >> shift_;
    }
    return position;
  }

 private:
  struct Round {
    std::uint64_t factor;
    std::uint64_t summand;
  };

  // SplitMix64: Steele, Lea & Flood (OOPSLA 2014).
  static std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t mask_;
  int shift_;
  Round rounds_[3];
};

template <class Memory, class Vertex>
class Decomposition {
 public:
  Decomposition(Context& context, const CsrView<Vertex>& graph, double beta, std::uint64_t seed,
                Vertex* labels)
      : context_(context),
        graph_(graph),
        beta_(beta),
        order_(graph.vertices, seed),
        labels_(labels),
        here_(context, graph.vertices),
        next_(context, graph.vertices) {}

  // Gives every vertex its cluster's first vertex as label; returns the number of steps.
  std::uint64_t run() {
    for_each(context_, graph_.vertices,
             [this](std::uint64_t v) { labels_[v] = kInvalidVertex<Vertex>; });
    Pacer pacer(context_);
    std::uint64_t clustered = 0;
    std::uint64_t steps = 0;
    while (clustered < graph_.vertices && pacer.go(here_.work() + 1)) {
      const std::uint64_t grown = here_.size();
      start_until(places_due(steps));
      if (here_.size() == 0) start_one(pacer);
      clustered += here_.size() - grown;
      spread<Memory>(context_, graph_, here_, next_, Claim<Vertex>{labels_});
      std::swap(here_, next_);
      clustered += here_.size();
      ++steps;
    }
    return steps;
  }

 private:
  std::uint64_t places_due(std::uint64_t step) const {
    const double share =
        std::exp(beta_ * static_cast<double>(step)) / static_cast<double>(graph_.vertices);
    const double size = static_cast<double>(order_.size());
    return share < 1 ? static_cast<std::uint64_t>(std::ceil(share * size)) : order_.size();
  }

  // Starts a cluster at a position of the order, unless its vertex is in one already.
  template <class Add>
  void start_at(std::uint64_t position, Add&& add) {
    const std::uint64_t v = order_(position);
    if (v >= graph_.vertices || labels_[v] != kInvalidVertex<Vertex>) return;
    labels_[v] = static_cast<Vertex>(v);
    add(static_cast<Vertex>(v), graph_.degree(v));
  }

  void start_until(std::uint64_t position) {
    if (position <= started_) return;
    for_ranges(context_, position - started_, [&](std::uint64_t begin, std::uint64_t end, int) {
      typename Frontier<Vertex>::template Additions<Memory> additions(here_);
      for (std::uint64_t i = begin; i < end; ++i)
        start_at(started_ + i, [&](Vertex v, std::uint64_t degree) { additions.add(v, degree); });
    });
    started_ = position;
  }

  void start_one(Pacer& pacer) {
    here_.start_list();
    while (here_.size() == 0 && started_ < order_.size() && pacer.go(1))
      start_at(started_++, [this](Vertex v, std::uint64_t degree) { here_.push(v, degree); });
  }

  Context& context_;
  const CsrView<Vertex>& graph_;
  const double beta_;
  const Shuffle order_;
  Vertex* labels_;
  Frontier<Vertex> here_;
  Frontier<Vertex> next_;
  std::uint64_t started_ = 0;  // positions of the order that are done
};

}  // namespace skerry
