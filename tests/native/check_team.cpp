// Teams of all sizes: each member once, writes that are seen, teams inside teams, more callers at
// once than the pool has room for, members that throw, workers that keep off a processor.
#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cpu/processor.h"
#include "cpu/team.h"
#include "harness.h"

namespace {

using skerry::run_team;

// Plain writes by the caller before and by the members during a team: both must be seen.
bool each_member_once(int threads) {
  std::vector<int> before(1, threads), calls(static_cast<std::size_t>(threads), 0);
  std::atomic<int> members{0};
  run_team(threads, [&](int thread, int count) {
    calls[static_cast<std::size_t>(thread)] += before[0] == threads ? 1 : 2;
    members.store(count, std::memory_order_relaxed);
  });
  for (int t = 0; t < threads; ++t)
    if (calls[static_cast<std::size_t>(t)] != (t < members.load() ? 1 : 0)) return false;
  return true;
}

bool teams_inside_teams() {
  std::atomic<int> inner{0}, expected{0};
  run_team(4, [&](int, int) {
    run_team(3, [&](int thread, int count) {
      ++inner;
      if (thread == 0) expected += count;
    });
  });
  return inner.load() == expected.load();
}

bool many_callers(std::uint64_t size) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 24; ++caller)
    callers.emplace_back([&wrong, caller, size] {
      for (std::uint64_t i = 0; i < size; ++i)
        if (!each_member_once(2 + caller % 5)) ++wrong;
    });
  for (std::thread& caller : callers) caller.join();
  return wrong.load() == 0;
}

template <class Error>
bool thrown_by(int thrower) {
  std::atomic<int> running{0};
  try {
    run_team(4, [&](int thread, int count) {
      ++running;
      if (thread == thrower % count) {
        --running;
        throw Error();
      }
      --running;
    });
  } catch (const Error&) {
    return running.load() == 0;  // all have left
  }
  return false;
}

#ifdef __linux__

cpu_set_t processors_of(pid_t thread) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(thread, sizeof set, &set);
  return set;
}

// Keeps this thread on the processor that it is on, so that the system does not move it between two
// steps of a check; returns which one that is.
int pin() {
  const int here = skerry::current_processor();
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<unsigned>(here), &only);
  sched_setaffinity(0, sizeof only, &only);
  return here;
}

// Where a thread that may use `given` is to be when it has left `processor`: anywhere else, or
// still there if there is nothing else.
cpu_set_t left(cpu_set_t given, int processor) {
  if (CPU_COUNT(&given) > 1) CPU_CLR(static_cast<unsigned>(processor), &given);
  return given;
}

// A processor that none of these threads is on, nor any of most machines.
constexpr int kAnother = CPU_SETSIZE - 1;

// A thread leaves its processor, and the next one too, for which it gets the first one back. It
// does not leave one that it is not on.
bool leaves_processors(const cpu_set_t& given) {
  skerry::WorkerAffinity affinity;
  affinity.begin();
  for (int i = 0; i < 8; ++i) {
    const int here = pin();
    const cpu_set_t pinned = processors_of(0);
    affinity.leave(kAnother);
    const cpu_set_t before = processors_of(0);
    affinity.leave(here);
    const cpu_set_t after = processors_of(0);
    const cpu_set_t expected = left(given, here);
    if (!CPU_EQUAL(&before, &pinned) || !CPU_EQUAL(&after, &expected)) return false;
  }
  return true;
}

// Another thread keeps this one off the processor on which it says it sleeps, and only off that.
bool is_kept_off(const cpu_set_t& given) {
  skerry::WorkerAffinity affinity;
  affinity.begin();
  const int here = pin();
  const cpu_set_t pinned = processors_of(0);
  affinity.sleep();
  std::thread([&] { affinity.keep_off(kAnother); }).join();
  const cpu_set_t before = processors_of(0);
  std::thread([&] { affinity.keep_off(here); }).join();
  const cpu_set_t after = processors_of(0);
  const cpu_set_t expected = left(given, here);
  return CPU_EQUAL(&before, &pinned) && CPU_EQUAL(&after, &expected);
}

// Where the process may use that one only, it is not left.
bool stays_inside(const cpu_set_t& given) {
  skerry::WorkerAffinity affinity;
  affinity.begin();
  const int here = pin();
  const cpu_set_t pinned = processors_of(0);
  sched_setaffinity(getpid(), sizeof pinned, &pinned);
  affinity.leave(here);
  const cpu_set_t now = processors_of(0);
  sched_setaffinity(getpid(), sizeof given, &given);
  return CPU_EQUAL(&now, &pinned);
}

bool in_a_thread(bool (*check)(const cpu_set_t&)) {
  bool right = false;
  const cpu_set_t given = processors_of(0);
  std::thread([&] { right = check(given); }).join();
  return right;
}

#endif

}  // namespace

// check_team [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const int threads : {1, 2, 3, 8, 40})
    for (std::uint64_t i = 0; i < size / 4 + 1; ++i)
      results.add(each_member_once(threads), std::to_string(threads) + " members");
  for (std::uint64_t i = 0; i < size / 4 + 1; ++i) results.add(teams_inside_teams(), "inner teams");
  results.add(many_callers(size / 16 + 1), "many callers");
  for (std::uint64_t i = 0; i < size / 16 + 1; ++i)
    for (int thrower = 0; thrower < 4; ++thrower)
      results.add(thrown_by<std::bad_alloc>(thrower), "thrown by " + std::to_string(thrower));
  results.add(each_member_once(4), "a team after errors");
#ifdef __linux__
  results.add(in_a_thread(leaves_processors), "processors that are left");
  results.add(in_a_thread(is_kept_off), "a processor that is kept free");
  results.add(in_a_thread(stays_inside), "a processor that is not left");
#endif
  return results.close();
}
