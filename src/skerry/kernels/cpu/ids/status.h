// How numbering some ids ended, and what the tables are told when they are made.
#pragma once

#include <cstdint>

#include "common/random.h"

namespace skerry {

enum class Outcome : int {
  done,
  stopped,  // the caller wants no more; what was numbered stays numbered
  no_memory,
  too_many,  // more distinct ids than numbers
  bad_text,  // one that lies outside of its data, or has 2^32 bytes or more
};

// Hashes are keyed, so that nobody can write down ids that collide. A test may keep only some bits
// of every hash, and lower the limit.
struct TableOptions {
  Word seed = 0;
  Word hash_bits = ~Word{0};
  std::uint64_t limit = 0xffffffffu;  // most distinct ids: numbers are 0..limit-1
};

// A number as a slot shows it: one more, for 0 is none yet. Beyond the limit all are the same; the
// caller will be told that there are too many, and until then nobody waits in vain.
inline std::uint32_t published(std::uint64_t number) {
  return number < 0xffffffffu ? static_cast<std::uint32_t>(number + 1) : 0xffffffffu;
}

}  // namespace skerry
