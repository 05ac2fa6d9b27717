// Images in memory, and which of their pixels are joined with which neighbors.
#pragma once

#include "gpu/grid.h"

namespace skerry {

constexpr u64 kAllNeighbors = (1 << 13) - 1;
constexpr u32 kOwnRow = 12;  // the neighbor before a pixel, of the 13 that come first

struct Images {
  const unsigned char* pixels;
  u64 bytes;  // of a pixel
  u64 sign;   // of floats: the bit of the sign, as -0 is 0; otherwise 0
  u64 background;
  u64 mode;       // bit 0: there is a background; bit 1: pixels are joined if they are equal
  u64 structure;  // a bit for each of the 13 neighbors that come first in raster order
  u64 depth, height, width, count;

  SKERRY_INLINE bool by_value() const { return (mode & 2) != 0; }
  SKERRY_INLINE bool joins_in_row() const { return (structure >> kOwnRow & 1) != 0; }
  SKERRY_INLINE u64 rows() const { return count * depth * height; }
  SKERRY_INLINE u32 columns() const { return static_cast<u32>((width + kLanes - 1) / kLanes); }

  SKERRY_INLINE bool is_object(u64 bits) const {
    return (mode & 1) == 0 || (bits == sign ? 0 : bits) != background;
  }
  SKERRY_INLINE u64 value(u64 i) const {
    u64 bits = 0;
    if (bytes == 1) bits = pixels[i];
    if (bytes == 2) bits = reinterpret_cast<const unsigned short*>(pixels)[i];
    if (bytes == 4) bits = reinterpret_cast<const u32*>(pixels)[i];
    if (bytes == 8) bits = reinterpret_cast<const u64*>(pixels)[i];
    return bits == sign ? 0 : bits;
  }
  // Whether two pixels of objects are equal: -0 is 0.
  SKERRY_INLINE bool are_equal(u64 a, u64 b) const {
    return a == b || ((a | b) == sign && (a == 0 || b == 0));
  }
};

#define SKERRY_IMAGES                                                                        \
  const unsigned char *pixels, u64 bytes, u64 sign, u64 background, u64 mode, u64 structure, \
      u64 depth, u64 height, u64 width, u64 count
#define SKERRY_THESE {pixels, bytes, sign, background, mode, structure, depth, height, width, count}

}  // namespace skerry
