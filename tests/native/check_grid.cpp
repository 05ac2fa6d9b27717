// Runs the labeling of images against an independent oracle, with one thread and with several.
// Built plain and under the sanitizers, where slabs are small.
#include <cstdlib>
#include <limits>
#include <numeric>
#include <random>

#include "cpu/grid/label.h"
#include "harness.h"

namespace {

using skerry::Context;

struct TestImage {
  std::string name;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint8_t> structure;
  std::uint64_t wrap;
  std::vector<std::uint8_t> pixels;
};

std::uint64_t top(std::vector<std::uint64_t>& parent, std::uint64_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

// The neighbor at a step of the structure; the number of pixels if there is none.
std::uint64_t neighbor(const TestImage& image, std::uint64_t pixel, std::uint64_t step) {
  std::uint64_t stride = 1, other = 0;
  for (std::size_t i = image.sizes.size(); i-- > 0; step /= 3) {
    const std::uint64_t size = image.sizes[i];
    const std::uint64_t moved = pixel / stride % size + step % 3;  // one too many
    if ((moved == 0 || moved > size) && (image.wrap >> i & 1) == 0) return image.pixels.size();
    other += (moved + size - 1) % size * stride;
    stride *= size;
  }
  return other;
}

std::vector<std::uint64_t> flood(const TestImage& image, bool equal) {
  std::vector<std::uint64_t> parent(image.pixels.size()), labels(image.pixels.size(), 0);
  std::iota(parent.begin(), parent.end(), 0);
  for (std::uint64_t v = 0; v < parent.size(); ++v) {
    for (std::uint64_t step = 0; step < image.structure.size(); ++step) {
      const std::uint64_t w = image.structure[step] ? neighbor(image, v, step) : parent.size();
      if (w == parent.size() || !image.pixels[v] || !image.pixels[w]) continue;
      if (equal && image.pixels[v] != image.pixels[w]) continue;
      const std::uint64_t a = top(parent, v), b = top(parent, w);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::uint64_t count = 0;
  for (std::uint64_t v = 0; v < parent.size(); ++v) {
    if (!image.pixels[v]) continue;
    const std::uint64_t root = top(parent, v);
    labels[v] = root == v ? ++count : labels[root];
  }
  return labels;
}

// From numbers to the first pixel of each component, and the pixel itself in the background.
std::vector<std::uint64_t> first_pixels(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> first, labels;
  for (std::uint64_t v = 0; v < numbers.size(); ++v) {
    if (numbers[v] > first.size()) first.push_back(v);
    labels.push_back(numbers[v] == 0 ? v : first[numbers[v] - 1]);
  }
  return labels;
}

template <class Label, skerry::Values values>
void check_image(CheckResults& results, const TestImage& image) {
  const bool equal = values == skerry::Values::equal;
  const std::vector<std::uint64_t> numbers = flood(image, equal);
  const std::uint64_t last = *std::max_element(numbers.begin(), numbers.end());
  const skerry::GridShape shape(image.sizes, image.structure.data(), image.wrap);
  const std::uint8_t background = 0;
  const skerry::PixelsOf<std::uint8_t, values> pixels(image.pixels.data(), &background, 0);
  for (const auto kind : {skerry::LabelsAre::numbers, skerry::LabelsAre::pixels}) {
    const bool numbered = kind == skerry::LabelsAre::numbers;
    const std::vector<std::uint64_t> expected = numbered ? numbers : first_pixels(numbers);
    for (const int threads : {1, 2, 5}) {
      Context context(threads, false, nullptr);
      std::vector<Label> labels(image.pixels.size(), std::numeric_limits<Label>::max());
      const std::uint64_t count = label_image(context, shape, pixels, kind, labels.data());
      results.add(count == last && std::equal(labels.begin(), labels.end(), expected.begin()),
                  image.name + (equal ? ", equal values, " : ", ") + std::to_string(threads) +
                      " threads, " + std::to_string(sizeof(Label)) + "-byte labels" +
                      (numbered ? "" : ", first pixels"));
      results.add(context.scratch.current() == 0, "scratch memory of " + image.name);
    }
  }
}

}  // namespace

// check_grid [SIZE]
int main(int argc, char** argv) {
  const std::uint64_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3000;
  CheckResults results;
  std::mt19937 random(1);
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {size}, {size / 70 + 1, 70}, {size / 200 + 1, 5, 40}, {7, size / 420 + 1, 4, 15}, {size, 1}};
  for (const auto& sizes : shapes) {
    std::uint64_t pixels = 1, flags = 1;
    for (const std::uint64_t each : sizes) pixels *= each, flags *= 3;
    for (const unsigned density : {0u, 3u, 5u, 8u, 10u}) {
      for (unsigned kind = 0; kind < 3; ++kind) {  // all neighbors; some; some, and periodic
        TestImage image{std::to_string(sizes.size()) + " axes, density " + std::to_string(density) +
                            ", kind " + std::to_string(kind),
                        sizes, std::vector<std::uint8_t>(flags, 1), kind == 2 ? random() : 0,
                        std::vector<std::uint8_t>(pixels)};
        for (std::uint64_t i = 0; kind != 0 && i <= flags / 2; ++i)
          image.structure[i] = image.structure[flags - 1 - i] = random() % 2 == 0;
        for (auto& pixel : image.pixels) pixel = random() % 10 < density ? 1 + random() % 2 : 0;
        check_image<std::uint32_t, skerry::Values::binary>(results, image);
        check_image<std::uint64_t, skerry::Values::equal>(results, image);
      }
    }
  }
  return results.close();
}
