// The two forms of a graph that kernels read. Views own nothing and are never written through.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "cpu/memory.h"

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

  const Id& source(std::uint64_t i) const { return src[static_cast<std::ptrdiff_t>(i) * src_step]; }
  const Id& target(std::uint64_t i) const { return dst[static_cast<std::ptrdiff_t>(i) * dst_step]; }
};

// Compressed sparse rows: the neighbors of v are neighbors[offsets[v] .. offsets[v + 1]).
//
// The arrays are the caller's, and another of his threads may write to them after they were
// checked. The algorithms that "auto" takes must then still access nothing outside of memory: they
// read through offset() and entry(), each value once, and check or clamp it before they use it.
template <class Vertex>
struct CsrView {
  const std::uint64_t* offsets;
  const Vertex* neighbors;
  std::uint64_t vertices;
  std::uint64_t size = std::numeric_limits<std::uint64_t>::max();  // of neighbors, in memory

  // At most `size`; those of two rows may fall all the same.
  std::uint64_t offset(std::uint64_t v) const { return std::min(Shared::load(offsets + v), size); }
  // As it stands in memory: any value.
  Vertex entry(std::uint64_t e) const { return Shared::load(neighbors + e); }
  // Always a vertex.
  Vertex neighbor(std::uint64_t e) const {
    return std::min(entry(e), static_cast<Vertex>(vertices - 1));
  }

  std::uint64_t entries() const { return offset(vertices); }
  std::uint64_t degree(std::uint64_t v) const { return offset(v + 1) - offset(v); }
};

}  // namespace skerry
