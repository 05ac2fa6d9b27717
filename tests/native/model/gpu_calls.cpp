// Calls of the GPU's finds and joins (gpu/own/walk.h) and of its last pass (gpu/own/final_links.h).
// The emulator's header declares what a host compiler lacks; accesses go to the checker instead.
#include "calls.h"

#define SKERRY_VERTEX_BITS 32
#define SKERRY_ID_BITS 32
#define SKERRY_OFFSET_BITS 32
#define SKERRY_PATIENCE 1
#define relaxed_load emulated_relaxed_load
#define block_load emulated_block_load
#define relaxed_store emulated_relaxed_store
#define atomicCAS emulated_atomicCAS
#include "../cuda_on_cpu.h"
#undef relaxed_load
#undef block_load
#undef relaxed_store
#undef atomicCAS

namespace skerry {

inline unsigned relaxed_load(const unsigned* address) {
  return model::access_word(model::Access::load, address, 0, 0);
}
inline unsigned block_load(const unsigned* address) {
  return model::access_word(model::Access::cached_load, address, 0, 0);
}
inline void relaxed_store(unsigned* address, unsigned value) {
  model::access_word(model::Access::store, address, value, 0);
}
inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned desired) {
  return model::access_word(model::Access::compare_and_swap, address, expected, desired);
}
// Words of the run's state are none of the parent array's.
unsigned long long relaxed_load(const unsigned long long* address);
void relaxed_store(unsigned long long* address, unsigned long long value);
unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected,
                             unsigned long long desired);

}  // namespace skerry

#include "gpu/own/final_links.h"

namespace model {
namespace {

using skerry::Tally;

Vertex gpu_join(Vertex* parent, Vertex u, Vertex v, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  Vertex stop = 0;
  skerry::join(parent, u, v, stop, tally);
  return u;
}

Vertex gpu_joined(Vertex* parent, Vertex u, Vertex v, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  return skerry::joined(parent, u, v, tally);
}

Vertex gpu_join_vertices(Vertex* parent, Vertex u, Vertex v, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  skerry::join_vertices(parent, u, v, tally);
  return u;
}

Vertex gpu_settle(Vertex* parent, Vertex v, Vertex, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  return skerry::settle(parent, v, 0u, tally);
}

Vertex gpu_link_to_root(Vertex* parent, Vertex v, Vertex, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  return skerry::link_to_root(parent, v, skerry::CachedDevice::load(parent + v), tally);
}

// A thread of the last pass, alone in its block; the sample has shown `carried` to be in the
// largest tree.
Vertex gpu_label(Vertex* parent, Vertex v, Vertex carried, unsigned& hooks) {
  hooks = kUncounted;
  Tally tally(nullptr);
  unsigned long long state[skerry::kStateWords] = {};
  state[skerry::kLargest] = carried + 1ull;
  emulated::here.thread = {0};
  emulated::here.block = {v};
  emulated::here.block_size = {1};
  emulated::here.grid = {1u << 10};
  skerry::flatten_all(parent, v + 1, state, tally);
  return v;
}

}  // namespace

Function gpu_function(Kind kind) {
  switch (kind) {
    case kGpuJoin:
      return gpu_join;
    case kGpuJoined:
      return gpu_joined;
    case kGpuJoinVertices:
      return gpu_join_vertices;
    case kGpuSettle:
      return gpu_settle;
    case kGpuLinkToRoot:
      return gpu_link_to_root;
    case kGpuLabel:
      return gpu_label;
    default:
      return nullptr;
  }
}

}  // namespace model

namespace emulated {
constinit thread_local Here here{};
}
