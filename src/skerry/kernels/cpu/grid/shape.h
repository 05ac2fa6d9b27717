// The shape of an image and which pixels are neighbors. Pixels are numbered in raster order. A row
// is a line along the last axis; rows are numbered in raster order too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace skerry {

inline constexpr std::uint64_t kMaxAxes = 32;

// Rows with the same steps to a neighboring row that comes earlier in raster order.
struct RowOffset {
  std::vector<int> steps;   // -1, 0 or 1 along each axis but the last
  std::int64_t rows = 0;    // from a row to its neighbor
  std::uint64_t edges = 0;  // edges of the image behind which there is no neighbor: see RowCursor
  unsigned columns = 0;     // bit 0, 1, 2: pixels are joined with the one at column -1, 0, +1
  // For each of these: columns of the hub through which the two pixels are joined if it has one.
  std::array<unsigned, 3> through = {0, 0, 0};
};

struct GridShape {
  // `structure` has 3^axes flags in raster order and is symmetric. `wrap`: a bit for each axis.
  GridShape(std::vector<std::uint64_t> axes, const std::uint8_t* structure, std::uint64_t wrap);

  std::vector<std::uint64_t> sizes;    // at least one axis, none of them empty
  std::vector<std::uint64_t> strides;  // in rows, along each axis but the last
  std::uint64_t rows = 1;
  std::uint64_t width;               // pixels of a row
  std::uint64_t words;               // 64-bit words of a row
  bool along_rows;                   // a pixel is joined with the next of its row
  bool wraps_rows;                   // the last axis is periodic
  std::uint64_t periodic_edges = 0;  // edges of the other periodic axes
  std::vector<RowOffset> neighbors;
  // The neighbor that is next to the most others: what touches it need not be joined with them.
  // The number of neighbors if there is none.
  std::size_t hub = 0;

  std::uint64_t size() const { return rows * width; }
  // The row at an offset from a row that lies at some edges; periodic axes are followed around.
  std::uint64_t wrapped(std::uint64_t row, std::uint64_t edges, const RowOffset& offset) const;

 private:
  void choose_hub(const std::uint8_t* structure);
};

// Goes through rows and knows at which edges of the image they lie: bit 2i if the row is the first
// along axis i, bit 2i + 1 if it is the last.
class RowCursor {
 public:
  RowCursor(const GridShape& shape, std::uint64_t row) : shape_(shape), at_(shape.strides.size()) {
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = row / shape.strides[i] % shape.sizes[i];
    find_edges();
  }
  std::uint64_t edges() const { return edges_; }
  void next() {
    for (std::size_t i = at_.size(); i-- > 0;) {
      if (++at_[i] < shape_.sizes[i]) break;
      at_[i] = 0;
    }
    find_edges();
  }

 private:
  void find_edges() {
    edges_ = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      edges_ |= static_cast<std::uint64_t>(at_[i] == 0) << (2 * i);
      edges_ |= static_cast<std::uint64_t>(at_[i] + 1 == shape_.sizes[i]) << (2 * i + 1);
    }
  }

  const GridShape& shape_;
  std::vector<std::uint64_t> at_;
  std::uint64_t edges_ = 0;
};

}  // namespace skerry
