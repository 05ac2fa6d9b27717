// Joins all entries of a CSR that first_neighbor.h has left, in windows (pair_window.h) or as they
// are read (join_as_read.h), whichever takes less time. Which one that is depends on how far apart
// the parents are, on how many entries lead to the tree that their row is in, and on the processor.
// So each thread joins a range of rows one way and the next one the other way, goes on with the
// faster one, and now and then tries the other again. Cost 3 % over the better of both, and some
// graphs less than either (2 cores of a Neoverse-N1).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "cpu/own/decisions.h"
#include "cpu/own/entries.h"
#include "cpu/own/join_as_read.h"
#include "cpu/own/join_in_windows.h"
#include "cpu/own/long_rows.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

enum class Way { kWindows, kAsRead };

// What one thread has measured.
class alignas(64) Trial {
 public:
  // How the next range is to be joined.
  Way next() {
    if (ranges_ < 2) return static_cast<Way>(ranges_);
    const bool again = ranges_ == retry_;
    if (again) retry_ *= 2;
    return static_cast<Way>((cost_[1] < cost_[0]) != again);
  }

  // How many rows that is: few, until both ways have been tried.
  std::uint64_t rows() const { return ranges_ < 2 ? 256 : 1024; }

  // A range of so much work took so long. One that was interrupted does not decide.
  void add(Way way, double seconds, std::uint64_t work) {
    double& cost = cost_[static_cast<int>(way)];
    const double now = seconds / static_cast<double>(std::max<std::uint64_t>(work, 1));
    cost = cost == 0 ? now : (cost + std::min(now, 2 * cost)) / 2;
    ++ranges_;
  }

 private:
  double cost_[2] = {0, 0};  // seconds for a row or an entry
  std::uint64_t ranges_ = 0;
  std::uint64_t retry_ = 8;  // the range that is joined the slower way again
};

// Joins some rows the way that is next, and measures it.
template <Entries kEntries, class Memory, class Vertex, class Tally>
[[gnu::noinline]] void join_timed(const CsrView<Vertex>& graph, std::uint64_t from,
                                  std::uint64_t to, Vertex* parent, Tally& tally, Trial& trial,
                                  Join forced) {
  using Clock = std::chrono::steady_clock;
  const Way way = forced == Join::kAuto     ? trial.next()
                  : forced == Join::kWindow ? Way::kWindows
                                            : Way::kAsRead;
  const auto begin = Clock::now();
  if (way == Way::kWindows) {
    // Sorted rows to their end, too: to leave each early is a branch that is mispredicted.
    join_in_windows<kEntries != Entries::kAll, Memory>(graph, from, to, parent, tally);
  } else {
    join_as_read<kEntries, Memory>(graph, from, to, parent, tally);
  }
  const std::chrono::duration<double> taken = Clock::now() - begin;
  const std::uint64_t first = graph.bound(from), past = graph.bound(to);
  trial.add(way, taken.count(), to - from + (past > first ? past - first : 0));
}

template <Entries kEntries, class Vertex>
void join_faster(Context& context, const CsrView<Vertex>& graph, Vertex* parent, Join forced) {
  if (graph.entries() == 0) return;
  std::vector<Trial> trials(static_cast<std::size_t>(std::max(context.threads, 1)));
  LongRows<Vertex> long_rows(context, graph);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_parts(context, graph.vertices, 1 << 12,
              [&](std::uint64_t from, std::uint64_t to, int thread) {
                Tally tally(context);
                Trial& trial = trials[static_cast<std::size_t>(thread)];
                for (std::uint64_t next; from < to; from = next) {
                  next = std::min(from + trial.rows(), to);
                  long_rows.leave_out(from, next, [&](std::uint64_t first, std::uint64_t past) {
                    join_timed<kEntries, Memory>(graph, first, past, parent, tally, trial, forced);
                  });
                }
              });
  });
  long_rows.join(kEntries != Entries::kAll, parent);
}

}  // namespace skerry
