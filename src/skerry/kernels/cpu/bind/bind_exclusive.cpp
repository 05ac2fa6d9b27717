// A lock for objects whose calls change several things: one call at a time, and none sees what an
// interrupted one left behind.
//
// Why not in Python: a signal handler may raise between any two instructions there, so a lock may
// stay held, or a flag set, for ever. Here nothing raises between taking the lock and giving it
// back.
#include <atomic>

#include "cpu/bind/bind.h"
#include "cpu/bind/forks.h"

namespace skerry {

namespace {

class Exclusive {
 public:
  explicit Exclusive(nb::object error) : error_(std::move(error)), lock_(new_lock()) {}
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;
  ~Exclusive() { PyThread_free_lock(lock_); }

  nb::object call(nb::handle settle, nb::handle work, nb::args arguments) {
    const Held held(*this);
    repair(settle);
    return invoke(work, arguments);
  }

  nb::object change(nb::handle settle, nb::handle work, nb::args arguments) {
    const Held held(*this);
    repair(settle);
    changing_ = torn_ = true;  // until it is known to have happened
    try {
      nb::object result = invoke(work, arguments);
      changing_ = torn_ = false;
      return result;
    } catch (...) {
      changing_ = false;
      throw;
    }
  }

 private:
  class Held {
   public:
    explicit Held(Exclusive& exclusive) : exclusive_(exclusive) { exclusive.acquire(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() {
      exclusive_.holder_.store(kFree, std::memory_order_relaxed);
      PyThread_release_lock(exclusive_.lock_);
    }

   private:
    Exclusive& exclusive_;
  };

  static PyThread_type_lock new_lock() {
    PyThread_type_lock lock = PyThread_allocate_lock();
    if (lock == nullptr) throw std::bad_alloc();
    return lock;
  }

  static nb::object invoke(nb::handle work, nb::handle arguments) {
    PyObject* const result = PyObject_CallObject(work.ptr(), arguments.ptr());
    if (result == nullptr) throw nb::python_error();
    return nb::steal(result);
  }

  [[noreturn]] void refuse(const char* message) const {
    PyErr_SetString(error_.ptr(), message);
    throw nb::python_error();
  }

  // Other fields than `holder_` are read and written by the holder, or with the interpreter's lock.
  void acquire() {
    const unsigned long self = PyThread_get_thread_ident();
    if (holder_.load(std::memory_order_relaxed) == self)
      refuse("this object is in use by the call that a signal interrupted");
    if (forks_ != fork_count()) begin_in_child();
    if (lost_)
      refuse(
          "another thread was changing this object when the process forked, so here it is "
          "incomplete: make a new one, or fork while no thread uses it");
    if (PyThread_acquire_lock(lock_, NOWAIT_LOCK) == 0) wait();
    holder_.store(self, std::memory_order_relaxed);
  }

  void wait() {
    for (;;) {
      PyThreadState* const state = PyEval_SaveThread();
      const PyLockStatus status = PyThread_acquire_lock_timed(lock_, -1, 1);
      take_gil([&] { PyEval_RestoreThread(state); });
      if (status == PY_LOCK_ACQUIRED) return;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  // The thread that held the lock at the fork does not exist here.
  void begin_in_child() {
    lock_ = new_lock();  // the old one may be held, and must not be freed then
    lost_ = changing_;
    changing_ = false;
    holder_.store(kFree, std::memory_order_relaxed);
    torn_ = true;
    forks_ = fork_count();
  }

  void repair(nb::handle settle) {
    if (!torn_) return;
    invoke(settle, nb::tuple());
    torn_ = false;
  }

  static constexpr unsigned long kFree = 0;

  nb::object error_;
  PyThread_type_lock lock_;
  std::atomic<unsigned long> holder_{kFree};
  unsigned forks_ = fork_count();
  bool changing_ = false;
  bool torn_ = false;
  bool lost_ = false;
};

}  // namespace

void bind_exclusive(nb::module_& module) {
  nb::class_<Exclusive>(
      module, "Exclusive",
      "One call at a time. After a change that raised, `settle` is called before anything else is.")
      .def(nb::init<nb::object>(), nb::sig("def __init__(self, error: type[Exception], /) -> None"))
      .def("call", &Exclusive::call, nb::arg("settle"), nb::arg("work"), nb::arg("arguments"),
           nb::sig("def call(self, settle: Callable[[], None], work: Callable[..., T], /, "
                   "*arguments: Any) -> T"))
      .def("change", &Exclusive::change, nb::arg("settle"), nb::arg("work"), nb::arg("arguments"),
           nb::sig("def change(self, settle: Callable[[], None], work: Callable[..., T], /, "
                   "*arguments: Any) -> T"));
}

}  // namespace skerry
