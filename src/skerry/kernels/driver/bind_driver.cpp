// Bindings of driver/launch.h and driver/event.h: launches as lists of 64-bit integers.
#include "driver/launch.h"

#include <nanobind/stl/vector.h>

#include "cpu/bind/bind.h"
#include "driver/event.h"

namespace skerry {

namespace {

std::uint64_t word_of(PyObject* number) {
  const std::uint64_t word = PyLong_AsUnsignedLongLong(number);
  if (word == ~std::uint64_t{0} && PyErr_Occurred() != nullptr) throw nb::python_error();
  return word;
}

// Launches one after the other: address, blocks, threads, how many arguments, and these.
std::vector<Launch> read_launches(const nb::list& words) {
  std::vector<Launch> launches;
  const std::size_t total = nb::len(words);
  std::size_t next = 0;
  const auto read = [&]() {
    if (next == total) throw std::invalid_argument("a launch that is cut off");
    return word_of(PyList_GetItem(words.ptr(), static_cast<Py_ssize_t>(next++)));
  };
  while (next != total) {
    Launch& one = launches.emplace_back();
    one.function = read();
    one.blocks = static_cast<unsigned>(read());
    one.threads = static_cast<unsigned>(read());
    one.count = read();
    if (one.function == 0 || one.count > kMostWords)
      throw std::invalid_argument("no kernel, or too many arguments");
    for (std::size_t i = 0; i < one.count; ++i) one.words[i] = read();
  }
  return launches;
}

int launch(Launcher& launcher, std::uintptr_t stream, const nb::list& words) {
  std::vector<Launch> launches = read_launches(words);
  return launcher.launch(launches, reinterpret_cast<void*>(stream));
}

void make_program(Program* at, Launcher& launcher, const nb::list& words, bool early) {
  new (at) Program(launcher, read_launches(words), early);
}

int start(Program& program, std::uintptr_t stream, const std::vector<std::uint64_t>& numbers) {
  return program.start(numbers, reinterpret_cast<void*>(stream));
}

}  // namespace

void bind_launch(nb::module_& module) {
  nb::class_<Launcher>(module, "Launcher")
      .def(nb::init<const std::vector<std::uintptr_t>&>())
      .def("launch", &launch);
  nb::class_<Program>(module, "Program")
      .def("__init__", &make_program, nb::keep_alive<1, 2>())
      .def("start", &start);
  nb::class_<Moment>(module, "Moment").def("seconds_since", &Moment::seconds_since);
  nb::class_<Clock>(module, "Clock")
      .def(nb::init<const std::vector<std::uintptr_t>&>())
      .def("mark", [](const Clock& clock, std::uintptr_t stream) {
        return new Moment(clock.driver(), reinterpret_cast<void*>(stream));
      });
}

}  // namespace skerry
