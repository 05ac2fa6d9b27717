// The bytes of one input of a fuzzer, read as numbers, and the checks of what is made of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  // The next bytes as an integer; zeros behind the end.
  template <class T>
  T take() {
    T value = 0;
    const std::size_t size = std::min(left(), sizeof(T));
    if (size != 0) std::memcpy(&value, at_, size);
    at_ += size;
    return value;
  }

  template <class T>
  std::vector<T> take(std::size_t count) {
    std::vector<T> values(std::min(count, left() / sizeof(T) + 1));
    for (T& value : values) value = take<T>();
    return values;
  }

  const std::uint8_t* rest() const { return at_; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

// Ends the program, which a fuzzer reports with the input.
inline void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "FAILED %s\n", what);
  std::abort();
}

// Roots by a union-find without any of skerry's code: the smallest vertex of each component.
class Oracle {
 public:
  explicit Oracle(std::uint64_t count) : parent_(count) {
    for (std::uint64_t v = 0; v < count; ++v) parent_[v] = v;
  }
  std::uint64_t root(std::uint64_t v) const {
    while (parent_[v] != v) v = parent_[v];
    return v;
  }
  void join(std::uint64_t u, std::uint64_t v) {
    const std::uint64_t a = root(u), b = root(v);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint64_t> parent_;
};

}  // namespace fuzz
