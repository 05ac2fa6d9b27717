// For LD_PRELOAD: makes one allocation of the module of kernels fail, the k-th from when it is
// armed. Those of Python and of other libraries are left alone: the caller's address decides.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<std::int64_t> left{-1};  // allocations until the one that fails; negative: none does
std::atomic<std::int64_t> seen{0};
std::uintptr_t low = 0, high = 0;  // of the code of the module

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int find_module(dl_phdr_info* info, std::size_t, void*) {
  if (std::strstr(info->dlpi_name, "/_native.") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    low = info->dlpi_addr + part.p_vaddr;
    high = low + part.p_memsz;
  }
  return 1;
}

bool fails(const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (address < low || address >= high) return false;
  seen.fetch_add(1);
  return left.load() >= 0 && left.fetch_sub(1) == 0;
}

void* allocate(std::size_t size, std::size_t alignment, const void* caller) {
  void* memory = nullptr;
  if (!fails(caller)) {
    if (alignment <= alignof(std::max_align_t))
      memory = std::malloc(size == 0 ? 1 : size);
    else if (posix_memalign(&memory, alignment, size == 0 ? 1 : size) != 0)
      memory = nullptr;
  }
  return memory;
}

void* checked(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Returns how many allocations of the module there were since the last call; a negative k: none
// fails.
extern "C" std::int64_t fail_allocation(std::int64_t k) {
  if (low == 0) dl_iterate_phdr(find_module, nullptr);
  left.store(k);
  return low == 0 ? -1 : seen.exchange(0);
}

#define CALLER __builtin_return_address(0)

void* operator new(std::size_t size) {
  return checked(allocate(size, 1, CALLER));
}
void* operator new[](std::size_t size) {
  return checked(allocate(size, 1, CALLER));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 1, CALLER);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 1, CALLER);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, static_cast<std::size_t>(alignment), CALLER));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, static_cast<std::size_t>(alignment), CALLER));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

extern "C" void* mmap(void* at, std::size_t size, int protection, int flags, int file,
                      off_t offset) noexcept {
  static const auto next = original<decltype(&mmap)>("mmap");
  if (fails(CALLER)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next(at, size, protection, flags, file, offset);
}

extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  static const auto next = original<decltype(&posix_memalign)>("posix_memalign");
  return fails(CALLER) ? ENOMEM : next(memory, alignment, size);
}
