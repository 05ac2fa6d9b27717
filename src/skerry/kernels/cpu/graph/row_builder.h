// Builds compressed sparse rows by a counting sort in two steps; build.h explains why.
//
// The edges are cut into pieces, the rows into buckets. Each piece counts its entries in every
// bucket, which gives each piece a range of its own in each bucket. Then, for one group of buckets
// after the other, the pieces write their entries to a stage, and every bucket is dealt out into
// its rows, each of which is sorted. Pieces keep their order, so rows are sorted already where the
// edges were.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "cpu/graph/build.h"
#include "cpu/graph/sort_row.h"
#include "cpu/team.h"

namespace skerry {

// Buckets: few enough that a cache line of each can be written at the same time, and as many as
// that allows, so that the rows of one fit into a core's cache.
inline constexpr std::uint64_t kBuckets = 1024;
inline constexpr std::uint64_t kRowsOfBucket = 64;  // at least
// Groups: the stage holds one of them, and the edges are read once for each. Four take 1.6 times as
// long as one, so a graph that is small beside a machine's memory gets one.
inline constexpr std::uint64_t kGroups = 4;
inline constexpr std::uint64_t kPiecesOfThread = 4;

// A Source has the edges: cut(piece, pieces) returns where a piece of them begins, and visit(begin,
// end, f) calls f(position, u, v). A Rule defines the entries that an edge adds to the rows:
// entries(u, v, take) calls take(row, neighbor).
template <class Rule, class Source, class Vertex>
class RowBuilder {
 public:
  RowBuilder(Context& context, const Source& source, std::uint64_t vertices, std::uint64_t* offsets,
             Vertex* neighbors, std::uint64_t stage)
      : context_(context),
        source_(source),
        vertices_(vertices),
        offsets_(offsets),
        neighbors_(neighbors),
        stage_(stage) {
    const std::uint64_t wanted = std::max(vertices / kBuckets, kRowsOfBucket);
    // A row within its bucket must fit into 32 bits.
    shift_ = std::min(32, static_cast<int>(std::bit_width(wanted - 1)));
    buckets_ = (vertices >> shift_) + 1;
    const std::uint64_t threads = context.threads <= 1 ? 1 : static_cast<unsigned>(context.threads);
    pieces_ = threads == 1 ? 1 : kPiecesOfThread * threads;
    positions_.assign(pieces_ * buckets_, 0);
    starts_.assign(buckets_ + 1, 0);
    lengths_.assign(buckets_, 0);
    sorters_.assign(threads, RowSorter(vertices));
  }

  Built build() {
    Built built;
    built.outside = count_buckets();
    if (built.outside != kNowhere || context_.stopped()) return built;
    const std::vector<std::uint64_t> groups = cut_groups();
    offsets_[0] = 0;
    for (std::size_t group = 0; group + 1 < groups.size(); ++group) {
      stage(groups[group], groups[group + 1]);
      if (context_.stopped()) return built;
      for_ranges(context_, groups[group + 1] - groups[group], 1,
                 [&](std::uint64_t number, std::uint64_t, int thread) {
                   make_rows(groups[group] + number, starts_[groups[group]],
                             sorters_[static_cast<std::size_t>(thread)]);
                 });
      if (context_.stopped()) return built;
    }
    built.entries = close_gaps();
    return built;
  }

 private:
  using End = typename Source::End;

  // Calls visit(position, u, v, positions) for the edges of every piece, where positions has one
  // element for each bucket and belongs to the piece.
  template <class Visit>
  void for_pieces(Visit&& visit) {
    for_ranges(context_, pieces_, 1, [&](std::uint64_t piece, std::uint64_t, int thread) {
      std::uint64_t* const positions = positions_.data() + piece * buckets_;
      const std::uint64_t end = source_.cut(piece + 1, pieces_);
      for (std::uint64_t begin = source_.cut(piece, pieces_);
           begin < end && context_.keep_going(thread); begin += Source::step)
        source_.visit(
            begin, std::min(begin + Source::step, end),
            [&](std::uint64_t position, End u, End v) { visit(position, u, v, positions); });
    });
  }

  // Leaves in positions_ the entries of each piece in each bucket, and returns the first edge out
  // of range. Each piece records its own first.
  std::uint64_t count_buckets() {
    std::vector<std::uint64_t> outside(pieces_, kNowhere);
    // Copies: for the compiler the counters may lie over the members.
    const std::uint64_t vertices = vertices_;
    const int shift = shift_;
    for_pieces([&, vertices, shift](std::uint64_t position, End u, End v,
                                    std::uint64_t* positions) {
      if (u >= vertices || v >= vertices) {
        auto& first = outside[static_cast<std::uint64_t>(positions - positions_.data()) / buckets_];
        first = std::min(first, position);
        return;
      }
      Rule::entries(u, v,
                    [=](End row, End) { ++positions[static_cast<std::uint64_t>(row) >> shift]; });
    });
    return *std::min_element(outside.begin(), outside.end());
  }

  // Sets starts_, turns positions_ into the position of the first entry of each piece in each
  // bucket, and returns the buckets at which groups begin, and the end.
  std::vector<std::uint64_t> cut_groups() {
    std::uint64_t position = 0;
    for (std::uint64_t bucket = 0; bucket < buckets_; ++bucket) {
      starts_[bucket] = position;
      for (std::uint64_t piece = 0; piece < pieces_; ++piece)
        position += std::exchange(positions_[piece * buckets_ + bucket], position);
    }
    starts_[buckets_] = position;
    const std::uint64_t limit = std::max(position / kGroups, stage_);
    std::vector<std::uint64_t> groups{0};
    std::uint64_t largest = 0;
    for (std::uint64_t bucket = 1; bucket <= buckets_; ++bucket) {
      const bool full = bucket < buckets_ && starts_[bucket + 1] - starts_[groups.back()] > limit;
      if (!full && bucket < buckets_) continue;
      largest = std::max(largest, starts_[bucket] - starts_[groups.back()]);
      groups.push_back(bucket);
    }
    staged_rows_ = std::make_unique_for_overwrite<std::uint32_t[]>(largest);
    staged_ = std::make_unique_for_overwrite<Vertex[]>(largest);
    return groups;
  }

  void stage(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t start = starts_[first];
    const std::uint64_t buckets = last - first;
    const int shift = shift_;
    std::uint32_t* const staged_rows = staged_rows_.get();
    Vertex* const staged = staged_.get();
    for_pieces([=](std::uint64_t, End u, End v, std::uint64_t* positions) {
      Rule::entries(u, v, [=](End row, End neighbor) {
        const std::uint64_t bucket = static_cast<std::uint64_t>(row) >> shift;
        if (bucket - first >= buckets) return;
        const std::uint64_t position = positions[bucket]++ - start;
        staged_rows[position] = static_cast<std::uint32_t>(row - (bucket << shift));
        staged[position] = static_cast<Vertex>(neighbor);
      });
    });
  }

  // offsets_[v + 1] is in turn the length of row v, its start, its cursor and its stop; a bucket
  // touches those of its own rows only. In the end stops are counted from the bucket's start.
  struct Bucket {
    std::uint64_t rows;
    std::uint64_t* stops;
    std::uint64_t size;
    const std::uint32_t* row_of;
    Vertex* entry;
    Vertex* out;
  };

  Bucket bucket_at(std::uint64_t number, std::uint64_t group_start) const {
    const std::uint64_t begin = number << shift_;
    const std::uint64_t end = std::min(begin + (std::uint64_t{1} << shift_), vertices_);
    const std::uint64_t staged_at = starts_[number] - group_start;
    return {.rows = end - begin,
            .stops = offsets_ + begin + 1,
            .size = starts_[number + 1] - starts_[number],
            .row_of = staged_rows_.get() + staged_at,
            .entry = staged_.get() + staged_at,
            .out = neighbors_ + starts_[number]};
  }

  void make_rows(std::uint64_t number, std::uint64_t group_start, RowSorter& sorter) {
    const Bucket bucket = bucket_at(number, group_start);
    if (bucket.rows == 0) return;
    std::fill(bucket.stops, bucket.stops + bucket.rows, 0);
    for (std::uint64_t i = 0; i < bucket.size; ++i) ++bucket.stops[bucket.row_of[i]];
    std::exclusive_scan(bucket.stops, bucket.stops + bucket.rows, bucket.stops, std::uint64_t{0});
    deal(bucket);
    lengths_[number] = tidy(bucket, sorter);
  }

  static void deal(const Bucket& bucket) {
    for (std::uint64_t i = 0; i < bucket.size; ++i)
      bucket.out[bucket.stops[bucket.row_of[i]]++] = bucket.entry[i];
  }

  // Sorts each row, and moves the rows of the bucket together where repeats were dropped; returns
  // the length of all.
  static std::uint64_t tidy(const Bucket& bucket, RowSorter& sorter) {
    std::uint64_t start = 0;
    std::uint64_t packed = 0;
    for (std::uint64_t row = 0; row < bucket.rows; ++row) {
      Vertex* const first = bucket.out + start;
      Vertex* last = bucket.out + bucket.stops[row];
      sorter.sort(first, last, bucket.entry + start);
      if (Rule::drop_repeats) last = std::unique(first, last);
      if (packed != start) std::copy(first, last, bucket.out + packed);
      start = bucket.stops[row];
      packed += static_cast<std::uint64_t>(last - first);
      bucket.stops[row] = packed;
    }
    return packed;
  }

  std::uint64_t close_gaps() {
    std::uint64_t entries = 0;
    for (std::uint64_t bucket = 0; bucket < buckets_; ++bucket) {
      if (!context_.keep_going(0)) return 0;
      const Vertex* const first = neighbors_ + starts_[bucket];
      if (starts_[bucket] != entries)
        std::copy(first, first + lengths_[bucket], neighbors_ + entries);
      starts_[bucket] = entries;
      entries += lengths_[bucket];
    }
    for_each(context_, vertices_,
             [&](std::uint64_t v) { offsets_[v + 1] += starts_[v >> shift_]; });
    return entries;
  }

  Context& context_;
  const Source source_;
  const std::uint64_t vertices_;
  std::uint64_t* const offsets_;
  Vertex* const neighbors_;
  const std::uint64_t stage_;
  int shift_;  // the rows of a bucket are those that agree in all but their last bits
  std::uint64_t buckets_;
  std::uint64_t pieces_;
  std::vector<std::uint64_t> positions_;          // for each piece, one for each bucket
  std::vector<std::uint64_t> starts_;             // of the buckets in the neighbors
  std::vector<std::uint64_t> lengths_;            // of the buckets once repeats are dropped
  std::unique_ptr<std::uint32_t[]> staged_rows_;  // counted from the bucket's first
  std::unique_ptr<Vertex[]> staged_;
  std::vector<RowSorter> sorters_;  // for each thread
};

}  // namespace skerry
