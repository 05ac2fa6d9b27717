// See block_forest.h.
#include "cpu/spill/block_forest.h"

#include <algorithm>
#include <vector>

#include "cpu/memory.h"
#include "cpu/own/prefetch_at.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kAhead = 16;
constexpr std::uint64_t kPiece = kGrain;

template <class Memory, class Vertex>
class Block {
 public:
  Block(Vertex* parent, std::uint64_t low) : parent_(parent), low_(static_cast<Vertex>(low)) {}

  // The end of a path, which is halved on the way.
  Vertex find(Vertex v) const {
    while (v >= low_) {
      const Vertex up = Memory::load(at(v));
      if (up == v || up < low_) return up;
      const Vertex top = Memory::load(at(up));
      if (top == up) return up;
      Memory::store(at(v), top);  // v is not a root, and keeps the same ancestors
      v = top;
    }
    return v;
  }

  // The end of a path, which is left as it is.
  Vertex walk(Vertex v) const {
    for (Vertex up; v >= low_ && (up = Memory::load(at(v))) != v;) v = up;
    return v;
  }

  // Joins the ends of an edge; true if they are now those of an edge below the block.
  bool unite(Vertex& u, Vertex& v) const {
    u = find(u);
    v = find(v);
    while (u != v) {
      const Vertex high = std::max(u, v), under = std::min(u, v);
      u = high;
      v = under;
      if (high < low_) return true;
      const Vertex seen = Memory::compare_and_swap(at(high), high, under);
      if (seen == high) return false;
      u = find(seen);
    }
    return false;
  }

  void fetch(Vertex v) const {
    if (v >= low_) prefetch_at(parent_, static_cast<std::uint64_t>(v - low_));
  }

 private:
  Vertex* at(Vertex v) const { return parent_ + (v - low_); }

  Vertex* parent_;
  Vertex low_;
};

}  // namespace

template <class Vertex>
std::uint64_t join_block(Context& context, const EdgeView<Vertex>& edges, std::uint64_t low,
                         std::uint64_t size, Vertex* parent, Vertex* left) {
  const std::uint64_t end_of_block = low + size;
  std::vector<std::uint64_t> kept((edges.count + kPiece - 1) / kPiece);
  with_memory(context, [&]<class Memory>() {
    const Block<Memory, Vertex> block(parent, low);
    deal_ranges(context, edges.count, kPiece, [&](std::uint64_t begin, std::uint64_t end, int) {
      Vertex* out = left + 2 * begin;
      for (std::uint64_t i = begin; i < end; ++i) {
        const std::uint64_t later = std::min(i + kAhead, end - 1);
        block.fetch(edges.source(later));
        block.fetch(edges.target(later));
        Vertex u = edges.source(i), v = edges.target(i);
        if (u >= end_of_block || v >= end_of_block) {
          context.add_fault();
          continue;
        }
        const bool below = block.unite(u, v);
        out[0] = u;
        out[1] = v;
        out += below ? 2 : 0;
      }
      kept[begin / kPiece] = static_cast<std::uint64_t>(out - left) / 2 - begin;
    });
  });
  std::uint64_t total = 0;
  for (std::uint64_t piece = 0; piece < kept.size(); ++piece) {
    const Vertex* const from = left + 2 * piece * kPiece;
    std::copy(from, from + 2 * kept[piece], left + 2 * total);
    total += kept[piece];
  }
  return total;
}

template <class Vertex>
void flatten_block(Context& context, std::uint64_t low, std::uint64_t size, Vertex* parent) {
  with_memory(context, [&]<class Memory>() {
    const Block<Memory, Vertex> block(parent, low);
    for_ranges(context, size, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const Vertex up = Memory::load(parent + i);
        const Vertex last = block.walk(up);  // without halving: only ends are written
        if (last != up) Memory::store(parent + i, last);
      }
    });
  });
}

template <class Vertex>
void count_block(Context& context, const Vertex* values, std::uint64_t count, std::uint64_t low,
                 std::uint64_t size, Vertex* counts) {
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t stop = std::min(begin + kPiece, count);
    for (std::uint64_t i = begin; i < stop; ++i) {
      const std::uint64_t index = values[i] - low;  // of a smaller value, above all sizes
      if (index < size) ++counts[index];
    }
  }
}

#define SKERRY_INSTANTIATE(Vertex)                                                                \
  template std::uint64_t join_block(Context&, const EdgeView<Vertex>&, std::uint64_t,             \
                                    std::uint64_t, Vertex*, Vertex*);                             \
  template void flatten_block(Context&, std::uint64_t, std::uint64_t, Vertex*);                   \
  template void count_block(Context&, const Vertex*, std::uint64_t, std::uint64_t, std::uint64_t, \
                            Vertex*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
