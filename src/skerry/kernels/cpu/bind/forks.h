// How many forks lie between the first process and this one: what a thread held or wrote at the
// time of a fork is noticed in the child, where that thread does not exist.
#pragma once

#include <atomic>

#include "cpu/sleep.h"

namespace skerry {

inline std::atomic<unsigned> forks_so_far{0};

inline void note_fork() {
  forks_so_far.store(forks_so_far.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

inline const bool fork_handler_installed = call_in_forked_child(&note_fork);

inline unsigned fork_count() {
  return forks_so_far.load(std::memory_order_relaxed);
}

}  // namespace skerry
