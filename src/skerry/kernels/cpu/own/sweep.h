// Finds a component of low diameter without levels: from a seed, sweeps over all vertices outside
// it, each of which joins as soon as one of its neighbors is in, within the same sweep. Beamer's
// bottom-up step (Beamer, Asanovic & Patterson 2012) made asynchronous: one or two sweeps are
// enough, most rows are left after an entry or two, and all that is looked up at random is a bitmap
// that fits the cache.
//
// A word of the set is written only by the thread whose range holds it, so no read-modify-write is
// needed. Others read it while it changes: bits are only added, each for a vertex that is connected
// with the set, so an old value only delays a vertex until the next sweep. The team's end orders
// all of it before what comes next. A neighbor that is no vertex looks at the bit of another.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "cpu/memory.h"
#include "cpu/own/bitmap.h"
#include "cpu/own/check_rows.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Memory, class Vertex>
bool touches(const CsrView<Vertex>& graph, std::uint64_t begin, std::uint64_t end,
             const std::uint64_t* set, std::uint64_t mask) {
  for (std::uint64_t e = begin; e < end; ++e)
    if (Bitmap::has_masked<Memory>(set, mask, graph.neighbor(e))) return true;
  return false;
}

struct Swept {
  std::uint64_t joined = 0;
  std::uint64_t left = 0;  // outside, with neighbors
};

// One sweep.
template <class Memory, class Vertex>
Swept sweep(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
            Bitmap& bitmap) {
  std::uint64_t* set = bitmap.words();
  std::atomic<std::uint64_t> joined{0}, left{0};
  const std::uint64_t mask = bitmap.mask(), words = bitmap.size();
  const auto sweep_words = [=, &joined, &left](std::uint64_t from, std::uint64_t to) {
    const CsrView<Vertex> rows = graph;  // a copy that no store can change
    Swept here;
    for (std::uint64_t w = from; w < to; ++w) {
      const std::uint64_t before = Memory::load(set + w);
      std::uint64_t added = 0, outside = ~before;
      if (w == words - 1) [[unlikely]]
        outside &= ~std::uint64_t{0} >> (words * Bitmap::kBits - rows.vertices);
      for (; outside != 0; outside &= outside - 1) {
        const int bit = std::countr_zero(outside);
        const std::uint64_t v = w * Bitmap::kBits + static_cast<std::uint64_t>(bit);
        const auto [begin, end] = rows.row(v);
        if (end > rows.size) [[unlikely]]
          continue;
        if (touches<Memory>(rows, begin, end, set, mask)) {
          added |= std::uint64_t{1} << bit;
        } else {
          here.left += begin < end;
        }
      }
      if (added == 0) continue;
      Memory::store(set + w, before | added);
      here.joined += static_cast<std::uint64_t>(std::popcount(added));
    }
    joined.fetch_add(here.joined, std::memory_order_relaxed);
    left.fetch_add(here.left, std::memory_order_relaxed);
  };
  for_ranges(context, words, 64, [&](std::uint64_t from, std::uint64_t to, int) {
    const std::uint64_t past = std::min(to * Bitmap::kBits, graph.vertices);
    check.in_pieces(from * Bitmap::kBits, past, [&](std::uint64_t first, std::uint64_t last) {
      sweep_words(first / Bitmap::kBits, (last + Bitmap::kBits - 1) / Bitmap::kBits);
    });
  });
  check.end();
  return {joined.load(), left.load()};
}

// Sweeps while a sweep takes in more than it leaves outside: what joins the rest reads its rows
// anyway. Returns how many vertices with neighbors are outside then.
template <class Vertex>
std::uint64_t sweep_up(Context& context, const CsrView<Vertex>& graph, RowCheck<Vertex>& check,
                       Bitmap& set) {
  Swept swept{0, graph.vertices};
  with_memory(context, [&]<class Memory>() {
    do {
      ++context.statistics.rounds;
      swept = sweep<Memory>(context, graph, check, set);
    } while (swept.joined > swept.left && swept.left > 0 && !context.stopped());
  });
  return swept.left;
}

// Of a set that has members.
template <class Vertex>
Vertex smallest_member(const Bitmap& bitmap) {
  std::uint64_t w = 0;
  while (bitmap.words()[w] == 0) ++w;
  const int bit = std::countr_zero(bitmap.words()[w]);
  return static_cast<Vertex>(w * Bitmap::kBits + static_cast<std::uint64_t>(bit));
}

}  // namespace skerry
