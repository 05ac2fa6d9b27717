// What the pool needs of the system: to sleep until a word changes, to start a thread, to hear of a
// fork. Linux' futex directly, since std::atomic::wait yields the processor several times before it
// sleeps, which on a busy machine costs as many time slices.
#pragma once

#include <atomic>
#include <cstdint>

#ifdef _WIN32
#include <system_error>
#include <thread>
#else
#include <pthread.h>
#include <signal.h>
#endif
#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#endif

namespace skerry {

// Tells the processor that this is a loop that waits.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) && !defined(_MSC_VER)
  asm volatile("isb" ::: "memory");  // `yield` does nothing on most of these
#endif
}

// Sleeps if the word is `seen`, until it is woken, or sooner: the caller checks again.
inline void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
#ifdef __linux__
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
#else
  word.wait(seen, std::memory_order_seq_cst);
#endif
}

// Wakes that many of those who sleep on a word; where the system cannot count, all.
inline void wake(std::atomic<std::uint32_t>& word, int count) {
#ifdef __linux__
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
#else
  count == 1 ? word.notify_one() : word.notify_all();
#endif
}

// Starts a thread that nobody waits for; false where the system cannot.
inline bool start_thread(void* (*run)(void*), void* argument) {
#ifdef _WIN32
  try {
    std::thread(run, argument).detach();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
#else
  // Kernels keep less than 100 KB on the stack, and the usual 8 MB for each of many threads are
  // missed where address space is limited.
  constexpr std::size_t kStack = 1 << 20;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Signals are for the threads that Python knows: there they interrupt what they should. Faults
  // and profilers concern the thread that they are sent to.
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
    sigdelset(&blocked, own);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, run, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
#endif
}

// Has `call` called in the child of every fork. It may do no more than store to an atomic.
inline bool call_in_forked_child([[maybe_unused]] void (*call)()) {
#ifdef _WIN32
  return true;
#else
  return pthread_atfork(nullptr, nullptr, call) == 0;
#endif
}

}  // namespace skerry
