// Common to all bindings: array types, dispatch on the id width, and the frame of a native call
// (release the GIL, run, raise if stopped, report).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>

#include "cpu/bind/gil.h"
#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

namespace nb = nanobind;

// Python has checked shapes, types and ranges before a native call (see inputs/); what is checked
// here again is only what would otherwise be undefined behavior.
using Input = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Output = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Runs work(context) without the GIL. Returns what a run reports: the statistics as a tuple in
// field order, or None; the phases as a list of (name, seconds); the peak of its scratch memory, in
// bytes; and whether what it read turned out to be no graph, so that its labels mean nothing.
template <class Work>
nb::object run_native(int threads, bool counting, Work&& work, bool checking = false) {
  Context context(threads, counting, &interrupted);
  context.checking = checking;
  without_gil([&] { work(context); });
  if (context.stopped()) throw nb::python_error();
  nb::object counts = nb::none();
  const Statistics& s = context.statistics;
  if (counting) {
    nb::list measured;
    for (const Measured& m : s.measured) measured.append(nb::make_tuple(m.name, m.value));
    counts = nb::make_tuple(s.rounds, s.hooks, s.finds, s.steps, s.longest, nb::tuple(measured));
  }
  nb::list phases;
  for (const Phase& phase : context.phases)
    phases.append(nb::make_tuple(phase.name, phase.seconds));
  return nb::make_tuple(counts, phases, context.scratch.peak(), context.faulty());
}

// Calls body.operator()<std::uint32_t>() or <std::uint64_t>() by the array's item size; signed
// arrays are read as unsigned ones, as their values are known to be non-negative.
template <class Array, class Body>
decltype(auto) by_width(const Array& array, Body&& body) {
  if (array.itemsize() == 4) return body.template operator()<std::uint32_t>();
  if (array.itemsize() == 8) return body.template operator()<std::uint64_t>();
  throw std::invalid_argument("ids must be 32 or 64 bits wide");
}

template <class T>
const T* read_pointer(const Input& array) {
  return static_cast<const T*>(array.data());
}

template <class T>
T* write_pointer(const Output& array) {
  return static_cast<T*>(array.data());
}

template <class Id>
EdgeView<Id> edge_view(const Input& src, const Input& dst) {
  if (src.shape(0) != dst.shape(0) || src.itemsize() != dst.itemsize())
    throw std::invalid_argument("src and dst must match");
  return {read_pointer<Id>(src), read_pointer<Id>(dst), src.stride(0), dst.stride(0), src.shape(0)};
}

template <class Vertex>
CsrView<Vertex> csr_view(const Input& offsets, const Input& neighbors) {
  if (offsets.shape(0) == 0 || offsets.itemsize() != 8 || neighbors.itemsize() != sizeof(Vertex))
    throw std::invalid_argument("offsets must be 64-bit and neighbors as wide as the labels");
  if (offsets.stride(0) != 1 || (neighbors.shape(0) > 0 && neighbors.stride(0) != 1))
    throw std::invalid_argument("CSR arrays must be contiguous");
  const std::uint64_t vertices = offsets.shape(0) - 1;
  const std::uint64_t entries = look(read_pointer<std::uint64_t>(offsets) + vertices);
  if (entries > neighbors.shape(0))
    throw std::invalid_argument("offsets must end within the neighbors");
  return {read_pointer<std::uint64_t>(offsets), read_pointer<Vertex>(neighbors), vertices, entries};
}

}  // namespace skerry
