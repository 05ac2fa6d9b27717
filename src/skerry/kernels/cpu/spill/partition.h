// Cutting lists that do not fit in memory into parts that do, a piece of a list at a time. The
// parts of a piece stand side by side and keep its order, so that they can be put back.
#pragma once

#include <cstdint>

#include "common/random.h"
#include "cpu/context.h"

namespace skerry {

// Sorts ids by their bucket, which is a hash of 0 to 8 bits: few buckets are much larger than
// others, whatever the ids are, if all are different. routes[i] is the bucket of ids[i], counts[b]
// the number of ids in bucket b.
void scatter_ids(Context& context, const Word* ids, std::uint64_t count, Word seed, unsigned bits,
                 std::uint8_t* routes, Word* scattered, std::uint64_t* counts);

// Undoes scatter_ids for the numbers of the ids: numbers[i] belongs to the i-th id as they were
// scattered, gathered[i] to the i-th before. Returns false where routes and counts do not agree.
template <class Number>
bool gather_numbers(Context& context, const std::uint8_t* routes, std::uint64_t count,
                    const std::uint64_t* counts, unsigned buckets, const Number* numbers,
                    Number* gathered);

// Sorts edges (two vertices each) by the block of their larger end; blocks are of `block` vertices,
// the last of any size. Returns false where a vertex is in none of them.
template <class Vertex>
bool scatter_edges(Context& context, const Vertex* edges, std::uint64_t count, Vertex block,
                   unsigned blocks, Vertex* scattered, std::uint64_t* counts);

}  // namespace skerry
