// The edges of a list in device memory, in two columns that may be columns of one table. Ends are
// validated when they are read: see rows.h.
#pragma once

#include "gpu/state.h"

namespace skerry {

struct Ends {
  Vertex u;
  Vertex v;
};

constexpr u32 kAhead = 4;  // edges that a thread reads at once

// Consecutive ids, read by loads of 16 bytes.
struct alignas(16) IdVector {
  Id ids[kAhead];
};

struct EdgeList {
  const Id* source;
  const Id* target;
  u64 source_step;
  u64 target_step;
  u64 vertices;
  u64 edges;
  u64* state;

  // An edge with an end out of range is read as a loop of vertex 0; where there is an edge, there
  // is a vertex 0 or a fault.
  SKERRY_INLINE Ends operator[](u64 i) const {
    const Id u = source[i * source_step];
    const Id v = target[i * target_step];
    if (u >= vertices) {
      report(state, kSourceOutOfRange, i);
      return {0, 0};
    }
    if (v >= vertices) {
      report(state, kTargetOutOfRange, i);
      return {0, 0};
    }
    return {static_cast<Vertex>(u), static_cast<Vertex>(v)};
  }

  // The edges of thread i, of which `threads` in a row read all edges of a chunk. Beyond the last
  // edge there are loops.
  SKERRY_INLINE void read(u64 i, u64 threads, Ends (&ends)[kAhead]) const {
    const u64 begin = i * kAhead;
    if (is_packed() && begin + kAhead <= edges) {
      const IdVector u = reinterpret_cast<const IdVector*>(source)[i];
      const IdVector v = reinterpret_cast<const IdVector*>(target)[i];
      bool in_range = true;
#pragma unroll
      for (u32 k = 0; k < kAhead; ++k) {
        in_range = in_range && u.ids[k] < vertices && v.ids[k] < vertices;
        ends[k] = {static_cast<Vertex>(u.ids[k]), static_cast<Vertex>(v.ids[k])};
      }
      if (in_range) return;
    }
    const u64 first = is_packed() ? begin : i / threads * threads * kAhead + i % threads;
    const u64 step = is_packed() ? 1 : threads;
#pragma unroll
    for (u32 k = 0; k < kAhead; ++k) {
      const u64 e = first + k * step;
      ends[k] = e < edges ? (*this)[e] : Ends{0, 0};
    }
  }

 private:
  SKERRY_INLINE bool is_packed() const {
    const u64 misaligned = reinterpret_cast<u64>(source) | reinterpret_cast<u64>(target);
    return source_step == 1 && target_step == 1 && misaligned % alignof(IdVector) == 0;
  }
};

}  // namespace skerry
