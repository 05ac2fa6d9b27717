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
    TextbookUnionFind sets(labels.shape(0));
    certificate = certify(context, graph, sets, read_pointer<Label>(labels));
  });
  auto* forest = new std::vector<std::uint64_t>(std::move(certificate.forest));
  const nb::capsule owner(
      forest, [](void* p) noexcept { delete static_cast<std::vector<std::uint64_t>*>(p); });
  nb::object array = nb::cast(
      nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>(forest->data(), {forest->size()}, owner));
  if (certificate.broken_edge == kNoEdge) return nb::make_tuple(nb::none(), array);
  return nb::make_tuple(certificate.broken_edge, array);
}

// Edges that come in batches are checked as they come; the forest is counted, not kept.
class Forest {
 public:
  explicit Forest(std::uint64_t vertices) : vertices_(vertices), sets_(vertices) {}

  // (position of the first edge whose ends differ in label or None, edges that joined two trees)
  nb::object take(const Input& src, const Input& dst, const Input& labels) {
    if (labels.shape(0) != vertices_) throw std::invalid_argument("a label for every vertex");
    return by_width(src, [&]<class Id>() {
      return by_width(labels, [&]<class Label>() {
        const EdgesOfList<Id> edges{edge_view<Id>(src, dst)};
        Certificate certificate;
        run_native(1, false, [&](Context& context) {
          certificate = certify(context, edges, sets_, read_pointer<Label>(labels));
        });
        const auto joined = certificate.forest.size();
        if (certificate.broken_edge == kNoEdge) return nb::make_tuple(nb::none(), joined);
        return nb::make_tuple(certificate.broken_edge, joined);
      });
    });
  }

 private:
  std::uint64_t vertices_;
  TextbookUnionFind sets_;
};

}  // namespace

void bind_check(nb::module_& module) {
  nb::class_<Forest>(
      module, "Forest",
      "Union-find of the verifier: takes edges and counts those that joined two trees.")
      .def(nb::init<std::uint64_t>(), nb::sig("def __init__(self, vertices: int, /) -> None"))
      .def("take", &Forest::take,
           nb::sig("def take(self, src: Array, dst: Array, labels: Array, /) -> tuple[int | None, "
                   "int]"));
  module.def(
      "certify_edges",
      [](const Input& src, const Input& dst, const Input& labels) {
        return by_width(src, [&]<class Id>() {
          return by_width(labels, [&]<class Label>() {
            return certificate_of<EdgesOfList<Id>, Label>({edge_view<Id>(src, dst)}, labels);
          });
        });
      },
      nb::sig("def certify_edges(src: Array, dst: Array, labels: Array, /) -> tuple[int | None, "
              "NDArray[numpy.uint64]]"));
  module.def(
      "certify_rows",
      [](const Input& offsets, const Input& neighbors, const Input& labels) {
        return by_width(neighbors, [&]<class Vertex>() {
          return by_width(labels, [&]<class Label>() {
            return certificate_of<EdgesOfRows<Vertex>, Label>(
                {csr_view<Vertex>(offsets, neighbors)}, labels);
          });
        });
      },
      nb::sig("def certify_rows(offsets: Array, neighbors: Array, labels: Array, /) -> tuple[int | "
              "None, NDArray[numpy.uint64]]"));
}

}  // namespace skerry
