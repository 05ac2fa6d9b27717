// Bindings of forest.h and root_reader.h.
#include "cpu/bind/bind.h"
#include "cpu/own/forest.h"
#include "cpu/own/root_reader.h"

namespace skerry {

namespace {

// A parent array as Python lends it. It is closed before the array moves, and then answers nothing.
// The interpreter's lock is held in every call, so no call is under way while it is closed.
class OpenForest {
 public:
  void open(const Output& parent) {
    parent_ = parent.data();
    size_ = parent.shape(0);
    wide_ = parent.itemsize() == 8;
  }
  void close() { size_ = 0; }
  // More vertices of an array that has not moved.
  void extend(std::uint64_t size) { size_ = size; }

  nb::object find(nb::handle v) const {
    std::uint64_t root = 0;
    const std::uint64_t vertex = number(v);
    const bool known = wide_ ? reader<std::uint64_t>().find(vertex, root)
                             : reader<std::uint32_t>().find(vertex, root);
    return known ? nb::object(nb::int_(root)) : nb::none();
  }

  nb::object connected(nb::handle u, nb::handle v) const {
    const std::uint64_t left = number(u), right = number(v);
    const Answer answer = wide_ ? reader<std::uint64_t>().connected(left, right)
                                : reader<std::uint32_t>().connected(left, right);
    return answer == Answer::unknown ? nb::none() : nb::object(nb::bool_(answer == Answer::yes));
  }

 private:
  // What is not exactly an int of Python is no vertex here: the caller looks closer.
  static std::uint64_t number(nb::handle value) {
    if (!PyLong_CheckExact(value.ptr())) return ~std::uint64_t{0};
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    return overflow != 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(number);
  }

  template <class Vertex>
  RootReader<Vertex> reader() const {
    return {static_cast<const Vertex*>(parent_), size_};
  }

  const void* parent_ = nullptr;
  std::uint64_t size_ = 0;
  bool wide_ = false;
};

void bind_open_forest(nb::module_& module) {
  nb::class_<OpenForest>(module, "OpenForest",
                         "Answers about single vertices, without a lock; None where it has none.")
      .def(nb::init<>(), nb::sig("def __init__(self) -> None"))
      .def("open", &OpenForest::open, nb::sig("def open(self, parent: Array, /) -> None"))
      .def("close", &OpenForest::close, nb::sig("def close(self) -> None"))
      .def("extend", &OpenForest::extend, nb::sig("def extend(self, size: int, /) -> None"))
      .def("find", &OpenForest::find, nb::arg("v").none(),
           nb::sig("def find(self, v: object, /) -> int | None"))
      .def("connected", &OpenForest::connected, nb::arg("u").none(), nb::arg("v").none(),
           nb::sig("def connected(self, u: object, v: object, /) -> bool | None"));
}

}  // namespace

void bind_forest(nb::module_& module) {
  bind_open_forest(module);
  module.def(
      "find_roots",
      [](const Input& ids, const Output& parent, const Output& roots, int threads) {
        if (roots.itemsize() != parent.itemsize() || roots.shape(0) != ids.shape(0))
          throw std::invalid_argument("roots must be as many as ids, as wide as parents");
        by_width(parent, [&]<class Vertex>() {
          by_width(ids, [&]<class Id>() {
            run_native(threads, false, [&](Context& context) {
              find_roots(context, read_pointer<Id>(ids), ids.stride(0), ids.shape(0),
                         write_pointer<Vertex>(parent), write_pointer<Vertex>(roots));
            });
          });
        });
      },
      nb::sig("def find_roots(ids: Array, parent: Array, roots: Array, threads: int, /) -> None"));
  module.def(
      "flatten",
      [](const Output& parent, int threads) {
        by_width(parent, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            flatten(context, parent.shape(0), write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def flatten(parent: Array, threads: int, /) -> None"));
  module.def(
      "mark_joined",
      [](const Input& parent, const Output& flags, int threads) {
        if (flags.itemsize() != 1 || flags.shape(0) != parent.shape(0))
          throw std::invalid_argument("a flag is a byte, one for every vertex");
        by_width(parent, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            mark_joined(context, parent.shape(0), read_pointer<Vertex>(parent),
                        write_pointer<std::uint8_t>(flags));
          });
        });
      },
      nb::sig("def mark_joined(parent: Array, flags: Array, threads: int, /) -> None"));
  module.def(
      "count_flags",
      [](const Input& flags, int threads) {
        std::uint64_t count = 0;
        run_native(threads, false, [&](Context& context) {
          count = count_flags(context, flags.shape(0), read_pointer<std::uint8_t>(flags));
        });
        return count;
      },
      nb::sig("def count_flags(flags: Array, threads: int, /) -> int"));
  module.def(
      "keep_flagged",
      [](const Input& parent, const Input& flags, const Output& kept, const Output& labels,
         int threads) {
        if (labels.itemsize() != parent.itemsize() || kept.shape(0) != labels.shape(0))
          throw std::invalid_argument("labels must be as many as kept ids, as wide as parents");
        by_width(parent, [&]<class Vertex>() {
          run_native(threads, false, [&](Context& context) {
            keep_flagged(context, parent.shape(0), read_pointer<Vertex>(parent),
                         read_pointer<std::uint8_t>(flags), write_pointer<std::int64_t>(kept),
                         write_pointer<Vertex>(labels));
          });
        });
      },
      nb::sig("def keep_flagged(parent: Array, flags: Array, kept: Array, labels: Array, threads: "
              "int, /) -> None"));
}

}  // namespace skerry
