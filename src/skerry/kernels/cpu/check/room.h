// Memory of the checker: room for many items, and the list of the edges of a forest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "cpu/ids/pages.h"

namespace skerry::check {

// Zeroed room for many items, straight from the system and in huge pages where it can have them:
// while several threads touch new memory for the first time, they wait for each other at every
// page.
template <class T>
class Room {
 public:
  Room() = default;
  explicit Room(std::uint64_t size) : pages_(size * sizeof(T)), size_(size) {
    if (size > 0 && !pages_) throw std::bad_alloc();
  }
  T* get() const { return pages_.as<T>(); }
  T& operator[](std::uint64_t i) const { return get()[i]; }
  std::uint64_t size() const { return size_; }

 private:
  Pages pages_;
  std::uint64_t size_ = 0;
};

// Positions of edges.
class EdgeList {
 public:
  std::uint64_t size() const { return size_; }
  std::uint64_t* data() const { return items_.get(); }
  const std::uint64_t* begin() const { return items_.get(); }
  const std::uint64_t* end() const { return items_.get() + size_; }

  // Room for `size` edges, which will never be more than `bound`.
  void resize(std::uint64_t size, std::uint64_t bound) {
    if (size > capacity_) {
      const std::uint64_t capacity = std::max(size, std::min(bound, 2 * capacity_));
      Room<std::uint64_t> items(capacity);
      std::copy_n(items_.get(), size_, items.get());
      items_ = std::move(items);
      capacity_ = capacity;
    }
    size_ = size;
  }

 private:
  Room<std::uint64_t> items_;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace skerry::check
