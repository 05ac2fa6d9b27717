// Connected components of images with up to three axes, many at a time, in raster order.
//
// What is united are runs, the joined pixels of a row, and not pixels: after Hennequin, Lacassagne,
// Cabaret & Meunier, "A New Direct Connected Component Labeling and Analysis Algorithms for GPUs"
// (DASIP 2018), though a run goes on through any number of words here. Runs are numbered in raster
// order, so that the root of a tree is the first run of its component. First runs are united inside
// of tiles, in shared memory, then across the borders of tiles.
#include "common/union_find.h"
#include "gpu/images/tiles.h"
#include "gpu/memory.h"
#include "gpu/scan.h"
#include "gpu/tally.h"

namespace skerry {

namespace {

// Blocks that a multiprocessor can hold: kernels use registers accordingly.
#define SKERRY_BLOCKS (SKERRY_FULL < 6 ? SKERRY_FULL : 6)
constexpr u32 kSlots = SKERRY_RUNS_OF_WORD + 1;
constexpr u32 kEachRun = 4;  // runs of a thread, when roots are numbered

// The parent of a root is replaced by its number with this bit: labels fit the other bits.
constexpr Vertex kRoot = Vertex{1} << (8 * sizeof(Vertex) - 1);

// Objects among the 32 pixels of 32 words from `first` on: each lane returns those of its word.
template <class Pixel>
SKERRY_INLINE u32 objects_of(const Images& images, u64 first) {
  constexpr u32 kAhead = 8;
  const Pixel* const pixels = reinterpret_cast<const Pixel*>(images.pixels);
  const u64 rows = images.rows();
  const u32 columns = images.columns();
  u64 row = first / columns;
  u32 column = static_cast<u32>(first % columns);
  u32 own = 0;
  for (u32 k = 0; k < kLanes; k += kAhead) {
    Pixel read[kAhead];
    bool inside[kAhead];
#pragma unroll
    for (u32 j = 0; j < kAhead; ++j) {
      const u64 x = u64{column} * kLanes + lane();
      inside[j] = row < rows && x < images.width;
      read[j] = inside[j] ? pixels[row * images.width + x] : Pixel{0};
      if (++column == columns) {
        column = 0;
        ++row;
      }
    }
#pragma unroll
    for (u32 j = 0; j < kAhead; ++j) {
      const u32 bits = __ballot_sync(kAllLanes, inside[j] && images.is_object(read[j]));
      if (lane() == k + j) own = bits;
    }
  }
  return own;
}

// The same for pixels of a byte in rows of whole words, by the lane of each word alone: a bit for
// each byte that is not the background, eight at a time.
SKERRY_INLINE u32 objects_of_bytes(const Images& images, u64 word) {
  if (word >= images.rows() * images.columns()) return 0;
  constexpr u64 kLow = 0x7f7f7f7f7f7f7f7f;
  const u64 background = images.background * 0x0101010101010101;
  const u64* const pixels = reinterpret_cast<const u64*>(images.pixels) + 4 * word;
  u32 own = 0;
#pragma unroll
  for (u32 k = 0; k < 4; ++k) {
    const u64 differ = pixels[k] ^ background;
    const u64 high = (((differ & kLow) + kLow) | differ) & ~kLow;  // of the bytes that differ
    own |= static_cast<u32>((high >> 7) * 0x0102040810204080 >> 56) << 8 * k;
  }
  return own;
}

SKERRY_INLINE u32 objects_of_any(const Images& images, u64 first) {
  const u64 address = reinterpret_cast<u64>(images.pixels);
  if (images.bytes == 1 && (address % 8 | images.width % kLanes) == 0 && (images.mode & 1) != 0)
    return objects_of_bytes(images, first + lane());
  if (images.bytes == 1) return objects_of<unsigned char>(images, first);
  if (images.bytes == 2) return objects_of<unsigned short>(images, first);
  return images.bytes == 4 ? objects_of<u32>(images, first) : objects_of<u64>(images, first);
}

// Bits of the pixels of these words that equal a neighbor, one of 13. Writes them for the neighbors
// that are in other rows; each lane returns those of its word that equal the pixel before.
template <class Pixel>
SKERRY_INLINE u32 mark_equal(const Images& images, u64 first, u32 objects, u32* bits) {
  const Pixel* const pixels = reinterpret_cast<const Pixel*>(images.pixels);
  const u32 columns = images.columns();
  const u64 words = images.rows() * columns;
  u64 row = first / columns;
  u32 column = static_cast<u32>(first % columns);
  u64 y = row % images.height, z = row / images.height % images.depth;
  u32 own = 0;
  for (u32 k = 0; k < kLanes && first + k < words; ++k) {
    const u64 x = u64{column} * kLanes + lane();
    const u64 i = row * images.width + x;
    const bool is_object = (__shfl_sync(kAllLanes, objects, k) >> lane() & 1) != 0;
    const Pixel value = is_object ? pixels[i] : Pixel{0};
    u64 mark = 2;
#pragma unroll
    for (u32 neighbor = 0; neighbor <= kOwnRow; ++neighbor) {
      if ((images.structure >> neighbor & 1) == 0) continue;
      const u32 dz = neighbor / 9, dy = neighbor / 3 % 3, dx = neighbor % 3;  // one too many
      const bool inside = z + dz != 0 && y + dy != 0 && y + dy <= images.height && x + dx != 0 &&
                          x + dx <= images.width;
      const u64 other = i + (dz * images.height + dy) * images.width + dx -
                        (images.height + 1) * images.width - 1;
      const bool joined = is_object && inside && images.are_equal(value, pixels[other]);
      const u32 set = __ballot_sync(kAllLanes, joined);
      if (neighbor == kOwnRow) {
        if (lane() == k) own = set;
      } else {
        if (lane() == 0) bits[mark * words + first + k] = set;
        ++mark;
      }
    }
    if (++column == columns) {
      column = 0;
      ++row;
      if (++y == images.height) {
        y = 0;
        z = z + 1 == images.depth ? 0 : z + 1;
      }
    }
  }
  return own;
}

SKERRY_INLINE u32 mark_equal_of_any(const Images& images, u64 first, u32 objects, u32* bits) {
  if (images.bytes == 1) return mark_equal<unsigned char>(images, first, objects, bits);
  if (images.bytes == 2) return mark_equal<unsigned short>(images, first, objects, bits);
  return images.bytes == 4 ? mark_equal<u32>(images, first, objects, bits)
                           : mark_equal<u64>(images, first, objects, bits);
}

// Labels that are written at a time.
constexpr u32 kFour = 4;
struct alignas(kFour * sizeof(Id)) Four {
  Id labels[kFour];
};

// The root of a run in the last pass, which replaces roots by numbers.
SKERRY_INLINE Vertex root_of(const Vertex* parent, Vertex run) {
  for (Vertex next; ((next = CachedDevice::load(parent + run)) & kRoot) == 0 && next != run;)
    run = next;
  return run;
}

// The number of a run's component, from 1, after that pass.
SKERRY_INLINE Vertex number_of(const Vertex* parent, u64 run) {
  const Vertex link = parent[run];
  return ((link & kRoot) != 0 ? link : parent[link]) & ~kRoot;
}

}  // namespace

// Writes the marks of all pixels, and the runs that begin before each word, and before the end.
extern "C" __global__ void find_runs(SKERRY_IMAGES, u32* bits, Vertex* before, u64* taken,
                                     u64* states) {
  wait_for_previous();
  const Images images SKERRY_THESE;
  const Marks marks(images, bits);
  const u64 words = marks.words();
  for_each_in_turn((words + kBlock - 1) / kBlock, taken, [&](u64 chunk) {
    const u64 first = chunk * kBlock + threadIdx.x / kLanes * kLanes;  // of the warp
    const u64 word = first + lane();
    const u32 objects = objects_of_any(images, first);
    u32 joined = 0;
    if (images.by_value()) {
      joined = mark_equal_of_any(images, first, objects, bits);
      if (word < words) bits[words + word] = joined;
    } else if (images.joins_in_row()) {
      const u64 row = word / marks.columns;
      const u64 x = word % marks.columns * kLanes;
      u32 earlier = __shfl_up_sync(kAllLanes, objects, 1) >> (kLanes - 1);
      if (lane() == 0 && x != 0 && word < words)
        earlier = images.is_object(images.value(row * images.width + x - 1));
      if (x == 0) earlier = 0;
      joined = objects & (objects << 1 | earlier);
    }
    const u32 own = static_cast<u32>(__popc(objects & ~joined));
    const Sum in_warp = sum_of_warp(own);
    const Sum in_block = sum_of_block(in_warp.all);
    const u64 earlier = sum_before_block(states, chunk, in_block.all);
    const u64 runs = earlier + in_block.before + in_warp.before;
    if (word < words) {
      bits[word] = objects;
      before[word] = static_cast<Vertex>(runs);
    }
    if (word + 1 == words) before[words] = static_cast<Vertex>(runs + own);
  });
}

// Unites the runs of each tile, and writes the parent of each run, its first one in the tile. For a
// run that comes from the tile before, that goes to `entering`, one for each row of a tile.
//
// A run has a slot in each word that it touches. The slots of a word are an odd number apart from
// those of the next one, so that neighboring threads use different banks of the memory.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_BLOCKS)
    join_tiles(SKERRY_IMAGES, const u32* bits, const Vertex* before, u64 tile_width,
               u64 tile_height, u64 tile_depth, Vertex* parent, Vertex* entering) {
  wait_for_previous();
  const Images images SKERRY_THESE;
  const Marks marks(images, bits);
  const Tiles tiles(images, tile_width, tile_height, tile_depth);
  __shared__ u32 slots[kSlots * kBlock];
  __shared__ u32 begins[kBlock];   // the first bits of the runs of a word
  __shared__ Vertex runs[kBlock];  // the number of the first one
  Tally tally(nullptr);
  for_each_block(tiles.count(), [&](u64 tile) {
    const TileWord own = tiles.own_word(tile);
    const u32 first = threadIdx.x * kSlots;
    const u32 joined = own.inside ? marks.joined(own.row, own.column) : 0;
    const u32 objects = own.inside ? marks.objects(own.row, own.column) : 0;
    const u32 goes_on = joined & 1;  // from the word before
    const u32 starts = (objects & ~joined) | goes_on;
    const u32 count = static_cast<u32>(__popc(starts));
    begins[threadIdx.x] = starts;
    runs[threadIdx.x] = own.inside ? before[own.row + own.column] - goes_on : 0;
    for (u32 k = 0; k < count; ++k) slots[first + k] = first + k;
    __syncthreads();
    const auto last_slot = [&](u32 thread) {
      return thread * kSlots + static_cast<u32>(__popc(begins[thread])) - 1;
    };
    if (goes_on != 0 && !own.is_first) slots[first] = last_slot(threadIdx.x - 1);
    __syncthreads();

    const auto slot_at = [&](u32 thread, u32 there) {
      if (there == kLanes) return (thread + 1) * kSlots;
      return there > kLanes ? last_slot(thread - 1)
                            : thread * kSlots + starts_to(begins[thread], there) - 1;
    };
    tiles.for_each_row_before(own, [&](u32 which, u64 other, u32 thread, bool in_tile) {
      if (!in_tile) return;
      Touching touching = marks.touching(own.row, other, own.column, which);
      if (own.is_first) touching.before &= ~1u;
      if (own.is_last) touching.after &= ~(1u << (kLanes - 1));
      for_each_touching(touching, [&](u32 bit, u32 there) {
        unite_if_apart<SharedMemory>(slots, first + starts_to(starts, bit) - 1,
                                     slot_at(thread, there), tally);
      });
    });
    __syncthreads();

    for (u32 k = 0; k < count; ++k) {
      const u32 root = JumpHalving::find<SharedMemory>(slots, first + k, tally);
      const Vertex link = runs[root / kSlots] + root % kSlots;
      if (k != 0 || goes_on == 0) {
        parent[runs[threadIdx.x] + k] = link;
      } else if (own.is_first) {
        entering[tiles.entry(own)] = link;
      }
    }
    __syncthreads();
  });
}

// Unites runs of different tiles.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_BLOCKS)
    join_borders(SKERRY_IMAGES, const u32* bits, const Vertex* before, u64 tile_width,
                 u64 tile_height, u64 tile_depth, Vertex* parent, const Vertex* entering) {
  wait_for_previous();
  const Images images SKERRY_THESE;
  const Marks marks(images, bits);
  const Tiles tiles(images, tile_width, tile_height, tile_depth);
  Tally tally(nullptr);
  for_each_block(tiles.count(), [&](u64 tile) {
    const TileWord own = tiles.own_word(tile);
    if (!own.inside) return;
    const u64 word = own.row + own.column;
    if (own.is_first && (marks.joined(own.row, own.column) & 1) != 0)
      unite_if_apart<CachedDevice>(parent, before[word] - 1, entering[tiles.entry(own)], tally);
    tiles.for_each_row_before(own, [&](u32 which, u64 other, u32, bool in_tile) {
      if (in_tile && !own.is_first && !own.is_last) return;
      Touching touching = marks.touching(own.row, other, own.column, which);
      if (in_tile) {
        touching.same = 0;
        touching.before &= own.is_first ? 1 : 0;
        touching.after &= own.is_last ? 1u << (kLanes - 1) : 0;
      }
      const u32 starts = marks.starts(own.row, own.column);
      for_each_touching(touching, [&](u32 bit, u32 there) {
        Vertex to = before[other + own.column];
        if (there <= kLanes) {
          const u32 column = own.column + there / kLanes;
          to = before[other + column] + starts_to(marks.starts(other, column), there % kLanes);
        }
        unite_if_apart<CachedDevice>(parent, before[word] + starts_to(starts, bit) - 1, to - 1,
                                     tally);
      });
    });
  });
}

// Numbers the roots in order, from 1, and points all other runs to theirs. The end of the runs is
// like a root, so that there is a difference for each image.
extern "C" __global__ void number_roots(Vertex* parent, const Vertex* end, u64* taken,
                                        u64* states) {
  wait_for_previous();
  constexpr u32 kChunk = kEachRun * kBlock;
  const u64 count = *end;
  for_each_in_turn((count + kChunk - 1) / kChunk, taken, [&](u64 chunk) {
    const u64 first = chunk * kChunk + threadIdx.x / kLanes * kLanes * kEachRun + lane();
    u32 roots[kEachRun];
    u32 mine = 0;
#pragma unroll
    for (u32 k = 0; k < kEachRun; ++k) {
      const u64 run = first + k * kLanes;
      const Vertex root = run < count ? root_of(parent, static_cast<Vertex>(run)) : 0;
      const bool is_root = run < count && root == run;
      if (run < count && !is_root) relaxed_store(parent + run, root);
      roots[k] = __ballot_sync(kAllLanes, is_root);
      mine += static_cast<u32>(__popc(roots[k]));
    }
    const Sum in_block = sum_of_block(mine);
    u64 number = sum_before_block(states, chunk, in_block.all) + in_block.before + 1;
#pragma unroll
    for (u32 k = 0; k < kEachRun; ++k) {
      const u64 run = first + k * kLanes;
      const u64 own = number + static_cast<u32>(__popc(lanes_before(roots[k])));
      if ((roots[k] >> lane() & 1) != 0)
        relaxed_store(parent + run, kRoot | static_cast<Vertex>(own));
      number += static_cast<u32>(__popc(roots[k]));
    }
    if ((chunk + 1) * kChunk >= count && threadIdx.x == kBlock - 1)
      parent[count] = kRoot | static_cast<Vertex>(number);
  });
}

// Writes the label of each pixel, and the number of labels of each image.
extern "C" __global__ void __launch_bounds__(kBlock, SKERRY_BLOCKS)
    write_labels(SKERRY_IMAGES, const u32* bits, const Vertex* before, const Vertex* parent,
                 Id* labels, u64* counts) {
  wait_for_previous();
  const Images images SKERRY_THESE;
  const Marks marks(images, bits);
  const u64 words = marks.words();
  const u64 of_image = words / count;
  for_each_warp((words + kLanes - 1) / kLanes, [&](u64 group) {
    const u64 first = group * kLanes;
    const u64 word = first + lane();
    const u64 row = word / marks.columns;
    const u32 column = static_cast<u32>(word % marks.columns);
    u32 objects = 0, starts = 0;
    Vertex run = 0, origin = 0;
    if (word < words) {
      objects = marks.objects(row * marks.columns, column);
      starts = marks.starts(row * marks.columns, column);
      run = before[word];
      if (objects != 0 && count > 1)
        origin = number_of(parent, before[word / of_image * of_image]) - 1;
    }
    // Four pixels of a lane at a time, of one word each eight lanes.
    const u64 begin = row * width + column * kLanes;
    const u32 length = word >= words                      ? 0
                       : width - column * kLanes < kLanes ? width % kLanes
                                                          : kLanes;
#pragma unroll 2
    for (u32 k = 0; k < kLanes; k += kFour) {
      const u32 from = k + lane() / (kLanes / kFour);
      const u32 bit = lane() % (kLanes / kFour) * kFour;
      const u32 own_objects = __shfl_sync(kAllLanes, objects, from) >> bit;
      const u32 own_starts = __shfl_sync(kAllLanes, starts, from);
      const Vertex own_run = __shfl_sync(kAllLanes, run, from);
      const Vertex own_origin = __shfl_sync(kAllLanes, origin, from);
      const u64 to = __shfl_sync(kAllLanes, begin, from) + bit;
      const u32 left = __shfl_sync(kAllLanes, length, from);
      Four four;
#pragma unroll
      for (u32 j = 0; j < kFour; ++j) {
        const u32 own = starts_to(own_starts, bit + j) - 1;
        four.labels[j] = (own_objects >> j & 1) == 0
                             ? 0
                             : static_cast<Id>(number_of(parent, own_run + own) - own_origin);
      }
      if (bit + kFour <= left && to % kFour == 0) {
        *reinterpret_cast<Four*>(labels + to) = four;
      } else {
        for (u32 j = 0; j < kFour; ++j)
          if (bit + j < left) labels[to + j] = four.labels[j];
      }
    }
  });
  for_each_thread(count, [&](u64 i) {
    const Vertex begin = before[i * of_image], end = before[(i + 1) * of_image];
    counts[i] = begin == end ? 0 : number_of(parent, end) - number_of(parent, begin);
  });
}

}  // namespace skerry
