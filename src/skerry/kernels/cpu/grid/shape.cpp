#include "cpu/grid/shape.h"

#include <stdexcept>
#include <utility>

#include "cpu/grid/pixels.h"

namespace skerry {
namespace {

std::vector<std::uint64_t> strides_of(const std::vector<std::uint64_t>& sizes) {
  std::vector<std::uint64_t> strides(sizes.size() - 1, 1);
  for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

}  // namespace

GridShape::GridShape(std::vector<std::uint64_t> axes, const std::uint8_t* structure,
                     std::uint64_t wrap)
    : sizes(std::move(axes)) {
  if (sizes.empty() || sizes.size() > kMaxAxes)
    throw std::invalid_argument("an image has 1 to 32 axes");
  strides = strides_of(sizes);
  const std::size_t row_axes = strides.size();
  for (std::size_t i = 0; i < row_axes; ++i) {
    rows *= sizes[i];
    if (wrap >> i & 1) periodic_edges |= std::uint64_t{3} << (2 * i);
  }
  width = sizes.back();
  words = (width + kWordBits - 1) / kWordBits;
  wraps_rows = wrap >> row_axes & 1;

  std::uint64_t groups = 1;
  for (std::size_t i = 0; i < row_axes; ++i) groups *= 3;
  const std::uint64_t own = groups / 2;
  along_rows = structure[3 * own] != 0;
  for (std::uint64_t group = 0; group < own; ++group) {
    RowOffset offset;
    for (unsigned i = 0; i < 3; ++i)
      offset.columns |= static_cast<unsigned>(structure[3 * group + i] != 0) << i;
    if (offset.columns == 0) continue;
    offset.steps.resize(row_axes);
    std::uint64_t digits = group;
    for (std::size_t i = row_axes; i-- > 0; digits /= 3) {
      const int step = static_cast<int>(digits % 3) - 1;
      offset.steps[i] = step;
      offset.rows += step * static_cast<std::int64_t>(strides[i]);
      if (step != 0) offset.edges |= std::uint64_t{1} << (2 * i + (step > 0));
    }
    neighbors.push_back(std::move(offset));
  }
}

std::uint64_t GridShape::wrapped(std::uint64_t row, std::uint64_t edges,
                                 const RowOffset& offset) const {
  std::int64_t other = static_cast<std::int64_t>(row) + offset.rows;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    const std::uint64_t edge = std::uint64_t{1} << (2 * i + (offset.steps[i] > 0));
    if (offset.steps[i] != 0 && (edges & edge) != 0)
      other -= offset.steps[i] * static_cast<std::int64_t>(sizes[i] * strides[i]);
  }
  return static_cast<std::uint64_t>(other);
}

}  // namespace skerry
