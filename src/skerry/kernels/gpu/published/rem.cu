// Rem's algorithm in parallel, without locks, verified afterwards: Patwary, Refsnes & Manne,
// "Multi-core Spanning Forest Algorithms using the Disjoint-set Data Structure" (IPDPS 2012); on a
// GPU: Cong & Muzio 2014, sect. 6. See cpu/published/rem.h for what an edge does and for why the
// edges recorded here suffice to make up for lost links. The labels are the smallest members.
//
// Departures: edges that only splice are recorded too, in a bit an edge (see there). Where threads
// write the same parent, the smallest value stays, not the last one: otherwise a hub could lose all
// its links but one in a round, and there would be as many rounds as it has neighbors. The losing
// thread does not notice, so links are still lost and the verification is still needed. In it all
// vertices point to their roots, and it grafts like graft.cu; see there for why its rounds are few.
// By the letter the last value stays (keep=last), and the host ends that after some rounds. With
// prefetch=1 the parents of the edges that a warp takes next are fetched into L2 (Cong & Muzio
// 2014, sect. 3, saw no gain on a GPU).
#include "gpu/edges.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

// Returns whether it has written anything.
SKERRY_INLINE bool unite_splicing(Vertex* parent, Vertex a, Vertex b, u64 keep_last, Tally& tally) {
  Vertex above_a = Device::load(parent + a);
  Vertex above_b = Device::load(parent + b);
  bool wrote = false;
  while (above_a != above_b) {
    if (above_a < above_b) {
      const Vertex here = a;
      const Vertex above = above_a;
      a = b;
      above_a = above_b;
      b = here;
      above_b = above;
    }
    if (keep_last != 0) {
      Device::store(parent + a, above_b);
    } else {
      atomicMin(parent + a, above_b);
    }
    wrote = true;
    if (above_a == a) {
      tally.hooked();
      break;
    }
    tally.step();
    a = above_a;
    above_a = Device::load(parent + a);
  }
  tally.end_find();
  return wrote;
}

// A warp takes 32 edges at a time and writes the word that holds their bits.
extern "C" __global__ void unite_and_record(const Id* source, const Id* target, u64 source_step,
                                            u64 target_step, u64 vertices, u64 edges,
                                            Vertex* parent, u64* state, u32* record, u64 keep_last,
                                            u64 prefetch) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  for_each_warp((edges + kLanes - 1) / kLanes, [&](u64 word) {
    const u64 i = word * kLanes + lane();
    const u64 next = i + warp_count() * kLanes;
    if (prefetch != 0 && next < edges) {
      const Ends ends = list[next];
      prefetch_line(parent + ends.u);
      prefetch_line(parent + ends.v);
    }
    bool wrote = false;
    if (i < edges) {
      const Ends ends = list[i];
      wrote = ends.u != ends.v && unite_splicing(parent, ends.u, ends.v, keep_last, tally);
    }
    const u32 bits = __ballot_sync(kAllLanes, wrote);
    if (lane() == 0) record[word] = bits;
  });
}

// Expects every vertex to point to its root. Sets kChanged where a recorded edge had its ends at
// different roots, and unites them again.
extern "C" __global__ void verify_recorded(const Id* source, const Id* target, u64 source_step,
                                           u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                           u64* state, const u32* record, u64 keep_last) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  bool changed = false;
  for_each_thread(edges, [&](u64 i) {
    if ((record[i / kLanes] >> i % kLanes & 1) == 0) return;
    const Ends ends = list[i];
    if (Device::load(parent + ends.u) == Device::load(parent + ends.v)) return;
    unite_splicing(parent, ends.u, ends.v, keep_last, tally);
    changed = true;
  });
  if (changed) set_changed(state);
}

}  // namespace skerry
