// Random geometric graphs: points drawn in a square, an edge between any two that are closer than a
// radius (Gilbert, "Random plane networks", 1961). Coordinates and radius are integers, the side of
// the square being 2^31, so that every machine finds exactly the same edges.
//
// The square is cut into cells no narrower than the radius (cell lists: Bentley, Stanat & Williams,
// 1977), so a point need look only into its own cell and those around it. Ids follow a sweep over
// the cells, and inside a cell the coordinates. The edges of a cell are those to later points: of
// the cell itself, of the one to the right and of the three below. They come in the order of both
// ends' ids.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/context.h"

namespace skerry {

class Geometric {
 public:
  static constexpr unsigned kBits = 31;

  Geometric(std::uint64_t points, std::uint64_t radius, std::uint64_t seed);

  std::uint64_t points() const { return points_; }
  std::uint64_t cells() const { return width_ * width_; }

  // Fills `coordinates` with the points in the order of their ids, as y * 2^32 + x, and `starts`
  // (one element more than cells) with the first point of each cell.
  void draw_points(Context& context, std::uint64_t* coordinates, std::uint64_t* starts) const;

  // Fills edges_before (one element more than cells) with the number of edges of the cells before
  // each; returns the number of all.
  std::uint64_t count_edges(Context& context, const std::uint64_t* coordinates,
                            const std::uint64_t* starts, std::uint64_t* edges_before) const;

  // The edges of the cells first .. last.
  template <class Vertex>
  void fill_edges(Context& context, const std::uint64_t* coordinates, const std::uint64_t* starts,
                  const std::uint64_t* edges_before, std::uint64_t first, std::uint64_t last,
                  Vertex* src, Vertex* dst) const;

 private:
  std::uint64_t row_of(std::uint64_t packed) const;
  std::uint64_t cell_of(std::uint64_t packed) const;
  std::uint64_t bands() const;
  std::uint64_t band_of(std::uint64_t packed) const;
  std::uint64_t first_cell(std::uint64_t band) const;
  std::vector<std::uint64_t> deal_to_bands(Context& context, std::uint64_t* dealt) const;
  void order_band(std::uint64_t band, const std::uint64_t* dealt, std::uint64_t begin,
                  std::uint64_t end, std::uint64_t* coordinates, std::uint64_t* starts) const;
  // Calls body(u, begin, end) for every point u of the cell and each run of later points that may
  // be close to it.
  template <class Body>
  void for_each_run(std::uint64_t cell, const std::uint64_t* starts, Body&& body) const;

  std::uint64_t points_;
  std::uint64_t radius_;
  std::uint64_t seed_;
  std::uint64_t width_;  // cells in a row
};

}  // namespace skerry
