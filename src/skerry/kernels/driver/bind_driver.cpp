// Bindings of driver/launch.h and driver/event.h: launches as lists of 64-bit integers.
#include "driver/launch.h"

#include <nanobind/stl/vector.h>

#include <memory>

#include "cpu/bind/bind.h"
#include "driver/event.h"

namespace skerry {

namespace {

std::uint64_t word_of(PyObject* number) {
  const std::uint64_t word = PyLong_AsUnsignedLongLong(number);
  if (word == ~std::uint64_t{0} && PyErr_Occurred() != nullptr) throw nb::python_error();
  return word;
}

// Of each launch: address of the kernel, blocks, threads, number of arguments, the arguments.
std::vector<Launch> read_launches(const nb::list& words) {
  std::vector<Launch> launches;
  const std::size_t total = nb::len(words);
  std::size_t next = 0;
  const auto read = [&]() {
    if (next == total) throw std::invalid_argument("the list of launches is cut off");
    return word_of(PyList_GetItem(words.ptr(), static_cast<Py_ssize_t>(next++)));
  };
  while (next != total) {
    Launch& launch = launches.emplace_back();
    launch.function = read();
    launch.blocks = static_cast<unsigned>(read());
    launch.threads = static_cast<unsigned>(read());
    launch.count = read();
    if (launch.function == 0 || launch.count > kMaxArguments)
      throw std::invalid_argument("no kernel, or too many arguments");
    for (std::size_t i = 0; i < launch.count; ++i) launch.words[i] = read();
  }
  return launches;
}

int launch_now(Launcher& launcher, std::uintptr_t stream, const nb::list& words) {
  std::vector<Launch> launches = read_launches(words);
  return launcher.launch(launches, reinterpret_cast<void*>(stream));
}

void record(RecordedLaunches* self, Launcher& launcher, const nb::list& words, bool dependent) {
  new (self) RecordedLaunches(launcher, read_launches(words), dependent);
}

// The driver's status, and an event before and after the launches: one call instead of three from
// Python.
nb::tuple launch_recorded(RecordedLaunches& recorded, std::uintptr_t stream,
                          const std::vector<std::uint64_t>& values, const EventRecorder& recorder) {
  void* const in = reinterpret_cast<void*>(stream);
  auto begin = std::make_unique<Event>(recorder.driver(), in);
  const int status = recorded.launch(values, in);
  auto end = std::make_unique<Event>(recorder.driver(), in);
  return nb::make_tuple(status, nb::cast(begin.release(), nb::rv_policy::take_ownership),
                        nb::cast(end.release(), nb::rv_policy::take_ownership));
}

}  // namespace

void bind_driver(nb::module_& module) {
  nb::class_<Launcher>(module, "Launcher", "Launches CUDA kernels through driver functions.")
      .def(nb::init<const std::vector<std::uintptr_t>&>(),
           nb::sig("def __init__(self, entries: Sequence[int], /) -> None"))
      .def("launch", &launch_now,
           nb::sig("def launch(self, stream: int, words: list[int], /) -> int"));
  nb::class_<RecordedLaunches>(module, "RecordedLaunches",
                               "A sequence of launches; each run supplies its values.")
      .def("__init__", &record, nb::keep_alive<1, 2>(),
           nb::sig("def __init__(self, launcher: Launcher, words: list[int], dependent: bool, /) "
                   "-> None"))
      .def("launch", &launch_recorded,
           nb::sig("def launch(self, stream: int, values: Sequence[int], recorder: EventRecorder, "
                   "/) -> tuple[int, Event, Event]"));
  nb::class_<Event>(module, "Event", "A CUDA event recorded in a stream.")
      .def("seconds_since", &Event::seconds_since,
           nb::sig("def seconds_since(self, begin: Event, /) -> float"))
      .def_prop_ro("handle", &Event::handle)
      .def_prop_ro("stream", &Event::stream);
  nb::class_<EventRecorder>(module, "EventRecorder",
                            "Records CUDA events through driver functions.")
      .def(nb::init<const std::vector<std::uintptr_t>&>(),
           nb::sig("def __init__(self, entries: Sequence[int], /) -> None"))
      .def(
          "record",
          [](const EventRecorder& recorder, std::uintptr_t stream) {
            return new Event(recorder.driver(), reinterpret_cast<void*>(stream));
          },
          nb::sig("def record(self, stream: int, /) -> Event"));
}

}  // namespace skerry
