// Keeps workers off the processor of the thread that they work for.
//
// A thread that is woken after some idle time may be put on the processor of the one that woke it,
// though others are idle. There it gets its turn when that one has done all the work. Seen with
// Linux 6.18 on 2 virtual cores: with 20 ms between them, most calls with two threads took as long
// as with one (3.9 ms; 2.1 now). So a worker that slept there is moved before it is woken, and one
// that finds itself there moves away. Also tells how many processors there are.
#pragma once

#include <atomic>

#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace skerry {

// The processor that the calling thread runs on, or -1 where that is not known.
inline int current_processor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// How many processors the calling thread may use, or 0 where that is not known.
inline int allowed_processors() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
  return 0;
}

// Of one worker: where it is, and which processors it may use.
class WorkerAffinity {
 public:
  // By the worker, when it begins.
  void begin() {
#ifdef __linux__
    if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) return;  // too many for the set
    thread_.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_release);
#endif
  }

  // By the worker, before it sleeps.
  void sleep() { slept_on_.store(current_processor(), std::memory_order_relaxed); }

  // By the worker, when it was woken.
  void leave(int processor) {
    if (processor >= 0 && current_processor() == processor) move(processor);
  }

  // By the one who is about to wake it, with its own processor.
  void keep_off(int processor) {
    if (processor < 0 || slept_on_.load(std::memory_order_relaxed) != processor) return;
    slept_on_.store(-1, std::memory_order_relaxed);
    move(processor);
  }

 private:
  // To a processor that the worker was allowed to use when it began, and the process' first thread
  // is now: so `taskset` is obeyed.
  void move([[maybe_unused]] int away) const {
#ifdef __linux__
    const pid_t thread = thread_.load(std::memory_order_acquire);
    cpu_set_t others;
    if (thread == 0 || away >= CPU_SETSIZE) return;
    if (sched_getaffinity(getpid(), sizeof others, &others) != 0) return;
    CPU_AND(&others, &others, &allowed_);
    CPU_CLR(static_cast<unsigned>(away), &others);
    if (CPU_COUNT(&others) != 0) sched_setaffinity(thread, sizeof others, &others);
#endif
  }

#ifdef __linux__
  cpu_set_t allowed_;
  std::atomic<pid_t> thread_{0};  // 0: not begun
#endif
  std::atomic<int> slept_on_{-1};
};

}  // namespace skerry
