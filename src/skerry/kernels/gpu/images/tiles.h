// Tiles: blocks of words of an image, a thread of a block for each word.
#pragma once

#include "gpu/images/marks.h"

namespace skerry {

// Memory that the threads of one block share, for union_find.h. Loads and stores are atomic
// operations, too: that costs nothing measurable, and the sanitizers know them.
struct SharedMemory {
  static SKERRY_INLINE u32 load(const u32* address) {
    return atomicOr(const_cast<u32*>(address), 0u);
  }
  static SKERRY_INLINE void store(u32* address, u32 value) { atomicExch(address, value); }
  static SKERRY_INLINE u32 compare_and_swap(u32* address, u32 expected, u32 desired) {
    return atomicCAS(address, expected, desired);
  }
};

// A word in its tile.
struct TileWord {
  u32 y, z;  // row and layer in the tile
  u32 column;
  u64 image_y, image_z;    // in the image
  u64 row;                 // the first word of its row
  u64 strip;               // the row, of all
  bool inside;             // or beyond the end of the image
  bool is_first, is_last;  // of the words in a row of the tile
};

struct Tiles {
  const Images& images;
  u32 width, height, depth;  // words, rows, layers of a tile: kBlock words in all
  u32 across, down, back;    // tiles of an image

  SKERRY_INLINE Tiles(const Images& of, u64 tile_width, u64 tile_height, u64 tile_depth)
      : images(of),
        width(static_cast<u32>(tile_width)),
        height(static_cast<u32>(tile_height)),
        depth(static_cast<u32>(tile_depth)),
        across((of.columns() + width - 1) / width),
        down(static_cast<u32>((of.height + height - 1) / height)),
        back(static_cast<u32>((of.depth + depth - 1) / depth)) {}

  SKERRY_INLINE u64 count() const { return images.count * across * down * back; }

  // The word of this thread.
  SKERRY_INLINE TileWord own_word(u64 tile) const {
    const u32 number = static_cast<u32>(tile);  // fewer than 2^32, as a tile has 8,192 pixels
    const u32 x = threadIdx.x % width;
    TileWord own;
    own.y = threadIdx.x / width % height;
    own.z = threadIdx.x / width / height;
    own.column = number % across * width + x;
    own.image_y = u64{number / across % down} * height + own.y;
    own.image_z = u64{number / across / down % back} * depth + own.z;
    const u64 image = number / across / down / back;
    own.strip = (image * images.depth + own.image_z) * images.height + own.image_y;
    own.row = own.strip * images.columns();
    own.inside =
        own.column < images.columns() && own.image_y < images.height && own.image_z < images.depth;
    own.is_first = x == 0;
    own.is_last = x + 1 == width;
    return own;
  }

  // Where what enters a row of a tile from the tile before is kept.
  SKERRY_INLINE u64 entry(const TileWord& own) const {
    return own.strip * across + own.column / width;
  }

  // body(which of the four, the first word of that row, the thread of the word there, whether that
  // is in the tile) for the rows before the one of a word that its image has.
  template <class Body>
  SKERRY_INLINE void for_each_row_before(const TileWord& own, Body&& body) const {
    if (!own.inside) return;
    for (u32 which = images.depth == 1 ? 3 : 0; which < 4; ++which) {
      const int dz = which == 3 ? 0 : -1;
      const int dy = which == 3 ? -1 : static_cast<int>(which) - 1;
      if (own.image_z + dz >= images.depth || own.image_y + dy >= images.height) continue;
      const u64 strip = own.strip + dz * static_cast<long long>(images.height) + dy;
      const bool in_tile = own.z + dz < depth && own.y + dy < height;
      const u32 thread = threadIdx.x + static_cast<u32>(dz * static_cast<int>(height) + dy) * width;
      body(which, strip * images.columns(), thread, in_tile);
    }
  }
};

}  // namespace skerry
