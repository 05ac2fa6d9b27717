// The native module skerry._native. Each bind_*.cpp binds one folder of the kernels.
#include <cstdlib>

#include "cpu/bind/bind.h"
#include "cpu/processor.h"
#include "cpu/team.h"

namespace skerry {
void bind_passes(nb::module_& module);
void bind_kernels(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_open_forest(nb::module_& module);
void bind_exclusive(nb::module_& module);
void bind_ordered_forest(nb::module_& module);
void bind_spanning_forest(nb::module_& module);
void bind_strong(nb::module_& module);
void bind_inputs(nb::module_& module);
void bind_build(nb::module_& module);
void bind_generate(nb::module_& module);
void bind_graph500(nb::module_& module);
void bind_check(nb::module_& module);
void bind_driver(nb::module_& module);
void bind_ids(nb::module_& module);
void bind_text(nb::module_& module);
void bind_adjacency(nb::module_& module);
void bind_cluster(nb::module_& module);
void bind_spill(nb::module_& module);
void bind_grid(nb::module_& module);
}  // namespace skerry

NB_MODULE(_native, module) {
  // Native code takes the interpreter's lock back by PyGILState_Ensure, which knows the main one
  // only: elsewhere the first long call would wait for ever.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    throw skerry::nb::import_error(
        "skerry runs in the main interpreter only, not in a sub-interpreter: use threads, which "
        "run in parallel inside its calls, or processes");
  module.doc() = "CPU kernels of skerry. Internal: use the functions of the package instead.";
  module.def(
      "pool_threads", [] { return skerry::Pool::started(); },
      skerry::nb::sig("def pool_threads() -> int"));
  // os.sched_getaffinity makes a set of them: microseconds a call. 0: not known.
  module.def("allowed_processors", &skerry::allowed_processors,
             skerry::nb::sig("def allowed_processors() -> int"));
  // os.environ raises and catches an exception for a name that is not there: microseconds a call.
  module.def(
      "environment",
      [](const char* name) -> skerry::nb::object {
        const char* const value = std::getenv(name);
        if (value == nullptr) return skerry::nb::none();
        return skerry::nb::steal(PyUnicode_DecodeFSDefault(value));  // as os.environ does
      },
      skerry::nb::sig("def environment(name: str, /) -> str | None"));
  skerry::bind_passes(module);
  skerry::bind_kernels(module);
  skerry::bind_forest(module);
  skerry::bind_open_forest(module);
  skerry::bind_exclusive(module);
  skerry::bind_ordered_forest(module);
  skerry::bind_spanning_forest(module);
  skerry::bind_strong(module);
  skerry::bind_inputs(module);
  skerry::bind_build(module);
  skerry::bind_generate(module);
  skerry::bind_graph500(module);
  skerry::bind_check(module);
  skerry::bind_driver(module);
  skerry::bind_ids(module);
  skerry::bind_text(module);
  skerry::bind_adjacency(module);
  skerry::bind_cluster(module);
  skerry::bind_spill(module);
  skerry::bind_grid(module);
}
