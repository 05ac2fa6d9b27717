// See parse_rows.h.
#include "cpu/text/parse_rows.h"

#include "cpu/text/numbers.h"

namespace skerry {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

const char* skip_blanks(const char* place) {
  while (is_blank(*place)) ++place;
  return place;
}

const char* end_of_token(const char* place) {
  while (!is_blank(*place) && *place != '\n') ++place;
  return place;
}

bool ends_token(char c) {
  return is_blank(c) || c == '\n';
}

// Reads one whole number from 0 on; moves `place` to the end of the token whatever it is.
Fault take_number(const char*& place, std::uint64_t& value) {
  const char* token = place;
  if (read_digits(place, value) && ends_token(*place)) return Fault::none;
  place = end_of_token(token);
  const Whole read = read_whole(token, place);
  value = read.value;
  return read.fault == Fault::none && read.negative ? Fault::outside : read.fault;
}

// Reads one weight; moves `place` to the end of the token whatever it is.
Fault take_weight(const char*& place, double& value) {
  const char* token = place;
  if (*place == '\n') return Fault::missing;
  if (read_weight(place, value) && ends_token(*place)) return Fault::none;
  place = end_of_token(token);
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
    const char* place = text_;
    while (place < end_) {
      if (syntax_.comment != '\0' && *place == syntax_.comment) {
        place = end_of_line(place, end_) + 1;
      } else {
        place = row(place);
        if (place == nullptr) break;
        ++parsed_.rows;
      }
      ++parsed_.lines;
    }
    return parsed_;
  }

 private:
  // The beginning of the next line, or null if this one is wrong.
  const char* row(const char* line) {
    const char* place = skip_blanks(line);
    for (std::uint64_t i = 0; i < syntax_.skip && *place != '\n'; ++i) {
      const char* token = place;
      double ignored = 0;
      const Fault fault = take_weight(place, ignored);
      if (fault != Fault::none) return wrong(fault, line, token, place);
      place = skip_blanks(place);
    }
    while (*place != '\n') {
      const char* token = place;
      std::uint64_t id = 0;
      Fault fault = take_number(place, id);
      if (fault == Fault::none && !bring_in(syntax_.bounds, id)) fault = Fault::outside;
      if (fault != Fault::none) return wrong(fault, line, token, place);
      place = skip_blanks(place);
      double weight = 0;
      if (weighted_) {
        token = place;
        fault = take_weight(place, weight);
        if (fault != Fault::none) return wrong(fault, line, token, place);
        place = skip_blanks(place);
      }
      keep(id, weight);
    }
    return place + 1;
  }

  void keep(std::uint64_t id, double weight) {
    src_[parsed_.edges] = static_cast<Word>(parsed_.rows);
    dst_[parsed_.edges] = static_cast<Word>(id);
    if (weights_ != nullptr) weights_[parsed_.edges] = weight;
    ++parsed_.edges;
  }

  const char* wrong(Fault fault, const char* line, const char* begin, const char* end) {
    const auto at = [this](const char* place) { return static_cast<std::uint64_t>(place - text_); };
    parsed_.wrong = {fault, at(line), at(begin), at(end)};
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
  for (const char* place = text; place < end;) {
    if (*place == '\n') {
      ++parsed.lines;
      line = ++place;
    } else if (is_blank(*place)) {
      ++place;
    } else {
      const char* token = place;
      const Fault fault = take_number(place, numbers[parsed.edges]);
      if (fault != Fault::none) {
        parsed.wrong = {fault, static_cast<std::uint64_t>(line - text),
                        static_cast<std::uint64_t>(token - text),
                        static_cast<std::uint64_t>(place - text)};
        return parsed;
      }
      ++parsed.edges;
    }
  }
  return parsed;
}

}  // namespace skerry
