// Loops that are compiled twice: for every x86-64, and with AVX2, which is chosen at run time. Not
// with 512 bits: some processors (Cascade Lake) then clock all other work of the core down, too, by
// more than the loops take. Not by `target_clones`: Clang has them for no template, and only glibc
// can load them.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <cpuid.h>
#define SKERRY_HAS_AVX2 1  // where the processor has it: see has_avx2
#define SKERRY_LOOP __attribute__((always_inline))
#else
#define SKERRY_HAS_AVX2 0
#define SKERRY_LOOP
#endif

namespace skerry {

#if SKERRY_HAS_AVX2
// Whether the processor has AVX2 and the system saves its registers.
inline bool find_avx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return false;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  constexpr unsigned kVectors = 0b110;  // of 128 and 256 bits
  if ((a & kVectors) != kVectors) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
}

inline const bool has_avx2 = find_avx2();

template <class Loop>
__attribute__((target("avx2"), noinline)) auto with_avx2(const Loop& loop) {
  return loop();
}

// Calls a lambda that is declared SKERRY_LOOP.
template <class Loop>
auto with_widest_vectors(const Loop& loop) {
  return has_avx2 ? with_avx2(loop) : loop();
}
#else
template <class Loop>
auto with_widest_vectors(const Loop& loop) {
  return loop();
}
#endif

}  // namespace skerry
