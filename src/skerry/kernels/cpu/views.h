// The two forms of a graph that kernels read. Views own nothing and are never written through.
//
// The arrays are mostly a caller's, and another thread may change them at any time. Algorithms that
// "auto" chooses then still access nothing out of bounds: they look at a value once and use it only
// after comparing it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace skerry {

// One look at a value that may change: what is compared and what is used are the same. An atomic
// load would say so, too, but GCC gives it no addressing modes on Arm: 5 to 20 % a kernel.
template <class T>
T look(const T* address) {
#if defined(__GNUC__) || defined(__clang__)
  T value = *address;
  __asm__("" : "+r"(value));  // from here on the compiler does not know where it came from
  return value;
#else
  return *static_cast<const volatile T*>(address);
#endif
}

struct Span {
  std::uint64_t begin;
  std::uint64_t end;
};

// m pairs of vertex ids. The steps (in elements) let the two columns of an (m, 2) array be read in
// place. One direction of each edge is enough; loops and repeats are harmless.
template <class Id>
struct EdgeView {
  const Id* src;
  const Id* dst;
  std::ptrdiff_t src_step;
  std::ptrdiff_t dst_step;
  std::uint64_t count;

  Id source(std::uint64_t i) const { return look(src + static_cast<std::ptrdiff_t>(i) * src_step); }
  Id target(std::uint64_t i) const { return look(dst + static_cast<std::ptrdiff_t>(i) * dst_step); }
};

// Compressed sparse rows: the neighbors of v are neighbors[offsets[v] .. offsets[v + 1]).
template <class Vertex>
struct CsrView {
  const std::uint64_t* offsets;
  const Vertex* neighbors;
  std::uint64_t vertices;
  std::uint64_t size;  // of the neighbors: what the last offset was when it was compared with it

  std::uint64_t entries() const { return size; }
  // The offset of v as it is now, at most the number of entries.
  std::uint64_t bound(std::uint64_t v) const { return std::min(look(offsets + v), size); }
  // Where row v is said to begin and end, which may be anywhere.
  Span row(std::uint64_t v) const {
    Span span{offsets[v], offsets[v + 1]};
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(span.begin), "+r"(span.end));
#endif
    return span;
  }
  Vertex neighbor(std::uint64_t e) const { return look(neighbors + e); }
  // The first entry of row v, or the number of vertices if there is none.
  Vertex first(std::uint64_t v) const {
    const Span span = row(v);
    const bool any = span.begin < span.end && span.begin < size;
    return any ? neighbor(span.begin) : static_cast<Vertex>(vertices);
  }
  std::uint64_t degree(std::uint64_t v) const { return offsets[v + 1] - offsets[v]; }
};

}  // namespace skerry
