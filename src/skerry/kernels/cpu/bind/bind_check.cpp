// Bindings of check.h.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "cpu/bind/bind.h"
#include "cpu/check.h"

namespace skerry {

namespace {

// (position of the first broken edge or None, positions of the forest's edges)
template <class Graph, class Label>
nb::object certificate_of(const Graph& graph, const Input& labels) {
  Certificate certificate;
  run_native(1, false, [&](Context& context) {
    certificate = certify(context, graph, labels.shape(0), read_pointer<Label>(labels));
  });
  auto* forest = new std::vector<std::uint64_t>(std::move(certificate.forest));
  const nb::capsule owner(
      forest, [](void* p) noexcept { delete static_cast<std::vector<std::uint64_t>*>(p); });
  nb::object array = nb::cast(
      nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>(forest->data(), {forest->size()}, owner));
  if (certificate.broken_edge == kNoEdge) return nb::make_tuple(nb::none(), array);
  return nb::make_tuple(certificate.broken_edge, array);
}

}  // namespace

void bind_check(nb::module_& module) {
  module.def("certify_edges", [](const Input& src, const Input& dst, const Input& labels) {
    return by_width(src, [&]<class Id>() {
      return by_width(labels, [&]<class Label>() {
        return certificate_of<EdgesOfList<Id>, Label>({edge_view<Id>(src, dst)}, labels);
      });
    });
  });
  module.def("certify_rows",
             [](const Input& offsets, const Input& neighbours, const Input& labels) {
               return by_width(neighbours, [&]<class Vertex>() {
                 return by_width(labels, [&]<class Label>() {
                   return certificate_of<EdgesOfRows<Vertex>, Label>(
                       {csr_view<Vertex>(offsets, neighbours)}, labels);
                 });
               });
             });
}

}  // namespace skerry
