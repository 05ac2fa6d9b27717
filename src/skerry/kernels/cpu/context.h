// The context of every CPU kernel: how many threads it may use, whether to keep statistics, and how
// it is stopped. Kernels never print or exit. They return early when stopped() is true, and the
// bindings raise. What a kernel throws, such as std::bad_alloc, is thrown by the call that runs it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/scratch.h"

namespace skerry {

// A share, or another number, that a kernel has measured.
struct Measured {
  const char* name;
  double value;
};

struct Statistics {
  std::uint64_t rounds = 0;   // iterations to convergence, the one that changes nothing included
  std::uint64_t hooks = 0;    // successful unions
  std::uint64_t finds = 0;    // walks to a root
  std::uint64_t steps = 0;    // parent pointers followed by all walks together
  std::uint64_t longest = 0;  // the longest single walk
  std::vector<Measured> measured;  // by what a kernel decided, in order
};

// One named part of a kernel and its wall-clock time.
struct Phase {
  const char* name;
  double seconds;
};

class Context {
 public:
  using Interrupted = bool (*)();

  Context(int thread_count, bool keep_statistics, Interrupted interrupted)
      : threads(thread_count), counting(keep_statistics), interrupted_(interrupted) {}

  const int threads;
  const bool counting;
  Statistics statistics;
  std::vector<Phase> phases;
  ScratchCounter scratch;
  bool checking = false;     // the arrays are a caller's: a pass that reads all of them checks them
  bool sorted_rows = false;  // neighbors ascend in all rows: known before, or found by the check

  // Ends the phase that began with the last call. Called between teams only.
  void end_phase(const char* name) {
    const auto now = std::chrono::steady_clock::now();
    phases.push_back({name, std::chrono::duration<double>(now - phase_began_).count()});
    phase_began_ = now;
  }

  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Called between pieces of work. Only the calling thread (number 0) may call the interpreter.
  bool keep_going(int thread) {
    if (thread == 0 && interrupted_ != nullptr) {
      const auto now = std::chrono::steady_clock::now();
      if (now - checked_ > std::chrono::milliseconds(50)) {
        checked_ = now;
        if (interrupted_()) stopped_.store(true, std::memory_order_relaxed);
      }
    }
    return !stopped();
  }

  // What was checked is not a graph.
  void add_fault() { faulty_.store(true, std::memory_order_relaxed); }
  bool faulty() const { return faulty_.load(std::memory_order_relaxed); }

  void add(const Statistics& part) {
    const std::lock_guard lock(mutex_);
    statistics.hooks += part.hooks;
    statistics.finds += part.finds;
    statistics.steps += part.steps;
    if (part.longest > statistics.longest) statistics.longest = part.longest;
  }

 private:
  Interrupted interrupted_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> faulty_{false};
  std::chrono::steady_clock::time_point checked_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point phase_began_ = checked_;
  std::mutex mutex_;
};

// The two tallies of union_find.h. Silent compiles to nothing.
struct Silent {
  explicit Silent(Context&) {}
  void step() {}
  void end_find() {}
  void hooked() {}
};

class Counting {
 public:
  explicit Counting(Context& context) : context_(context) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  ~Counting() { context_.add(part_); }

  void step() { ++length_; }
  void end_find() {
    ++part_.finds;
    part_.steps += length_;
    if (length_ > part_.longest) part_.longest = length_;
    length_ = 0;
  }
  void hooked() { ++part_.hooks; }

 private:
  Context& context_;
  Statistics part_;
  std::uint64_t length_ = 0;
};

// Calls body.operator()<Tally>() with the tally that the caller requested.
template <class Body>
void with_tally(const Context& context, Body&& body) {
  if (context.counting) {
    body.template operator()<Counting>();
  } else {
    body.template operator()<Silent>();
  }
}

}  // namespace skerry
