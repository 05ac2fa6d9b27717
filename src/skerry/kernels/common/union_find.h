// The union-find core: four pointer jumpings, three finishes and the lock-free hook, written once.
//
// Jaiganesh & Burtscher, "A High-Performance Connected Components Implementation for GPUs"
// (HPDC 2018), sect. 3, Figs. 5 and 6, and sect. 5.1 (Jump1-4, Fini1-3).
// Departures: all accesses go through a Memory type, so that what the paper calls benign races are
// relaxed atomics here; a hook returns the surviving root, so that a row goes on with a root that
// is still one instead of finding out by a failed compare-and-swap.
//
// Freestanding: includes no library header. A Memory type provides load, store and compare_and_swap
// (which returns the old value). A Tally type counts finds and hooks, or is empty if no statistics
// are requested.
//
// Invariant that everything here relies on and keeps: parent[v] <= v, and only roots are hooked.
// Hence no cycle can arise, every path ends, and the root of a finished tree is its smallest
// member: the canonical label.
#pragma once

#include "common/inline.h"

namespace skerry {

// settles(), where a find serves as the last pass: it leaves its first vertex at the root, so that
// the root need not be stored again.

// Jump1: every element found on the path is made to point to its end (two walks).
struct JumpMultiple {
  static SKERRY_INLINE bool settles() { return true; }
  template <class Memory, class Vertex, class Tally>
  static SKERRY_INLINE Vertex find(Vertex* parent, Vertex v, Tally& tally) {
    Vertex root = v;
    for (Vertex next; (next = Memory::load(parent + root)) != root; root = next) tally.step();
    for (Vertex next; v > root; v = next) {
      next = Memory::load(parent + v);
      // Another thread may already have pointed v below this root; never raise it again.
      if (next > root) Memory::store(parent + v, root);
    }
    tally.end_find();
    return root;
  }
};

// Jump2: only the first element is made to point to the end of its path.
struct JumpSingle {
  static SKERRY_INLINE bool settles() { return true; }
  template <class Memory, class Vertex, class Tally>
  static SKERRY_INLINE Vertex find(Vertex* parent, Vertex v, Tally& tally) {
    const Vertex first = Memory::load(parent + v);
    Vertex root = first;
    for (Vertex next; (next = Memory::load(parent + root)) != root; root = next) tally.step();
    if (first != v) tally.step();
    if (root < first) Memory::store(parent + v, root);
    tally.end_find();
    return root;
  }
};

// Jump3: the path is followed and left as it is.
struct JumpNone {
  template <class Memory, class Vertex, class Tally>
  static SKERRY_INLINE Vertex find(Vertex* parent, Vertex v, Tally& tally) {
    for (Vertex next; (next = Memory::load(parent + v)) != v; v = next) tally.step();
    tally.end_find();
    return v;
  }
};

// Jump4, "intermediate pointer jumping": every element is made to skip its successor (Fig. 5).
struct JumpHalving {
  template <class Memory, class Vertex, class Tally>
  static SKERRY_INLINE Vertex find(Vertex* parent, Vertex v, Tally& tally) {
    Vertex here = Memory::load(parent + v);
    if (here != v) {
      tally.step();
      Vertex previous = v;
      for (Vertex next; here > (next = Memory::load(parent + here));) {
        Memory::store(parent + previous, next);
        previous = here;
        here = next;
        tally.step();
      }
    }
    tally.end_find();
    return here;
  }
};

// Fini1: halving as the last pass. A plain store would be wrong here: a thread that has read a path
// may write an element's old grandparent over the root that another thread has put there for good.
// So an element is moved on only if it still points where it was seen to point.
struct FinishHalving {
  static SKERRY_INLINE bool settles() { return false; }
  template <class Memory, class Vertex, class Tally>
  static SKERRY_INLINE Vertex find(Vertex* parent, Vertex v, Tally& tally) {
    Vertex previous = v;
    Vertex here = Memory::load(parent + v);
    for (Vertex next; here > (next = Memory::load(parent + here));) {
      Memory::compare_and_swap(parent + previous, here, next);
      previous = here;
      here = next;
      tally.step();
    }
    tally.end_find();
    return here;
  }
};

// Joins the trees of two vertices that were roots when last looked at (Fig. 6): the larger root
// is hooked below the smaller. Where another thread was first, the walk goes on from what it wrote.
template <class Memory, class Vertex, class Tally>
SKERRY_INLINE Vertex hook(Vertex* parent, Vertex a, Vertex b, Tally& tally) {
  while (a != b) {
    const Vertex high = a > b ? a : b;  // without a branch: either order is as likely
    const Vertex low = a > b ? b : a;
    const Vertex seen = Memory::compare_and_swap(parent + high, high, low);
    if (seen == high) {
      tally.hooked();
      return low;
    }
    a = seen;
    b = low;
  }
  return a;
}

template <class Jump, class Memory, class Vertex, class Tally>
SKERRY_INLINE Vertex unite(Vertex* parent, Vertex u, Vertex v, Tally& tally) {
  const Vertex root_u = Jump::template find<Memory>(parent, u, tally);
  const Vertex root_v = Jump::template find<Memory>(parent, v, tally);
  return hook<Memory>(parent, root_u, root_v, tally);
}

// Unites the ends of an edge, and does nothing when one look shows that they are joined already:
// after the first edges that is the common case, and it costs one load a side and no walk.
template <class Memory, class Vertex, class Tally>
SKERRY_INLINE void unite_if_apart(Vertex* parent, Vertex u, Vertex v, Tally& tally) {
  const Vertex parent_u = Memory::load(parent + u);
  const Vertex parent_v = Memory::load(parent + v);
  if (parent_u == parent_v) return;
  unite<JumpHalving, Memory>(parent, parent_u, parent_v, tally);
}

}  // namespace skerry
