// Status codes of numbering, and the options of the tables.
#pragma once

#include <cstdint>

#include "common/random.h"

namespace skerry {

enum class Status : int {
  done,
  stopped,  // the caller was interrupted; numbered ids stay numbered
  no_memory,
  too_many,  // more distinct ids than numbers
  bad_text,  // one that lies outside of its data, or has 2^32 bytes or more
};

// Hashes are keyed, so that colliding ids cannot be prepared in advance. A test may keep only some
// bits of every hash, and lower the limit.
struct TableOptions {
  Word seed = 0;
  Word hash_bits = ~Word{0};
  std::uint64_t limit = 0xffffffffu;  // most distinct ids: numbers are 0..limit-1
};

// What a search writes for an id that has no number; no id has this one.
constexpr std::uint32_t kUnknown = 0xffffffffu;

// A number as stored in a slot: plus one, as 0 means none yet. Numbers beyond the limit are all the
// same: the call will return too_many, and until then no thread waits forever.
inline std::uint32_t published(std::uint64_t number) {
  return number < 0xffffffffu ? static_cast<std::uint32_t>(number + 1) : 0xffffffffu;
}

}  // namespace skerry
