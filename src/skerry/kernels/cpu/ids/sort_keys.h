// Sorts 64-bit keys together with their original positions, by a team, moving twelve bytes a key at
// most twice.
//
// A sample sort: splitters from a random sample cut the keys into pieces that fit a core's cache,
// whatever their distribution, as long as most are distinct; a piece is sorted by the 22 uppermost
// bits in which its keys differ, and what these leave tied is compared.
#pragma once

#include <cstdint>

#include "common/random.h"
#include "cpu/context.h"

namespace skerry {

// Writes the keys in ascending order of key ^ flip, and with each its position in `keys`: order[i]
// is where sorted[i] stood. Of equal keys, any may come first. False when memory ran out.
bool sort_keys(Context& context, const Word* keys, std::uint64_t count, Word flip, Word* sorted,
               std::uint32_t* order);

}  // namespace skerry
