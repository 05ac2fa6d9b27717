// The threads of this process' teams, started when they are first needed and kept.
//
// A team is a job of numbered tickets, one for each member. The caller takes the first ticket; idle
// workers take others; tickets that nobody took by the time the caller is done, it takes itself. So
// no call waits for a worker to wake up, to be scheduled on a busy machine or to be started at all,
// and calls from several threads, or from inside a team, share the workers without waiting for one
// another. Why not OpenMP: its threads spin for milliseconds (2 cores, 2 other busy processes, 0.6
// million edges: 119 ms where one thread takes 27), its pool is dead in a forked child, and it ends
// the process where a thread cannot be made.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cpu/processor.h"
#include "cpu/sleep.h"

namespace skerry {

class Pool {
 public:
  using Member = void (*)(void* body, int thread, int threads);

  // The pool of this process, or null if there is no memory for it. It is never destroyed: workers
  // may still use it while the process exits. After a fork the child makes one of its own, since
  // of the parent's threads only the one that forked exists there.
  static Pool* current() {
    Pool* pool = instance_.load(std::memory_order_acquire);
    if (pool != nullptr) return pool;
    Pool* const fresh = new (std::nothrow) Pool;
    if (fresh == nullptr) return nullptr;
    if (instance_.compare_exchange_strong(pool, fresh, std::memory_order_acq_rel)) return fresh;
    delete fresh;  // another thread was faster
    return pool;
  }

  // Workers that were started.
  static int started() {
    Pool* const pool = instance_.load(std::memory_order_acquire);
    return pool == nullptr ? 0 : pool->workers_.load(std::memory_order_relaxed);
  }

  // Calls member(body, thread, threads) once for each thread in [0, threads), at most kMostMembers;
  // returns when all have returned. The first is called by the caller. Throws what a member threw.
  void run(int threads, Member member, void* body) {
    Job* const job = reserve();
    if (job == nullptr) return member(body, 0, 1);  // very many calls at once
    std::exception_ptr error;
    bool forked = false;
    {
      const Closing closing(*this, *job, threads, error, forked);
      job->member = member;
      job->body = body;
      post(*job, threads);
      for (int thread = 0; thread < threads; thread = take(*job, threads))
        member(body, thread, threads);
    }
    if (error != nullptr) std::rethrow_exception(error);
    if (forked) throw std::runtime_error("the process forked inside a call, in a signal handler");
  }

  static constexpr int kMostMembers = 0xffff;

 private:
  using Clock = std::chrono::steady_clock;

  // Two passes of a kernel follow each other within this, and two calls in a loop: Python's part of
  // a call takes 30 to 90 us.
  static constexpr std::chrono::microseconds kSpin{100};
  static constexpr std::chrono::milliseconds kRetry{100};
  static constexpr int kJobs = 16;
  static constexpr int kAffinities = 256;    // of workers whose affinity is known
  static constexpr std::size_t kLine = 128;  // two cache lines: x86 fetches them in pairs

  // A slot for a team. Slots are never freed, so a worker that looks at one too late sees another
  // team or none, and its compare-and-swap fails.
  struct alignas(kLine) Job {
    std::atomic<bool> reserved{false};
    // Generation, the next ticket and their number: 32, 16 and 16 bits. Whoever takes a ticket
    // keeps the slot from being used again until `finished` counts it.
    std::atomic<std::uint64_t> tickets{0};
    Member member = nullptr;
    void* body = nullptr;
    int own = 0;                                            // tickets that the caller took
    alignas(kLine) std::atomic<std::uint32_t> finished{0};  // of the workers' tickets
    std::atomic<std::uint32_t> awaited{0};  // how many the caller sleeps for; 0: it does not sleep
    std::atomic<bool> failed{false};
    std::exception_ptr error;  // written by the member that set `failed`
  };

  // Ends a job on every way out of run(), the forced unwinding of a Python thread at the end of the
  // interpreter included, which must not be caught: takes what is left, waits for all others.
  class Closing {
   public:
    Closing(Pool& pool, Job& job, int threads, std::exception_ptr& error, bool& forked)
        : pool_(pool), job_(job), threads_(threads), error_(error), forked_(forked) {}
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;
    ~Closing() {
      while (pool_.take(job_, threads_) < threads_) continue;
      forked_ = !pool_.await(job_, static_cast<std::uint32_t>(threads_ - job_.own));
      if (forked_) return;  // the workers that had tickets are the parent's
      error_ = std::exchange(job_.error, nullptr);
      pool_.wanted_.fetch_sub(threads_ - 1, std::memory_order_relaxed);
      job_.reserved.store(false, std::memory_order_release);
    }

   private:
    Pool& pool_;
    Job& job_;
    const int threads_;
    std::exception_ptr& error_;
    bool& forked_;
  };

  static int next_ticket(std::uint64_t tickets) { return static_cast<int>(tickets >> 16 & 0xffff); }
  static int ticket_count(std::uint64_t tickets) { return static_cast<int>(tickets & 0xffff); }

  Job* reserve() {
    for (Job& job : jobs_)
      if (!job.reserved.load(std::memory_order_relaxed) &&
          !job.reserved.exchange(true, std::memory_order_acquire))
        return &job;
    return nullptr;
  }

  // Makes a job visible to the workers, and sees to it that there are enough of them awake.
  void post(Job& job, int threads) {
    job.own = 1;
    const int processor = current_processor();
    caller_.store(processor, std::memory_order_relaxed);
    job.finished.store(0, std::memory_order_relaxed);
    job.failed.store(false, std::memory_order_relaxed);
    const std::uint64_t generation = (job.tickets.load(std::memory_order_relaxed) >> 32) + 1;
    // Releases what the caller wrote before, for the body and the fields above; taking acquires.
    job.tickets.store(generation << 32 | 1 << 16 | static_cast<std::uint64_t>(threads),
                      std::memory_order_release);
    const int all = wanted_.fetch_add(threads - 1, std::memory_order_relaxed) + threads - 1;
    // Here and in work(): both sides write first and read then, all sequentially consistent, so
    // either the worker sees the new job or this sees the sleeping worker.
    posted_.fetch_add(1, std::memory_order_seq_cst);
    const int sleeping = sleeping_.load(std::memory_order_seq_cst);
    const int workers = workers_.load(std::memory_order_relaxed);
    // Awake workers are busy with jobs that are counted in `all`, or look for one.
    const int missing = std::min(sleeping, all - (workers - sleeping));
    if (missing > 0) {
      for (int i = 0; i < std::min(workers, kAffinities); ++i) affinities_[i].keep_off(processor);
      wake(posted_, missing);
    }
    // Several calls at once get a worker for every core in all; a single one, as many as it wants.
    const int enough = std::min(all, std::max(threads - 1, cores_ - 1));
    if (workers < enough) grow(enough);
  }

  // The next ticket of an own job, or `threads` if there is none.
  int take(Job& job, int threads) {
    std::uint64_t seen = job.tickets.load(std::memory_order_relaxed);
    while (next_ticket(seen) < ticket_count(seen)) {
      if (job.tickets.compare_exchange_weak(seen, seen + (1 << 16), std::memory_order_relaxed)) {
        ++job.own;
        return next_ticket(seen);
      }
    }
    return threads;
  }

  // Returns when that many tickets are finished, and the members' writes visible; false in a forked
  // child, where they never will be.
  bool await(Job& job, std::uint32_t others) {
    const auto done = [&] { return job.finished.load(std::memory_order_acquire) == others; };
    if (done()) return true;
    if (instance_.load(std::memory_order_relaxed) != this) return false;
    if (spin(Clock::now() + kSpin, done)) return true;
    job.awaited.store(others, std::memory_order_seq_cst);
    for (;;) {  // the same two-sided protocol as for jobs
      const std::uint32_t seen = job.finished.load(std::memory_order_seq_cst);
      if (seen == others) break;
      sleep_while(job.finished, seen);
    }
    job.awaited.store(0, std::memory_order_relaxed);
    return true;
  }

  template <class Done>
  bool spin(Clock::time_point end, Done&& done) const {
    // With more threads than cores the one that is waited for may need this core.
    if (workers_.load(std::memory_order_relaxed) >= cores_) return done();
    do {
      for (int i = 0; i < 32; ++i) {
        if (done()) return true;
        relax();
      }
    } while (Clock::now() < end);
    return false;
  }

  // A worker's life. It spins after work, and after it was woken, but not because of jobs in which
  // there was nothing left for it.
  void work() {
    WorkerAffinity unlisted;
    const int number = begun_.fetch_add(1, std::memory_order_relaxed);
    WorkerAffinity& affinity = number < kAffinities ? affinities_[number] : unlisted;
    affinity.begin();
    auto end = Clock::now() + kSpin;
    for (;;) {
      const std::uint32_t seen = posted_.load(std::memory_order_acquire);
      if (help()) {
        end = Clock::now() + kSpin;
        continue;
      }
      if (spin(end, [&] { return posted_.load(std::memory_order_relaxed) != seen; })) continue;
      affinity.sleep();
      sleeping_.fetch_add(1, std::memory_order_seq_cst);
      if (posted_.load(std::memory_order_seq_cst) == seen) sleep_while(posted_, seen);
      sleeping_.fetch_sub(1, std::memory_order_relaxed);
      affinity.leave(caller_.load(std::memory_order_relaxed));
      end = Clock::now() + kSpin;
    }
  }

  // Takes a ticket of the job that has the fewest members, so that calls get equal shares, and
  // runs it; false if there is none.
  bool help() {
    for (;;) {
      Job* job = nullptr;
      std::uint64_t seen = 0;
      for (Job& each : jobs_) {
        const std::uint64_t tickets = each.tickets.load(std::memory_order_relaxed);
        if (next_ticket(tickets) >= ticket_count(tickets)) continue;
        if (job == nullptr || next_ticket(tickets) < next_ticket(seen)) job = &each, seen = tickets;
      }
      if (job == nullptr) return false;
      if (!job->tickets.compare_exchange_strong(seen, seen + (1 << 16), std::memory_order_acquire,
                                                std::memory_order_relaxed))
        continue;
      try {
        job->member(job->body, next_ticket(seen), ticket_count(seen));
      } catch (...) {
        if (!job->failed.exchange(true, std::memory_order_relaxed))
          job->error = std::current_exception();
      }
      const std::uint32_t finished = job->finished.fetch_add(1, std::memory_order_seq_cst) + 1;
      // From here on the slot may be another team's, which then wakes up once for nothing.
      if (job->awaited.load(std::memory_order_seq_cst) == finished) wake(job->finished, 1);
      return true;
    }
  }

  // Starts workers. Where the system has no more threads or memory, teams make do without: the
  // caller takes all tickets that are left. It is tried again, but not at every pass of a kernel.
  void grow(int enough) {
    const std::unique_lock lock(growing_, std::try_to_lock);
    if (!lock || Clock::now() < retry_) return;
    while (workers_.load(std::memory_order_relaxed) < enough) {
      if (!start_thread(&Pool::start, this)) {
        retry_ = Clock::now() + kRetry;
        return;
      }
      workers_.fetch_add(1, std::memory_order_relaxed);
    }
  }
  static void* start(void* pool) {
    static_cast<Pool*>(pool)->work();
    return nullptr;
  }

  static void forget() { instance_.store(nullptr, std::memory_order_relaxed); }

  static inline std::atomic<Pool*> instance_{nullptr};
  static inline const bool forgotten_in_children_ = call_in_forked_child(&Pool::forget);

  const int cores_ = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::mutex growing_;
  Clock::time_point retry_{};
  alignas(kLine) std::atomic<std::uint32_t> posted_{0};  // changes with every job
  std::atomic<int> caller_{-1};                          // the processor of the last caller
  alignas(kLine) std::atomic<int> sleeping_{0};          // workers
  std::atomic<int> workers_{0};
  std::atomic<int> wanted_{0};  // by all jobs together, without their callers
  std::atomic<int> begun_{0};
  WorkerAffinity affinities_[kAffinities];
  Job jobs_[kJobs];
};

}  // namespace skerry
