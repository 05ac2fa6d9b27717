// What the checker reads off its forest at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/check/forest.h"

namespace skerry::check {

template <class Word>
typename Forest<Word>::Trees Forest<Word>::count_trees(Context& context) const {
  std::atomic<std::uint64_t> count{0}, largest{0};
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    const Nodes<Word> nodes = nodes_;
    std::uint64_t here = 0;
    Word high = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      const bool root = nodes.is_root(v);
      here += root;
      high = std::max<Word>(high, nodes.label(v) & (Word{0} - Word{root}));
    }
    count.fetch_add(here, std::memory_order_relaxed);
    std::uint64_t seen = largest.load(std::memory_order_relaxed);
    while (high > seen && !largest.compare_exchange_weak(seen, high, std::memory_order_relaxed)) {
    }
  });
  Trees result{count.load(), 0};
  if (result.count <= 1) return {result.count, result.count};
  if (largest.load() / 4 <= range_) {
    result.labels = count_labels(context, largest.load());
    return result;
  }
  std::vector<Word> labels;
  labels.reserve(result.count);
  for (std::uint64_t v = 0; v < range_; ++v)
    if (nodes_.is_root(v)) labels.push_back(nodes_.label(v));
  std::sort(labels.begin(), labels.end());
  result.labels =
      static_cast<std::uint64_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
  return result;
}

// With a flag for each label.
template <class Word>
std::uint64_t Forest<Word>::count_labels(Context& context, std::uint64_t largest) const {
  const Room<std::uint8_t> flags(largest + 1);
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    const Nodes<Word> nodes = nodes_;
    std::uint8_t* const flag = flags.get();
    for (std::uint64_t v = begin; v < end; ++v)
      if (nodes.is_root(v)) Together::put<std::uint8_t>(flag[nodes.label(v)], 1);
  });
  std::atomic<std::uint64_t> labels{0};
  for_ranges(context, flags.size(), [&](std::uint64_t begin, std::uint64_t end, int) {
    const std::uint8_t* const flag = flags.get();
    std::uint64_t here = 0;
    for (std::uint64_t i = begin; i < end; ++i) here += flag[i];
    labels.fetch_add(here, std::memory_order_relaxed);
  });
  return labels.load(std::memory_order_relaxed);
}

template <class Word>
std::uint64_t Forest<Word>::first_untouched(Context& context) const {
  std::vector<std::uint8_t> touched(range_);
  for_each(context, range_, [&](std::uint64_t v) {
    const Word up = nodes_.parent(v);
    if (up == kAbsent || up == static_cast<Word>(v)) return;
    Together::put<std::uint8_t>(touched[v], 1);
    Together::put<std::uint8_t>(touched[up], 1);
  });
  Smallest first;
  for_ranges(context, range_, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t v = begin; v < end; ++v) {
      if (touched[v] || nodes_.parent(v) == kAbsent || Bits::get(loops_.get(), v)) continue;
      first.note(v);
      return;
    }
  });
  return first.get();
}

}  // namespace skerry::check
