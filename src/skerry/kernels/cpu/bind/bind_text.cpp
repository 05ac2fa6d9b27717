// Bindings of the parsers of text. Python hands over a buffer, how much of it is text, and arrays
// that have room for what may come.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "cpu/bind/bind.h"
#include "cpu/text/parse_edges.h"
#include "cpu/text/parse_rows.h"

namespace skerry {

namespace {

// The text of a buffer with valid padding: see text.h.
const char* padded_text(const Input& buffer, std::uint64_t size) {
  if (buffer.itemsize() != 1 || buffer.stride(0) != 1 || buffer.shape(0) < kPadding ||
      buffer.shape(0) - kPadding < size)
    throw std::invalid_argument("the buffer must have room for the text and its padding");
  const char* text = static_cast<const char*>(buffer.data());
  for (std::uint64_t i = 0; i < kPadding; ++i)
    if (text[size + i] != '\n') throw std::invalid_argument("the padding must be line ends");
  return text;
}

double* weights_or_null(const std::optional<Output>& weights, std::uint64_t room) {
  if (!weights) return nullptr;
  if (weights->itemsize() != 8 || weights->shape(0) < room)
    throw std::invalid_argument("weights must be 64-bit and have room for every edge");
  return write_pointer<double>(*weights);
}

void require_capacity(const Output& src, const Output& dst, std::uint64_t room) {
  if (src.itemsize() != dst.itemsize() || src.shape(0) < room || dst.shape(0) < room)
    throw std::invalid_argument("src and dst must be alike and have room for every edge");
}

// (edges, lines, rows, negative, huge, None or (fault, line begin, begin, end))
nb::object report(const Parsed& parsed) {
  const ParseError& error = parsed.error;
  nb::object fault = nb::none();
  if (error.fault != Fault::none)
    fault = nb::make_tuple(static_cast<int>(error.fault), error.line_begin, error.begin, error.end);
  return nb::make_tuple(parsed.edges, parsed.lines, parsed.rows, parsed.negative, parsed.huge,
                        fault);
}

Bounded bounds_of(std::optional<std::pair<std::uint64_t, std::uint64_t>> bounds) {
  if (!bounds) return {};
  return {bounds->first, bounds->second, true};
}

using Bounds = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

nb::object edges_of_text(const Input& buffer, std::uint64_t size, const Output& src,
                         const Output& dst, const std::optional<Output>& weights,
                         const std::string& comments, const std::string& delimiter, bool letters,
                         std::array<unsigned, 3> columns, const Bounds& bounds, bool strict) {
  const char* text = padded_text(buffer, size);
  LineSyntax syntax;
  for (const char c : comments) syntax.comment[static_cast<unsigned char>(c)] = true;
  if (!delimiter.empty()) syntax.delimiter = delimiter[0];
  syntax.letters = letters;
  syntax.strict = strict;
  syntax.source = columns[0], syntax.target = columns[1], syntax.weight = columns[2];
  syntax.bounds = bounds_of(bounds);
  require_capacity(src, dst, max_edges(size, syntax));
  double* weight = weights_or_null(weights, max_edges(size, syntax));
  return by_width(src, [&]<class Word>() {
    Parsed parsed;
    run_native(1, false, [&](Context&) {
      parsed = parse_edges(text, size, syntax, write_pointer<Word>(src), write_pointer<Word>(dst),
                           weight);
    });
    return report(parsed);
  });
}

nb::object rows_of_text(const Input& buffer, std::uint64_t size, const Output& src,
                        const Output& dst, const std::optional<Output>& weights,
                        const std::string& comment, std::uint64_t skip, bool weighted,
                        const Bounds& bounds) {
  const char* text = padded_text(buffer, size);
  require_capacity(src, dst, max_numbers(size));
  double* weight = weights_or_null(weights, max_numbers(size));
  const RowSyntax syntax{comment.empty() ? '\0' : comment[0], skip, bounds_of(bounds)};
  return by_width(src, [&]<class Word>() {
    Parsed parsed;
    run_native(1, false, [&](Context&) {
      parsed = parse_rows(text, size, syntax, write_pointer<Word>(src), write_pointer<Word>(dst),
                          weight, weighted);
    });
    return report(parsed);
  });
}

nb::object numbers_of_text(const Input& buffer, std::uint64_t size, const Output& numbers) {
  const char* text = padded_text(buffer, size);
  if (numbers.itemsize() != 8 || numbers.shape(0) < max_numbers(size))
    throw std::invalid_argument("numbers must be 64-bit and have room for all");
  Parsed parsed;
  run_native(1, false, [&](Context&) {
    parsed = parse_numbers(text, size, write_pointer<std::uint64_t>(numbers));
  });
  return report(parsed);
}

}  // namespace

void bind_text(nb::module_& module) {
  nb::dict faults;
  for (const auto& [name, fault] :
       {std::pair{"word", Fault::word}, std::pair{"fraction", Fault::fraction},
        std::pair{"overflow", Fault::overflow}, std::pair{"missing", Fault::missing},
        std::pair{"outside", Fault::outside}, std::pair{"weight", Fault::weight},
        std::pair{"wide", Fault::wide}, std::pair{"columns", Fault::columns},
        std::pair{"notation", Fault::notation}})
    faults[name] = static_cast<int>(fault);
  module.attr("TEXT_FAULTS") = faults;
  module.attr("TEXT_PADDING") = kPadding;
  module.def(
      "edges_of_text", &edges_of_text, nb::arg("buffer"), nb::arg("size"), nb::arg("src"),
      nb::arg("dst"), nb::arg("weights").none(), nb::arg("comments"), nb::arg("delimiter"),
      nb::arg("letters"), nb::arg("columns"), nb::arg("bounds").none(), nb::arg("strict") = false,
      nb::sig("def edges_of_text(buffer: Array, size: int, src: Array, dst: Array, weights: Array "
              "| None, comments: str, delimiter: str, letters: bool, columns: tuple[int, int, "
              "int], bounds: tuple[int, int] | None, strict: bool = False) -> TextReport"));
  module.def("rows_of_text", &rows_of_text, nb::arg("buffer"), nb::arg("size"), nb::arg("src"),
             nb::arg("dst"), nb::arg("weights").none(), nb::arg("comment"), nb::arg("skip"),
             nb::arg("weighted"), nb::arg("bounds").none(),
             nb::sig("def rows_of_text(buffer: Array, size: int, src: Array, dst: Array, weights: "
                     "Array | None, comment: str, skip: int, weighted: bool, bounds: tuple[int, "
                     "int] | None) -> TextReport"));
  module.def(
      "numbers_of_text", &numbers_of_text, nb::arg("buffer"), nb::arg("size"), nb::arg("numbers"),
      nb::sig("def numbers_of_text(buffer: Array, size: int, numbers: Array) -> TextReport"));
}

}  // namespace skerry
