// Several neighboring words in one access of 16 bytes each, where their place allows it.
#pragma once

#include "common/inline.h"
#include "gpu/types.h"

namespace skerry {

template <class T, u32 count>
struct alignas(16) Words {
  T at[count];
};

// Writes as many words as there are, `most` at most.
template <class T, u32 count>
SKERRY_INLINE void store_words(T* place, const Words<T, count>& words, u64 most) {
  if (most >= count && reinterpret_cast<u64>(place) % 16 == 0) {
    *reinterpret_cast<Words<T, count>*>(place) = words;
    return;
  }
#pragma unroll
  for (u32 k = 0; k < count; ++k) {
    if (k < most) place[k] = words.at[k];
  }
}

}  // namespace skerry
