// Bindings of the tables that number ids. Python holds a lock around every call of a table.
#include <nanobind/stl/optional.h>

#include <optional>
#include <random>

#include "cpu/bind/bind.h"
#include "cpu/bind/integers.h"
#include "cpu/ids/best_rows.h"
#include "cpu/ids/content_sum.h"
#include "cpu/ids/first_rows.h"
#include "cpu/ids/group_edges.h"
#include "cpu/ids/key_table.h"
#include "cpu/ids/merge_sorted.h"
#include "cpu/ids/sort_keys.h"
#include "cpu/ids/text_table.h"

namespace skerry {

namespace {

// A seed of 0 stands for an unpredictable one.
TableOptions table_options(std::uint64_t seed, std::uint64_t hash_bits, std::uint64_t limit) {
  if (seed == 0) {
    std::random_device device;
    seed = (Word{device()} << 32) ^ device();
  }
  return {seed, hash_bits, limit};
}

void require_room(const Output& out, std::uint64_t count, std::uint64_t width) {
  if (out.shape(0) != count || out.itemsize() != width)
    throw std::invalid_argument("the output must have one place for each id");
}

// A table with its constructor and its size.
template <class Table>
nb::class_<Table> bind_table(nb::module_& module, const char* name, const char* text) {
  return nb::class_<Table>(module, name, text)
      .def(
          "__init__",
          [](Table* self, std::uint64_t seed, std::uint64_t hash_bits, std::uint64_t limit) {
            new (self) Table(table_options(seed, hash_bits, limit));
          },
          nb::arg("seed") = 0, nb::arg("hash_bits") = ~Word{0}, nb::arg("limit") = 0xffffffffu,
          nb::sig("def __init__(self, seed: int = ..., hash_bits: int = ..., limit: int = ...) -> "
                  "None"))
      .def_prop_ro("size", &Table::size)
      .def_prop_ro("nbytes", &Table::bytes);
}

void bind_keys(nb::module_& module) {
  bind_table<KeyTable>(module, "KeyTable",
                       "Numbers 64-bit keys in the order in which they are first seen.")
      .def(
          "number",
          [](KeyTable& table, const Input& values, const Output& numbers, int threads) {
            require_room(numbers, values.shape(0), 4);
            Status status = Status::done;
            by_integer_type(values, [&]<class T>() -> nb::object {
              run_native(threads, false, [&](Context& context) {
                status = table.number(context, read_pointer<T>(values), values.stride(0),
                                      values.shape(0), write_pointer<std::uint32_t>(numbers));
              });
              return nb::none();
            });
            return static_cast<int>(status);
          },
          nb::sig("def number(self, values: Array, numbers: Array, threads: int, /) -> int"))
      .def(
          "find",
          [](const KeyTable& table, const Input& values, const Output& numbers, int threads) {
            require_room(numbers, values.shape(0), 4);
            by_integer_type(values, [&]<class T>() -> nb::object {
              run_native(threads, false, [&](Context& context) {
                table.find(context, read_pointer<T>(values), values.stride(0), values.shape(0),
                           write_pointer<std::uint32_t>(numbers));
              });
              return nb::none();
            });
          },
          nb::sig("def find(self, values: Array, numbers: Array, threads: int, /) -> None"))
      .def(
          "keys_by_number",
          [](const KeyTable& table, const Output& keys, int threads) {
            require_room(keys, table.size(), 8);
            run_native(threads, false, [&](Context& context) {
              table.keys_by_number(context, write_pointer<Word>(keys));
            });
          },
          nb::sig("def keys_by_number(self, keys: Array, threads: int, /) -> None"))
      .def(
          "any_high",
          [](const KeyTable& table, int threads) {
            bool any = false;
            run_native(threads, false, [&](Context& context) { any = table.any_high(context); });
            return any;
          },
          nb::sig("def any_high(self, threads: int, /) -> bool"));
  module.def(
      "sort_keys",
      [](const Input& keys, std::uint64_t flip, const Output& sorted, const Output& order,
         int threads) {
        if (keys.itemsize() != 8 || (keys.shape(0) > 1 && keys.stride(0) != 1) ||
            keys.shape(0) > 0xffffffffu)
          throw std::invalid_argument("keys must be fewer than 2^32 words, side by side");
        require_room(sorted, keys.shape(0), 8);
        require_room(order, keys.shape(0), 4);
        bool enough = false;
        run_native(threads, false, [&](Context& context) {
          enough = sort_keys(context, read_pointer<Word>(keys), keys.shape(0), flip,
                             write_pointer<Word>(sorted), write_pointer<std::uint32_t>(order));
        });
        if (!enough) throw std::bad_alloc();
      },
      nb::sig("def sort_keys(keys: Array, flip: int, sorted: Array, order: Array, threads: int, /) "
              "-> None"));
}

// Texts of one width where there are no offsets.
TextView text_view(const Input& data, const std::optional<Input>& offsets, std::uint64_t width,
                   std::uint64_t count) {
  if (data.itemsize() != 1 || (data.shape(0) > 1 && data.stride(0) != 1))
    throw std::invalid_argument("data must be bytes, side by side");
  TextView view{read_pointer<std::uint8_t>(data), data.shape(0), nullptr, nullptr, width, count};
  if (!offsets) return view;
  if (offsets->shape(0) != count + 1 || (count > 0 && offsets->stride(0) != 1))
    throw std::invalid_argument("there must be one offset more than texts, side by side");
  if (offsets->itemsize() == 4) {
    view.short_offsets = read_pointer<std::int32_t>(*offsets);
  } else if (offsets->itemsize() == 8) {
    view.long_offsets = read_pointer<std::int64_t>(*offsets);
  } else {
    throw std::invalid_argument("offsets must be 32 or 64 bits wide");
  }
  return view;
}

void bind_texts(nb::module_& module) {
  bind_table<TextTable>(module, "TextTable",
                        "Numbers texts in the order in which they are first seen.")
      .def(
          "number",
          [](TextTable& table, const Input& data, const std::optional<Input>& offsets,
             std::uint64_t width, const Output& numbers, int threads) {
            require_room(numbers, numbers.shape(0), 4);
            const TextView texts = text_view(data, offsets, width, numbers.shape(0));
            Status status = Status::done;
            run_native(threads, false, [&](Context& context) {
              status = table.number(context, texts, write_pointer<std::uint32_t>(numbers));
            });
            return static_cast<int>(status);
          },
          nb::arg("data"), nb::arg("offsets").none(), nb::arg("width"), nb::arg("numbers"),
          nb::arg("threads"),
          nb::sig("def number(self, data: Array, offsets: Array | None, width: int, numbers: "
                  "Array, threads: int) -> int"))
      .def(
          "find",
          [](const TextTable& table, const Input& data, const std::optional<Input>& offsets,
             std::uint64_t width, const Output& numbers, int threads) {
            require_room(numbers, numbers.shape(0), 4);
            const TextView texts = text_view(data, offsets, width, numbers.shape(0));
            Status status = Status::done;
            run_native(threads, false, [&](Context& context) {
              status = table.find(context, texts, write_pointer<std::uint32_t>(numbers));
            });
            return static_cast<int>(status);
          },
          nb::arg("data"), nb::arg("offsets").none(), nb::arg("width"), nb::arg("numbers"),
          nb::arg("threads"),
          nb::sig("def find(self, data: Array, offsets: Array | None, width: int, numbers: "
                  "Array, threads: int) -> int"))
      // The bytes of all texts together; `fill` is then to be called with as much room.
      .def(
          "find_order",
          [](TextTable& table, bool consume, const Output& order, int threads) {
            require_room(order, table.size(), 4);
            bool enough = false;
            std::uint64_t total = 0;
            run_native(threads, false, [&](Context& context) {
              enough =
                  table.find_order(context, consume, write_pointer<std::uint32_t>(order), &total);
            });
            if (!enough) throw std::bad_alloc();
            return total;
          },
          nb::sig("def find_order(self, consume: bool, order: Array, threads: int, /) -> int"))
      .def(
          "fill",
          [](TextTable& table, const Output& order, const Output& offsets, const Output& data,
             int threads) {
            require_room(order, table.size(), 4);
            require_room(offsets, table.size() + 1, 8);
            require_room(data, data.shape(0), 1);
            bool faulty = false;
            run_native(threads, false, [&](Context& context) {
              table.fill(context, write_pointer<std::uint32_t>(order),
                         write_pointer<std::uint64_t>(offsets), write_pointer<std::uint8_t>(data),
                         data.shape(0));
              faulty = context.faulty();
            });
            if (faulty) throw std::invalid_argument("not an order, or too little data");
          },
          nb::sig("def fill(self, order: Array, offsets: Array, data: Array, threads: int, /) -> "
                  "None"));
}

void bind_first_rows(nb::module_& module) {
  module.def(
      "first_rows",
      [](const Output& keys, std::uint64_t known, const Output& first, const Output& others) {
        require_room(keys, keys.shape(0), 4);
        require_room(others, keys.shape(0), 8);
        require_room(first, first.shape(0), 8);
        std::uint64_t size = 0;
        run_native(1, false, [&](Context& context) {
          size = first_rows(context, write_pointer<std::uint32_t>(keys), keys.shape(0), known,
                            first.shape(0), write_pointer<std::int64_t>(first),
                            write_pointer<std::int64_t>(others));
        });
        return size;
      },
      nb::sig("def first_rows(keys: Array, known: int, first: Array, others: Array, /) -> int"));
}

void bind_best_rows(nb::module_& module) {
  module.def(
      "best_rows",
      [](const Output& positions, const Output& keys, const Output& present, const Input& numbers,
         std::int64_t first_row, const Output& best, const Output& others) {
        const std::size_t count = positions.shape(0);
        require_room(positions, count, 4);
        require_room(keys, count, 8);
        require_room(present, count, 1);
        require_room(others, count, 8);
        require_room(best, best.shape(0), 8);
        if (numbers.shape(0) > 0 && numbers.stride(0) != 1)
          throw std::invalid_argument("numbers of components must be contiguous");
        std::uint64_t size = 0;
        by_width(numbers, [&]<class Number>() {
          run_native(1, false, [&](Context& context) {
            size =
                best_rows(context, write_pointer<std::uint32_t>(positions),
                          write_pointer<std::uint64_t>(keys), write_pointer<std::uint8_t>(present),
                          count, read_pointer<Number>(numbers), numbers.shape(0), first_row,
                          write_pointer<BestRow>(best), best.shape(0) / 3,
                          write_pointer<std::int64_t>(others));
          });
        });
        return size;
      },
      nb::sig("def best_rows(positions: Array, keys: Array, present: Array, numbers: Array, "
              "first_row: int, best: Array, others: Array, /) -> int"));
}

void bind_group_edges(nb::module_& module) {
  module.def(
      "group_edges",
      [](const Output& keys, const Input& ids, std::uint64_t known, const Output& first,
         const Output& seen, const Output& src, const Output& dst, const Output& rows) {
        const std::size_t count = keys.shape(0), width = ids.itemsize();
        require_room(keys, ids.shape(0), 4);
        require_room(first, known + seen.shape(0), width);
        require_room(seen, seen.shape(0), 1);
        require_room(src, count, width);
        require_room(dst, count, width);
        require_room(rows, count, 8);
        std::uint64_t size = 0;
        by_width(ids, [&]<class Id>() {
          run_native(1, false, [&](Context& context) {
            size = group_edges(context, write_pointer<std::uint32_t>(keys), read_pointer<Id>(ids),
                               ids.stride(0), count, known, seen.shape(0), write_pointer<Id>(first),
                               write_pointer<std::uint8_t>(seen),
                               GroupEdges<Id>{write_pointer<Id>(src), write_pointer<Id>(dst),
                                              write_pointer<std::int64_t>(rows)});
          });
        });
        return size;
      },
      nb::sig(
          "def group_edges(keys: Array, ids: Array, known: int, first: Array, seen: Array, src: "
          "Array, dst: Array, rows: Array, /) -> int"));
}

void bind_merge(nb::module_& module) {
  module.def(
      "merge_keys",
      [](const Input& first, const Input& second, const Output& at_first, const Output& at_second,
         int threads) {
        require_room(at_first, first.shape(0), 8);
        require_room(at_second, second.shape(0), 8);
        if (first.dtype() != second.dtype())
          throw std::invalid_argument("both columns must be of one type");
        std::uint64_t total = 0;
        by_integer_type(first, [&]<class T>() -> nb::object {
          const T *left = read_pointer<T>(first), *right = read_pointer<T>(second);
          const auto left_stride = first.stride(0), right_stride = second.stride(0);
          const auto compare = [=](std::uint64_t i, std::uint64_t j) {
            const T a = left[static_cast<std::int64_t>(i) * left_stride];
            const T b = right[static_cast<std::int64_t>(j) * right_stride];
            return a < b ? -1 : a > b;
          };
          run_native(threads, false, [&](Context& context) {
            total = merge_sorted(context, first.shape(0), second.shape(0), compare,
                                 write_pointer<std::int64_t>(at_first),
                                 write_pointer<std::int64_t>(at_second));
          });
          return nb::none();
        });
        return total;
      },
      nb::sig("def merge_keys(first: Array, second: Array, at_first: Array, at_second: Array, "
              "threads: int, /) -> int"));
  module.def(
      "merge_texts",
      [](const Input& data, const std::optional<Input>& offsets, const Input& other_data,
         const std::optional<Input>& other_offsets, std::uint64_t width, const Output& at_first,
         const Output& at_second, int threads) {
        require_room(at_first, at_first.shape(0), 8);
        require_room(at_second, at_second.shape(0), 8);
        const TextView first = text_view(data, offsets, width, at_first.shape(0));
        const TextView second = text_view(other_data, other_offsets, width, at_second.shape(0));
        std::uint64_t total = 0;
        bool broken = false;
        run_native(threads, false, [&](Context& context) {
          const auto compare = [&](std::uint64_t i, std::uint64_t j) {
            Text a, b;
            if (!first.read(i, a) || !second.read(j, b)) {
              context.add_fault();
              return 0;
            }
            return text_before(a, b, 0) ? -1 : static_cast<int>(text_before(b, a, 0));
          };
          total = merge_sorted(context, first.count, second.count, compare,
                               write_pointer<std::int64_t>(at_first),
                               write_pointer<std::int64_t>(at_second));
          broken = context.faulty();
        });
        if (broken) throw std::invalid_argument("a text lies outside of its data");
        return total;
      },
      nb::arg("data"), nb::arg("offsets").none(), nb::arg("other_data"),
      nb::arg("other_offsets").none(), nb::arg("width"), nb::arg("at_first"), nb::arg("at_second"),
      nb::arg("threads"),
      nb::sig("def merge_texts(data: Array, offsets: Array | None, other_data: Array, "
              "other_offsets: Array | None, width: int, at_first: Array, at_second: Array, "
              "threads: int) -> int"));
}

Words words_of(const Input& words) {
  if (words.itemsize() != sizeof(Word)) throw std::invalid_argument("words are 64 bits wide");
  return {read_pointer<Word>(words), static_cast<std::ptrdiff_t>(words.stride(0))};
}

void bind_content(nb::module_& module) {
  module.def(
      "sum_pairs",
      [](const Input& first, const Input& second, int threads) {
        if (first.shape(0) != second.shape(0))
          throw std::invalid_argument("a pair needs one word of each");
        const Words left = words_of(first), right = words_of(second);
        ContentSum sum;
        run_native(threads, false, [&](Context& context) {
          sum = sum_pairs(context, left, right, first.shape(0));
        });
        return nb::make_tuple(sum.low, sum.high);
      },
      nb::sig("def sum_pairs(first: Array, second: Array, threads: int, /) -> tuple[int, int]"));
  module.def(
      "hash_texts",
      [](const Input& data, const std::optional<Input>& offsets, std::uint64_t width,
         const Output& hashes, int threads) {
        require_room(hashes, hashes.shape(0), sizeof(Word));
        const TextView texts = text_view(data, offsets, width, hashes.shape(0));
        bool right = false;
        run_native(threads, false, [&](Context& context) {
          right = hash_texts(context, texts, write_pointer<Word>(hashes));
        });
        return right;
      },
      nb::arg("data"), nb::arg("offsets").none(), nb::arg("width"), nb::arg("hashes"),
      nb::arg("threads"),
      nb::sig("def hash_texts(data: Array, offsets: Array | None, width: int, hashes: Array, "
              "threads: int) -> bool"));
}

}  // namespace

void bind_ids(nb::module_& module) {
  bind_keys(module);
  bind_texts(module);
  bind_best_rows(module);
  bind_first_rows(module);
  bind_group_edges(module);
  bind_merge(module);
  bind_content(module);
}

}  // namespace skerry
