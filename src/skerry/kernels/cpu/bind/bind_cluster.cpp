// Bindings of the passes over packed pairs: arrays of words, two for each pair.
#include "cpu/bind/bind.h"
#include "cpu/cluster/pairs.h"

namespace skerry {

namespace {

std::uint64_t pair_count(std::size_t words, std::size_t width) {
  if (width != 8 || words % 2 != 0)
    throw std::invalid_argument("pairs are 64-bit words, two for each");
  return words / 2;
}

const Pair* read_pairs(const Input& array) {
  if (array.shape(0) > 0 && array.stride(0) != 1)
    throw std::invalid_argument("pairs must be contiguous");
  pair_count(array.shape(0), array.itemsize());
  return read_pointer<Pair>(array);
}

Pair* write_pairs(const Output& array, std::uint64_t needed) {
  if (pair_count(array.shape(0), array.itemsize()) < needed)
    throw std::invalid_argument("there must be room for all pairs");
  return write_pointer<Pair>(array);
}

void require_words(const Output& array, std::uint64_t count, std::size_t width) {
  if (array.shape(0) != count || array.itemsize() != width)
    throw std::invalid_argument("arrays of vertices must be of one length");
}

// Roots are used as positions, so they are checked.
const std::uint32_t* read_roots(const Output& roots, std::uint64_t count) {
  require_words(roots, count, 4);
  const auto* values = write_pointer<std::uint32_t>(roots);
  for (std::uint64_t v = 0; v < count; ++v)
    if (values[v] >= count) throw std::invalid_argument("roots must be vertices");
  return values;
}

void bind_orders(nb::module_& module) {
  module.def(
      "sort_pairs",
      [](const Output& pairs, const Output& room) {
        const std::uint64_t count = pair_count(pairs.shape(0), pairs.itemsize());
        Pair* const spare = write_pairs(room, count);
        std::uint64_t left = 0;
        run_native(1, false, [&](Context& context) {
          left = sort_pairs(context, write_pointer<Pair>(pairs), count, spare);
        });
        return left;
      },
      nb::sig("def sort_pairs(pairs: Array, room: Array, /) -> int"));
  module.def(
      "split_pairs",
      [](const Input& pairs, std::uint64_t key, const Output& grouped, const Output& counts) {
        const std::uint64_t count = pairs.shape(0) / 2, parts = counts.shape(0);
        require_words(counts, parts, 8);
        if (parts == 0) throw std::invalid_argument("there must be a part");
        const Pair* const values = read_pairs(pairs);
        Pair* const out = write_pairs(grouped, count);
        run_native(1, false, [&](Context& context) {
          split_pairs(context, values, count, key, parts, out,
                      write_pointer<std::uint64_t>(counts));
        });
      },
      nb::sig("def split_pairs(pairs: Array, key: int, grouped: Array, counts: Array, /) -> None"));
  module.def(
      "keep_first_pairs",
      [](const Output& pairs) {
        const std::uint64_t count = pair_count(pairs.shape(0), pairs.itemsize());
        std::uint64_t left = 0;
        run_native(1, false, [&](Context& context) {
          left = keep_first_pairs(context, write_pointer<Pair>(pairs), count);
        });
        return left;
      },
      nb::sig("def keep_first_pairs(pairs: Array, /) -> int"));
}

void bind_trees(nb::module_& module) {
  module.def(
      "heap_pairs",
      [](const Output& ids, const Output& roots, std::uint64_t key, std::uint64_t arity,
         const Output& heaps) {
        const std::uint64_t count = ids.shape(0);
        require_words(ids, count, 8);
        if (arity == 0) throw std::invalid_argument("a heap has children");
        const std::uint32_t* const trees = read_roots(roots, count);
        Pair* const out = write_pairs(heaps, count);
        bool enough = false;
        run_native(1, false, [&](Context& context) {
          enough = heap_pairs(context, write_pointer<Word>(ids), trees, count, key, arity, out);
        });
        if (!enough) throw std::bad_alloc();
      },
      nb::sig("def heap_pairs(ids: Array, roots: Array, key: int, arity: int, heaps: Array, /) -> "
              "None"));
  module.def(
      "smallest_in_trees",
      [](const Output& roots, const Output& values, const Output& labels) {
        const std::uint64_t count = roots.shape(0);
        const std::uint32_t* const trees = read_roots(roots, count);
        require_words(values, count, 8);
        require_words(labels, count, 8);
        for (std::uint64_t v = 0; v < count; ++v)
          if (trees[trees[v]] != trees[v]) throw std::invalid_argument("trees must be flat");
        run_native(1, false, [&](Context& context) {
          smallest_in_trees(context, trees, write_pointer<Word>(values), count,
                            write_pointer<Word>(labels));
        });
      },
      nb::sig("def smallest_in_trees(roots: Array, values: Array, labels: Array, /) -> None"));
}

void bind_tables(nb::module_& module) {
  module.def(
      "pick_pairs",
      [](const Input& candidates, std::uint64_t key, const Output& representatives,
         const Output& edges) {
        const std::uint64_t count = candidates.shape(0) / 2;
        const Pair* const values = read_pairs(candidates);
        Pair* const vertices = write_pairs(representatives, count);
        Pair* const kept = write_pairs(edges, count);
        PickCounts counts;
        run_native(1, false, [&](Context& context) {
          counts = pick_pairs(context, values, count, key, vertices, kept);
        });
        return nb::make_tuple(counts.vertices, counts.edges);
      },
      nb::sig("def pick_pairs(candidates: Array, key: int, representatives: Array, edges: Array, "
              "/) -> tuple[int, int]"));
  module.def(
      "match_pairs",
      [](const Input& pairs, const Input& table, bool drop_loops, const Output& matched) {
        const std::uint64_t count = pairs.shape(0) / 2;
        const Pair* const values = read_pairs(pairs);
        const Pair* const rows = read_pairs(table);
        Pair* const out = write_pairs(matched, count);
        MatchCounts counts;
        run_native(1, false, [&](Context& context) {
          counts = match_pairs(context, values, count, rows, table.shape(0) / 2, drop_loops, out);
        });
        return nb::make_tuple(counts.written, counts.missing);
      },
      nb::sig("def match_pairs(pairs: Array, table: Array, drop_loops: bool, matched: Array, /) "
              "-> tuple[int, int]"));
  module.def(
      "overlay_pairs",
      [](const Input& base, const Input& top, const Output& table) {
        const Pair* const low = read_pairs(base);
        const Pair* const high = read_pairs(top);
        const std::uint64_t low_count = base.shape(0) / 2, high_count = top.shape(0) / 2;
        Pair* const out = write_pairs(table, low_count + high_count);
        std::uint64_t rows = 0;
        run_native(1, false, [&](Context& context) {
          rows = overlay_pairs(context, low, low_count, high, high_count, out);
        });
        return rows;
      },
      nb::sig("def overlay_pairs(base: Array, top: Array, table: Array, /) -> int"));
}

}  // namespace

void bind_cluster(nb::module_& module) {
  bind_orders(module);
  bind_trees(module);
  bind_tables(module);
}

}  // namespace skerry
