// The depth-first part of strong.h, by one thread.
#pragma once

#include <cstdint>
#include <limits>

#include "cpu/context.h"
#include "cpu/memory.h"
#include "cpu/scratch.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// `low` has three kinds of values, so that one comparison tells them apart: 0, not visited; small
// numbers, the lowest vertex of the search that is known to be reached; kTop - c, in component c.
template <class Vertex>
inline constexpr Vertex kTop = std::numeric_limits<Vertex>::max();

// Components are numbered from `number` on. Vertices for which outside(w) is true are not looked at
// and lead nowhere; there are at most `capacity` others.
template <class Vertex, class Outside>
class DepthFirst {
 public:
  DepthFirst(Context& context, int thread, const CsrView<Vertex>& graph, Vertex* low,
             std::uint64_t capacity, std::uint64_t number, Outside outside)
      : context_(context),
        thread_(thread),
        graph_(graph),
        low_(low),
        outside_(outside),
        number_(number),
        capacity_(capacity),
        open_(capacity),
        vertices_(make_scratch<Vertex>(context.scratch, capacity)),
        states_(make_scratch<std::uint64_t>(context.scratch, capacity)) {}

  std::uint64_t next_number() const { return number_; }

  // Numbers the components of all vertices that `root` reaches and that have none yet; false once
  // the kernel is to return.
  bool search(std::uint64_t root) {
    if (low_[root] != 0) return true;
    Step at = enter(static_cast<Vertex>(root));
    for (;;) {
      const Vertex child = unvisited_successor(at);
      if (child != kTop<Vertex>) {
        if (open_ - depth_ < 2) {  // the arrays have changed since `capacity` was counted
          context_.add_fault();
          return false;
        }
        vertices_[depth_] = at.vertex;
        states_[depth_++] = at.end << 1 | at.is_first;
        at = enter(child);
        continue;
      }
      const Vertex reached = leave(at);
      if (depth_ == 0) return keep_going(1);
      at = back();
      if (reached < at.low) at.low = reached, at.is_first = false;
      if (!keep_going(1)) return false;
    }
  }

 private:
  // A vertex on the path from the root, and what is left of its row.
  struct Step {
    std::uint64_t begin;
    std::uint64_t end;
    Vertex vertex;
    Vertex low;
    bool is_first;  // it reaches nothing that was visited before it, as far as is known
  };

  // How many entries ahead the numbers of successors are fetched.
  static constexpr std::uint64_t kAhead = 16;

  bool keep_going(std::uint64_t units) {
    since_check_ += units;
    if (since_check_ < kGrain) return true;
    since_check_ = 0;
    return context_.keep_going(thread_);
  }

  Step enter(Vertex vertex) {
    const Span row = graph_.row(vertex);
    Step step{row.begin, row.end, vertex, index_, true};
    if (row.begin > row.end || row.end > graph_.size) {
      context_.add_fault();
      step.end = step.begin;
    }
    low_[vertex] = index_++;
    const std::uint64_t ahead = step.end - step.begin < kAhead ? step.begin : step.end - kAhead;
    for (std::uint64_t e = step.end; e > ahead; --e) {
      const std::uint64_t w = graph_.neighbor(e - 1);
      if (w < graph_.vertices) prefetch(low_ + w);
    }
    return step;
  }

  Step back() {
    const Vertex vertex = vertices_[--depth_];
    const std::uint64_t state = states_[depth_];
    return {std::min(look(graph_.offsets + vertex), state >> 1), state >> 1, vertex, low_[vertex],
            (state & 1) != 0};
  }

  Vertex unvisited_successor(Step& at) {
    while (at.end > at.begin) {
      const Vertex w = graph_.neighbor(--at.end);
      if (at.end >= at.begin + kAhead) {
        const std::uint64_t later = graph_.neighbor(at.end - kAhead);
        if (later < graph_.vertices) prefetch(low_ + later);
      }
      if (w >= graph_.vertices) {
        context_.add_fault();
        continue;
      }
      if (outside_(w)) continue;
      const Vertex value = low_[w];
      if (value == 0) {
        low_[at.vertex] = at.low;
        return w;
      }
      if (value < at.low) at.low = value, at.is_first = false;
    }
    return kTop<Vertex>;
  }

  // If nothing before this vertex is reached, it is the first of its component, whose others are
  // the last of the open ones. Returns the vertex's number.
  Vertex leave(const Step& at) {
    if (!at.is_first) {
      low_[at.vertex] = at.low;
      vertices_[--open_] = at.vertex;
      return at.low;
    }
    const Vertex done = static_cast<Vertex>(kTop<Vertex> - number_++);
    --index_;
    for (; open_ < capacity_ && low_[vertices_[open_]] >= at.low; ++open_, --index_)
      low_[vertices_[open_]] = done;
    low_[at.vertex] = done;
    return done;
  }

  Context& context_;
  const int thread_;
  const CsrView<Vertex> graph_;
  Vertex* const low_;
  const Outside outside_;
  std::uint64_t number_;
  Vertex index_ = 1;
  std::uint64_t since_check_ = 0;
  // One array: at its front the path, at its end the vertices that were left, but whose component
  // is not complete, the last one first.
  const std::uint64_t capacity_;
  std::uint64_t depth_ = 0, open_;
  Scratch<Vertex> vertices_;
  Scratch<std::uint64_t> states_;  // of the path: twice the end, and is_first
};

}  // namespace skerry
