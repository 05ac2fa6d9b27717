// Connected components of images with up to three axes, many at a time, in raster order.
//
// After Playne & Hawick, "A New Algorithm for Parallel Connected-Component Labelling on GPUs"
// (2018): pixels are first linked to the beginning of their run in a warp, and only the first pixel
// at which two runs touch unites them. Roots are numbered by chunks, after a sum over these.
#include "common/union_find.h"
#include "gpu/grid.h"
#include "gpu/memory.h"
#include "gpu/tally.h"

namespace skerry {

namespace {

constexpr u64 kChunk = 32 * kLanes;  // pixels that a warp numbers
constexpr u32 kOwnRow = 12;          // the neighbor before a pixel, of those in raster order

struct Images {
  const unsigned char* pixels;
  u64 bytes;  // of a pixel
  u64 sign;   // of floats: the bit of the sign, as -0 is 0; otherwise 0
  u64 background;
  u64 mode;       // bit 0: there is a background; bit 1: pixels are joined if they are equal
  u64 structure;  // a bit for each of the 13 neighbors that come first in raster order
  u64 depth, height, width, count;

  SKERRY_INLINE u64 size() const { return depth * height * width; }

  SKERRY_INLINE u64 value(u64 i) const {
    u64 bits = 0;
    if (bytes == 1) bits = pixels[i];
    if (bytes == 2) bits = reinterpret_cast<const unsigned short*>(pixels)[i];
    if (bytes == 4) bits = reinterpret_cast<const u32*>(pixels)[i];
    if (bytes == 8) bits = reinterpret_cast<const u64*>(pixels)[i];
    return bits == sign ? 0 : bits;
  }
  SKERRY_INLINE bool has(u64 i) const { return (mode & 1) == 0 || value(i) != background; }
  SKERRY_INLINE bool same(u64 i, u64 j) const { return (mode & 2) == 0 || value(i) == value(j); }

  // Whether a pixel of the foreground is joined with the one before it in its row.
  SKERRY_INLINE bool joined(u64 i) const {
    return (structure >> kOwnRow & 1) != 0 && i % width != 0 && has(i - 1) && same(i - 1, i);
  }
};

// The pixels of a chunk, 32 at a time: body(pixel, whether it is a root, roots before it).
template <class Body>
SKERRY_INLINE u32 for_each_root(const Images& images, const Vertex* parent, u64 chunk, u64 chunks,
                                Body&& body) {
  const u64 base = chunk / chunks * images.size();
  const u64 first = chunk % chunks * kChunk;
  u32 roots = 0;
  for (u64 begin = first; begin < first + kChunk; begin += kLanes) {
    const u64 i = base + begin + lane();
    const bool root = begin + lane() < images.size() && images.has(i) && parent[i] == i;
    const u32 lanes = __ballot_sync(kAllLanes, root);
    if (root) body(i, roots + static_cast<u32>(__popc(lanes_before(lanes))));
    roots += static_cast<u32>(__popc(lanes));
  }
  return roots;
}

}  // namespace

#define SKERRY_IMAGES                                                                        \
  const unsigned char *pixels, u64 bytes, u64 sign, u64 background, u64 mode, u64 structure, \
      u64 depth, u64 height, u64 width, u64 count
#define SKERRY_THESE {pixels, bytes, sign, background, mode, structure, depth, height, width, count}

extern "C" __global__ void link_runs(SKERRY_IMAGES, Vertex* parent) {
  const Images images SKERRY_THESE;
  const u64 total = images.size() * count;
  for_each_warp((total + kLanes - 1) / kLanes, [&](u64 group) {
    const u64 i = group * kLanes + lane();
    const bool joined = i < total && images.has(i) && images.joined(i);
    const u32 starts = ~__ballot_sync(kAllLanes, joined) | 1;
    const u32 own = highest(starts & (lanes_before(kAllLanes) | 1u << lane()));
    if (i < total) parent[i] = static_cast<Vertex>(group * kLanes + own);
  });
}

extern "C" __global__ void join_runs(SKERRY_IMAGES, Vertex* parent) {
  const Images images SKERRY_THESE;
  Tally tally(nullptr);
  for_each_thread(images.size() * count, [&](u64 i) {
    if (!images.has(i)) return;
    const u64 x = i % width, y = i / width % height, z = i / width / height % depth;
    const bool joined = images.joined(i);
    if (joined && i % kLanes == 0)  // otherwise linked already
      unite_if_apart<Device>(parent, static_cast<Vertex>(i), static_cast<Vertex>(i - 1), tally);
    for (u32 neighbor = 0; neighbor < kOwnRow; ++neighbor) {
      if ((structure >> neighbor & 1) == 0) continue;
      const u32 dz = neighbor / 9, dy = neighbor / 3 % 3, dx = neighbor % 3;  // one too many
      if (z + dz == 0 || y + dy == 0 || y + dy > height || x + dx == 0 || x + dx > width) continue;
      const u64 other = i + (dz * height + dy) * width + dx - (height + 1) * width - 1;
      if (!images.has(other) || !images.same(i, other)) continue;
      if (joined && x + dx > 1 && images.joined(other)) continue;  // the pixels before unite them
      unite_if_apart<Device>(parent, static_cast<Vertex>(i), static_cast<Vertex>(other), tally);
    }
  });
}

extern "C" __global__ void count_roots(SKERRY_IMAGES, const Vertex* parent, u64 chunks,
                                       u64* roots) {
  const Images images SKERRY_THESE;
  for_each_warp(chunks * count, [&](u64 chunk) {
    const u32 all = for_each_root(images, parent, chunk, chunks, [](u64, u32) {});
    if (lane() == 0) roots[chunk] = all;
  });
}

// `sums`: of the roots of an image up to the end of each chunk.
extern "C" __global__ void number_roots(SKERRY_IMAGES, const Vertex* parent, u64 chunks,
                                        const u64* roots, const u64* sums, Vertex* labels) {
  const Images images SKERRY_THESE;
  for_each_warp(chunks * count, [&](u64 chunk) {
    const u64 before = sums[chunk] - roots[chunk] + 1;
    for_each_root(images, parent, chunk, chunks,
                  [&](u64 i, u32 own) { labels[i] = static_cast<Vertex>(before + own); });
  });
}

extern "C" __global__ void write_labels(SKERRY_IMAGES, Vertex* parent, Vertex* labels) {
  const Images images SKERRY_THESE;
  Tally tally(nullptr);
  for_each_thread(images.size() * count, [&](u64 i) {
    if (!images.has(i)) {
      labels[i] = 0;
      return;
    }
    const auto own = static_cast<Vertex>(i);
    const Vertex root = JumpHalving::find<Device>(parent, own, tally);
    if (root != own) labels[i] = labels[root];
  });
}

// Adds the pixels of each label to sizes[image * size + label - 1]: one addition for a run of equal
// labels in a warp.
extern "C" __global__ void count_pixels(const Vertex* labels, u64 size, u64 total, u32* sizes) {
  for_each_warp((total + kLanes - 1) / kLanes, [&](u64 group) {
    const u64 i = group * kLanes + lane();
    const u64 own = i < total && labels[i] != 0 ? i / size * size + labels[i] : 0;
    const u64 before = __shfl_up_sync(kAllLanes, own, 1);
    const bool starts = lane() == 0 || own != before;
    const u32 later = __ballot_sync(kAllLanes, starts) & ~lanes_before(kAllLanes) & ~(1u << lane());
    const u32 end = later == 0 ? kLanes : highest(later & (~later + 1));
    if (starts && own != 0) atomicAdd(sizes + own - 1, end - lane());
  });
}

extern "C" __global__ void write_sizes(const Vertex* labels, u64 size, u64 total, const u32* sizes,
                                       u32* counts) {
  for_each_thread(total, [&](u64 i) {
    counts[i] = labels[i] == 0 ? 0 : sizes[i / size * size + labels[i] - 1];
  });
}

}  // namespace skerry
