// See content_sum.h.
#include "cpu/ids/content_sum.h"

#include <atomic>

#include "cpu/team.h"

namespace skerry {

namespace {

// Digits of pi: any constants would do, as long as they stay the same.
constexpr Word kSeed = 0x243f6a8885a308d3u;
constexpr Word kSecret = 0x13198a2e03707344u;
constexpr Word kOther = 0xa4093822299f31d0u;

}  // namespace

ContentSum sum_pairs(Context& context, Words first, Words second, std::uint64_t count) {
  std::atomic<Word> low{0}, high{0};
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    ContentSum sum;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      const Word hash = mix(mix(first.data[at * first.step]) + second.data[at * second.step]);
      sum.low += hash;
      sum.high += mix(hash ^ kOther);
    }
    low.fetch_add(sum.low, std::memory_order_relaxed);
    high.fetch_add(sum.high, std::memory_order_relaxed);
  });
  return {low.load(), high.load()};
}

bool hash_texts(Context& context, const TextView& texts, Word* hashes) {
  std::atomic<bool> right{true};
  for_each(context, texts.count, [&](std::uint64_t i) {
    Text text;
    if (texts.read(i, text)) {
      hashes[i] = hash_text(text, kSeed, kSecret);
    } else {
      right.store(false, std::memory_order_relaxed);
    }
  });
  return right.load();
}

}  // namespace skerry
