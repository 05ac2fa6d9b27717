// See parse_rows.h.
#include "cpu/text/parse_rows.h"

#include "cpu/text/numbers.h"

namespace skerry {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

const char* skip_blanks(const char* cursor) {
  while (is_blank(*cursor)) ++cursor;
  return cursor;
}

const char* end_of_token(const char* cursor) {
  while (!is_blank(*cursor) && *cursor != '\n') ++cursor;
  return cursor;
}

bool ends_token(char c) {
  return is_blank(c) || c == '\n';
}

// Reads an integer from 0 on; moves `cursor` to the end of the token whatever it is.
Fault take_number(const char*& cursor, std::uint64_t& value) {
  const char* token = cursor;
  if (read_digits(cursor, value) && ends_token(*cursor)) return Fault::none;
  cursor = end_of_token(token);
  const Integer read = read_integer(token, cursor);
  value = read.value;
  return read.fault == Fault::none && read.negative ? Fault::outside : read.fault;
}

// Reads one weight; moves `cursor` to the end of the token whatever it is.
Fault take_weight(const char*& cursor, double& value) {
  const char* token = cursor;
  if (*cursor == '\n') return Fault::missing;
  if (read_weight(cursor, value) && ends_token(*cursor)) return Fault::none;
  cursor = end_of_token(token);
  return Fault::weight;
}

template <class Word>
class RowParser {
 public:
  RowParser(const char* text, std::uint64_t size, const RowSyntax& syntax, Word* src, Word* dst,
            double* weights, bool weighted)
      : text_(text),
        end_(text + size),
        syntax_(syntax),
        src_(src),
        dst_(dst),
        weights_(weights),
        weighted_(weighted) {}

  Parsed run() {
    const char* cursor = text_;
    while (cursor < end_) {
      if (syntax_.comment != '\0' && *cursor == syntax_.comment) {
        cursor = end_of_line(cursor, end_) + 1;
      } else {
        cursor = row(cursor);
        if (cursor == nullptr) break;
        ++parsed_.rows;
      }
      ++parsed_.lines;
    }
    return parsed_;
  }

 private:
  // The beginning of the next line, or null if this one is wrong.
  const char* row(const char* line) {
    const char* cursor = skip_blanks(line);
    for (std::uint64_t i = 0; i < syntax_.skip && *cursor != '\n'; ++i) {
      const char* token = cursor;
      double ignored = 0;
      const Fault fault = take_weight(cursor, ignored);
      if (fault != Fault::none) return fail(fault, line, token, cursor);
      cursor = skip_blanks(cursor);
    }
    while (*cursor != '\n') {
      const char* token = cursor;
      std::uint64_t id = 0;
      Fault fault = take_number(cursor, id);
      if (fault == Fault::none && !rebase_id(syntax_.bounds, id)) fault = Fault::outside;
      if (fault != Fault::none) return fail(fault, line, token, cursor);
      cursor = skip_blanks(cursor);
      double weight = 0;
      if (weighted_) {
        token = cursor;
        fault = take_weight(cursor, weight);
        if (fault != Fault::none) return fail(fault, line, token, cursor);
        cursor = skip_blanks(cursor);
      }
      keep(id, weight);
    }
    return cursor + 1;
  }

  void keep(std::uint64_t id, double weight) {
    src_[parsed_.edges] = static_cast<Word>(parsed_.rows);
    dst_[parsed_.edges] = static_cast<Word>(id);
    if (weights_ != nullptr) weights_[parsed_.edges] = weight;
    ++parsed_.edges;
  }

  const char* fail(Fault fault, const char* line, const char* begin, const char* end) {
    const auto at = [this](const char* cursor) {
      return static_cast<std::uint64_t>(cursor - text_);
    };
    parsed_.error = {fault, at(line), at(begin), at(end)};
    return nullptr;
  }

  const char* text_;
  const char* end_;
  const RowSyntax& syntax_;
  Word* src_;
  Word* dst_;
  double* weights_;
  bool weighted_;
  Parsed parsed_;
};

}  // namespace

template <class Word>
Parsed parse_rows(const char* text, std::uint64_t size, const RowSyntax& syntax, Word* src,
                  Word* dst, double* weights, bool weighted) {
  return RowParser<Word>(text, size, syntax, src, dst, weights, weighted).run();
}

template Parsed parse_rows(const char*, std::uint64_t, const RowSyntax&, std::uint32_t*,
                           std::uint32_t*, double*, bool);
template Parsed parse_rows(const char*, std::uint64_t, const RowSyntax&, std::uint64_t*,
                           std::uint64_t*, double*, bool);

Parsed parse_numbers(const char* text, std::uint64_t size, std::uint64_t* numbers) {
  Parsed parsed;
  const char* line = text;
  const char* const end = text + size;
  for (const char* cursor = text; cursor < end;) {
    if (*cursor == '\n') {
      ++parsed.lines;
      line = ++cursor;
    } else if (is_blank(*cursor)) {
      ++cursor;
    } else {
      const char* token = cursor;
      const Fault fault = take_number(cursor, numbers[parsed.edges]);
      if (fault != Fault::none) {
        parsed.error = {fault, static_cast<std::uint64_t>(line - text),
                        static_cast<std::uint64_t>(token - text),
                        static_cast<std::uint64_t>(cursor - text)};
        return parsed;
      }
      ++parsed.edges;
    }
  }
  return parsed;
}

}  // namespace skerry
