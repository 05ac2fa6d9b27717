// See pairs.h.
#include "cpu/cluster/pairs.h"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

namespace skerry {

namespace {

constexpr std::uint64_t kPiece = 1 << 16;     // pairs between two looks for Ctrl-C
constexpr std::uint64_t kCompareUntil = 192;  // pairs that are sorted by comparing
constexpr unsigned kMaxDigit = 11;            // bits of a key that are dealt out at once

// Calls body(begin, end) for pieces of 0..count-1 until somebody stops the run.
template <class Body>
void in_pieces(Context& context, std::uint64_t count, Body&& body) {
  for (std::uint64_t begin = 0; begin < count && context.keep_going(0); begin += kPiece)
    body(begin, std::min(begin + kPiece, count));
}

// Deals out by the upper bits in which keys differ, then each bucket again; compares small ones.
class PairSorter {
 public:
  PairSorter(Context& context, Pair* pairs, Pair* room)
      : context_(context), pairs_(pairs), room_(room) {}

  void sort(std::uint64_t begin, std::uint64_t end) { sort_by<&Pair::first>(begin, end); }

 private:
  template <Word Pair::* kKey>
  void sort_by(std::uint64_t begin, std::uint64_t end) {
    if (end - begin <= kCompareUntil) {
      std::sort(pairs_ + begin, pairs_ + end);
      return;
    }
    if (!context_.keep_going(0)) return;
    Word low = pairs_[begin].*kKey, high = low;
    bool ascending = true;
    for (std::uint64_t i = begin + 1; i < end; ++i) {
      low = std::min(low, pairs_[i].*kKey);
      high = std::max(high, pairs_[i].*kKey);
      ascending = ascending && !(pairs_[i] < pairs_[i - 1]);
    }
    if (ascending) return;
    if (low == high) {
      if constexpr (kKey == &Pair::first) sort_by<&Pair::second>(begin, end);
      return;
    }
    deal<kKey>(begin, end, low, high);
  }

  template <Word Pair::* kKey>
  void deal(std::uint64_t begin, std::uint64_t end, Word low, Word high) {
    const auto bits = static_cast<unsigned>(std::bit_width(high - low));
    // Buckets of some tens of pairs: fewer would cost more to go through than to fill.
    const auto wanted = static_cast<unsigned>(std::bit_width((end - begin) / 64));
    const unsigned digit = std::min({bits, std::max(wanted, 4u), kMaxDigit});
    const unsigned shift = bits - digit;
    std::vector<std::uint64_t> ends((std::uint64_t{1} << digit) + 1, 0);
    for (std::uint64_t i = begin; i < end; ++i) ++ends[((pairs_[i].*kKey - low) >> shift) + 1];
    ends[0] = begin;
    for (std::size_t b = 1; b < ends.size(); ++b) ends[b] += ends[b - 1];
    // Now ends[b] is the beginning of bucket b; dealing moves it to the end.
    for (std::uint64_t i = begin; i < end; ++i)
      room_[ends[(pairs_[i].*kKey - low) >> shift]++] = pairs_[i];
    std::copy(room_ + begin, room_ + end, pairs_ + begin);
    std::uint64_t from = begin;
    for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
      if (ends[b] - from > 1) sort_by<kKey>(from, ends[b]);
      from = ends[b];
    }
  }

  Context& context_;
  Pair* pairs_;
  Pair* room_;
};

std::uint64_t owner_of(Word id, Word key, std::uint64_t parts) {
  return below(rank_of(id, key), parts);
}

}  // namespace

std::uint64_t sort_pairs(Context& context, Pair* pairs, std::uint64_t count, Pair* room) {
  PairSorter(context, pairs, room).sort(0, count);
  return static_cast<std::uint64_t>(std::unique(pairs, pairs + count) - pairs);
}

void split_pairs(Context& context, const Pair* pairs, std::uint64_t count, Word key,
                 std::uint64_t parts, Pair* grouped, std::uint64_t* counts) {
  std::vector<std::uint64_t> next(parts + 1, 0);
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) ++next[owner_of(pairs[i].first, key, parts) + 1];
  });
  for (std::uint64_t part = 0; part < parts; ++part) {
    counts[part] = next[part + 1];
    next[part + 1] += next[part];
  }
  if (context.stopped()) return;
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      grouped[next[owner_of(pairs[i].first, key, parts)]++] = pairs[i];
  });
}

bool heap_pairs(Context& context, const Word* ids, const std::uint32_t* roots, std::uint64_t count,
                Word key, std::uint64_t arity, Pair* heaps) try {
  std::vector<Pair> order(count);
  {
    std::vector<Pair> room(count);
    for (std::uint64_t v = 0; v < count; ++v) order[v] = {rank_of(ids[v], key), v};
    PairSorter(context, order.data(), room.data()).sort(0, count);
  }
  std::vector<std::uint32_t> start(count, 0), size(count, 0), members(count);
  for (std::uint64_t v = 0; v < count; ++v) ++size[roots[v]];
  std::uint32_t position = 0;
  for (std::uint64_t v = 0; v < count; ++v) {
    start[v] = position;
    position += size[v];
    size[v] = 0;
  }
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto v = static_cast<std::uint32_t>(order[i].second);
      const std::uint32_t root = roots[v], at = size[root]++;
      members[start[root] + at] = v;
      const std::uint32_t parent =
          at == 0 ? v : members[start[root] + static_cast<std::uint32_t>((at - 1) / arity)];
      heaps[i] = {ids[v], ids[parent]};
    }
  });
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

PickCounts pick_pairs(Context& context, const Pair* candidates, std::uint64_t count, Word key,
                      Pair* representatives, Pair* edges) {
  PickCounts counts;
  for (std::uint64_t begin = 0, end; begin < count && !context.stopped(); begin = end) {
    const Word vertex = candidates[begin].first;
    Word best = vertex, best_rank = rank_of(vertex, key);
    for (end = begin; end < count && candidates[end].first == vertex; ++end) {
      const Word rank = rank_of(candidates[end].second, key);
      if (rank < best_rank) {
        best = candidates[end].second;
        best_rank = rank;
      }
    }
    for (std::uint64_t i = begin; i < end; ++i)
      if (candidates[i].second != vertex) edges[counts.edges++] = {candidates[i].second, best};
    representatives[counts.vertices++] = {vertex, best};
    if (counts.vertices % kPiece == 0) context.keep_going(0);
  }
  return counts;
}

MatchCounts match_pairs(Context& context, const Pair* pairs, std::uint64_t count, const Pair* table,
                        std::uint64_t rows, bool drop_loops, Pair* matched) {
  MatchCounts counts;
  std::uint64_t row = 0;
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      while (row < rows && table[row].first < pairs[i].first) ++row;
      if (row == rows || table[row].first != pairs[i].first) {
        ++counts.missing;
      } else if (!drop_loops || pairs[i].second != table[row].second) {
        matched[counts.written++] = {pairs[i].second, table[row].second};
      }
    }
  });
  return counts;
}

std::uint64_t overlay_pairs(Context& context, const Pair* base, std::uint64_t base_count,
                            const Pair* top, std::uint64_t top_count, Pair* table) {
  std::uint64_t written = 0, at = 0;
  in_pieces(context, base_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      while (at < top_count && top[at].first < base[i].first) table[written++] = top[at++];
      const bool both = at < top_count && top[at].first == base[i].first;
      table[written++] = both ? top[at++] : base[i];
    }
  });
  while (at < top_count) table[written++] = top[at++];
  return written;
}

std::uint64_t keep_first_pairs(Context& context, Pair* pairs, std::uint64_t count) {
  std::uint64_t written = 0;
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      if (written == 0 || pairs[written - 1].first != pairs[i].first) pairs[written++] = pairs[i];
  });
  return written;
}

void smallest_in_trees(Context& context, const std::uint32_t* roots, const Word* values,
                       std::uint64_t count, Word* labels) {
  std::fill(labels, labels + count, ~Word{0});
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v)
      labels[roots[v]] = std::min(labels[roots[v]], values[v]);
  });
  // Roots hold the answer of their trees; they keep it, so that any order is right.
  in_pieces(context, count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) labels[v] = labels[roots[v]];
  });
}

}  // namespace skerry
