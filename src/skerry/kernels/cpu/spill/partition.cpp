// See partition.h.
#include "cpu/spill/partition.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kPiece = 1 << 16;

}  // namespace

void scatter_ids(Context& context, const Word* ids, std::uint64_t count, Word seed, unsigned bits,
                 std::uint8_t* routes, Word* scattered, std::uint64_t* counts) {
  const unsigned buckets = 1u << bits;
  // By pieces that any thread may take: a row of counts for each, then the place of each.
  const std::uint64_t pieces = (count + kPiece - 1) / kPiece;
  std::vector<std::uint64_t> positions(pieces * buckets);
  const auto for_pieces = [&](auto&& body) {
    deal_ranges(context, count, kPiece, [&](std::uint64_t begin, std::uint64_t end, int) {
      body(begin, end, positions.data() + begin / kPiece * buckets);
    });
  };
  for_pieces([&](std::uint64_t begin, std::uint64_t end, std::uint64_t* row) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Word hash = mix(ids[i] ^ seed);
      const auto route = static_cast<std::uint8_t>(bits == 0 ? 0 : hash >> (64 - bits));
      routes[i] = route;
      ++row[route];
    }
  });
  std::uint64_t next = 0;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    const std::uint64_t begin = next;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
      std::uint64_t& position = positions[piece * buckets + bucket];
      next += position;
      position = next - position;
    }
    counts[bucket] = next - begin;
  }
  for_pieces([&](std::uint64_t begin, std::uint64_t end, std::uint64_t* row) {
    for (std::uint64_t i = begin; i < end; ++i) scattered[row[routes[i]]++] = ids[i];
  });
}

template <class Number>
bool gather_numbers(Context& context, const std::uint8_t* routes, std::uint64_t count,
                    const std::uint64_t* counts, unsigned buckets, const Number* numbers,
                    Number* gathered) {
  std::array<std::uint64_t, 256> next{}, end{};
  std::uint64_t total = 0;
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    next[bucket] = total;
    total += counts[bucket];
    end[bucket] = total;
  }
  if (total != count) return false;
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t stop = std::min(begin + kPiece, count);
    for (std::uint64_t i = begin; i < stop; ++i) {
      const std::uint8_t route = routes[i];
      if (next[route] >= end[route]) return false;
      gathered[i] = numbers[next[route]++];
    }
  }
  return true;
}

template <class Vertex>
bool scatter_edges(Context& context, const Vertex* edges, std::uint64_t count, Vertex block,
                   unsigned blocks, Vertex* scattered, std::uint64_t* counts) {
  const auto block_of = [&](std::uint64_t i) {
    return static_cast<std::uint64_t>(std::max(edges[2 * i], edges[2 * i + 1]) / block);
  };
  std::fill(counts, counts + blocks, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = block_of(i);
    if (number >= blocks) return false;
    ++counts[number];
  }
  std::vector<std::uint64_t> next(blocks);
  std::exclusive_scan(counts, counts + blocks, next.begin(), std::uint64_t{0});
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece) {
    const std::uint64_t stop = std::min(begin + kPiece, count);
    for (std::uint64_t i = begin; i < stop; ++i) {
      const std::uint64_t to = next[block_of(i)]++;
      scattered[2 * to] = edges[2 * i];
      scattered[2 * to + 1] = edges[2 * i + 1];
    }
  }
  return true;
}

#define SKERRY_INSTANTIATE(Vertex)                                                                 \
  template bool gather_numbers(Context&, const std::uint8_t*, std::uint64_t, const std::uint64_t*, \
                               unsigned, const Vertex*, Vertex*);                                  \
  template bool scatter_edges(Context&, const Vertex*, std::uint64_t, Vertex, unsigned, Vertex*,   \
                              std::uint64_t*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
