// Finds, joins and the settling of vertices over the links of a forest.
//
// Invariant: links[v] <= v, and only roots are hooked; so vertex 0 is always a root. The end of a
// find need not be a root any more when it is used: two finds with the same end are in one tree
// either way, and a hook notices by its compare-and-swap, and goes on from there (see hook in
// union_find.h). So links may be read in two ways:
//
// - From L1 (CachedDevice, in find_root), where all finds soon pass the same few vertices. L2
//   serves all loads of one word by one slice of it, one after the other.
// - From L2 (Device, in find_end and settle), where paths are long and threads shorten them for
//   each other, which L1 would not show. Where most finds end at the same root, its link is not
//   read again and again: they take a vertex to stop at.
#pragma once

#include "common/union_find.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

constexpr Vertex kInvalidVertex = ~Vertex{0};

// Steps of a walk before it begins to shorten its path. Where paths are short, stores do not pay.
#ifndef SKERRY_PATIENCE  // the model of a few vertices has fewer (tests/native/model)
#define SKERRY_PATIENCE 4
#endif
constexpr u32 kPatient = SKERRY_PATIENCE;

constexpr u32 kUnbounded = ~0u;  // steps, or attempts

// The end of v's path: a root or `stop`. The path is halved on the way, but for its first
// `patience` steps; kUnbounded leaves it as it is.
template <u32 patience = kPatient>
SKERRY_INLINE Vertex find_end(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  Vertex previous = v;
#pragma unroll 1
  for (u32 steps = 0; v != stop && v != 0; ++steps) {
    const Vertex next = Device::load(links + v);
    if (next == v) break;
    if (steps >= patience) Device::store(links + previous, next);
    previous = v;
    v = next;
    tally.step();
  }
  tally.end_find();
  return v;
}

// The root of v's path. If it was long, its vertices, but for the last ones, are linked to the root
// in a second walk: where many threads walk the same paths, such as those of all rows of a mesh,
// that took 0.54 to 0.9 times as long as halving them (H200).
//
// After `most_steps`, the vertex that they have led to will do.
template <u32 most_steps = kUnbounded>
SKERRY_INLINE Vertex find_root(Vertex* links, Vertex v, Tally& tally) {
  Vertex root = v;
  u32 steps = 0;
#pragma unroll 1
  for (; root != 0 && steps < most_steps; ++steps) {
    const Vertex next = CachedDevice::load(links + root);
    if (next == root) break;
    root = next;
    tally.step();
  }
#pragma unroll 1
  for (; steps > kPatient && v > root; --steps) {
    const Vertex next = CachedDevice::load(links + v);
    if (next > root) Device::store(links + v, root);  // another thread may have been further
    v = next;
  }
  tally.end_find();
  return root;
}

// Joins two trees by any of their vertices. `stop` moves on to its root where it turns out to be
// none any more: otherwise every later find that ends there would cause a compare-and-swap on one
// contended word. After a lost race the loop tries again, as loads are cheaper.
SKERRY_INLINE void join(Vertex* links, Vertex a, Vertex b, Vertex& stop, Tally& tally) {
#pragma unroll 1
  for (;;) {
    a = find_end(links, a, stop, tally);
    b = find_end(links, b, stop, tally);
    if (a == b) return;
    if (a == stop || b == stop) {
      const Vertex root = find_end(links, stop, 0, tally);
      if (root != stop) {
        a = a == stop ? root : a;
        b = b == stop ? root : b;
        stop = root;
        if (a == b) return;
      }
    }
    const Vertex high = a > b ? a : b;
    const Vertex low = a > b ? b : a;
    const Vertex seen = Device::compare_and_swap(links + high, high, low);
    if (seen == high) {
      tally.hooked();
      return;
    }
    a = seen;
    b = low;
  }
}

// Joins two trees by any of their vertices, and returns the smaller root as far as is known. Links
// are read from L1 also after a compare-and-swap has failed: that one returns the newest link of a
// vertex, and so leads on where L1 does not. To walk over L2 instead took up to twice as long where
// all threads meet at few roots (H200).
//
// With bounds, the trees may be left apart: for a sample of the edges, where some may be left out.
template <u32 most_steps = kUnbounded, u32 attempts = kUnbounded>
SKERRY_INLINE Vertex joined(Vertex* links, Vertex a, Vertex b, Tally& tally) {
#pragma unroll 1
  for (u32 attempt = 0; attempts == kUnbounded || attempt < attempts; ++attempt) {
    a = find_root<most_steps>(links, a, tally);
    b = find_root<most_steps>(links, b, tally);
    if (a == b) break;
    const Vertex high = a > b ? a : b;
    const Vertex low = a > b ? b : a;
    const Vertex seen = Device::compare_and_swap(links + high, high, low);
    if (seen == high) {
      tally.hooked();
      return low;
    }
    a = seen;
    b = low;
  }
  return a;
}

// The same for vertices of any kind, which mostly are in one tree.
template <u32 most_steps = kUnbounded, u32 attempts = kUnbounded>
SKERRY_INLINE void join_vertices(Vertex* links, Vertex u, Vertex v, Tally& tally) {
  const Vertex a = CachedDevice::load(links + u);
  const Vertex b = CachedDevice::load(links + v);
  if (a != b) joined<most_steps, attempts>(links, a, b, tally);
}

// Links v, whose link is `above`, to the root of its path as far as is known, and returns that.
SKERRY_INLINE Vertex link_to_root(Vertex* links, Vertex v, Vertex above, Tally& tally) {
  const Vertex root = find_root(links, above, tally);
  if (root != above) Device::store(links + v, root);
  return root;
}

// Makes v link to the end of its path and returns that end. The link is updated on the way, so
// threads that pass through v meanwhile profit, and a chain that many threads walk is shortened by
// all of them. The first steps may be over L1, which does not show what the others do.
template <u32 cached_steps = 0>
SKERRY_INLINE Vertex settle(Vertex* links, Vertex v, Vertex stop, Tally& tally) {
  Vertex here = Device::load(links + v);
  if (here == v) return v;
#pragma unroll 1
  for (u32 steps = cached_steps; here != stop && here != 0; steps -= steps != 0) {
    const Vertex next = steps != 0 ? CachedDevice::load(links + here) : Device::load(links + here);
    tally.step();
    if (next == here) break;
    here = next;
    Device::store(links + v, here);
  }
  tally.end_find();
  return here;
}

// The same, but after a number of steps the vertex that they have led to will do.
SKERRY_INLINE Vertex settle_within(Vertex* links, Vertex v, u32 steps, Tally& tally) {
  Vertex here = Device::load(links + v);
  if (here == v) return v;
#pragma unroll 1
  for (; steps != 0 && here != 0; --steps) {
    const Vertex next = Device::load(links + here);
    tally.step();
    if (next == here) break;
    here = next;
    Device::store(links + v, here);
  }
  tally.end_find();
  return here;
}

constexpr u32 kSampledSteps = 32;  // of a sampled vertex on its way to its root

// Settles what v links to, then v. Most vertices around a hub link to it: a sample of them settles
// it, and all others will find its root in one step. Where paths are long, few threads would take
// long: then v is settled in part, and its root is not known.
SKERRY_INLINE Vertex settle_with_link(Vertex* links, Vertex v, Tally& tally) {
  settle_within(links, Device::load(links + v), kSampledSteps, tally);
  const Vertex end = settle_within(links, v, kSampledSteps, tally);
  return Device::load(links + end) == end ? end : kInvalidVertex;
}

}  // namespace skerry
