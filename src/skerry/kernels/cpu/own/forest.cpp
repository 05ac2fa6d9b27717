// See forest.h.
#include "cpu/own/forest.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/team.h"

namespace skerry {

namespace {

std::uint64_t flags_in(const std::uint8_t* flags, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t count = 0;
  for (std::uint64_t v = begin; v < end; ++v) count += flags[v];
  return count;
}

// Two threads may set the same flag at once; a flag that is set is only read.
void set_flag(std::uint8_t* flag) {
  const std::atomic_ref<std::uint8_t> shared(*flag);
  if (!shared.load(std::memory_order_relaxed)) shared.store(1, std::memory_order_relaxed);
}

}  // namespace

template <class Id, class Vertex>
void find_roots(Context& context, const Id* ids, std::ptrdiff_t step, std::uint64_t count,
                std::uint64_t vertices, Vertex* parent, Vertex* roots) {
  for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
    Silent tally(context);
    for (std::uint64_t i = begin; i < end; ++i) {
      const Id v = look(ids + static_cast<std::ptrdiff_t>(i) * step);
      if (v >= vertices) {
        context.add_fault();
        roots[i] = static_cast<Vertex>(~Vertex{0});
      } else {
        roots[i] = JumpHalving::find<Shared>(parent, static_cast<Vertex>(v), tally);
      }
    }
  });
}

template <class Vertex>
void flatten(Context& context, std::uint64_t vertices, Vertex* parent) {
  for_ranges(context, vertices, [&](std::uint64_t from, std::uint64_t to, int) {
    finish_range<Shared>(from, to, vertices, parent);
  });
}

template <class Vertex>
void mark_joined(Context& context, std::uint64_t vertices, const Vertex* parent,
                 std::uint8_t* flags) {
  for_each(context, vertices, [&](std::uint64_t v) {
    if (parent[v] == v) return;
    set_flag(flags + v);
    set_flag(flags + parent[v]);
  });
}

std::uint64_t count_flags(Context& context, std::uint64_t vertices, const std::uint8_t* flags) {
  std::atomic<std::uint64_t> total{0};
  for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    total.fetch_add(flags_in(flags, begin, end), std::memory_order_relaxed);
  });
  return total.load();
}

template <class Vertex>
void keep_flagged(Context& context, std::uint64_t vertices, const Vertex* parent,
                  const std::uint8_t* flags, std::int64_t* kept, Vertex* labels) {
  // The position of a vertex is the number of flags before it: stored for every 64 vertices, and
  // counted within by the bits of a word.
  constexpr std::uint64_t kBits = 64;
  struct Block {
    std::uint64_t before = 0;
    std::uint64_t bits = 0;
  };
  const std::uint64_t count = (vertices + kBits - 1) / kBits;
  std::vector<Block> blocks(count);
  for_each(context, count, [&](std::uint64_t block) {
    const std::uint64_t begin = block * kBits, end = std::min(begin + kBits, vertices);
    for (std::uint64_t v = begin; v < end; ++v)
      blocks[block].bits |= std::uint64_t{flags[v]} << (v - begin);
  });
  std::uint64_t before = 0;
  for (Block& block : blocks) {
    block.before = before;
    before += static_cast<std::uint64_t>(std::popcount(block.bits));
  }
  const auto position_of = [&](std::uint64_t v) {
    const Block& block = blocks[v / kBits];
    const std::uint64_t lower = block.bits & ((std::uint64_t{1} << (v % kBits)) - 1);
    return block.before + static_cast<std::uint64_t>(std::popcount(lower));
  };
  for_each(context, count, [&](std::uint64_t block) {
    std::uint64_t position = blocks[block].before;
    for (std::uint64_t bits = blocks[block].bits; bits != 0; bits &= bits - 1, ++position) {
      const std::uint64_t v = block * kBits + static_cast<std::uint64_t>(std::countr_zero(bits));
      kept[position] = static_cast<std::int64_t>(v);
      labels[position] = static_cast<Vertex>(position_of(parent[v]));
    }
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                        \
  template void find_roots(Context&, const std::uint32_t*, std::ptrdiff_t, std::uint64_t, \
                           std::uint64_t, Vertex*, Vertex*);                              \
  template void find_roots(Context&, const std::uint64_t*, std::ptrdiff_t, std::uint64_t, \
                           std::uint64_t, Vertex*, Vertex*);                              \
  template void flatten(Context&, std::uint64_t, Vertex*);                                \
  template void mark_joined(Context&, std::uint64_t, const Vertex*, std::uint8_t*);       \
  template void keep_flagged(Context&, std::uint64_t, const Vertex*, const std::uint8_t*, \
                             std::int64_t*, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
