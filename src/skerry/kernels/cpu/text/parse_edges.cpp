// See parse_edges.h. Lines as they usually are (columns 0 and 1, no sign, up to 19 digits) are read
// by plain_line; all others, and those that turn out wrong, by any_line.
#include "cpu/text/parse_edges.h"

#include <algorithm>

#include "cpu/text/numbers.h"

namespace skerry {

namespace {

enum class Kind : unsigned char { other, blank, comma, ending };

template <class Word>
class LineParser {
 public:
  LineParser(const char* text, std::uint64_t size, const LineSyntax& syntax, Word* src, Word* dst,
             double* weights)
      : text_(text),
        end_(text + size),
        syntax_(syntax),
        src_(src),
        dst_(dst),
        weights_(weights),
        plain_(syntax.source == 0 && syntax.target == 1 && syntax.weight == 2) {
    kinds_[' '] = kinds_['\t'] = Kind::blank;
    if (!syntax.strict) kinds_[','] = kinds_[';'] = Kind::comma;
    kinds_['\n'] = kinds_['\r'] = Kind::ending;
    if (syntax.delimiter != '\0' && (syntax.strict || kind(syntax.delimiter) == Kind::other))
      kinds_[static_cast<unsigned char>(syntax.delimiter)] = Kind::comma;
  }

  Parsed run() {
    const char* cursor = text_;
    while (cursor < end_) {
      const char* next = plain_ ? plain_line(cursor) : nullptr;
      if (next == nullptr) {
        next = end_of_line(cursor, end_);
        if (!any_line(cursor, next)) break;
        ++next;
      }
      ++parsed_.lines;
      cursor = next;
    }
    return parsed_;
  }

 private:
  Kind kind(char c) const { return kinds_[static_cast<unsigned char>(c)]; }

  const char* skip_blanks(const char* cursor) const {
    while (kind(*cursor) == Kind::blank) ++cursor;
    return cursor;
  }

  // Past what stands between two columns; null if nothing does.
  const char* skip_separator(const char* cursor) const {
    if (kind(*cursor) == Kind::blank) {
      cursor = skip_blanks(cursor + 1);
      if (kind(*cursor) != Kind::comma) return syntax_.strict ? nullptr : cursor;
    } else if (kind(*cursor) != Kind::comma) {
      return nullptr;
    }
    return skip_blanks(cursor + 1);
  }

  const char* skip_letter(const char* cursor) const {
    const bool letter = syntax_.letters && (*cursor == 'a' || *cursor == 'e');
    return letter && kind(cursor[1]) == Kind::blank ? skip_blanks(cursor + 2) : cursor;
  }

  bool keep(std::uint64_t u, std::uint64_t v, double weight) {
    if constexpr (sizeof(Word) == 4)
      if ((u | v) >> 32 != 0) return false;
    src_[parsed_.edges] = static_cast<Word>(u);
    dst_[parsed_.edges] = static_cast<Word>(v);
    if (weights_ != nullptr) weights_[parsed_.edges] = weight;
    ++parsed_.edges;
    return true;
  }

  // The beginning of the next line, or null: then nothing was kept.
  const char* plain_line(const char* cursor) {
    std::uint64_t u = 0, v = 0;
    double weight = 0;
    cursor = skip_letter(skip_blanks(cursor));
    const char* digits = cursor;
    if (!read_digits(cursor, u) || !are_plain_digits(digits, cursor)) return nullptr;
    cursor = digits = skip_separator(cursor);
    if (cursor == nullptr || !read_digits(cursor, v) || !are_plain_digits(digits, cursor))
      return nullptr;
    if (weights_ != nullptr) {
      cursor = skip_separator(cursor);
      if (cursor == nullptr || !read_weight(cursor, weight)) return nullptr;
    }
    cursor += *cursor == '\r' && cursor[1] == '\n';
    const char* next = cursor + 1;
    if (*cursor != '\n') {
      if (kind(*cursor) == Kind::other || *cursor == '\r') return nullptr;  // the token continues
      if (syntax_.strict) return nullptr;
      next = end_of_line(cursor, end_) + 1;
    }
    if (!rebase_id(syntax_.bounds, u) || !rebase_id(syntax_.bounds, v)) return nullptr;
    parsed_.huge |= (u | v) >> 63 != 0;
    return keep(u, v, weight) ? next : nullptr;
  }

  bool fail(Fault fault, const char* line, const char* begin, const char* end) {
    const auto at = [this](const char* cursor) {
      return static_cast<std::uint64_t>(cursor - text_);
    };
    parsed_.error = {fault, at(line), at(begin), at(end)};
    return false;
  }

  bool is_comment(const char* cursor) const {
    return syntax_.comment[static_cast<unsigned char>(*cursor)] &&
           (*cursor != '/' || cursor[1] == '/');
  }

  // False if the line is wrong. `end` is its LF.
  bool any_line(const char* line, const char* end) {
    const char* last = end > line && end[-1] == '\r' ? end - 1 : end;
    const char* cursor = skip_blanks(line);
    if (cursor >= last || is_comment(cursor)) return true;
    cursor = skip_letter(cursor);
    std::uint64_t ends[2] = {0, 0};
    double weight = 0;
    const unsigned columns[3] = {syntax_.source, syntax_.target, syntax_.weight};
    const unsigned count = weights_ != nullptr ? 3 : 2;
    const unsigned furthest = *std::max_element(columns, columns + count);
    for (unsigned column = 0; column <= furthest; ++column) {
      const char* token = cursor;
      while (cursor < last && kind(*cursor) == Kind::other) ++cursor;
      if (cursor < last && *cursor == '\r') return fail(Fault::word, line, token, cursor + 1);
      for (unsigned which = 0; which < count; ++which) {
        if (columns[which] != column) continue;
        if (cursor == token) return fail(Fault::missing, line, token, token);
        const Fault fault =
            which == 2 ? take_weight(token, cursor, weight) : take_id(token, cursor, ends[which]);
        if (fault != Fault::none) return fail(fault, line, token, cursor);
      }
      if (syntax_.strict && (column < furthest) != (skip_blanks(cursor) < last))
        return fail(Fault::columns, line, token, last);
      if (column == furthest) break;
      const char* after = cursor < last ? skip_separator(cursor) : cursor;
      if (after == nullptr) return fail(Fault::columns, line, token, last);
      cursor = std::min(after, last);
    }
    return keep(ends[0], ends[1], weight) || fail(Fault::wide, line, line, last);
  }

  Fault take_id(const char* begin, const char* end, std::uint64_t& id) {
    const Integer read = read_integer(begin, end);
    if (read.fault != Fault::none) return read.fault;
    id = read.value;
    if (syntax_.bounds.bounded)
      return !read.negative && rebase_id(syntax_.bounds, id) ? Fault::none : Fault::outside;
    if (!read.plain) return Fault::notation;
    parsed_.negative |= read.negative;
    parsed_.huge |= !read.negative && id >> 63 != 0;
    return Fault::none;
  }

  Fault take_weight(const char* begin, const char* end, double& weight) const {
    return read_weight(begin, weight) && begin == end ? Fault::none : Fault::weight;
  }

  const char* text_;
  const char* end_;
  const LineSyntax& syntax_;
  Word* src_;
  Word* dst_;
  double* weights_;
  bool plain_;
  Kind kinds_[256] = {};
  Parsed parsed_;
};

}  // namespace

template <class Word>
Parsed parse_edges(const char* text, std::uint64_t size, const LineSyntax& syntax, Word* src,
                   Word* dst, double* weights) {
  return LineParser<Word>(text, size, syntax, src, dst, weights).run();
}

template Parsed parse_edges(const char*, std::uint64_t, const LineSyntax&, std::uint32_t*,
                            std::uint32_t*, double*);
template Parsed parse_edges(const char*, std::uint64_t, const LineSyntax&, std::uint64_t*,
                            std::uint64_t*, double*);

}  // namespace skerry
