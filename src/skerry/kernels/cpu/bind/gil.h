// Giving the interpreter's lock away during native work, and taking it back.
//
// Once the interpreter is ending, Python before 3.14 ends a daemon thread that wants the lock: by
// unwinding its stack, which in C++ frames that may not throw, as in nanobind's, aborts the
// process. Such a thread stays here instead until the process is gone, as from Python 3.14 on.
#pragma once

#include <Python.h>

#include <chrono>
#include <exception>
#include <thread>

namespace skerry {

template <class Take>
void take_gil(Take&& take) {
  try {
    take();
  } catch (...) {  // the unwinding: it must not be left
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

// Calls work() without the lock; throws what it throws.
template <class Work>
void without_gil(Work&& work) {
  PyThreadState* const state = PyEval_SaveThread();
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  take_gil([&] { PyEval_RestoreThread(state); });
  if (error != nullptr) std::rethrow_exception(error);
}

// Checks whether Ctrl-C (or another signal whose handler raises) has arrived.
inline bool interrupted() {
  PyGILState_STATE state;
  take_gil([&] { state = PyGILState_Ensure(); });
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

}  // namespace skerry
