// Skerry's algorithm for an edge list. First links come from a share of the edges by plain stores;
// a second share is joined; then the members of the largest tree are marked, a bit each, and all
// edges are processed. Edges with both ends in that tree, which are nearly all edges of most
// graphs, cost two loads from that small table, which fits the cache long after the labels do not.
// Of a list in the order of its vertices, all edges are linked and joined instead (is_ordered).
//
// Edges are dealt in chunks, of which every `share`-th is in a share: so it is a sample of the
// complete list, whatever its order.
#include "gpu/edges.h"
#include "gpu/own/final_links.h"
#include "gpu/own/largest_tree.h"
#include "gpu/own/open_edges.h"
#include "gpu/own/root_copy.h"

namespace skerry {

constexpr u64 kDealt = 1024;  // edges of a chunk: reads stay coalesced

// One of how many vertices the largest tree must have. The others may have no edge: it may still
// have both ends of most edges.
constexpr u32 kMarkedShare = 32;

// body(e) for every edge e of the chunks `which`, which + share, which + 2 share, ...
template <class Body>
SKERRY_INLINE void for_each_dealt(u64 edges, u64 share, u64 which, Body&& body) {
  const u64 chunks = (edges + kDealt - 1) / kDealt;
  for_each_thread((chunks + share - 1) / share * kDealt, [&](u64 i) {
    const u64 e = (i / kDealt * share + which) * kDealt + i % kDealt;
    if (e < edges) body(e);
  });
}

constexpr Vertex kAdjacentEnds = 8;  // the largest distance of ends that count as adjacent
constexpr u32 kAdjacentShare = 4;  // one of how many sampled edges has such ends in an ordered list

// Counts sampled edges with adjacent ends: one for each thread of a block.
SKERRY_INLINE void count_adjacent(const EdgeList& list) {
  Ends ends{0, 0};
  if (list.edges != 0) ends = list[sampled_index(threadIdx.x, list.edges)];
  const Vertex distance = ends.u > ends.v ? ends.u - ends.v : ends.v - ends.u;
  const u32 adjacent = __ballot_sync(kAllLanes, distance != 0 && distance <= kAdjacentEnds);
  if (lane() == 0) atomicAdd(list.state + kAdjacent, u64{static_cast<u32>(__popc(adjacent))});
}

// Whether the ends of many edges are adjacent, as in a list of the edges of a grid or a road in
// their order. Then a share of the edges makes stretches of vertices that many threads join with
// each other at a time, and no large tree. So all edges are linked, and all are joined after that.
SKERRY_INLINE bool is_ordered(const u64* state) {
  return kAdjacentShare * state[kAdjacent] >= kBlock;
}

extern "C" __global__ void start_links(const Id* source, const Id* target, u64 source_step,
                                       u64 target_step, u64 vertices, u64 edges, Vertex* links,
                                       u64* state) {
  wait_for_previous();
  if (blockIdx.x == 0) {
    clear_words(state);
    __syncthreads();
    count_adjacent(EdgeList{source, target, source_step, target_step, vertices, edges, state});
  }
  for_each_of<kEach>(vertices, [&](u64 v) { links[v] = static_cast<Vertex>(v); });
}

// The larger end links to the smaller; of several links of a vertex, one stays.
extern "C" __global__ void link_edges(const Id* source, const Id* target, u64 source_step,
                                      u64 target_step, u64 vertices, u64 edges, Vertex* links,
                                      u64* state, u64 share) {
  wait_for_previous();
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  for_each_dealt(edges, is_ordered(state) ? 1 : share, 0, [&](u64 e) {
    const Ends ends = list[e];
    if (ends.u < ends.v) Device::store(links + ends.v, ends.u);
    if (ends.v < ends.u) Device::store(links + ends.u, ends.v);
  });
}

extern "C" __global__ void settle_ordered(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  if (is_ordered(state)) settle_in_order(links, vertices, state, [](u64, Vertex) {});
}

extern "C" __global__ void join_share(const Id* source, const Id* target, u64 source_step,
                                      u64 target_step, u64 vertices, u64 edges, Vertex* links,
                                      u64* state, u64 share, u64 which) {
  wait_for_previous();
  if (which != 0 && is_ordered(state)) return;  // all will be joined
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  for_each_dealt(edges, share, which, [&](u64 e) {
    const Ends ends = list[e];
    join_vertices(links, ends.u, ends.v, tally);
  });
}

extern "C" __global__ void sample_largest(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  if (is_ordered(state)) return;
  Tally tally(state);
  find_largest(vertices, state, kMarkedShare, kAnyOthers,
               [&](Vertex v) { return settle_with_link(links, v, tally); });
}

// Settles all vertices, and marks the members of the largest tree, if there is one.
extern "C" __global__ void mark_members(Vertex* links, u64 vertices, u64* state, u32* members) {
  wait_for_previous();
  if (is_ordered(state)) return;
  Tally tally(state);
  const Vertex largest = largest_root(state);
  const Vertex top = largest == kInvalidVertex ? largest : find_root(links, largest, tally);
  for_each_group_of<kEach>(vertices, [&](u64 group) {
    const u64 v = group * kLanes + lane();
    bool inside = false;
    if (v < vertices) {
      const Vertex above = Device::load(links + v);
      inside = above == largest || link_to_root(links, static_cast<Vertex>(v), above, tally) == top;
    }
    const u32 word = __ballot_sync(kAllLanes, inside);
    if (lane() == 0) members[group] = word;
  });
}

// Joins the edges from `first` on that have an end in first_vertex..last_vertex - 1 that is not
// marked. A table that does not fit the cache is looked at in parts: a launch for each reads all
// edges, but gathers from that part only. `first` is a multiple of kDealt.
extern "C" __global__ void __launch_bounds__(kBlock)
    join_others(const Id* source, const Id* target, u64 source_step, u64 target_step, u64 vertices,
                u64 edges, Vertex* links, u64* state, const u32* members, u64 first_vertex,
                u64 last_vertex, u64 first) {
  wait_for_previous();
  const bool marked = state[kLargest] != 0;
  if (!marked && first_vertex != 0) return;  // all edges were joined before
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  const Marks marks{members, static_cast<Vertex>(first_vertex),
                    static_cast<Vertex>(last_vertex - first_vertex)};
  Tally tally(state);
  OpenEdges open;
  const auto join = [&](const Ends& ends) { join_vertices(links, ends.u, ends.v, tally); };
  const u64 begin = first / kAhead;
  const u64 end = (edges + kDealt - 1) / kDealt * (kDealt / kAhead);
  for_each_thread(end > begin ? end - begin : 0, [&](u64 i) {
    Ends ends[kAhead];
    bool is_open[kAhead];
    list.read(begin + i, kDealt / kAhead, ends);
#pragma unroll
    for (u32 k = 0; k < kAhead; ++k) is_open[k] = !marked || !marks.both(ends[k]);
#pragma unroll
    for (u32 k = 0; k < kAhead; ++k) open.add(is_open[k], ends[k], join);
  });
  open.join_all(join);
}

extern "C" __global__ void label_vertices(Vertex* links, u64 vertices, u64* state) {
  wait_for_previous();
  label_all(links, vertices, state);
}

}  // namespace skerry
