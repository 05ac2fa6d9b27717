// The check of a caller's CSR: offsets do not fall, all neighbors are vertices. It is no pass of
// its own: the team of a pass that reads the rows anyway does it, some rows at a time, while they
// are in the cache. What a kernel does must be in bounds whatever it reads, before the check and
// after it: see views.h. On request it also finds out whether the rows are sorted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/context.h"
#include "cpu/graph/inputs.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

// Asks for that where there are more than so many quarters of an entry a vertex: in short rows few
// entries come after the smaller ones.
struct FindOrder {
  bool wanted;
  std::uint64_t quarters = 9;
};

template <class Vertex>
class RowCheck {
 public:
  RowCheck(Context& context, const CsrView<Vertex>& graph, FindOrder order = {false})
      : context_(context),
        graph_(graph),
        limit_(
            context.threads <= 1
                ? graph.entries()
                : std::max(kFew, graph.entries() / (8 * static_cast<unsigned>(context.threads)))),
        long_rows_(graph.entries() > kLong * graph.vertices),
        open_(context.checking),
        ordering_(open_ && order.wanted && 4 * graph.entries() > order.quarters * graph.vertices) {}

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

  // Whether rows are known to be sorted, or that is to be found out.
  bool may_be_sorted() const { return open_ ? ordering_ : context_.sorted_rows; }

  // Checks the rows [from, to), if that is this pass's to do. All calls together cover all rows.
  // Returns whether they are known to be sorted.
  bool rows(std::uint64_t from, std::uint64_t to) {
    return open_ ? check(from, to) : context_.sorted_rows;
  }

  // Called after the team of the pass: the next passes need not check again.
  void end() {
    for (const Span& left : left_) {
      for_ranges(context_, left.end - left.begin, kFew,
                 [&](std::uint64_t from, std::uint64_t to, int) {
                   // With the entry before: it is of the same rows.
                   add_unsorted(ids(left.begin + from - 1, left.begin + to));
                 });
    }
    if (ordering_) context_.sorted_rows = unsorted_.load(std::memory_order_relaxed) == 0;
    open_ = ordering_ = false;
  }

  static constexpr std::uint64_t kPiece = 1 << 10;  // rows whose entries stay in a core's cache

 private:
  static constexpr std::uint64_t kFew = 1 << 16;
  static constexpr std::uint64_t kLong = 64 / sizeof(Vertex);  // entries: a cache line

  // Not inlined: a loop that calls it keeps its registers.
  [[gnu::noinline]] bool check(std::uint64_t from, std::uint64_t to) {
    if (!never_fall(graph_.offsets + from, to - from)) context_.add_fault();
    const std::uint64_t begin = graph_.bound(from);
    const std::uint64_t end = std::max(begin, graph_.bound(to));
    const std::uint64_t now = std::min(end, begin + limit_);
    if (now < end) {  // a hub's: one thread would take long, while the others wait
      const std::lock_guard lock(mutex_);
      left_.push_back({now, end});
    }
    std::uint64_t falls = ids(begin, now);
    if (!ordering_) return false;
    falls -= falls_between(from, to, begin, end);
    add_unsorted(falls);
    return falls == 0 && now == end;
  }

  // Returns how often an entry is smaller than the one before it, if that is asked for.
  std::uint64_t ids(std::uint64_t begin, std::uint64_t end) {
    const Vertex n = static_cast<Vertex>(graph_.vertices);
    const Vertex* const first = graph_.neighbors + begin;
    std::uint64_t falls = 0;
    const bool right =
        ordering_ ? all_below(first, end - begin, n, falls) : all_below(first, end - begin, n);
    if (!right) context_.add_fault();
    return falls;
  }

  // How often that is so between the last entry of a row and the first one of the next.
  std::uint64_t falls_between(std::uint64_t from, std::uint64_t to, std::uint64_t begin,
                              std::uint64_t end) const {
    std::uint64_t falls = 0;
    if (begin == end) return 0;
    std::uint64_t e = look(graph_.offsets + from);
    for (std::uint64_t v = from; v < to; ++v) {
      const std::uint64_t next = look(graph_.offsets + v + 1);
      // Not where a row is empty: the next one that is not counts it.
      const bool counts = e > begin && e < next && e < end;
      const std::uint64_t here = counts ? e : begin;
      falls += graph_.neighbor(here) < graph_.neighbor(here - counts);
      e = next;
    }
    return falls;
  }

  // All falls less those between rows are those inside rows, of whatever parts they are the sum.
  void add_unsorted(std::uint64_t falls) {
    if (falls != 0) unsorted_.fetch_add(falls, std::memory_order_relaxed);
  }

  Context& context_;
  const CsrView<Vertex>& graph_;
  const std::uint64_t limit_;  // entries that one call checks
  const bool long_rows_;
  bool open_;
  bool ordering_;
  std::atomic<std::uint64_t> unsorted_{0};  // entries smaller than the one before, in their row
  std::mutex mutex_;
  std::vector<Span> left_;  // entries, of few rows
};

}  // namespace skerry
