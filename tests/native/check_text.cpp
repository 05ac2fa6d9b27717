// Runs the parsers of text on random texts, right and wrong, both widths, several threads at a
// time, against a plain parser. Every text lies in an allocation of its own, so that a step beyond
// its padding is seen. Built plain and under the sanitizers.
#include <cstdlib>
#include <memory>
#include <random>

#include "cpu/team.h"
#include "cpu/text/parse_edges.h"
#include "cpu/text/parse_rows.h"
#include "harness.h"

namespace {

using skerry::Fault;
using skerry::Parsed;
using Random = std::mt19937_64;

struct Text {
  std::unique_ptr<char[]> bytes;
  std::uint64_t size;

  explicit Text(const std::string& text)
      : bytes(new char[text.size() + skerry::kPadding]), size(text.size()) {
    std::copy(text.begin(), text.end(), bytes.get());
    std::fill_n(bytes.get() + size, skerry::kPadding, '\n');
  }
};

std::string one_of(Random& random, const std::vector<std::string>& choices) {
  return choices[random() % choices.size()];
}

// An id of any number of digits.
std::uint64_t draw_id(Random& random) {
  return random() >> (random() % 64);
}

struct Edges {
  std::string text;
  std::vector<std::uint64_t> src, dst;
  std::vector<double> weights;
};

Edges draw_edges(Random& random, std::uint64_t lines) {
  Edges drawn;
  for (std::uint64_t i = 0; i < lines; ++i) {
    if (random() % 8 == 0) {
      drawn.text += one_of(random, {"", "# 1 2", "  ", "// x", "%"}) + "\n";
      continue;
    }
    const std::uint64_t u = draw_id(random), v = draw_id(random), weight = random() % 1000;
    drawn.text += one_of(random, {"", "", " "}) + std::to_string(u);
    drawn.text += one_of(random, {" ", "\t", ",", " ; "}) + std::to_string(v);
    const bool half = random() % 2 == 0;
    drawn.text += " " + std::to_string(weight) + (half ? ".50" : "");
    drawn.text += one_of(random, {"", " ", "\tx 7"});
    drawn.weights.push_back(static_cast<double>(weight) + (half ? 0.5 : 0.0));
    drawn.text += one_of(random, {"\n", "\n", "\r\n"});
    drawn.src.push_back(u);
    drawn.dst.push_back(v);
  }
  return drawn;
}

bool check_edges(Random& random, std::uint64_t lines) {
  const Edges drawn = draw_edges(random, lines);
  const Text text(drawn.text);
  skerry::LineSyntax syntax;
  for (const char c : {'#', '%', '/'}) syntax.comment[static_cast<unsigned char>(c)] = true;
  const auto room = static_cast<std::size_t>(skerry::max_edges(text.size, syntax));
  std::vector<std::uint64_t> src(room), dst(room);
  std::vector<double> weights(room);
  const Parsed parsed = skerry::parse_edges(text.bytes.get(), text.size, syntax, src.data(),
                                            dst.data(), weights.data());
  src.resize(parsed.edges), dst.resize(parsed.edges), weights.resize(parsed.edges);
  return parsed.error.fault == Fault::none && parsed.lines == lines && src == drawn.src &&
         dst == drawn.dst && weights == drawn.weights;
}

// Any bytes: what matters is that the parsers end, and within their arrays.
bool check_noise(Random& random, std::uint64_t size) {
  static const std::string bytes = "0123456789 \t\n\r\v,;-+.eEnxa#%/\"\xff";
  std::string drawn;
  for (std::uint64_t i = 0; i < size; ++i) drawn += bytes[random() % bytes.size()];
  const Text text(drawn);
  const auto numbers = static_cast<std::size_t>(skerry::max_numbers(text.size));
  std::vector<std::uint32_t> src(numbers), dst(numbers);
  std::vector<std::uint64_t> wide(numbers);
  std::vector<double> weights(numbers);
  skerry::LineSyntax syntax;
  syntax.letters = true;
  syntax.strict = random() % 2 == 0;
  if (random() % 2 == 0) syntax.delimiter = ",\t "[random() % 3];
  syntax.source = static_cast<unsigned>(random() % 3);
  syntax.target = static_cast<unsigned>(random() % 3);
  syntax.bounds = {1, 1000, random() % 2 == 0};
  const auto edges = static_cast<std::size_t>(skerry::max_edges(text.size, syntax));
  std::vector<std::uint32_t> few_src(edges), few_dst(edges);
  const auto* begin = text.bytes.get();
  const Parsed from_lines =
      skerry::parse_edges(begin, text.size, syntax, few_src.data(), few_dst.data(),
                          random() % 2 == 0 ? weights.data() : nullptr);
  const skerry::RowSyntax rows{'%', random() % 3, {1, 1000, true}};
  const bool weighted = random() % 2 == 0;
  const Parsed from_rows = skerry::parse_rows(begin, text.size, rows, src.data(), dst.data(),
                                              weighted ? weights.data() : nullptr, weighted);
  const Parsed from_numbers = skerry::parse_numbers(begin, text.size, wide.data());
  for (const Parsed& parsed : {from_lines, from_rows, from_numbers})
    if (parsed.error.end > text.size || parsed.error.begin > parsed.error.end) return false;
  return from_lines.edges <= edges && from_rows.edges <= numbers && from_numbers.edges <= numbers;
}

bool check_rows(Random& random, std::uint64_t lines) {
  std::string drawn;
  std::vector<std::uint32_t> src, dst;
  for (std::uint64_t row = 0; row < lines; ++row) {
    for (std::uint64_t i = random() % 4; i > 0; --i) {
      const auto id = static_cast<std::uint32_t>(random() % 100);
      drawn += std::to_string(id + 1) + " ";
      src.push_back(static_cast<std::uint32_t>(row));
      dst.push_back(id);
    }
    drawn += row + 1 < lines || random() % 2 == 0 ? "\n" : "";
  }
  const Text text(drawn);
  const auto room = static_cast<std::size_t>(skerry::max_numbers(text.size));
  std::vector<std::uint32_t> got_src(room), got_dst(room);
  const skerry::RowSyntax syntax{'%', 0, {1, 100, true}};
  const Parsed parsed = skerry::parse_rows(text.bytes.get(), text.size, syntax, got_src.data(),
                                           got_dst.data(), nullptr, false);
  got_src.resize(parsed.edges), got_dst.resize(parsed.edges);
  return parsed.error.fault == Fault::none && got_src == src && got_dst == dst;
}

}  // namespace

// check_text [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  for (const int threads : {1, 4}) {
    std::vector<char> right(static_cast<std::size_t>(size), 0);
    std::atomic<std::uint64_t> next{0};
    skerry::run_team(threads, [&](int, int) {
      for (std::uint64_t i = next++; i < size; i = next++) {
        Random random(i);
        right[i] = static_cast<char>(check_edges(random, i % 20) && check_rows(random, i % 9) &&
                                     check_noise(random, i % 70));
      }
    });
    for (std::uint64_t i = 0; i < size; ++i)
      if (!right[i]) results.add(false, "text " + std::to_string(i));
    results.add(true, "texts");
  }
  return results.close();
}
