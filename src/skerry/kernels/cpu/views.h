// The two forms of a graph that kernels read. Views own nothing and are never written through.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skerry {

// m pairs of vertex ids. The steps (in elements) let the two columns of an (m, 2) array be read in
// place. One direction of each edge is enough; loops and repeats are harmless.
template <class Id>
struct EdgeView {
  const Id* src;
  const Id* dst;
  std::ptrdiff_t src_step;
  std::ptrdiff_t dst_step;
  std::uint64_t count;

  Id source(std::uint64_t i) const { return src[static_cast<std::ptrdiff_t>(i) * src_step]; }
  Id target(std::uint64_t i) const { return dst[static_cast<std::ptrdiff_t>(i) * dst_step]; }
};

// Compressed sparse rows: the neighbors of v are neighbors[offsets[v] .. offsets[v + 1]).
template <class Vertex>
struct CsrView {
  const std::uint64_t* offsets;
  const Vertex* neighbors;
  std::uint64_t vertices;

  std::uint64_t entries() const { return offsets[vertices]; }
  std::uint64_t degree(std::uint64_t v) const { return offsets[v + 1] - offsets[v]; }
};

}  // namespace skerry
