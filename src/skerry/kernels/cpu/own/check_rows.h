// The check of a caller's CSR: offsets do not fall, all neighbors are vertices. It is no pass of
// its own: the team of a pass that reads the rows anyway does it, some rows at a time, while they
// are in the cache. What a kernel does must be in bounds whatever it reads, before the check and
// after it: see views.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/context.h"
#include "cpu/graph/inputs.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
class RowCheck {
 public:
  RowCheck(Context& context, const CsrView<Vertex>& graph)
      : RowCheck(context, graph, context.checking) {}
  RowCheck(Context& context, const CsrView<Vertex>& graph, bool wanted)
      : context_(context),
        graph_(graph),
        limit_(
            context.threads <= 1
                ? graph.entries()
                : std::max(kFew, graph.entries() / (8 * static_cast<unsigned>(context.threads)))),
        long_rows_(graph.entries() > kLong * graph.vertices),
        open_(wanted) {}

  // Calls body(from, to) for all rows of [from, to), some at a time, and checks them: long rows
  // before, so that they come into the cache in order; short ones after, since reading them with
  // other work between costs nothing (a third of the check, or half, measured on a core each way).
  template <class Body>
  void in_pieces(std::uint64_t from, std::uint64_t to, Body&& body) {
    const bool before = open_ && long_rows_, after = open_ && !long_rows_;
    const std::uint64_t piece = open_ ? kPiece : to - from;
    for (std::uint64_t next; from < to; from = next) {  // one call of the body: it is inlined
      next = std::min(from + piece, to);
      if (before) check(from, next);
      body(from, next);
      if (after) check(from, next);
    }
  }

  // Checks the rows [from, to), if that is this pass's to do. All calls together cover all rows.
  void rows(std::uint64_t from, std::uint64_t to) {
    if (open_) check(from, to);
  }

  // Called after the team of the pass: the next passes need not check again.
  void end() {
    for (const Span& left : left_) {
      for_ranges(context_, left.end - left.begin, kFew,
                 [&](std::uint64_t from, std::uint64_t to, int) {
                   ids(left.begin + from, left.begin + to);
                 });
    }
    open_ = false;
  }

  static constexpr std::uint64_t kPiece = 1 << 10;  // rows whose entries stay in a core's cache

 private:
  static constexpr std::uint64_t kFew = 1 << 16;
  static constexpr std::uint64_t kLong = 64 / sizeof(Vertex);  // entries: a cache line

  // Not inlined: a loop that calls it keeps its registers.
  [[gnu::noinline]] void check(std::uint64_t from, std::uint64_t to) {
    if (!never_fall(graph_.offsets + from, to - from)) context_.add_fault();
    const std::uint64_t begin = graph_.bound(from);
    std::uint64_t end = std::max(begin, graph_.bound(to));
    if (end - begin > limit_) {  // a hub's: one thread would take long, while the others wait
      const std::lock_guard lock(mutex_);
      left_.push_back({begin + limit_, end});
      end = begin + limit_;
    }
    ids(begin, end);
  }

  void ids(std::uint64_t begin, std::uint64_t end) {
    const Vertex n = static_cast<Vertex>(graph_.vertices);
    if (!all_below(graph_.neighbors + begin, end - begin, n)) context_.add_fault();
  }

  Context& context_;
  const CsrView<Vertex>& graph_;
  const std::uint64_t limit_;  // entries that one call checks
  const bool long_rows_;
  bool open_;
  std::mutex mutex_;
  std::vector<Span> left_;  // entries, of few rows
};

}  // namespace skerry
