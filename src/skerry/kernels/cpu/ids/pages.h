// Zeroed memory straight from the system, for tables that grow: it goes back as soon as it is
// freed, which an allocator's heap does not promise, and costs nothing before it is touched.
// Requests huge pages for large tables: they are read at random, and address translation would
// otherwise dominate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>

#define SKERRY_MAPS_PAGES
#endif

namespace skerry {

class Pages {
 public:
  Pages() = default;
  // Empty if the allocation fails: data() is nullptr. `spread` is for memory of which only a little
  // will be touched.
  explicit Pages(std::uint64_t bytes, bool spread = false) {
    if (bytes == 0 || bytes > (std::uint64_t{1} << 62)) return;
#ifdef SKERRY_MAPS_PAGES
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
#ifdef MADV_HUGEPAGE
    if (!spread && bytes >= kLarge) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
#else
    void* memory = std::calloc(bytes, 1);
    if (memory == nullptr) return;
#endif
    (void)spread;
    data_ = memory;
    bytes_ = bytes;
  }
  Pages(Pages&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Pages& operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Pages() {
    if (data_ == nullptr) return;
#ifdef SKERRY_MAPS_PAGES
    munmap(data_, bytes_);
#else
    std::free(data_);
#endif
  }

  // Returns the complete pages in [begin, end) to the system; they must not be read again.
  void release(std::uint64_t begin, std::uint64_t end) const {
#ifdef SKERRY_MAPS_PAGES
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (begin < end) madvise(static_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
#else
    (void)begin, (void)end;
#endif
  }

  explicit operator bool() const { return data_ != nullptr; }
  std::uint64_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  static constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;

  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace skerry
