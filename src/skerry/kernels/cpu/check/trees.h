// What the checker reads off its forest at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/check/forest.h"

namespace skerry::check {

template <class Word>
typename Forest<Word>::Trees Forest<Word>::trees(Context& context) const {
  const auto is_root = [&](std::uint64_t v) { return nodes_[v].parent == static_cast<Word>(v); };
  std::atomic<std::uint64_t> count{0}, largest{0};
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t here = 0, high = 0;
    for (std::uint64_t v = begin; v < end; ++v)
      if (is_root(v)) {
        ++here;
        high = std::max<std::uint64_t>(high, nodes_[v].label);
      }
    count.fetch_add(here, std::memory_order_relaxed);
    std::uint64_t seen = largest.load(std::memory_order_relaxed);
    while (high > seen && !largest.compare_exchange_weak(seen, high, std::memory_order_relaxed)) {
    }
  });
  Trees result{count.load(), 0};
  if (largest.load() / 4 <= range_) {  // a flag for each label
    std::vector<std::uint8_t> flags(result.count > 0 ? largest.load() + 1 : 0);
    std::atomic<std::uint64_t> labels{0};
    for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
      std::uint64_t here = 0;
      for (std::uint64_t v = begin; v < end; ++v)
        if (is_root(v)) here += Together::exchange<std::uint8_t>(flags[nodes_[v].label], 1) == 0;
      labels.fetch_add(here, std::memory_order_relaxed);
    });
    result.labels = labels.load();
    return result;
  }
  std::vector<Word> labels;
  labels.reserve(result.count);
  for (std::uint64_t v = 0; v < range_; ++v)
    if (is_root(v)) labels.push_back(nodes_[v].label);
  std::sort(labels.begin(), labels.end());
  result.labels =
      static_cast<std::uint64_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
  return result;
}

template <class Word>
std::uint64_t Forest<Word>::first_untouched(Context& context) const {
  std::vector<std::uint8_t> touched(range_);
  for_each(context, range_, [&](std::uint64_t v) {
    const Word up = nodes_[v].parent;
    if (up == kAbsent || up == static_cast<Word>(v)) return;
    Together::put<std::uint8_t>(touched[v], 1);
    Together::put<std::uint8_t>(touched[up], 1);
  });
  std::uint64_t first = kNoFault;
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t v = begin; v < end; ++v) {
      if (touched[v] || nodes_[v].parent == kAbsent || Bits::get(loops_.data(), v)) continue;
      std::uint64_t seen = Together::get(first);
      while (v < seen && !Together::replace(first, seen, v)) seen = Together::get(first);
      return;
    }
  });
  return first;
}

}  // namespace skerry::check
