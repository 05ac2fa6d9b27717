// Rows so long that the team would wait for the thread that joins one. A pass over rows leaves them
// out, and then all threads join them together, some entries each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "common/union_find.h"
#include "cpu/first_where.h"
#include "cpu/memory.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
class LongRows {
 public:
  LongRows(Context& context, const CsrView<Vertex>& graph)
      : context_(context), graph_(graph), limit_(longest(context, graph.entries())) {
    rows_.reserve(max_rows());  // nothing is allocated by the team
  }

  // Calls body(first, past) for the rows of [from, to), without the long ones.
  template <class Body>
  void leave_out(std::uint64_t from, std::uint64_t to, Body&& body) {
    for (std::uint64_t past; from < to; from = past + 1) {  // one call of the body: it is inlined
      past = before_long(from, to);
      if (from < past) body(from, past);
    }
  }

  // Entries from which on a row is long.
  std::uint64_t limit() const { return limit_; }

  // Whether row v is long, and left to join().
  bool take(std::uint64_t v) {
    const std::uint64_t begin = graph_.bound(v), end = graph_.bound(v + 1);
    if (end <= begin || end - begin < limit_) [[likely]]
      return false;
    const std::lock_guard lock(mutex_);
    if (rows_.size() == max_rows()) return false;  // offsets that fall: there cannot be so many
    rows_.push_back(v);
    return true;
  }

  bool has(std::uint64_t v) const {
    return std::find(rows_.begin(), rows_.end(), v) != rows_.end();
  }

  // Joins what was left out. Called after the team of the pass.
  void join(bool one_direction, Vertex* parent) {
    with_tally(context_, [&]<class Tally>() {
      for (const std::uint64_t row : rows_) {
        const Vertex v = static_cast<Vertex>(row);
        const Vertex bound = one_direction ? v : static_cast<Vertex>(graph_.vertices);
        const std::uint64_t begin = graph_.bound(row);
        std::uint64_t end = graph_.bound(row + 1);
        if (one_direction && context_.sorted_rows)
          end =
              first_where(begin, end, [&](std::uint64_t e) { return graph_.neighbor(e) >= bound; });
        if (begin >= end) continue;
        for_ranges(context_, end - begin, 1 << 12, [&](std::uint64_t from, std::uint64_t to, int) {
          Tally tally(context_);
          join_some(begin + from, begin + to, v, bound, parent, tally);
        });
      }
    });
  }

 private:
  // Joins v with the entries [from, to) of its row that are below `bound`.
  template <class Tally>
  [[gnu::noinline]] void join_some(std::uint64_t from, std::uint64_t to, Vertex v, Vertex bound,
                                   Vertex* parent, Tally& tally) const {
    const CsrView<Vertex> rows = graph_;  // a copy that no store can change
    Vertex root = JumpHalving::find<Shared>(parent, v, tally);
    for (std::uint64_t e = from; e < to; ++e) {
      const Vertex u = rows.neighbor(e);
      if (u >= bound) continue;
      const Vertex other = JumpHalving::find<Shared>(parent, u, tally);
      root = hook<Shared>(parent, other, root, tally);
    }
  }

  static constexpr std::uint64_t kFew = (1 << 14) / kShrink;  // entries that one thread joins soon
  static constexpr std::uint64_t kParts = 4;                  // of a thread's share of all entries

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
};

}  // namespace skerry
