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

// The text of a buffer whose padding is in place: see text.h.
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

void require_places(const Output& src, const Output& dst, std::uint64_t room) {
  if (src.itemsize() != dst.itemsize() || src.shape(0) < room || dst.shape(0) < room)
    throw std::invalid_argument("src and dst must be alike and have room for every edge");
}

// (edges, lines, rows, negative, huge, None or (fault, line begin, begin, end))
nb::object report(const Parsed& parsed) {
  const Wrong& wrong = parsed.wrong;
  nb::object told = nb::none();
  if (wrong.fault != Fault::none)
    told = nb::make_tuple(static_cast<int>(wrong.fault), wrong.line_begin, wrong.begin, wrong.end);
  return nb::make_tuple(parsed.edges, parsed.lines, parsed.rows, parsed.negative, parsed.huge,
                        told);
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
  require_places(src, dst, most_edges(size));
  double* weight = weights_or_null(weights, most_edges(size));
  LineSyntax syntax;
  for (const char c : comments) syntax.comment[static_cast<unsigned char>(c)] = true;
  if (!delimiter.empty()) syntax.delimiter = delimiter[0];
  syntax.letters = letters;
  syntax.strict = strict;
  syntax.source = columns[0], syntax.target = columns[1], syntax.weight = columns[2];
  syntax.bounds = bounds_of(bounds);
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
  require_places(src, dst, most_numbers(size));
  double* weight = weights_or_null(weights, most_numbers(size));
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
  if (numbers.itemsize() != 8 || numbers.shape(0) < most_numbers(size))
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
        std::pair{"wide", Fault::wide}, std::pair{"columns", Fault::columns}})
    faults[name] = static_cast<int>(fault);
  module.attr("TEXT_FAULTS") = faults;
  module.attr("TEXT_PADDING") = kPadding;
  module.def("edges_of_text", &edges_of_text, nb::arg("buffer"), nb::arg("size"), nb::arg("src"),
             nb::arg("dst"), nb::arg("weights").none(), nb::arg("comments"), nb::arg("delimiter"),
             nb::arg("letters"), nb::arg("columns"), nb::arg("bounds").none(),
             nb::arg("strict") = false);
  module.def("rows_of_text", &rows_of_text, nb::arg("buffer"), nb::arg("size"), nb::arg("src"),
             nb::arg("dst"), nb::arg("weights").none(), nb::arg("comment"), nb::arg("skip"),
             nb::arg("weighted"), nb::arg("bounds").none());
  module.def("numbers_of_text", &numbers_of_text, nb::arg("buffer"), nb::arg("size"),
             nb::arg("numbers"));
}

}  // namespace skerry
