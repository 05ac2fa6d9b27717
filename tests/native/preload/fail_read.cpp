// For LD_PRELOAD: makes one read of a file fail with EIO, the k-th from when it is armed, of those
// in a folder with the name "fails".
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

std::atomic<std::int64_t> left{-1};  // reads until the one that fails; negative: none does
std::atomic<std::int64_t> seen{0};

bool fails(int file) {
  char link[64], name[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const auto size = readlink(link, name, sizeof name - 1);
  if (size <= 0) return false;
  name[size] = '\0';
  if (std::strstr(name, "/fails/") == nullptr) return false;
  seen.fetch_add(1);
  if (left.load() < 0 || left.fetch_sub(1) != 0) return false;
  errno = EIO;
  return true;
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Returns how many reads there were since the last call; a negative k: none fails.
extern "C" std::int64_t fail_read(std::int64_t k) {
  left.store(k);
  return seen.exchange(0);
}

extern "C" ssize_t read(int file, void* data, std::size_t size) {
  static const auto next = original<decltype(&read)>("read");
  return fails(file) ? -1 : next(file, data, size);
}

extern "C" ssize_t pread(int file, void* data, std::size_t size, off_t at) {
  static const auto next = original<decltype(&pread)>("pread");
  return fails(file) ? -1 : next(file, data, size, at);
}

extern "C" ssize_t pread64(int file, void* data, std::size_t size, off64_t at) {
  static const auto next = original<decltype(&pread64)>("pread64");
  return fails(file) ? -1 : next(file, data, size, at);
}

extern "C" ssize_t preadv(int file, const iovec* parts, int count, off_t at) {
  static const auto next = original<decltype(&preadv)>("preadv");
  return fails(file) ? -1 : next(file, parts, count, at);
}
