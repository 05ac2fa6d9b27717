// The table of kernels that are complete algorithms, not sequences of union-find passes. A kernel
// writes a label for every vertex, equal within a component and different between them; only those
// marked so in the catalog write the smallest member.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
using CsrKernel = void (*)(Context&, const CsrView<Vertex>&, Vertex* labels, const Options&);

template <class Vertex>
using EdgeKernel = void (*)(Context&, const EdgeView<Vertex>&, std::uint64_t vertices,
                            Vertex* labels, const Options&);

struct CsrEntry {
  std::string_view name;
  CsrKernel<std::uint32_t> narrow;
  CsrKernel<std::uint64_t> wide;
};

struct EdgeEntry {
  std::string_view name;
  EdgeKernel<std::uint32_t> narrow;
  EdgeKernel<std::uint64_t> wide;
};

// CSR kernels may rely on every edge being stored in both directions, unless documented otherwise.
std::span<const CsrEntry> csr_kernels();
std::span<const EdgeEntry> edge_kernels();

}  // namespace skerry
