// Moments of a stream of a CUDA device, by the driver's own entry points, which the caller has looked
// up: CuPy's events take the host three times as long, and every call takes two (docs/gpu.md).
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace skerry {

// The driver's functions, in the order in which the caller names them.
struct EventDriver {
  int (*create)(void** event, unsigned flags);
  int (*record)(void* event, void* stream);
  int (*wait)(void* event);
  int (*elapsed)(float* milliseconds, void* begin, void* end);
  int (*destroy)(void* event);
};

class DriverError : public std::runtime_error {
 public:
  explicit DriverError(int status)
      : std::runtime_error("the driver gave error " + std::to_string(status) + " for an event") {}
};

inline void check_event(int status) {
  if (status != 0) throw DriverError(status);
}

// When all that was given to a stream before has run.
class Moment {
 public:
  Moment(const EventDriver& driver, void* stream) : driver_(driver) {
    check_event(driver_.create(&event_, 0));
    if (const int status = driver_.record(event_, stream)) {
      driver_.destroy(event_);
      throw DriverError(status);
    }
  }
  Moment(const Moment&) = delete;
  ~Moment() { driver_.destroy(event_); }  // which may still be waited for: the driver knows

  // Seconds from another moment to this one, for which it waits.
  double seconds_since(const Moment& begin) const {
    float milliseconds = 0;
    check_event(driver_.wait(event_));
    check_event(driver_.elapsed(&milliseconds, begin.event_, event_));
    return double{milliseconds} / 1e3;
  }

 private:
  const EventDriver driver_;
  void* event_ = nullptr;
};

// Makes moments.
class Clock {
 public:
  explicit Clock(const std::vector<std::uintptr_t>& entries) {
    if (entries.size() != sizeof(EventDriver) / sizeof(void*)) throw_no_driver();
    for (const std::uintptr_t one : entries) {
      if (one == 0) throw_no_driver();
    }
    std::memcpy(&driver_, entries.data(), sizeof(EventDriver));
  }

  const EventDriver& driver() const { return driver_; }

 private:
  [[noreturn]] static void throw_no_driver() { throw std::invalid_argument("no driver"); }

  EventDriver driver_{};
};

}  // namespace skerry
