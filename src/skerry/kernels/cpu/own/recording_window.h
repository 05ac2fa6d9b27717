// Edges on their way through the union-find of spanning_forest.h. As in stream.cpp they are handled
// in small batches whose parents are fetched early: look up both parents and drop the edges whose
// ends have the same; look up the parents of those, halve the two paths, drop again; join what is
// left. Here an edge keeps its number on the way.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/own/spanning_forest.h"

namespace skerry {

template <class Memory, class Vertex>
class RecordingWindow {
 public:
  static constexpr std::uint64_t kCapacity = 1024;

  RecordingWindow(Vertex* parent, const EdgeNames& names, const ForestRecord<Vertex>& record)
      : parent_(parent), names_(names), record_(record) {}

  bool full() const { return size_ == kCapacity; }

  // Edge `number`, which is kept if `wanted`: without a branch, since either case is as likely.
  void offer(Vertex u, Vertex v, std::uint64_t number, bool wanted) {
    edges_[size_] = {u, v, number};
    size_ += wanted;
  }

  void join_all() {
    for (std::uint64_t i = 0; i < std::min(kBatch, size_); ++i) fetch(edges_[i].u, edges_[i].v);
    for (std::uint64_t begin = 0; begin < size_; begin += kBatch)
      join_batch(begin, std::min(begin + kBatch, size_));
    size_ = 0;
  }

 private:
  static constexpr std::uint64_t kBatch = 64;

  struct Edge {
    Vertex u, v;
    std::uint64_t number;
  };
  struct Walk {
    Vertex low_u, low_v, up_u, up_v;
    std::uint64_t edge;  // its place in the window
  };

  void fetch(Vertex u, Vertex v) const {
    prefetch(parent_ + u);
    prefetch(parent_ + v);
  }

  void join_batch(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = end; i < std::min(end + kBatch, size_); ++i)
      fetch(edges_[i].u, edges_[i].v);
    unsigned kept = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const Vertex u = edges_[i].u, v = edges_[i].v;
      keep(kept, {u, v, Memory::load(parent_ + u), Memory::load(parent_ + v), i});
    }
    unsigned apart = 0;
    for (unsigned i = 0; i < kept; ++i) {
      const Walk walk = walks_[i];
      const Vertex top_u = Memory::load(parent_ + walk.up_u);
      const Vertex top_v = Memory::load(parent_ + walk.up_v);
      // The overwritten vertex is not a root, and keeps the same ancestors: see union_find.h.
      if (top_u != walk.up_u) Memory::store(parent_ + walk.low_u, top_u);
      if (top_v != walk.up_v) Memory::store(parent_ + walk.low_v, top_v);
      keep(apart, {walk.up_u, walk.up_v, top_u, top_v, walk.edge});
    }
    for (unsigned i = 0; i < apart; ++i) join(walks_[i]);
  }

  void keep(unsigned& kept, const Walk& walk) {
    walks_[kept] = walk;
    fetch(walk.up_u, walk.up_v);
    kept += walk.up_u != walk.up_v;
  }

  Vertex root_of(Vertex v) const {
    for (Vertex up; (up = Memory::load(parent_ + v)) != v;) {
      const Vertex top = Memory::load(parent_ + up);
      if (top != up) Memory::store(parent_ + v, top);
      v = top;
    }
    return v;
  }

  // The larger root is hooked below the smaller; whoever hooks it records the edge.
  void join(const Walk& walk) {
    Vertex a = root_of(walk.up_u), b = root_of(walk.up_v);
    while (a != b) {
      const Vertex high = std::max(a, b), low = std::min(a, b);
      const Vertex seen = Memory::compare_and_swap(parent_ + high, high, low);
      if (seen == high) return write(high, edges_[walk.edge]);
      a = seen;
      b = low;
    }
  }

  void write(Vertex root, const Edge& edge) {
    record_.write(root, names_.row(edge.number), edge.u, edge.v);
    if (record_.weighted) record_.write_weight(root, names_.weights[edge.number]);
  }

  Vertex* parent_;
  EdgeNames names_;
  ForestRecord<Vertex> record_;
  std::uint64_t size_ = 0;
  Edge edges_[kCapacity + 1];
  Walk walks_[kBatch + 1];
};

}  // namespace skerry
