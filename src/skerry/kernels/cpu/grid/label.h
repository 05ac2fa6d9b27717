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

// What the label of a component is: a number, 1, 2, ... in raster order of their first pixels, and
// 0 for the background; or its first pixel, and for a pixel of the background the pixel itself.
enum class LabelsAre { numbers, pixels };

// Writes labels. Returns how many components there are, without pixels of the background. Needs
// fewer pixels than half the range of Label. A NaN is a fault (Context::add_fault).
template <class Label>
std::uint64_t label_image(Context& context, const GridShape& shape, const Pixels& pixels,
                          LabelsAre kind, Label* labels);

}  // namespace skerry
