// The parsers of text on any bytes: they stay within their arrays, both widths agree, and a text
// that is cut behind a line gives the edges of both halves.
#include <memory>

#include "cpu/text/parse_edges.h"
#include "cpu/text/parse_rows.h"
#include "input.h"

namespace {

using skerry::Fault;
using skerry::Parsed;

// In an allocation of its own, so that a step beyond the padding is seen.
struct Text {
  std::unique_ptr<char[]> bytes;
  std::uint64_t size;

  Text(const char* begin, std::uint64_t length)
      : bytes(new char[length + skerry::kPadding]), size(length) {
    std::copy_n(begin, length, bytes.get());
    std::fill_n(bytes.get() + length, skerry::kPadding, '\n');
  }
};

template <class Word>
struct Edges {
  Parsed parsed;
  std::vector<Word> src, dst;
  std::vector<double> weights;

  void end(std::uint64_t size, bool weighted) {
    fuzz::require(parsed.edges <= src.size(), "more edges than there is room");
    fuzz::require(parsed.error.begin <= parsed.error.end && parsed.error.end <= size &&
                      parsed.error.line_begin <= parsed.error.begin,
                  "an error that lies within the text");
    src.resize(parsed.edges), dst.resize(parsed.edges);
    weights.resize(weighted ? parsed.edges : 0);
  }
};

template <class Word>
Edges<Word> read_lines(const Text& text, const skerry::LineSyntax& syntax, bool weighted) {
  const auto room = static_cast<std::size_t>(skerry::max_edges(text.size, syntax));
  Edges<Word> edges{{}, std::vector<Word>(room), std::vector<Word>(room), {}};
  edges.weights.resize(weighted ? room : 0);
  edges.parsed = skerry::parse_edges(text.bytes.get(), text.size, syntax, edges.src.data(),
                                     edges.dst.data(), weighted ? edges.weights.data() : nullptr);
  edges.end(text.size, weighted);
  return edges;
}

template <class Word>
Edges<Word> read_rows(const Text& text, const skerry::RowSyntax& syntax, bool weighted) {
  const auto room = static_cast<std::size_t>(skerry::max_numbers(text.size));
  Edges<Word> edges{{}, std::vector<Word>(room), std::vector<Word>(room), {}};
  edges.weights.resize(weighted ? room : 0);
  edges.parsed =
      skerry::parse_rows(text.bytes.get(), text.size, syntax, edges.src.data(), edges.dst.data(),
                         weighted ? edges.weights.data() : nullptr, weighted);
  edges.end(text.size, weighted);
  return edges;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void agree(const Edges<std::uint32_t>& narrow, const Edges<std::uint64_t>& wide) {
  if (narrow.parsed.error.fault == Fault::wide) return;
  fuzz::require(
      narrow.parsed.error.fault == wide.parsed.error.fault &&
          narrow.parsed.lines == wide.parsed.lines &&
          std::equal(narrow.src.begin(), narrow.src.end(), wide.src.begin(), wide.src.end()) &&
          std::equal(narrow.dst.begin(), narrow.dst.end(), wide.dst.begin(), wide.dst.end()) &&
          same(narrow.weights, wide.weights),
      "both widths agree");
}

void halves_agree(const Text& text, const skerry::LineSyntax& syntax,
                  const Edges<std::uint64_t>& whole, bool weighted, std::size_t from) {
  const char* begin = text.bytes.get();
  const auto* end = static_cast<const char*>(std::memchr(begin + from, '\n', text.size - from));
  if (end == nullptr || whole.parsed.error.fault != Fault::none) return;
  const auto cut = static_cast<std::uint64_t>(end + 1 - begin);
  auto first = read_lines<std::uint64_t>(Text(begin, cut), syntax, weighted);
  const auto second =
      read_lines<std::uint64_t>(Text(begin + cut, text.size - cut), syntax, weighted);
  first.src.insert(first.src.end(), second.src.begin(), second.src.end());
  first.dst.insert(first.dst.end(), second.dst.begin(), second.dst.end());
  first.weights.insert(first.weights.end(), second.weights.begin(), second.weights.end());
  fuzz::require(first.src == whole.src && first.dst == whole.dst &&
                    same(first.weights, whole.weights) &&
                    first.parsed.lines + second.parsed.lines == whole.parsed.lines,
                "two halves give what the whole gives");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto flags = input.take<std::uint8_t>();
  const auto columns = input.take<std::uint8_t>();
  const auto base = input.take<std::uint8_t>();
  const auto count = input.take<std::uint8_t>();
  skerry::LineSyntax syntax;
  for (const char c : {'#', '%', '/'})
    syntax.comment[static_cast<unsigned char>(c)] = (flags & 1) != 0;
  syntax.letters = (flags & 2) != 0;
  syntax.strict = (flags & 4) != 0;
  if ((flags & 24) != 0) syntax.delimiter = ",\t "[(flags >> 3 & 3) - 1];
  syntax.source = columns % 4;
  syntax.target = columns / 4 % 4;
  syntax.weight = columns / 16 % 4;
  syntax.bounds = {base % 2u, count, (flags & 32) != 0};
  const bool weighted = (flags & 64) != 0;
  const Text text(reinterpret_cast<const char*>(input.rest()), input.left());
  const auto wide = read_lines<std::uint64_t>(text, syntax, weighted);
  agree(read_lines<std::uint32_t>(text, syntax, weighted), wide);
  if (text.size != 0) halves_agree(text, syntax, wide, weighted, base % text.size);
  const skerry::RowSyntax rows{(flags & 1) != 0 ? '%' : '\0', columns % 4u, {1, count, true}};
  agree(read_rows<std::uint32_t>(text, rows, weighted),
        read_rows<std::uint64_t>(text, rows, weighted));
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(skerry::max_numbers(text.size)));
  const Parsed parsed = skerry::parse_numbers(text.bytes.get(), text.size, numbers.data());
  fuzz::require(parsed.edges <= numbers.size() && parsed.error.end <= text.size, "numbers");
  return 0;
}
