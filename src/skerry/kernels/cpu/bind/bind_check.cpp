// Bindings of the checker: check/forest.h and check/lookup.h.
#include <nanobind/stl/optional.h>

#include <optional>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/bind/bind.h"
#include "cpu/bind/integers.h"
#include "cpu/check/forest.h"
#include "cpu/check/lookup.h"

namespace skerry {

namespace {

using check::Fault;
using check::Wrong;

void require_contiguous(const Input& array) {
  if (array.shape(0) > 1 && array.stride(0) != 1)
    throw std::invalid_argument("the array must be contiguous");
}

// Calls body.operator()<T>() for integers of 32 and 64 bits.
template <class Body>
void by_wide_integer(const Input& array, Body&& body) {
  const auto type = array.dtype();
  const bool is_signed = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
  if (type.bits != 32 && type.bits != 64) throw std::invalid_argument("32 or 64 bits");
  if (type.bits == 32) {
    if (is_signed)
      body.template operator()<std::int32_t>();
    else
      body.template operator()<std::uint32_t>();
  } else if (is_signed) {
    body.template operator()<std::int64_t>();
  } else {
    body.template operator()<std::uint64_t>();
  }
}

nb::object as_object(const Fault& fault) {
  if (fault.what == Wrong::nothing) return nb::none();
  return nb::make_tuple(fault.row, fault.what == Wrong::unknown_end);
}

class CheckedForest {
 public:
  CheckedForest(const Input& labels, const std::optional<Input>& ids, std::uint64_t low,
                std::uint64_t range, bool rows, int threads)
      : low_(low) {
    require_contiguous(labels);
    if (ids.has_value() ? ids->shape(0) != labels.shape(0) : range != labels.shape(0))
      throw std::invalid_argument("a label for every vertex");
    if (range >= ~std::uint32_t{0} || any_wide(labels, threads)) {
      forest_.emplace<check::Forest<std::uint64_t>>(range);
    } else {
      forest_.emplace<check::Forest<std::uint32_t>>(range);
    }
    visit([&](auto& forest) { fill(forest, labels, ids, rows, threads); });
  }

  nb::object take(const Input& src, const Input& dst, std::uint64_t base,
                  const std::optional<Input>& names, bool reject_high, int threads) {
    const std::uint64_t* named = nullptr;
    if (names.has_value()) {
      require_contiguous(*names);
      if (names->shape(0) != src.shape(0) || names->itemsize() != 8)
        throw std::invalid_argument("a name of 64 bits for every edge");
      named = read_pointer<std::uint64_t>(*names);
    }
    if (src.dtype() != dst.dtype()) throw std::invalid_argument("src and dst must match");
    Fault fault;
    by_wide_integer(src, [&]<class Id>() {
      const EdgeView<Id> edges = edge_view<Id>(src, dst);
      visit([&](auto& forest) {
        run_native(threads, false, [&](Context& context) {
          fault = forest.take(context, edges, {low_, reject_high}, base, named);
        });
      });
    });
    return as_object(fault);
  }

  nb::object take_rows(const Input& offsets, const Input& neighbors, const Input& labels,
                       int threads) {
    require_contiguous(labels);
    Fault fault;
    by_width(neighbors, [&]<class Vertex>() {
      const CsrView<Vertex> graph = csr_view<Vertex>(offsets, neighbors);
      by_width(labels, [&]<class Label>() {
        visit([&](auto& forest) {
          if (graph.vertices != forest.range() || labels.shape(0) != forest.range())
            throw std::invalid_argument("a row and a label for every vertex");
          run_native(threads, false, [&](Context& context) {
            fault = forest.take_rows(context, graph, read_pointer<Label>(labels));
          });
        });
      });
    });
    return as_object(fault);
  }

  nb::object trees(int threads) {
    std::uint64_t count = 0, labels = 0;
    visit([&](const auto& forest) {
      run_native(threads, false, [&](Context& context) {
        const auto trees = forest.trees(context);
        count = trees.count;
        labels = trees.labels;
      });
    });
    return nb::make_tuple(count, labels);
  }

  std::optional<std::uint64_t> first_untouched(int threads) {
    std::uint64_t first = 0;
    visit([&](const auto& forest) {
      run_native(threads, false,
                 [&](Context& context) { first = forest.first_untouched(context); });
    });
    if (first == ~std::uint64_t{0}) return std::nullopt;
    return first;
  }

  nb::object release_edges() {
    auto* edges = new check::EdgeList();
    visit([&](auto& forest) { *edges = forest.release_edges(); });
    const nb::capsule owner(edges,
                            [](void* p) noexcept { delete static_cast<check::EdgeList*>(p); });
    return nb::cast(
        nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>(edges->data(), {edges->size()}, owner));
  }

  std::optional<std::uint64_t> repeated() const { return repeated_; }

 private:
  template <class Body>
  void visit(Body&& body) {
    if (auto* narrow = std::get_if<check::Forest<std::uint32_t>>(&forest_))
      body(*narrow);
    else
      body(std::get<check::Forest<std::uint64_t>>(forest_));
  }

  static bool any_wide(const Input& labels, int threads) {
    if (labels.itemsize() == 4) return false;
    std::atomic<bool> wide{false};
    const auto* values = read_pointer<std::uint64_t>(labels);
    run_native(threads, false, [&](Context& context) {
      for_ranges(context, labels.shape(0), [&](std::uint64_t begin, std::uint64_t end, int) {
        std::uint64_t all = 0;
        for (std::uint64_t i = begin; i < end; ++i) all |= values[i];
        if (all >> 32) wide.store(true, std::memory_order_relaxed);
      });
    });
    return wide.load();
  }

  template <class Forest>
  void fill(Forest& forest, const Input& labels, const std::optional<Input>& ids, bool rows,
            int threads) {
    by_width(labels, [&]<class Label>() {
      const auto* values = read_pointer<Label>(labels);
      if (!ids.has_value()) {
        run_native(threads, false, [&](Context& context) { forest.fill(context, values, rows); });
        return;
      }
      require_contiguous(*ids);
      by_wide_integer(*ids, [&]<class Id>() {
        const std::uint64_t count = ids->shape(0);
        std::uint64_t repeated = count;
        run_native(threads, false, [&](Context& context) {
          repeated = forest.fill(context, values, read_pointer<Id>(*ids), count, low_);
        });
        if (repeated != count) repeated_ = repeated;
      });
    });
  }

  std::uint64_t low_;
  std::optional<std::uint64_t> repeated_;
  std::variant<std::monostate, check::Forest<std::uint32_t>, check::Forest<std::uint64_t>> forest_;
};

std::uint64_t drawn_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) ^ device();
}

std::uint32_t* room_for(const Output& positions, std::uint64_t count) {
  if (positions.shape(0) != count || positions.itemsize() != 4)
    throw std::invalid_argument("a position of 32 bits for every id");
  return write_pointer<std::uint32_t>(positions);
}

std::optional<std::uint32_t> repeated_in(const check::Positions& positions) {
  if (positions.repeated() == check::kUnknown) return std::nullopt;
  return positions.repeated();
}

class IntegerLookup {
 public:
  IntegerLookup(const Input& ids, int threads) : positions_(ids.shape(0)) {
    require_contiguous(ids);
    by_integer_type(ids, [&]<class T>() -> nb::object {
      run_native(threads, false, [&](Context& context) {
        positions_.build(context, read_pointer<T>(ids), drawn_seed());
      });
      return nb::none();
    });
  }

  void find(const Input& ids, bool reject_high, const Output& out, int threads) const {
    auto* positions = room_for(out, ids.shape(0));
    by_integer_type(ids, [&]<class T>() -> nb::object {
      run_native(threads, false, [&](Context& context) {
        positions_.find(context, read_pointer<T>(ids), ids.stride(0), ids.shape(0), reject_high,
                        positions);
      });
      return nb::none();
    });
  }

  std::optional<std::uint32_t> repeated() const { return repeated_in(positions_); }

 private:
  check::IntegerPositions positions_;
};

// Calls body(strings, count).
template <class Body>
void with_strings(const Input& data, const std::optional<Input>& offsets, std::uint64_t width,
                  std::uint64_t count, Body&& body) {
  const auto* bytes = read_pointer<std::uint8_t>(data);
  const std::uint64_t size = data.shape(0);
  if (!offsets.has_value()) {
    body(check::Strings<std::uint64_t>{bytes, size, nullptr, width});
    return;
  }
  require_contiguous(*offsets);
  if (offsets->shape(0) != count + 1) throw std::invalid_argument("an offset for every id");
  if (offsets->itemsize() == 4)
    body(check::Strings<std::int32_t>{bytes, size, read_pointer<std::int32_t>(*offsets), 0});
  else
    body(check::Strings<std::int64_t>{bytes, size, read_pointer<std::int64_t>(*offsets), 0});
}

class TextLookup {
 public:
  TextLookup(const Input& data, const std::optional<Input>& offsets, std::uint64_t width,
             std::uint64_t count, int threads)
      : data_(data), positions_(count) {
    with_strings(data, offsets, width, count, [&](const auto& strings) {
      run_native(threads, false,
                 [&](Context& context) { positions_.build(context, strings, drawn_seed()); });
    });
  }

  void find(const Input& data, const std::optional<Input>& offsets, std::uint64_t width,
            const Output& out, int threads) const {
    const std::uint64_t count = out.shape(0);
    auto* positions = room_for(out, count);
    std::uint64_t broken = count;
    with_strings(data, offsets, width, count, [&](const auto& strings) {
      run_native(threads, false, [&](Context& context) {
        broken = positions_.find(context, strings, count, positions);
      });
    });
    if (broken != count) throw std::invalid_argument("an id lies outside the data of its column");
  }

  std::optional<std::uint32_t> repeated() const { return repeated_in(positions_); }

 private:
  Input data_;  // which the table points into
  check::TextPositions positions_;
};

void bind_lookups(nb::module_& module) {
  nb::class_<IntegerLookup>(module, "IntegerLookup",
                            "The verifier's way from integer ids to positions in a column.")
      .def(nb::init<const Input&, int>(),
           nb::sig("def __init__(self, ids: Array, threads: int, /) -> None"))
      .def_prop_ro("repeated", &IntegerLookup::repeated)
      .def("find", &IntegerLookup::find,
           nb::sig("def find(self, ids: Array, reject_high: bool, positions: Array, threads: int, "
                   "/) -> None"));
  nb::class_<TextLookup>(module, "TextLookup",
                         "The verifier's way from strings of bytes to positions in a column.")
      .def(nb::init<const Input&, const std::optional<Input>&, std::uint64_t, std::uint64_t, int>(),
           nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(),
           nb::sig("def __init__(self, data: Array, offsets: Array | None, width: int, count: int, "
                   "threads: int, /) -> None"))
      .def_prop_ro("repeated", &TextLookup::repeated)
      .def("find", &TextLookup::find, nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(),
           nb::sig("def find(self, data: Array, offsets: Array | None, width: int, positions: "
                   "Array, threads: int, /) -> None"));
}

}  // namespace

void bind_check(nb::module_& module) {
  nb::class_<CheckedForest>(
      module, "CheckedForest",
      "The verifier: compares the labels of the ends of edges and builds a spanning forest.")
      .def(nb::init<const Input&, const std::optional<Input>&, std::uint64_t, std::uint64_t, bool,
                    int>(),
           nb::arg(), nb::arg().none(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
           nb::sig("def __init__(self, labels: Array, ids: Array | None, low: int, range: int, "
                   "rows: bool, threads: int, /) -> None"))
      .def("take", &CheckedForest::take, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
           nb::arg(), nb::arg(),
           nb::sig("def take(self, src: Array, dst: Array, base: int, names: Array | None, "
                   "reject_high: bool, threads: int, /) -> tuple[int, bool] | None"))
      .def("take_rows", &CheckedForest::take_rows,
           nb::sig("def take_rows(self, offsets: Array, neighbors: Array, labels: Array, threads: "
                   "int, /) -> tuple[int, bool] | None"))
      .def("trees", &CheckedForest::trees,
           nb::sig("def trees(self, threads: int, /) -> tuple[int, int]"))
      .def("first_untouched", &CheckedForest::first_untouched,
           nb::sig("def first_untouched(self, threads: int, /) -> int | None"))
      .def_prop_ro("repeated", &CheckedForest::repeated)
      .def("release_edges", &CheckedForest::release_edges,
           nb::sig("def release_edges(self, /) -> NDArray[numpy.uint64]"));
  bind_lookups(module);
}

}  // namespace skerry
