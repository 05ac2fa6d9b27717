// What identifies edges by their content: a sum of hashes that does not depend on their order, so
// that it can be taken in any order, by any number of threads, batches and machines.
//
// Ids are 64-bit words here: integers themselves, texts by their hash. The hash is the same in
// every process: it identifies what a run goes on with, and decides nothing between two ids.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/context.h"
#include "cpu/ids/text_table.h"

namespace skerry {

// Two sums modulo 2^64 of hashes that are independent of each other.
struct ContentSum {
  Word low = 0, high = 0;
};

struct Words {
  const Word* data;
  std::ptrdiff_t step;
};

// The sum over pairs (first[i], second[i]); a pair and its reverse are different.
ContentSum sum_pairs(Context& context, Words first, Words second, std::uint64_t count);

// Writes the hash of each text; false if one lies outside of the data.
bool hash_texts(Context& context, const TextView& texts, Word* hashes);

}  // namespace skerry
