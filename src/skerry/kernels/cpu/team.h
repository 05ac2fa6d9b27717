// The only file that starts threads: a team, and a loop that deals out ranges to it.
//
// OpenMP runs the team. std::thread does so instead where OpenMP cannot: under ThreadSanitizer,
// which does not understand libgomp's barriers, and in a forked child, where libgomp's pool of
// threads is gone and using it would hang.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cpu/context.h"

namespace skerry {

// Set in a forked child (see bindings.cpp); read before every team.
inline std::atomic<bool> avoid_openmp{
#if defined(SKERRY_STD_THREADS) || !defined(_OPENMP)
    true
#else
    false
#endif
};

// Runs body(thread, threads) on every member of a team; returns when all have. There may be fewer
// threads than requested; a body must use the number that it receives.
template <class Body>
void run_team(int threads, Body&& body) {
  if (threads <= 1) {
    body(0, 1);
    return;
  }
  if (avoid_openmp.load(std::memory_order_relaxed)) {
    std::vector<std::thread> others;
    others.reserve(static_cast<std::size_t>(threads - 1));
    for (int t = 1; t < threads; ++t)
      others.emplace_back([&body, t, threads] { body(t, threads); });
    body(0, threads);
    for (std::thread& other : others) other.join();
    return;
  }
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
  body(omp_get_thread_num(), omp_get_num_threads());
#endif
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

// Calls body(begin, end, thread) on ranges of `grain` that cover [0, count), in ascending order for
// each thread; serially it is one ascending sweep.
template <class Body>
void deal_ranges(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  if (count == 0) return;
  const std::uint64_t pieces = (count + grain - 1) / grain;
  const int threads = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(context.threads), pieces));
  std::atomic<std::uint64_t> next{0};
  run_team(threads, [&](int thread, int) {
    while (context.keep_going(thread)) {
      const std::uint64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= count) break;
      body(begin, std::min(begin + grain, count), thread);
    }
  });
}

// As above; a body must not rely on the size of its ranges.
template <class Body>
void for_ranges(Context& context, std::uint64_t count, std::uint64_t grain, Body&& body) {
  deal_ranges(context, count, std::max<std::uint64_t>(grain / kShrink, 1), body);
}

// As above, with ranges of kGrain.
template <class Body>
void for_ranges(Context& context, std::uint64_t count, Body&& body) {
  deal_ranges(context, count, kGrain, body);
}

// Calls body(i) for every i in [0, count).
template <class Body>
void for_each(Context& context, std::uint64_t count, Body&& body) {
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t i = begin; i < end; ++i) body(i);
  });
}

}  // namespace skerry
