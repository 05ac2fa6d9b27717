#include "cpu/grid/shape.h"

#include <bit>
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

// Columns c of the hub for each column step: the hub's pixel at c is a neighbor of both.
std::array<unsigned, 3> columns_through(const RowOffset& hub, const RowOffset& other,
                                        const std::uint8_t* structure) {
  std::array<unsigned, 3> through = {0, 0, 0};
  std::uint64_t group = 0;  // of the step from the hub to the other row
  for (std::size_t i = 0; i < hub.steps.size(); ++i) {
    const int step = other.steps[i] - hub.steps[i];
    if (step < -1 || step > 1) return through;
    group = 3 * group + static_cast<std::uint64_t>(step + 1);
  }
  for (int step = -1; step <= 1; ++step) {
    for (int column = -1; column <= 1; ++column) {
      const int between = step - column;
      if (between < -1 || between > 1 || (hub.columns >> (column + 1) & 1) == 0) continue;
      if (structure[3 * group + static_cast<std::uint64_t>(between + 1)])
        through[static_cast<std::size_t>(step + 1)] |= 1u << (column + 1);
    }
  }
  return through;
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
  choose_hub(structure);
}

void GridShape::choose_hub(const std::uint8_t* structure) {
  int best = 0;
  hub = neighbors.size();
  for (std::size_t hub_index = 0; hub_index < neighbors.size(); ++hub_index) {
    std::vector<std::array<unsigned, 3>> through(neighbors.size());
    int joined = 0;
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      if (i == hub_index) continue;
      through[i] = columns_through(neighbors[hub_index], neighbors[i], structure);
      for (const unsigned columns : through[i]) joined += std::popcount(columns);
    }
    if (joined <= best) continue;
    best = joined;
    hub = hub_index;
    for (std::size_t i = 0; i < neighbors.size(); ++i) neighbors[i].through = through[i];
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
