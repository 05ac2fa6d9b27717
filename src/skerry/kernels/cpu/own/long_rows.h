// Rows so long that the team would wait for the thread that joins one, and rows side by side that
// are so long together, as those of hubs that come after their leaves. A pass over rows leaves them
// out, and then all threads join them together, some entries or some rows each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/first_where.h"
#include "cpu/memory.h"
#include "cpu/own/join_as_read.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
class LongRows {
 public:
  LongRows(Context& context, const CsrView<Vertex>& graph)
      : context_(context), graph_(graph), limit_(longest(context, graph.entries())) {
    rows_.reserve(max_rows());  // nothing is allocated by the team
    spans_.reserve(max_rows());
  }

  // Calls body(first, past) for the rows of [from, to), without those that are left to join().
  template <class Body>
  void leave_out(std::uint64_t from, std::uint64_t to, Body&& body) {
    for (std::uint64_t past; from < to; from = past + 1) {  // one call of the body: it is inlined
      past = before_long(from, to);
      if (from < past && !take(from, past)) body(from, past);
    }
  }

  // Entries from which on a row is long.
  std::uint64_t limit() const { return limit_; }

  // Whether row v is long, and left to join().
  bool take(std::uint64_t v) {
    if (entries_between(v, v + 1) < limit_) [[likely]]
      return false;
    return add(rows_, v);
  }

  bool has(std::uint64_t v) const {
    return std::find(rows_.begin(), rows_.end(), v) != rows_.end() ||
           std::any_of(spans_.begin(), spans_.end(),
                       [&](const Span& span) { return v >= span.begin && v < span.end; });
  }

  // Joins what was left out. Called after the team of the pass.
  void join(bool one_direction, Vertex* parent) {
    join(one_direction, parent, [](std::uint64_t) { return true; });
  }

  // The same, without the long rows that are not wanted. Returns whether it has joined any.
  template <class Wanted>
  bool join(bool one_direction, Vertex* parent, Wanted&& wanted) {
    bool any = !spans_.empty();
    with_tally(context_, [&]<class Tally>() {
      for (const std::uint64_t row : rows_) {
        if (!wanted(row)) continue;
        any = true;
        const Vertex v = static_cast<Vertex>(row);
        const Span entries = entries_of(v, one_direction);
        for_ranges(context_, entries.end - entries.begin, 1 << 12,
                   [&](std::uint64_t from, std::uint64_t to, int) {
                     Tally tally(context_);
                     join_some({entries.begin + from, entries.begin + to}, v, one_direction, parent,
                               tally);
                   });
      }
      for (const Span& span : spans_) {
        for_parts(context_, span.end - span.begin, kTogether,
                  [&](std::uint64_t from, std::uint64_t to, int) {
                    Tally tally(context_);
                    for (std::uint64_t row = span.begin + from; row < span.begin + to; ++row) {
                      const Vertex v = static_cast<Vertex>(row);
                      join_some(entries_of(v, one_direction), v, one_direction, parent, tally);
                    }
                  });
      }
    });
    return any;
  }

 private:
  // Whether the rows [from, to) are left to join(): they have as many entries as a long row, and
  // four times as many as their share.
  bool take(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t entries = entries_between(from, to);
    if (entries < limit_) [[likely]]
      return false;
    const std::uint64_t average = graph_.entries() / graph_.vertices + 1;
    return entries / (to - from) >= kCrowded * average && add(spans_, Span{from, to});
  }

  // Entries of the rows [from, to), by the offsets around them.
  std::uint64_t entries_between(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t begin = graph_.bound(from), end = graph_.bound(to);
    return end > begin ? end - begin : 0;
  }

  // Not if the list is full: then offsets fall, as there cannot be so many.
  template <class Item>
  bool add(std::vector<Item>& list, Item item) {
    const std::lock_guard lock(mutex_);
    if (list.size() == max_rows()) return false;
    list.push_back(item);
    return true;
  }

  // The entries of a row that may have to be joined.
  Span entries_of(Vertex v, bool one_direction) const {
    const std::uint64_t begin = graph_.bound(v);
    const std::uint64_t end = std::max(begin, graph_.bound(std::uint64_t{v} + 1));
    if (!one_direction || !context_.sorted_rows) return {begin, end};
    return {begin,
            first_where(begin, end, [&](std::uint64_t e) { return graph_.neighbor(e) >= v; })};
  }

  // Joins v with some entries of its row; in one direction, with those that are smaller.
  template <class Tally>
  void join_some(const Span& entries, Vertex v, bool one_direction, Vertex* parent,
                 Tally& tally) const {
    const Vertex bound = one_direction ? v : static_cast<Vertex>(graph_.vertices);
    join_long_row<Shared>(graph_, entries.begin, entries.end, v, bound, parent, tally);
  }

  static constexpr std::uint64_t kFew = (1 << 14) / kShrink;  // entries that one thread joins soon
  static constexpr std::uint64_t kParts = 4 * kShrink;        // of a thread's share of all entries
  static constexpr std::uint64_t kCrowded = 4;                // times the average row
  static constexpr std::uint64_t kTogether = 64;  // such rows that a thread takes at a time

  // The first long row of [from, to), which is left to join(), or `to`. Rows are looked at one by
  // one only where there may be one.
  std::uint64_t before_long(std::uint64_t from, std::uint64_t to) {
    const std::uint64_t begin = graph_.bound(from), end = graph_.bound(to);
    if (begin <= end && end - begin < limit_) [[likely]]
      return to;
    return search(from, to);
  }

  [[gnu::noinline]] std::uint64_t search(std::uint64_t v, std::uint64_t to) {
    while (v < to && !take(v)) ++v;
    return v;
  }

  static std::uint64_t longest(const Context& context, std::uint64_t entries) {
    if (context.threads <= 1) return ~std::uint64_t{0};
    return std::max(kFew, entries / (kParts * static_cast<std::uint64_t>(context.threads)));
  }

  std::uint64_t max_rows() const { return graph_.entries() / limit_; }

  Context& context_;
  const CsrView<Vertex>& graph_;
  const std::uint64_t limit_;
  std::mutex mutex_;
  std::vector<std::uint64_t> rows_;
  std::vector<Span> spans_;
};

}  // namespace skerry
