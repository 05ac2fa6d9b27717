// Connected components of images of any number of axes, by runs.
//
// He, Chao & Suzuki, "A Run-Based Two-Scan Labeling Algorithm" (2008). Departures: rows are bits,
// 64 pixels to a word; the labels are the parent array, so that no table of runs is needed; a
// component's root is its first pixel, which gives labels in raster order; slabs of rows are united
// by threads of their own, and then with each other by the lock-free hook of union_find.h.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/grid/pixels.h"
#include "cpu/grid/shape.h"

namespace skerry {

// Writes 0 for the background and 1, 2, ... for the components, in raster order of their first
// pixels. Returns how many there are. Needs fewer pixels than half the range of Label.
// A NaN is a fault (Context::add_fault).
template <class Label>
std::uint64_t label_image(Context& context, const GridShape& shape, const Pixels& pixels,
                          Label* labels);

}  // namespace skerry
