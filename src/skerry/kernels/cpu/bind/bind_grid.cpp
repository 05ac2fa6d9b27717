// Bindings of grid/.
#include <type_traits>
#include <vector>

#include "cpu/bind/bind.h"
#include "cpu/bind/integers.h"
#include "cpu/grid/label.h"
#include "cpu/grid/measure.h"
#include "cpu/team.h"

namespace skerry {

namespace {

template <class Body>
void by_pixel_type(const Input& pixels, Values values, Body&& body) {
  const auto type = pixels.dtype();
  if (type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float)) {
    if (type.bits == 32) return body.template operator()<float>();
    if (type.bits == 64) return body.template operator()<double>();
    throw std::invalid_argument("not a type of pixels");
  }
  by_integer_type(pixels, [&]<class Integer>() {
    if (values == Values::within) {
      body.template operator()<Integer>();
    } else {  // a sign makes no difference
      body.template operator()<std::make_unsigned_t<Integer>>();
    }
    return nb::object();
  });
}

template <class Label, class Pixel, Values values>
void label_images(Context& context, const GridShape& shape, const Pixel* pixels,
                  const Pixel* background, Pixel delta, LabelsAre are, Label* labels,
                  std::uint64_t* counts, std::uint64_t images) {
  const auto label = [&](Context& part, std::uint64_t image) {
    const PixelsOf<Pixel, values> view(pixels + image * shape.size(), background, delta);
    counts[image] = label_image(part, shape, view, are, labels + image * shape.size());
  };
  if (images < static_cast<std::uint64_t>(context.threads)) {
    for (std::uint64_t i = 0; i < images && context.keep_going(0); ++i) label(context, i);
    return;
  }
  share_ranges(context, images, 1, 1, [&](std::uint64_t image, std::uint64_t, int) {
    Context part(1, false, nullptr);
    label(part, image);
    if (part.faulty()) context.add_fault();
  });
}

GridShape shape_of(const Output& sizes, const Input& structure, std::uint64_t wrap) {
  std::size_t flags = 1;
  for (std::size_t i = 0; i < sizes.shape(0) && i < kMaxAxes; ++i) flags *= 3;
  if (sizes.itemsize() != 8 || structure.itemsize() != 1 || structure.shape(0) != flags ||
      structure.stride(0) != 1)
    throw std::invalid_argument("sizes are 64-bit, and a structure has 3 flags along each axis");
  const auto* const size = write_pointer<std::uint64_t>(sizes);
  return {std::vector<std::uint64_t>(size, size + sizes.shape(0)),
          read_pointer<std::uint8_t>(structure), wrap};
}

}  // namespace

void bind_grid(nb::module_& module) {
  // `background` and `delta` are of the type of the pixels; an empty background: there is none.
  module.def(
      "label_images",
      [](const Input& pixels, const Input& background, const Input& delta, int values,
         const Output& sizes, const Input& structure, std::uint64_t wrap, bool smallest,
         const Output& labels, const Output& counts, int threads) {
        const GridShape shape = shape_of(sizes, structure, wrap);
        const std::uint64_t images = counts.shape(0);
        if (pixels.shape(0) != images * shape.size() || labels.shape(0) != pixels.shape(0) ||
            counts.itemsize() != 8 || background.itemsize() != pixels.itemsize() ||
            delta.itemsize() != pixels.itemsize() || delta.shape(0) != 1 ||
            (pixels.shape(0) > 1 && pixels.stride(0) != 1))
          throw std::invalid_argument("the arrays do not match");
        const auto label = [&]<class Label, class Pixel, Values kind>(Context& context) {
          label_images<Label, Pixel, kind>(
              context, shape, read_pointer<Pixel>(pixels),
              background.shape(0) == 0 ? nullptr : read_pointer<Pixel>(background),
              *read_pointer<Pixel>(delta), smallest ? LabelsAre::pixels : LabelsAre::numbers,
              write_pointer<Label>(labels), write_pointer<std::uint64_t>(counts), images);
        };
        return by_width(labels, [&]<class Label>() {
          return run_native(threads, false, [&](Context& context) {
            const auto kind = static_cast<Values>(values);
            by_pixel_type(pixels, kind, [&]<class Pixel>() {
              if (kind == Values::binary)
                label.template operator()<Label, Pixel, Values::binary>(context);
              if (kind == Values::equal)
                label.template operator()<Label, Pixel, Values::equal>(context);
              if (kind == Values::within)
                label.template operator()<Label, Pixel, Values::within>(context);
            });
          });
        });
      },
      nb::sig("def label_images(pixels: Array, background: Array, delta: Array, values: int, "
              "sizes: Array, structure: Array, wrap: int, smallest: bool, labels: Array, counts: "
              "Array, threads: int, /) -> Report"));
  module.def(
      "measure_labels",
      [](const Input& labels, const Output& sizes, const Output& table) {
        const auto* const size = write_pointer<std::uint64_t>(sizes);
        const std::vector<std::uint64_t> shape(size, size + sizes.shape(0));
        std::uint64_t pixels = 1;
        for (const std::uint64_t each : shape) pixels *= each;
        const std::uint64_t entry = 1 + 3 * shape.size();
        if (sizes.itemsize() != 8 || shape.empty() || pixels != labels.shape(0) ||
            (pixels > 1 && labels.stride(0) != 1) || table.itemsize() != 8 ||
            table.shape(0) % entry != 0)
          throw std::invalid_argument("the arrays do not match");
        by_width(labels, [&]<class Label>() {
          bool right = true;
          run_native(1, false, [&](Context& context) {
            right = measure_labels(context, read_pointer<Label>(labels), shape,
                                   write_pointer<std::int64_t>(table), table.shape(0) / entry);
          });
          if (!right) throw std::invalid_argument("a label that is not in the table");
        });
      },
      nb::sig("def measure_labels(labels: Array, sizes: Array, table: Array, /) -> None"));
}

}  // namespace skerry
