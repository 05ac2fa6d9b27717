// Starts a CUDA kernel through the driver's own entry point, which the caller has looked up: nothing
// here needs CUDA's headers or libraries. Our kernels take 64-bit words only, so a launch is a list of
// numbers. Going through CuPy costs about twice as much, and small graphs are bound by launches.
#include <array>

#include "cpu/bind/bind.h"

namespace skerry {

namespace {

// cuLaunchKernel: function, grid, block, bytes of shared memory, stream, arguments, nothing else.
using Launch = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       void*, void**, void**);

constexpr std::size_t kMostWords = 32;

// The driver's status: 0 if the kernel was started.
int launch_kernel(std::uintptr_t entry, std::uintptr_t function, unsigned blocks, unsigned threads,
                  std::uintptr_t stream, const nb::list& words) {
  const std::size_t count = nb::len(words);
  if (entry == 0 || function == 0 || count > kMostWords)
    throw std::invalid_argument("no kernel, or too many arguments");
  std::array<std::uint64_t, kMostWords> values;
  std::array<void*, kMostWords> places;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = nb::cast<std::uint64_t>(words[i]);
    places[i] = &values[i];
  }
  return reinterpret_cast<Launch>(entry)(reinterpret_cast<void*>(function), blocks, 1, 1, threads,
                                         1, 1, 0, reinterpret_cast<void*>(stream), places.data(),
                                         nullptr);
}

}  // namespace

void bind_launch(nb::module_& module) {
  module.def("launch_kernel", &launch_kernel);
}

}  // namespace skerry
