// One thread's share of a list that a team writes together. It lies on the stack and moves to the
// list in pieces: threads synchronize once a piece, and nothing is allocated while a team runs. The
// list has room for all that will be pushed; its order is that in which the pieces came.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"

namespace skerry {

template <class T>
class Share {
 public:
  Share(T* list, std::uint64_t* size) : list_(list), size_(size) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share() { move_to_list(); }

  void push(T item) {
    if (count_ == kPiece) move_to_list();
    piece_[count_++] = item;
  }

 private:
  static constexpr std::uint64_t kPiece = 256;

  void move_to_list() {
    if (count_ == 0) return;
    std::copy_n(piece_, count_, list_ + Shared::fetch_add(size_, count_));
    count_ = 0;
  }

  T* list_;
  std::uint64_t* size_;
  std::uint64_t count_ = 0;
  T piece_[kPiece];
};

}  // namespace skerry
