// CUDA events, through driver functions whose addresses the caller has looked up. CuPy's events
// need three times as long on the host, and every call records two.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace skerry {

// Driver functions, in the order in which the caller passes their addresses.
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

// An event recorded in a stream: complete when all work submitted before it has run.
class Event {
 public:
  Event(const EventDriver& driver, void* stream) : driver_(driver), stream_(stream) {
    check_event(driver_.create(&event_, 0));
    if (const int status = driver_.record(event_, stream)) {
      driver_.destroy(event_);
      throw DriverError(status);
    }
  }
  Event(const Event&) = delete;
  ~Event() { driver_.destroy(event_); }  // the driver defers this while the event is in use

  // Seconds from another event to this one. Waits for this one.
  double seconds_since(const Event& begin) const {
    float milliseconds = 0;
    check_event(driver_.wait(event_));
    check_event(driver_.elapsed(&milliseconds, begin.event_, event_));
    return double{milliseconds} / 1e3;
  }

  // The driver's handle, for streams that are to wait for this event.
  std::uintptr_t handle() const { return reinterpret_cast<std::uintptr_t>(event_); }

  // The stream that it was recorded in: nothing in it needs to wait for the event.
  std::uintptr_t stream() const { return reinterpret_cast<std::uintptr_t>(stream_); }

 private:
  const EventDriver driver_;
  void* stream_;
  void* event_ = nullptr;
};

class EventRecorder {
 public:
  explicit EventRecorder(const std::vector<std::uintptr_t>& entries) {
    if (entries.size() != sizeof(EventDriver) / sizeof(void*)) throw_no_driver();
    for (const std::uintptr_t address : entries) {
      if (address == 0) throw_no_driver();
    }
    std::memcpy(&driver_, entries.data(), sizeof(EventDriver));
  }

  const EventDriver& driver() const { return driver_; }

 private:
  [[noreturn]] static void throw_no_driver() { throw std::invalid_argument("no driver"); }

  EventDriver driver_{};
};

}  // namespace skerry
