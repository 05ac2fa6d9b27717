// Where distinct texts are kept: written once by any thread, never moved, found by a reference of
// 40 bits. Memory comes in chunks and is never reallocated.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cpu/ids/pages.h"

namespace skerry {

class Arena {
 public:
  using Ref = std::uint64_t;  // in units of four bytes; 0 is nothing

  static constexpr unsigned kRefBits = 40;

  // The chunk from which one thread cuts what it needs.
  struct Lane {
    Ref next = 0;
    Ref end = 0;
  };

  // Memory for that many bytes, aligned to four; 0 if the allocation fails.
  Ref take(Lane& lane, std::uint64_t bytes) {
    const std::uint64_t units = (bytes + kUnit - 1) / kUnit;
    if (units > lane.end - lane.next) {
      const bool alone = units > kChunkUnits / 8;
      const std::uint64_t chunks = alone ? (units + kChunkUnits - 1) / kChunkUnits : 1;
      const Ref first = new_chunks(chunks);
      if (first == 0 || alone) return first;
      lane = {first, first + kChunkUnits};
    }
    const Ref here = lane.next;
    lane.next += units;
    return here;
  }

  // Releases the last allocation of this lane, if it came from the chunk of the lane.
  static void give_back(Lane& lane, Ref ref, std::uint64_t bytes) {
    const std::uint64_t units = (bytes + kUnit - 1) / kUnit;
    if (ref + units == lane.next) lane.next = ref;
  }

  std::uint8_t* at(Ref ref) const {
    std::uint8_t* const* chunk = directory_.as<std::uint8_t*>() + ref / kChunkUnits;
    return std::atomic_ref(*const_cast<std::uint8_t**>(chunk)).load(std::memory_order_relaxed) +
           ref % kChunkUnits * kUnit;
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint64_t kUnit = 4;
  static constexpr std::uint64_t kChunkUnits = 1 << 20;  // 4 MiB
  static constexpr std::uint64_t kMaxChunks = (Ref{1} << kRefBits) / kChunkUnits;

  // Consecutive chunks in one allocation; the directory has the beginning of each.
  Ref new_chunks(std::uint64_t count) {
    const std::lock_guard lock(mutex_);
    // Eight megabytes of addresses, touched a page at a time.
    if (!directory_) directory_ = Pages(kMaxChunks * sizeof(std::uint8_t*), true);
    Pages pages(count * kChunkUnits * kUnit);
    if (!directory_ || !pages || chunks_ + count > kMaxChunks) return 0;
    const Ref first = chunks_ * kChunkUnits;
    for (std::uint64_t i = 0; i < count; ++i)
      std::atomic_ref(directory_.as<std::uint8_t*>()[chunks_ + i])
          .store(pages.as<std::uint8_t>() + i * kChunkUnits * kUnit, std::memory_order_relaxed);
    chunks_ += count;
    bytes_ += pages.bytes();
    held_.push_back(std::move(pages));
    return first;
  }

  std::mutex mutex_;
  Pages directory_;
  std::vector<Pages> held_;
  std::uint64_t chunks_ = 1;  // the first number stays unused, so that no reference is 0
  std::uint64_t bytes_ = 0;
};

}  // namespace skerry
