// Bindings of the union-find passes (passes.h). The choices arrive as the integers of the enums;
// algorithms/passes.py holds the names in the same order and a test compares the two.
#include "cpu/bind/bind.h"
#include "cpu/passes/passes.h"
#include "cpu/team.h"

namespace skerry {

namespace {

void bind_choices(nb::module_& module) {
  nb::dict init, jump, finish_names;
  init["own"] = static_cast<int>(Init::own);
  init["smallest"] = static_cast<int>(Init::smallest);
  init["first_smaller"] = static_cast<int>(Init::first_smaller);
  jump["multiple"] = static_cast<int>(Jump::multiple);
  jump["single"] = static_cast<int>(Jump::single);
  jump["none"] = static_cast<int>(Jump::none);
  jump["halving"] = static_cast<int>(Jump::halving);
  finish_names["halving"] = static_cast<int>(Finish::halving);
  finish_names["multiple"] = static_cast<int>(Finish::multiple);
  finish_names["single"] = static_cast<int>(Finish::single);
  finish_names["ordered"] = static_cast<int>(Finish::ordered);
  module.attr("INIT") = init;
  module.attr("JUMP") = jump;
  module.attr("FINISH") = finish_names;
}

void bind_hooks(nb::module_& module) {
  module.def(
      "hook_rows",
      [](const Input& offsets, const Input& neighbors, const Output& parent, int jump,
         bool one_direction, std::uint64_t first, bool skip, std::uint64_t skipped, bool guided,
         std::uint64_t begin, std::uint64_t end, int threads, bool counting) {
        const Rows rows{one_direction, first, skip, skipped, guided, begin, end};
        return by_width(parent, [&]<class Vertex>() {
          const auto graph = csr_view<Vertex>(offsets, neighbors);
          return run_native(threads, counting, [&](Context& context) {
            hook_rows(context, graph, static_cast<Jump>(jump), rows, write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def hook_rows(offsets: Array, neighbors: Array, parent: Array, jump: int, "
              "one_direction: bool, first: int, skip: bool, skipped: int, guided: bool, begin: "
              "int, end: int, threads: int, counting: bool, /) -> Report"));
  module.def(
      "hook_nth",
      [](const Input& offsets, const Input& neighbors, const Output& parent, std::uint64_t nth,
         int threads, bool counting) {
        return by_width(parent, [&]<class Vertex>() {
          const auto graph = csr_view<Vertex>(offsets, neighbors);
          return run_native(threads, counting, [&](Context& context) {
            hook_nth(context, graph, nth, write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def hook_nth(offsets: Array, neighbors: Array, parent: Array, nth: int, threads: "
              "int, counting: bool, /) -> Report"));
  module.def(
      "hook_edges",
      [](const Input& src, const Input& dst, const Output& parent, int jump, int threads,
         bool counting) {
        return by_width(parent, [&]<class Vertex>() {
          return by_width(src, [&]<class Id>() {
            const auto edges = edge_view<Id>(src, dst);
            return run_native(threads, counting, [&](Context& context) {
              hook_edges(context, edges, static_cast<Jump>(jump), write_pointer<Vertex>(parent));
            });
          });
        });
      },
      nb::sig("def hook_edges(src: Array, dst: Array, parent: Array, jump: int, threads: int, "
              "counting: bool, /) -> Report"));
}

void bind_ends(nb::module_& module) {
  module.def(
      "init_own",
      [](const Output& parent, int threads) {
        return by_width(parent, [&]<class Vertex>() {
          return run_native(threads, false, [&](Context& context) {
            init_own(context, parent.shape(0), write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def init_own(parent: Array, threads: int, /) -> Report"));
  module.def(
      "init_from_rows",
      [](const Input& offsets, const Input& neighbors, const Output& parent, int init,
         int threads) {
        return by_width(parent, [&]<class Vertex>() {
          const auto graph = csr_view<Vertex>(offsets, neighbors);
          return run_native(threads, false, [&](Context& context) {
            init_from_rows(context, graph, static_cast<Init>(init), write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def init_from_rows(offsets: Array, neighbors: Array, parent: Array, init: int, "
              "threads: int, /) -> Report"));
  module.def(
      "finish",
      [](const Output& parent, int kind, int threads, bool counting) {
        return by_width(parent, [&]<class Vertex>() {
          return run_native(threads, counting, [&](Context& context) {
            finish(context, parent.shape(0), static_cast<Finish>(kind),
                   write_pointer<Vertex>(parent));
          });
        });
      },
      nb::sig("def finish(parent: Array, kind: int, threads: int, counting: bool, /) -> Report"));
  // (label, share of the sample) of the component that a sample shows to be the largest.
  module.def(
      "guess_largest",
      [](const Input& parent) {
        return by_width(parent, [&]<class Vertex>() {
          const Largest largest = guess_largest(parent.shape(0), read_pointer<Vertex>(parent));
          return nb::make_tuple(largest.label, largest.share);
        });
      },
      nb::sig("def guess_largest(parent: Array, /) -> tuple[int, float]"));
}

void bind_labels(nb::module_& module) {
  module.def(
      "make_canonical",
      [](const Output& labels, int threads) {
        return by_width(labels, [&]<class Vertex>() {
          bool faulty = false;
          nb::object report = run_native(threads, false, [&](Context& context) {
            make_canonical(context, labels.shape(0), write_pointer<Vertex>(labels));
            faulty = context.faulty();
          });
          if (faulty) throw std::invalid_argument("a label that is no vertex");
          return report;
        });
      },
      nb::sig("def make_canonical(labels: Array, threads: int, /) -> Report"));
  module.def(
      "count_components",
      [](const Input& labels, int threads) {
        return by_width(labels, [&]<class Vertex>() {
          std::uint64_t count = 0;
          run_native(threads, false, [&](Context& context) {
            count = count_components(context, labels.shape(0), read_pointer<Vertex>(labels));
          });
          return count;
        });
      },
      nb::sig("def count_components(labels: Array, threads: int, /) -> int"));
  module.def(
      "make_dense",
      [](const Input& labels, const Output& dense, int threads) {
        return by_width(labels, [&]<class Vertex>() {
          std::uint64_t count = 0;
          run_native(threads, false, [&](Context& context) {
            count = make_dense(context, labels.shape(0), read_pointer<Vertex>(labels),
                               write_pointer<Vertex>(dense));
          });
          return count;
        });
      },
      nb::sig("def make_dense(labels: Array, dense: Array, threads: int, /) -> int"));
  // Sorts the vertices by their dense label; `next` holds the first position of each label and is
  // overwritten.
  module.def(
      "group_members",
      [](const Input& dense, const Output& next, const Output& members) {
        by_width(dense, [&]<class Vertex>() {
          const auto* label = read_pointer<Vertex>(dense);
          auto* cursor = write_pointer<std::uint64_t>(next);
          auto* member = write_pointer<Vertex>(members);
          run_native(1, false, [&](Context& context) {
            for_each(context, dense.shape(0),
                     [&](std::uint64_t v) { member[cursor[label[v]]++] = static_cast<Vertex>(v); });
          });
        });
      },
      nb::sig("def group_members(dense: Array, next: Array, members: Array, /) -> None"));
}

}  // namespace

void bind_passes(nb::module_& module) {
  bind_choices(module);
  bind_ends(module);
  bind_hooks(module);
  bind_labels(module);
}

}  // namespace skerry
