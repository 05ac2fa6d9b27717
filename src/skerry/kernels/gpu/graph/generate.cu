// Fills two columns with the edges of the families of generators.h, grown.h and profile.h, a thread
// an edge; roads, a thread a crossing. The counterpart of cpu/graph/generate.cpp: the same
// parameters give the same edges in the same order. The parameters of a kernel are the fields of
// its family, in their order.
#include "common/generators.h"
#include "common/grown.h"
#include "common/permutation.h"
#include "common/profile.h"
#include "common/road.h"
#include "gpu/grid.h"

namespace skerry {

namespace {

template <class Family>
SKERRY_INLINE void fill_edges(const Family& family, Vertex* src, Vertex* dst) {
  for_each_thread(family.edges(), [&](u64 i) {
    const DrawnEdge ends = family.edge(i);
    src[i] = static_cast<Vertex>(ends.u);
    dst[i] = static_cast<Vertex>(ends.v);
  });
}

}  // namespace

extern "C" __global__ void fill_grid(u64 rows, u64 columns, Vertex* src, Vertex* dst) {
  fill_edges(Grid{rows, columns}, src, dst);
}

extern "C" __global__ void fill_torus(u64 rows, u64 columns, Vertex* src, Vertex* dst) {
  fill_edges(Torus{rows, columns}, src, dst);
}

extern "C" __global__ void fill_path(u64 count, Vertex* src, Vertex* dst) {
  fill_edges(Path{count}, src, dst);
}

extern "C" __global__ void fill_star(u64 count, Vertex* src, Vertex* dst) {
  fill_edges(Star{count}, src, dst);
}

extern "C" __global__ void fill_complete(u64 count, Vertex* src, Vertex* dst) {
  fill_edges(Complete{count}, src, dst);
}

extern "C" __global__ void fill_uniform(u64 count, u64 pairs, u64 seed, Vertex* src, Vertex* dst) {
  fill_edges(Uniform{count, pairs, seed}, src, dst);
}

extern "C" __global__ void fill_random_picks(u64 count, u64 picks, u64 seed, Vertex* src,
                                             Vertex* dst) {
  fill_edges(RandomPicks{count, picks, seed}, src, dst);
}

extern "C" __global__ void fill_rmat(u64 levels, u64 pairs, u64 limit_a, u64 limit_b, u64 limit_c,
                                     u64 seed, Vertex* src, Vertex* dst) {
  fill_edges(Rmat{levels, pairs, limit_a, limit_b, limit_c, seed}, src, dst);
}

extern "C" __global__ void fill_mawi(u64 count, u64 hubs, u64 hub_share, u64 extra, u64 seed,
                                     Vertex* src, Vertex* dst) {
  fill_edges(Mawi{count, hubs, hub_share, extra, seed}, src, dst);
}

extern "C" __global__ void fill_tiny(u64 components, u64 max_size, u64 seed, Vertex* src,
                                     Vertex* dst) {
  fill_edges(Tiny{components, max_size, seed}, src, dst);
}

extern "C" __global__ void fill_preferential_attachment(u64 count, u64 links, u64 seed, Vertex* src,
                                                        Vertex* dst) {
  fill_edges(PreferentialAttachment{count, links, seed}, src, dst);
}

extern "C" __global__ void fill_web(u64 count, u64 links, u64 copied, u64 seed, Vertex* src,
                                    Vertex* dst) {
  fill_edges(Web{count, links, copied, seed}, src, dst);
}

extern "C" __global__ void fill_ring(u64 count, u64 chords, u64 seed, Vertex* src, Vertex* dst) {
  fill_edges(Ring{count, chords, seed}, src, dst);
}

extern "C" __global__ void fill_rmat_of(u64 count, u64 pairs, u64 limit_a, u64 limit_b, u64 limit_c,
                                        u64 seed, Vertex* src, Vertex* dst) {
  fill_edges(RmatOf{count, pairs, limit_a, limit_b, limit_c, seed}, src, dst);
}

extern "C" __global__ void fill_profile(u64 count, u64 parts, u64 part_size, u64 leaves,
                                        u64 octaves, u64 near_links, u64 hub_links, u64 far_links,
                                        u64 keep, u64 local, u64 late, u64 late_links, u64 skew,
                                        u64 skew_floor, u64 seed, Vertex* src, Vertex* dst) {
  fill_edges(Profile{count, parts, part_size, leaves, octaves, near_links, hub_links, far_links,
                     keep, local, late, late_links, skew, skew_floor, seed},
             src, dst);
}

// kept[x] becomes the number of streets that crossing x owns; the host makes its running sum.
extern "C" __global__ void count_streets(u64 width, u64 bends, u64 keep, u64 seed, u64 joined,
                                         u64 largest, u64 late, Word* kept) {
  const Road road{width, bends, keep, seed, joined, largest, late};
  for_each_thread(road.crossings(), [&](u64 x) { kept[x] = road.streets(x); });
}

extern "C" __global__ void fill_road(u64 width, u64 bends, u64 keep, u64 seed, u64 joined,
                                     u64 largest, u64 late, const Word* kept_before, Vertex* src,
                                     Vertex* dst) {
  const Road road{width, bends, keep, seed, joined, largest, late};
  for_each_thread(road.crossings(), [&](u64 x) {
    u64 position = road.edges(kept_before[x]);
    road.for_each_edge(x, kept_before, [&](Word u, Word v) {
      src[position] = static_cast<Vertex>(u);
      dst[position] = static_cast<Vertex>(v);
      ++position;
    });
  });
}

// Replaces every id by where the keyed bijection of 0..vertices-1 puts it.
extern "C" __global__ void shuffle_ids(u64 seed, u64 vertices, Vertex* ids, u64 count) {
  const Word key = stream_key(seed, kShuffleStream);
  for_each_thread(count,
                  [&](u64 i) { ids[i] = static_cast<Vertex>(permute(key, vertices, ids[i])); });
}

}  // namespace skerry
