// Cell lists and the pairs in them; see geometric.h.
#include "cpu/graph/geometric.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "common/generators.h"
#include "cpu/scan.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kSide = std::uint64_t{1} << Geometric::kBits;
constexpr std::uint64_t kLow = 0xffffffffu;
// Rows of cells are dealt with together in bands: few enough that dealing points to them writes to
// few cache lines at a time, and so many that the points and cells of one stay in the cache.
constexpr std::uint64_t kMaxBands = 1024;
constexpr std::uint64_t kMaxPieces = 256;
// A cell has a few points and some of their edges each: a range of cells is worth less than one of
// edges.
constexpr std::uint64_t kCells = 1 << 10;

// Points whose distances from another are looked at together.
constexpr std::uint64_t kAtOnce = 64;

std::uint64_t squared_distance(std::uint64_t a, std::uint64_t b) {
  const auto dx = static_cast<std::int64_t>(a & kLow) - static_cast<std::int64_t>(b & kLow);
  const auto dy = static_cast<std::int64_t>(a >> 32) - static_cast<std::int64_t>(b >> 32);
  return static_cast<std::uint64_t>(dx * dx + dy * dy);
}

std::uint64_t draw_coordinates(Word key, std::uint64_t point) {
  const Word bits = draw(key, point);
  return (bits >> 33) << 32 | (bits & kLow) >> 1;
}

// No narrower than the radius, and not more than a cell for each point.
std::uint64_t cells_in_row(std::uint64_t points, std::uint64_t radius) {
  const std::uint64_t widest = kSide / std::max<std::uint64_t>(radius, 1);
  std::uint64_t width = 1;
  while (width < widest && (width + 1) * (width + 1) <= points) ++width;
  return width;
}

}  // namespace

Geometric::Geometric(std::uint64_t points, std::uint64_t radius, std::uint64_t seed)
    : points_(points), radius_(radius), seed_(seed), width_(cells_in_row(points, radius)) {}

std::uint64_t Geometric::row_of(std::uint64_t packed) const {
  return ((packed >> 32) * width_) >> kBits;
}

std::uint64_t Geometric::cell_of(std::uint64_t packed) const {
  return row_of(packed) * width_ + (((packed & kLow) * width_) >> kBits);
}

std::uint64_t Geometric::bands() const {
  return std::min(width_, kMaxBands);
}

std::uint64_t Geometric::band_of(std::uint64_t packed) const {
  return row_of(packed) * bands() / width_;
}

// The first whose row times bands() is no less than band times width_.
std::uint64_t Geometric::first_cell(std::uint64_t band) const {
  return (band * width_ + bands() - 1) / bands() * width_;
}

// Puts the points in the order of their bands; returns where each band begins, and the number of
// all. Every piece of the points has its own share of every band, so no two threads meet.
std::vector<std::uint64_t> Geometric::deal_to_bands(Context& context, std::uint64_t* dealt) const {
  const Word key = stream_key(seed_, kGeometricStream);
  const std::uint64_t pieces = std::min(kMaxPieces, points_ / kGrain + 1);
  const auto for_each_point = [&](auto&& body) {
    for_ranges(context, pieces, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t piece = begin; piece < end; ++piece) {
        const std::uint64_t last = points_ * (piece + 1) / pieces;
        for (std::uint64_t i = points_ * piece / pieces; i < last; ++i)
          body(piece, draw_coordinates(key, i));
      }
    });
  };
  std::vector<std::uint64_t> next(bands() * pieces, 0);
  for_each_point(
      [&](std::uint64_t piece, std::uint64_t packed) { ++next[band_of(packed) * pieces + piece]; });
  exclusive_scan(context, next.data(), next.size());
  std::vector<std::uint64_t> begins(bands() + 1, points_);
  for (std::uint64_t band = 0; band < bands(); ++band) begins[band] = next[band * pieces];
  if (context.stopped()) return begins;
  for_each_point([&](std::uint64_t piece, std::uint64_t packed) {
    dealt[next[band_of(packed) * pieces + piece]++] = packed;
  });
  return begins;
}

// A counting sort of the points of one band by their cells, and of each cell by coordinates.
void Geometric::order_band(std::uint64_t band, const std::uint64_t* dealt, std::uint64_t begin,
                           std::uint64_t end, std::uint64_t* coordinates,
                           std::uint64_t* starts) const {
  const std::uint64_t first = first_cell(band);
  const std::uint64_t last = first_cell(band + 1);
  std::fill(starts + first, starts + last, 0);
  for (std::uint64_t i = begin; i < end; ++i) ++starts[cell_of(dealt[i])];
  std::uint64_t before = begin;
  for (std::uint64_t c = first; c < last; ++c) before += std::exchange(starts[c], before);
  for (std::uint64_t i = begin; i < end; ++i) coordinates[starts[cell_of(dealt[i])]++] = dealt[i];
  // Every start has moved to that of the next cell.
  std::copy_backward(starts + first, starts + last - 1, starts + last);
  starts[first] = begin;
  for (std::uint64_t c = first; c < last; ++c)
    std::sort(coordinates + starts[c], coordinates + (c + 1 < last ? starts[c + 1] : end));
}

void Geometric::draw_points(Context& context, std::uint64_t* coordinates,
                            std::uint64_t* starts) const {
  const auto dealt = std::make_unique_for_overwrite<std::uint64_t[]>(points_);
  const std::vector<std::uint64_t> begins = deal_to_bands(context, dealt.get());
  if (context.stopped()) return;
  for_ranges(context, bands(), 1, [&](std::uint64_t from, std::uint64_t to, int) {
    for (std::uint64_t band = from; band < to; ++band)
      order_band(band, dealt.get(), begins[band], begins[band + 1], coordinates, starts);
  });
  starts[cells()] = points_;
}

template <class Body>
void Geometric::for_each_run(std::uint64_t cell, const std::uint64_t* starts, Body&& body) const {
  const std::uint64_t column = cell % width_;
  const std::uint64_t to_the_right = column + 1 < width_ ? 2 : 1;
  const std::uint64_t right_end = starts[cell + to_the_right];
  // The three cells below are one run of points.
  std::uint64_t below_begin = 0;
  std::uint64_t below_end = 0;
  if (cell + width_ < cells()) {
    below_begin = starts[cell + width_ - (column > 0 ? 1 : 0)];
    below_end = starts[cell + width_ + to_the_right];
  }
  for (std::uint64_t u = starts[cell]; u < starts[cell + 1]; ++u) {
    body(u, u + 1, right_end);
    body(u, below_begin, below_end);
  }
}

std::uint64_t Geometric::count_edges(Context& context, const std::uint64_t* coordinates,
                                     const std::uint64_t* starts,
                                     std::uint64_t* edges_before) const {
  const std::uint64_t limit = radius_ * radius_;
  for_ranges(context, cells(), kCells, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t c = begin; c < end; ++c) {
      std::uint64_t count = 0;
      for_each_run(c, starts, [&](std::uint64_t u, std::uint64_t from, std::uint64_t to) {
        const std::uint64_t here = coordinates[u];
        for (std::uint64_t v = from; v < to; ++v)
          count += squared_distance(here, coordinates[v]) < limit;
      });
      edges_before[c] = count;
    }
  });
  edges_before[cells()] = exclusive_scan(context, edges_before, cells());
  return edges_before[cells()];
}

template <class Vertex>
void Geometric::fill_edges(Context& context, const std::uint64_t* coordinates,
                           const std::uint64_t* starts, const std::uint64_t* edges_before,
                           std::uint64_t first, std::uint64_t last, Vertex* src,
                           Vertex* dst) const {
  const std::uint64_t limit = radius_ * radius_;
  for_ranges(context, last - first, kCells, [&](std::uint64_t begin, std::uint64_t end, int) {
    Vertex close[kAtOnce];
    for (std::uint64_t c = first + begin; c < first + end; ++c) {
      std::uint64_t position = edges_before[c] - edges_before[first];
      for_each_run(c, starts, [&](std::uint64_t u, std::uint64_t from, std::uint64_t to) {
        const std::uint64_t here = coordinates[u];
        // About every third pair is close, which no branch predictor can guess: so every pair is
        // written, and those that are not close are overwritten.
        for (; from < to; from += std::min(kAtOnce, to - from)) {
          const std::uint64_t stop = std::min(from + kAtOnce, to);
          std::size_t close_count = 0;
          for (std::uint64_t v = from; v < stop; ++v) {
            close[close_count] = static_cast<Vertex>(v);
            close_count += squared_distance(here, coordinates[v]) < limit;
          }
          std::fill_n(src + position, close_count, static_cast<Vertex>(u));
          std::copy_n(close, close_count, dst + position);
          position += close_count;
        }
      });
    }
  });
}

template void Geometric::fill_edges(Context&, const std::uint64_t*, const std::uint64_t*,
                                    const std::uint64_t*, std::uint64_t, std::uint64_t,
                                    std::uint32_t*, std::uint32_t*) const;
template void Geometric::fill_edges(Context&, const std::uint64_t*, const std::uint64_t*,
                                    const std::uint64_t*, std::uint64_t, std::uint64_t,
                                    std::uint64_t*, std::uint64_t*) const;

}  // namespace skerry
