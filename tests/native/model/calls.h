// What the model checker calls: functions of the kernels on a parent array whose accesses it sees.
//
// Each file *_calls.cpp compiles the kernels' own headers with a Memory type that hands every
// access to access_word. The checker calls a function again and again with more and more of the
// values that its accesses return, and so learns all that it may do (model.h).
#pragma once

namespace model {

using Vertex = unsigned;

enum class Access : unsigned char { load, cached_load, store, compare_and_swap };

// Returns what the access is to return; does not return where the checker knows no value yet.
unsigned access_word(Access access, const unsigned* address, unsigned first, unsigned second);

// A call of the kernels: for a vertex, with what the call before it has returned (or a neighbor).
// Hooks that succeed are counted.
constexpr unsigned kUncounted = ~0u;  // hooks of a function that counts none
using Function = Vertex (*)(Vertex* parent, Vertex vertex, Vertex carried, unsigned& hooks);

enum Kind {
  kUniteMultiple,  // unites vertex and carried; returns the root that survives
  kUniteSingle,
  kUniteNone,
  kUniteHalving,
  kUniteIfApart,  // the same, but returns the vertex
  kFindMultiple,  // returns the end of a path
  kFindSingle,
  kFindNone,
  kFindHalving,
  kHookHalving,    // hooks the root of vertex and carried, a root: one more entry of a row
  kFinishHalving,  // sets the label of vertex and returns it
  kFinishMultiple,
  kFinishSingle,
  kFinishOrdered,
  kJoinEntry,  // the CPU's own: own/join_as_read.h
  kGpuJoin,    // own/walk.h: unites vertex and carried by finds over L2
  kGpuJoined,  // by finds over L1
  kGpuJoinVertices,
  kGpuSettle,  // links vertex to the end of its path
  kGpuLinkToRoot,
  kGpuLabel,  // own/final_links.h: sets the label of vertex and returns it
  kKinds
};

Function core_function(Kind kind);  // null: a kind of another file
Function own_function(Kind kind);
Function gpu_function(Kind kind);

// The Memory type for union_find.h.
struct Modeled {
  static unsigned load(const unsigned* address) { return access_word(Access::load, address, 0, 0); }
  static void store(unsigned* address, unsigned value) {
    access_word(Access::store, address, value, 0);
  }
  static unsigned compare_and_swap(unsigned* address, unsigned expected, unsigned desired) {
    return access_word(Access::compare_and_swap, address, expected, desired);
  }
};

struct HookCount {
  unsigned& hooks;
  void step() {}
  void end_find() {}
  void hooked() { ++hooks; }
};

}  // namespace model
