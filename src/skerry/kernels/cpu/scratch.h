// Working memory of a kernel beside its input and its labels, counted. Whatever grows with the
// graph is allocated here; a few bytes for each thread, and what lies on the stack, do not count.
//
// A block belongs to the counter of its run (Context::scratch), not to a thread: any thread of the
// team may allocate or free it. The counter outlives the blocks, as the context does the kernel.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace skerry {

// How many bytes are allocated, and the most that were at one time. No lock: blocks are few.
class ScratchCounter {
 public:
  void add(std::uint64_t bytes) {
    const std::uint64_t now = current_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void remove(std::uint64_t bytes) { current_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::uint64_t current() const { return current_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> current_{0};
  std::atomic<std::uint64_t> peak_{0};
};

template <class T>
struct ScratchDelete {
  ScratchCounter* counter = nullptr;
  std::uint64_t bytes = 0;

  void operator()(T* block) const {
    delete[] block;
    counter->remove(bytes);
  }
};

// An array of fixed size, not initialized.
template <class T>
using Scratch = std::unique_ptr<T[], ScratchDelete<T>>;

template <class T>
Scratch<T> make_scratch(ScratchCounter& counter, std::uint64_t count) {
  auto block = std::make_unique_for_overwrite<T[]>(count);
  counter.add(count * sizeof(T));
  return Scratch<T>(block.release(), {&counter, count * sizeof(T)});
}

// The allocator of a vector, for arrays that grow or are filled when made.
template <class T>
class ScratchAllocator {
 public:
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  ScratchAllocator(ScratchCounter& counter) : counter_(&counter) {}
  template <class Other>
  ScratchAllocator(const ScratchAllocator<Other>& other) : counter_(other.counter()) {}

  T* allocate(std::size_t count) {
    T* const block = std::allocator<T>().allocate(count);
    counter_->add(count * sizeof(T));
    return block;
  }
  void deallocate(T* block, std::size_t count) {
    std::allocator<T>().deallocate(block, count);
    counter_->remove(count * sizeof(T));
  }

  ScratchCounter* counter() const { return counter_; }
  friend bool operator==(const ScratchAllocator& a, const ScratchAllocator& b) {
    return a.counter_ == b.counter_;
  }

 private:
  ScratchCounter* counter_;
};

template <class T>
using ScratchVector = std::vector<T, ScratchAllocator<T>>;

}  // namespace skerry
