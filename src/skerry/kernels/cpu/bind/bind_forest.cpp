// Bindings of forest.h.
#include "cpu/bind/bind.h"
#include "cpu/own/forest.h"

namespace skerry {

void bind_forest(nb::module_& module) {
  module.def(
      "find_roots",
      [](const Input& ids, const Output& parent, const Output& roots, int threads) {
        if (roots.itemsize() != parent.itemsize() || roots.shape(0) != ids.shape(0))
          throw std::invalid_argument("roots must be as many as ids, as wide as parents");
        bool faulty = false;
        by_width(parent, [&]<class Vertex>() {
          by_width(ids, [&]<class Id>() {
            run_native(threads, false, [&](Context& context) {
              find_roots(context, read_pointer<Id>(ids), ids.stride(0), ids.shape(0),
                         parent.shape(0), write_pointer<Vertex>(parent),
                         write_pointer<Vertex>(roots));
              faulty = context.faulty();
            });
          });
        });
        return !faulty;  // whether all ids are vertices
      },
      nb::sig("def find_roots(ids: Array, parent: Array, roots: Array, threads: int, /) -> bool"));
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
