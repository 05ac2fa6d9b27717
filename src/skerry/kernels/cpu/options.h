// Numeric options of a kernel, by name: what an entry of the catalog sets beside the name of the
// kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skerry {

class Options {
 public:
  Options() = default;
  explicit Options(std::vector<std::pair<std::string, double>> values)
      : values_(std::move(values)) {}

  double number(std::string_view name, double otherwise) const {
    for (const auto& [key, value] : values_)
      if (key == name) return value;
    return otherwise;
  }
  // An integer from 0 to 2^53; other values are clamped to that, NaN to 0.
  std::uint64_t count(std::string_view name, std::uint64_t otherwise) const {
    const double value = number(name, static_cast<double>(otherwise));
    return value >= 0 ? static_cast<std::uint64_t>(std::min(value, 0x1p53)) : 0;
  }
  bool flag(std::string_view name) const { return number(name, 0) != 0; }

 private:
  std::vector<std::pair<std::string, double>> values_;
};

}  // namespace skerry
