// The only file that runs threads: a team, and a loop that deals out ranges to it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "cpu/context.h"
#include "cpu/pool.h"

namespace skerry {

// Runs body(thread, threads) for every member of a team; returns when all have, and throws what one
// of them threw. The caller is member 0. There may be fewer members than requested, so a body must
// use the number that it receives; and one thread may run several members, one after the other, so
// a body must not wait for another member to begin.
template <class Body>
void run_team(int threads, Body&& body) {
  Pool* const pool = threads > 1 ? Pool::current() : nullptr;
  if (pool == nullptr) return body(0, 1);
  using Plain = std::remove_reference_t<Body>;
  pool->run(
      std::min(threads, Pool::kMostMembers),
      [](void* self, int thread, int count) { (*static_cast<Plain*>(self))(thread, count); },
      std::addressof(body));
}

// The sanitizers' builds cut everything into small pieces, so that threads meet on small graphs.
#ifdef SKERRY_SMALL_RANGES
inline constexpr std::uint64_t kShrink = 256;
#else
inline constexpr std::uint64_t kShrink = 1;
#endif

// Small enough to stop within a few milliseconds and to balance skewed rows; large enough that
// taking a range costs nothing beside working on it.
inline constexpr std::uint64_t kGrain = (1 << 14) / kShrink;

// Smaller ranges where there would be too few for the team: multiples of `unit`, down to one.
inline std::uint64_t fair_grain(int threads, std::uint64_t count, std::uint64_t grain,
                                std::uint64_t unit) {
  constexpr std::uint64_t kPieces = 4;  // for each thread
  const std::uint64_t pieces = kPieces * static_cast<std::uint64_t>(threads);
  return std::clamp(count / pieces / unit * unit, unit, std::max(grain, unit));
}

// How [0, count) is cut, and for how many threads there are pieces.
struct Cut {
  Cut(const Context& context, std::uint64_t count, std::uint64_t grain, std::uint64_t unit)
      : piece(fair_grain(std::max(context.threads, 1), count, grain, unit)),
        pieces((count + piece - 1) / piece),
        threads(static_cast<int>(
            std::min<std::uint64_t>(static_cast<std::uint64_t>(context.threads), pieces))) {}

  const std::uint64_t piece;
  const std::uint64_t pieces;
  const int threads;
};

// Calls body(begin, end, thread) on ranges that cover [0, count), in ascending order for each
// thread; serially it is one ascending sweep. Ranges are of `grain`, for a team of fair_grain().
template <class Body>
void share_ranges(Context& context, std::uint64_t count, std::uint64_t grain, std::uint64_t unit,
                  Body&& body) {
  if (count == 0) return;
  const Cut cut(context, count, grain, unit);
  if (cut.threads <= 1) {  // a plain loop: in the closure of a team the body is compiled worse
    for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += grain)
      body(begin, std::min(begin + grain, count), 0);
    return;
  }
  std::atomic<std::uint64_t> next{0};
  run_team(cut.threads, [&](int thread, int) {
    while (context.keep_going(thread)) {
      const std::uint64_t begin = next.fetch_add(cut.piece, std::memory_order_relaxed);
      if (begin >= count) break;
      body(begin, std::min(begin + cut.piece, count), thread);
    }
  });
}

// As above, with ranges of exactly `grain`, but for the last.
template <class Body>
void deal_ranges(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  share_ranges(context, count, grain, grain, body);
}

// As above; a body must not rely on the size of its ranges.
template <class Body>
void for_ranges(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  const std::uint64_t shrunk = std::max<std::uint64_t>(grain / kShrink, 1);
  share_ranges(context, count, shrunk, std::max<std::uint64_t>(shrunk / 16, 1), body);
}

// As above, with ranges of at most kGrain that are multiples of 64.
template <class Body>
void for_ranges(Context& context, std::uint64_t count, Body&& body) {
  share_ranges(context, count, kGrain, std::max<std::uint64_t>(kGrain / 16, 64), body);
}

// As for_ranges with a grain, but every thread begins in a part of its own, and helps the others
// when it is done. For what joins trees: where neighbors have near ids, threads that work side by
// side would all write to the same ones.
template <class Body>
void for_parts(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  const std::uint64_t shrunk = std::max<std::uint64_t>(grain / kShrink, 1);
  const std::uint64_t unit = std::max<std::uint64_t>(shrunk / 16, 1);
  const Cut cut(context, count, shrunk, unit);
  if (cut.threads <= 1) return share_ranges(context, count, shrunk, unit, body);
  struct alignas(64) Part {  // a cache line of its own
    std::atomic<std::uint64_t> next;
    std::uint64_t end;
  };
  const std::uint64_t threads = static_cast<std::uint64_t>(cut.threads);
  std::vector<Part> parts(threads);
  for (std::uint64_t i = 0; i < threads; ++i) {
    parts[i].next = cut.pieces * i / threads * cut.piece;
    parts[i].end = std::min(cut.pieces * (i + 1) / threads * cut.piece, count);
  }
  run_team(cut.threads, [&](int thread, int) {
    for (std::uint64_t i = 0; i < threads; ++i) {
      Part& part = parts[(static_cast<std::uint64_t>(thread) + i) % threads];
      while (context.keep_going(thread)) {
        const std::uint64_t begin = part.next.fetch_add(cut.piece, std::memory_order_relaxed);
        if (begin >= part.end) break;
        body(begin, std::min(begin + cut.piece, part.end), thread);
      }
    }
  });
}

// Calls body(i) for every i in [0, count).
template <class Body>
void for_each(Context& context, std::uint64_t count, Body&& body) {
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace skerry
