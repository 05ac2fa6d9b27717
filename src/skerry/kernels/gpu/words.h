// Several adjacent words in one access of 16 bytes each, where alignment allows it.
#pragma once

#include "common/inline.h"
#include "gpu/types.h"

namespace skerry {

template <class T, u32 count>
struct alignas(16) Words {
  T at[count];
};

// Writes all words, or the first `limit` of them.
template <class T, u32 count>
SKERRY_INLINE void store_words(T* address, const Words<T, count>& words, u64 limit) {
  if (limit >= count && reinterpret_cast<u64>(address) % 16 == 0) {
    *reinterpret_cast<Words<T, count>*>(address) = words;
    return;
  }
#pragma unroll
  for (u32 k = 0; k < count; ++k) {
    if (k < limit) address[k] = words.at[k];
  }
}

}  // namespace skerry
