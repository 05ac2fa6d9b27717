// Unites the runs of a row with those of its neighbors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "common/union_find.h"
#include "cpu/grid/contacts.h"
#include "cpu/memory.h"

namespace skerry {

// What a thread needs to unite runs: Memory is Serial while no other thread can reach these trees.
template <class Label>
class RowJoiner {
 public:
  RowJoiner(Context& context, const GridShape& shape, const RowBits<Label>& bits,
            const Pixels& pixels, Label* parent)
      : context_(context),
        shape_(shape),
        bits_(bits),
        pixels_(pixels),
        parent_(parent),
        hub_(make_scratch<Word>(context.scratch, 3 * shape.words)),
        joined_(make_scratch<Word>(context.scratch, 3 * shape.words)) {}

  // Joins a row with those of its neighbors for which wanted(row) is true; `edges`: its cursor's.
  template <class Memory, class Wanted>
  void join_all(std::uint64_t row, std::uint64_t edges, Wanted&& wanted) {
    const auto usable = [&](const RowOffset& offset) {
      return (edges & offset.edges) == 0 && wanted(row + static_cast<std::uint64_t>(offset.rows));
    };
    const bool has_hub = pixels_.kind != Values::within && shape_.hub < shape_.neighbors.size() &&
                         usable(shape_.neighbors[shape_.hub]);
    if (has_hub) read_hub(row);
    bool fresh = std::is_same_v<Memory, Serial>;
    for (const RowOffset& offset : shape_.neighbors) {
      if (!usable(offset)) continue;
      TwoRows rows = two_rows(row, row + static_cast<std::uint64_t>(offset.rows));
      if (has_hub) leave_out(rows, offset);
      if (fresh && offset.columns == 7) {
        join_fresh(rows);
      } else {
        join<Memory>(rows, offset.columns);
      }
      fresh = false;
    }
  }

  // Joins a row with another one, where `columns` says which columns are neighbors (RowOffset).
  template <class Memory>
  void join(std::uint64_t row, std::uint64_t other, unsigned columns) {
    join<Memory>(two_rows(row, other), columns);
  }

  // Joins the first column of a row with the last of another one, or the last with the first.
  void join_ends(std::uint64_t row, std::uint64_t other, unsigned columns) {
    const std::uint64_t last = shape_.width - 1;
    if (columns & 1) join_pixels(row, 0, other, last);
    if (columns & 4) join_pixels(row, last, other, 0);
  }

 private:
  template <class Memory>
  void join(const TwoRows& rows, unsigned columns) {
    const auto pair = [this, own = bits_.runs(rows.row), other = bits_.runs(rows.other)](
                          std::uint64_t column, std::uint64_t beside) {
      unite<Memory>(own.at(column), other.at(beside));
    };
    if (columns == 7) return touching_around(rows, pair);
    if (columns & 1) touching_at<-1>(rows, pair);
    if (columns & 2) touching_at<0>(rows, pair);
    if (columns & 4) touching_at<1>(rows, pair);
  }

  // As above, where each run of the first row is a tree of its own: for its first pair, one store.
  void join_fresh(const TwoRows& rows) {
    const RunsOf<Label> own = bits_.runs(rows.row), other = bits_.runs(rows.other);
    touching_around(
        rows,
        [this, own, other](std::uint64_t column, std::uint64_t beside) {
          unite<Serial>(own.at(column), other.at(beside));
        },
        [own, other, parent = parent_](std::uint64_t column, std::uint64_t beside) {
          parent[own.at(column)] = parent[other.at(beside)];
        });
  }

  template <class Memory>
  void unite(Label a, Label b) {
    Silent tally(context_);
    unite_if_apart<Memory>(parent_, a, b, tally);
  }

  TwoRows two_rows(std::uint64_t row, std::uint64_t other) const {
    return {{bits_.foreground(row), shape_.words},
            {bits_.starts(row), shape_.words},
            {bits_.foreground(other), shape_.words},
            {bits_.starts(other), shape_.words},
            pixels_,
            row,
            other,
            row * shape_.width,
            other * shape_.width,
            shape_.width};
  }

  // Finds out which pixels of a row touch the hub, and where.
  void read_hub(std::uint64_t row) {
    const RowOffset& offset = shape_.neighbors[shape_.hub];
    const TwoRows rows = two_rows(row, row + static_cast<std::uint64_t>(offset.rows));
    for (std::uint64_t word = 0; word < shape_.words; ++word) {
      hub_[word] = rows.joined_at<-1>(word);
      hub_[shape_.words + word] = rows.joined_at<0>(word);
      hub_[2 * shape_.words + word] = rows.joined_at<1>(word);
    }
  }

  // Leaves out pixels that are joined with the other row's through one of the hub's. Of the hub
  // itself, all that are joined are known.
  void leave_out(TwoRows& rows, const RowOffset& offset) {
    for (std::uint64_t step = 0; step < 3; ++step) {
      if (&offset == &shape_.neighbors[shape_.hub]) {
        rows.known[step] = hub_.get() + step * shape_.words;
        continue;
      }
      const unsigned through = offset.through[step];
      if (through == 0) continue;
      Word* const joined = joined_.get() + step * shape_.words;
      std::fill_n(joined, shape_.words, Word{0});
      for (std::uint64_t column = 0; column < 3; ++column) {
        if ((through >> column & 1) == 0) continue;
        for (std::uint64_t word = 0; word < shape_.words; ++word)
          joined[word] |= hub_[column * shape_.words + word];
      }
      rows.joined[step] = joined;
    }
  }

  void join_pixels(std::uint64_t row, std::uint64_t column, std::uint64_t other,
                   std::uint64_t beside) {
    if (!bits_.has(row, column) || !bits_.has(other, beside)) return;
    if (!pixels_.same(row * shape_.width + column, other * shape_.width + beside)) return;
    unite<Shared>(bits_.run(row, column), bits_.run(other, beside));
  }

  Context& context_;
  const GridShape& shape_;
  const RowBits<Label>& bits_;
  const Pixels& pixels_;
  Label* const parent_;
  Scratch<Word> hub_;     // for a row: where it touches the hub
  Scratch<Word> joined_;  // for two rows: where they are joined through the hub
};

}  // namespace skerry
