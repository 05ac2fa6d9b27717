// Schd, graft and shortcut with coordinated scheduling, on a GPU: Cong & Makarychev, "Optimizing
// Large-Scale Graph Analysis on Multi-threaded, Multi-core Platforms" (IPDPS 2012). Cong & Muzio
// 2014, sect. 3, tried it on a GPU, where it took more than it gained.
//
// A block of threads takes 1024 edges at a time and orders the requests for the parents of their
// ends by block of vertices, in shared memory; it answers them in that order, and performs the
// grafts in the same way. So neighboring threads access neighboring parents, as far as 2048
// requests reach. The rounds, the grafts and the shortcut are those of graft.cu.
// Departures: blocks of threads order their own edges, as the CPU's threads do theirs
// (cpu/published/scheduled_cc.h); there are at most 1024 blocks of vertices, so that their counts
// fit into shared memory: with more than 2^26 vertices they are larger than block_bits says.
#include "gpu/grid.h"
#include "gpu/published/edge_copy.h"
#include "gpu/published/graft.h"

namespace skerry {

constexpr u32 kEdges = 1024;
constexpr u32 kRequests = 2 * kEdges;
constexpr u32 kBuckets = 1024;
constexpr Vertex kNone = ~Vertex{0};  // no request

struct Requests {
  Vertex vertex[kRequests];  // whose parent is meant, or kNone
  Vertex value[kRequests];   // the answer, or what to store
  u32 order[kRequests];
  u32 starts[kBuckets];
  u32 totals[kBlock / kLanes];
};

// Where each bucket starts, from how many there are in each; returns how many there are in all.
SKERRY_INLINE u32 add_up(Requests& requests) {
  constexpr u32 kEachBucket = kBuckets / kBlock;
  u32* const mine = requests.starts + threadIdx.x * kEachBucket;
  u32 count = 0;
  for (u32 k = 0; k < kEachBucket; ++k) count += mine[k];
  const Sum sum = sum_of_warp(count);
  if (lane() == 0) requests.totals[threadIdx.x / kLanes] = sum.all;
  __syncthreads();
  u32 start = sum.before;
  u32 all = 0;
  for (u32 warp = 0; warp < kBlock / kLanes; ++warp) {
    if (warp < threadIdx.x / kLanes) start += requests.totals[warp];
    all += requests.totals[warp];
  }
  for (u32 k = 0; k < kEachBucket; ++k) {
    const u32 here = mine[k];
    mine[k] = start;
    start += here;
  }
  __syncthreads();
  return all;
}

// Puts the first `count` requests in order; returns how many there are without those of kNone.
SKERRY_INLINE u32 put_in_order(Requests& requests, u32 count, u32 shift) {
  for (u32 i = threadIdx.x; i < kBuckets; i += kBlock) requests.starts[i] = 0;
  __syncthreads();
  u32 ranks[kRequests / kBlock];
#pragma unroll
  for (u32 k = 0; k < kRequests / kBlock; ++k) {
    const u32 i = k * kBlock + threadIdx.x;
    ranks[k] = kRequests;
    if (i >= count || requests.vertex[i] == kNone) continue;
    ranks[k] = atomicAdd(requests.starts + (requests.vertex[i] >> shift), 1u);
  }
  __syncthreads();
  const u32 all = add_up(requests);
#pragma unroll
  for (u32 k = 0; k < kRequests / kBlock; ++k) {
    const u32 i = k * kBlock + threadIdx.x;
    if (ranks[k] == kRequests) continue;
    requests.order[requests.starts[requests.vertex[i] >> shift] + ranks[k]] = i;
  }
  __syncthreads();
  return all;
}

// Returns whether this thread has grafted.
template <class Edges>
SKERRY_INLINE bool graft_chunk(const Edges& edges, u64 first, u32 count, Vertex* parent, u32 shift,
                               u64 keep_last, Requests& requests, Tally& tally) {
  for (u32 i = threadIdx.x; i < count; i += kBlock) {
    const Ends ends = edges[first + i];
    requests.vertex[2 * i] = ends.u;
    requests.vertex[2 * i + 1] = ends.v;
  }
  __syncthreads();
  const u32 loads = put_in_order(requests, 2 * count, shift);
  for (u32 i = threadIdx.x; i < loads; i += kBlock) {
    const u32 request = requests.order[i];
    requests.value[request] = Device::load(parent + requests.vertex[request]);
  }
  __syncthreads();
  // The graft of edge i takes the place of its first request.
  for (u32 i = threadIdx.x; i < count; i += kBlock) {
    const Vertex a = requests.value[2 * i];
    const Vertex b = requests.value[2 * i + 1];
    requests.vertex[2 * i] = a == b ? kNone : a > b ? a : b;
    requests.vertex[2 * i + 1] = kNone;
    requests.value[2 * i] = a > b ? b : a;
  }
  __syncthreads();
  const u32 grafts = put_in_order(requests, 2 * count, shift);
  bool grafted = false;
  for (u32 i = threadIdx.x; i < grafts; i += kBlock) {
    const u32 request = requests.order[i];
    grafted |= graft(parent, requests.vertex[request], requests.value[request], keep_last, tally);
  }
  __syncthreads();
  return grafted;
}

template <class Edges>
SKERRY_INLINE void graft_in_order(const Edges& edges, u64 count, Vertex* parent, u64* state,
                                  u64 shift, u64 keep_last) {
  __shared__ Requests requests;
  Tally tally(state);
  bool grafted = false;
  for_each_block((count + kEdges - 1) / kEdges, [&](u64 chunk) {
    const u64 first = chunk * kEdges;
    const u32 here = static_cast<u32>(count - first < kEdges ? count - first : kEdges);
    grafted |= graft_chunk(edges, first, here, parent, static_cast<u32>(shift), keep_last, requests,
                           tally);
  });
  if (grafted) set_changed(state);
}

extern "C" __global__ void schedule_edges(const Id* source, const Id* target, u64 source_step,
                                          u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                          u64* state, u64 shift, u64 keep_last) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  graft_in_order(list, edges, parent, state, shift, keep_last);
}

extern "C" __global__ void schedule_own(const Vertex* own_source, const Vertex* own_target,
                                        u64 count, Vertex* parent, u64* state, u64 shift,
                                        u64 keep_last) {
  graft_in_order(OwnEdges{own_source, own_target}, count, parent, state, shift, keep_last);
}

}  // namespace skerry
