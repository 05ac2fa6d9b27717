#include "cpu/grid/label.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "cpu/grid/join_rows.h"
#include "cpu/grid/row_bits.h"
#include "cpu/grid/write_word.h"
#include "cpu/team.h"

namespace skerry {
namespace {

// Pixels of a slab from which another one pays, and after which a thread looks for Ctrl-C.
constexpr std::uint64_t kSlab = (std::uint64_t{1} << 16) / kShrink;
constexpr std::uint64_t kSlabsPerThread = 4;

// A label that has been written to a run while its number in other slabs is not known.
template <class Label>
constexpr Label kOpen = Label{1} << (std::numeric_limits<Label>::digits - 1);

// The rows of one task, and what it finds out: the number of components that begin in it, and the
// earlier pixels that are parents of its own, whose labels it gets later.
template <class Label>
struct Slab {
  std::uint64_t begin, end;
  Label components = 0;
  Label base = 0;  // components that begin in earlier slabs
  std::vector<Label> open;
};

template <class Label>
std::vector<Slab<Label>> make_slabs(const Context& context, const GridShape& shape) {
  const auto threads = static_cast<std::uint64_t>(std::max(context.threads, 1));
  const std::uint64_t enough = std::max<std::uint64_t>(shape.size() / kSlab, 1);
  const std::uint64_t count =
      threads == 1 ? 1 : std::min({threads * kSlabsPerThread, enough, shape.rows});
  std::vector<Slab<Label>> slabs(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    slabs[i].begin = shape.rows / count * i + std::min(i, shape.rows % count);
    slabs[i].end = shape.rows / count * (i + 1) + std::min(i + 1, shape.rows % count);
  }
  return slabs;
}

template <class Label>
class Labeler {
 public:
  Labeler(Context& context, const GridShape& shape, const Pixels& pixels, LabelsAre kind,
          Label* labels)
      : context_(context),
        shape_(shape),
        pixels_(pixels),
        are_numbers_(kind == LabelsAre::numbers),
        labels_(labels),
        bits_(context, shape),
        slabs_(make_slabs<Label>(context, shape)) {}

  std::uint64_t run() {
    each_slab([&](Slab<Label>& slab, int thread) { join_within(slab, thread); });
    if (slabs_.size() > 1) each_slab([&](Slab<Label>& slab, int) { join_before(slab); });
    if (shape_.wraps_rows || shape_.periodic_edges != 0) join_around();
    if (slabs_.size() == 1) {
      number<true>(slabs_[0], 0);
      return slabs_[0].components;
    }
    each_slab([&](Slab<Label>& slab, int thread) { number<false>(slab, thread); });
    if (context_.stopped()) return 0;
    const std::uint64_t count = close_slabs();
    each_slab([&](Slab<Label>& slab, int thread) { write(slab, thread); });
    return count;
  }

 private:
  template <class Body>
  void each_slab(Body&& body) {
    share_ranges(context_, slabs_.size(), 1, 1,
                 [&](std::uint64_t i, std::uint64_t, int thread) { body(slabs_[i], thread); });
  }

  // Calls body(row) for the rows of a slab until the call is interrupted.
  template <class Body>
  void each_row(const Slab<Label>& slab, int thread, Body&& body) {
    const std::uint64_t step = std::max<std::uint64_t>(kSlab / shape_.width, 1);
    for (std::uint64_t row = slab.begin; row < slab.end && context_.keep_going(thread);) {
      for (const std::uint64_t end = std::min(row + step, slab.end); row < end; ++row) body(row);
    }
  }

  RowJoiner<Label> joiner() { return {context_, shape_, bits_, pixels_, labels_}; }

  void join_within(const Slab<Label>& slab, int thread) {
    RowJoiner<Label> joiner = this->joiner();
    RowCursor cursor(shape_, slab.begin);
    bool numbers = true;
    each_row(slab, thread, [&](std::uint64_t row) {
      numbers = bits_.read(pixels_, row, labels_) && numbers;
      joiner.template join_all<Serial>(row, cursor.edges(),
                                       [&](std::uint64_t other) { return other >= slab.begin; });
      cursor.next();
    });
    if (!numbers) context_.add_fault();
  }

  // Joins the first rows of a slab with those of earlier slabs.
  void join_before(const Slab<Label>& slab) {
    if (slab.begin == 0 || shape_.neighbors.empty()) return;
    const auto reach = static_cast<std::uint64_t>(-shape_.neighbors.front().rows);
    RowJoiner<Label> joiner = this->joiner();
    RowCursor cursor(shape_, slab.begin);
    for (std::uint64_t row = slab.begin; row < std::min(slab.begin + reach, slab.end); ++row) {
      joiner.template join_all<Shared>(row, cursor.edges(),
                                       [&](std::uint64_t other) { return other < slab.begin; });
      cursor.next();
    }
  }

  // Joins what is beside each other across the ends of periodic axes.
  void join_around() {
    for_ranges(context_, shape_.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end, int) {
      RowJoiner<Label> joiner = this->joiner();
      RowCursor cursor(shape_, begin);
      for (std::uint64_t row = begin; row < end; ++row, cursor.next()) {
        if (shape_.wraps_rows && shape_.along_rows) joiner.join_ends(row, row, 1);
        for (const RowOffset& offset : shape_.neighbors) {
          const std::uint64_t crossed = cursor.edges() & offset.edges;
          if ((crossed & ~shape_.periodic_edges) != 0) continue;
          const std::uint64_t other = shape_.wrapped(row, crossed, offset);
          if (crossed != 0) joiner.template join<Shared>(row, other, offset.columns);
          if (shape_.wraps_rows) joiner.join_ends(row, other, offset.columns);
        }
      }
    });
  }

  // Numbers the runs of a slab. Parents come first, so theirs is known, if they are of this slab.
  template <bool complete>
  void number(Slab<Label>& slab, int thread) {
    const auto first = static_cast<Label>(slab.begin * shape_.width);
    each_row(slab, thread, [&](std::uint64_t row) {
      const auto relabel = [&](Label start) -> Label {
        const Label parent = labels_[start];
        const Label is_root = parent == start;
        slab.components += is_root;
        const Label own = are_numbers_ ? slab.components : start;
        if (complete || parent >= first)  // without a branch: a run is a root as often as not
          return labels_[parent] ^ ((labels_[parent] ^ own) & (Label{0} - is_root));
        slab.open.push_back(parent);
        return static_cast<Label>(kOpen<Label> | (slab.open.size() - 1));
      };
      if constexpr (complete) {
        write_row(row, relabel);
      } else {
        const Word* const starts = bits_.starts(row);
        for (std::uint64_t word = 0; word < shape_.words; ++word) {
          const auto column = static_cast<Label>(row * shape_.width + word * kWordBits);
          for_each_bit(starts[word],
                       [&](unsigned bit) { labels_[column + bit] = relabel(column + bit); });
        }
      }
    });
  }

  // Finds the labels of components that begin in another slab; returns the number of components.
  std::uint64_t close_slabs() {
    std::uint64_t count = 0;
    for (Slab<Label>& slab : slabs_) {
      slab.base = are_numbers_ ? static_cast<Label>(count) : 0;
      count += slab.components;
      for (Label& parent : slab.open) {
        const auto after = [&](const Slab<Label>& other) {
          return other.end * shape_.width <= parent;
        };
        const auto owner = std::find_if_not(slabs_.begin(), slabs_.end(), after);
        parent = closed(*owner, labels_[parent]);
      }
    }
    return count;
  }

  static Label closed(const Slab<Label>& slab, Label label) {
    return label & kOpen<Label> ? slab.open[label & ~kOpen<Label>] : slab.base + label;
  }

  void write(const Slab<Label>& slab, int thread) {
    each_row(slab, thread, [&](std::uint64_t row) {
      write_row(row, [&](Label start) { return closed(slab, labels_[start]); });
    });
  }

  // Writes the pixels of a row; relabel(start) gives the label of the run that begins there.
  template <class Relabel>
  void write_row(std::uint64_t row, Relabel&& relabel) {
    const Word* const foreground = bits_.foreground(row);
    const Word* const starts = bits_.starts(row);
    const std::uint64_t begin = row * shape_.width;
    Label current = 0;
    for (std::uint64_t word = 0; word < shape_.words; ++word) {
      const std::uint64_t column = word * kWordBits;
      const unsigned count =
          static_cast<unsigned>(std::min<std::uint64_t>(shape_.width - column, kWordBits));
      Label* const out = labels_ + begin + column;
      const Word bits = foreground[word], heads = starts[word];
      if (heads == 0 && (bits == 0 || bits == ~Word{0})) {
        std::fill_n(out, count, bits == 0 ? 0 : current);
        if (!are_numbers_ && bits == 0) write_background(bits, count, begin + column, out);
        continue;
      }
      Label of_run[kRunLabels];  // of this word, in order
      unsigned runs = 0;
      of_run[0] = current;
      for_each_bit(heads, [&](unsigned bit) {
        of_run[++runs] = out[bit] = relabel(static_cast<Label>(begin + column + bit));
      });
      current = of_run[runs];
      write_word(bits, heads, count, runs, of_run, out);
      if (!are_numbers_) write_background(bits, count, begin + column, out);
    }
  }

  static void write_background(Word bits, unsigned count, std::uint64_t first, Label* out) {
    for (unsigned i = 0; i < count; ++i, bits >>= 1)
      out[i] = bits & 1 ? out[i] : static_cast<Label>(first + i);
  }

  Context& context_;
  const GridShape& shape_;
  const Pixels& pixels_;
  const bool are_numbers_;
  Label* const labels_;
  RowBits<Label> bits_;
  std::vector<Slab<Label>> slabs_;
};

}  // namespace

template <class Label>
std::uint64_t label_image(Context& context, const GridShape& shape, const Pixels& pixels,
                          LabelsAre kind, Label* labels) {
  return Labeler<Label>(context, shape, pixels, kind, labels).run();
}

template std::uint64_t label_image(Context&, const GridShape&, const Pixels&, LabelsAre,
                                   std::uint32_t*);
template std::uint64_t label_image(Context&, const GridShape&, const Pixels&, LabelsAre,
                                   std::uint64_t*);

}  // namespace skerry
