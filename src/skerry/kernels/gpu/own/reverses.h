// Whether every entry has its reverse, where the caller has not said so: then only one direction of
// an edge is joined, and the rows of a largest tree are skipped.
//
// Every entry (u, v) adds a hash of the unordered pair if u < v, and subtracts it if u > v. The sum
// is 0 if all entries have their reverses as often as themselves. Else it is 0 with a probability
// of about 2^-64 over the key, which every process draws anew: no input can be prepared to pass. Of
// a graph with repeated entries the sum may not be 0 though each has a reverse; that only costs
// time.
//
// A multiset hash by addition: Clarke et al., "Incremental Multiset Hash Functions and Their
// Application to Memory Integrity Checking" (ASIACRYPT 2003).
#pragma once

#include "common/random.h"
#include "gpu/grid.h"
#include "gpu/own/row_search.h"
#include "gpu/rows.h"

namespace skerry {

SKERRY_INLINE u64 signed_hash(Vertex u, Vertex v, u64 key) {
  if (u == v) return 0;
  const u64 low = u < v ? u : v;
  const u64 high = u < v ? v : u;
  const u64 hash = mix(sizeof(Vertex) == 4 ? (low << 32 | high) ^ key : mix(low ^ key) ^ high);
  return u < v ? hash : u64{0} - hash;
}

// Adds up what all threads of a block have, into a word of the state. By all threads.
SKERRY_INLINE void add_to_state(u64 mine, u64* word) {
  __shared__ u64 sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (u32 distance = kLanes / 2; distance != 0; distance /= 2) {
    mine += __shfl_down_sync(kAllLanes, mine, distance);
  }
  if (lane() == 0 && mine != 0) atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0 && sum != 0) atomicAdd(word, sum);
}

constexpr u32 kSummedEntries = 8;  // one after the other, by a thread

// Adds the entries first, first + 1, ... of a thread; its last row is not before `row`.
SKERRY_INLINE u64 sum_of_entries(const Rows& rows, u64 first, Vertex& row, u64 key) {
  Id ids[kSummedEntries];
#pragma unroll
  for (u32 k = 0; k < kSummedEntries; ++k) {
    if (first + k < rows.entries) ids[k] = rows.neighbors[first + k];
  }
  u64 sum = 0;
  Offset end = 0;  // of the row
#pragma unroll
  for (u32 k = 0; k < kSummedEntries; ++k) {
    const u64 e = first + k;
    if (e >= rows.entries) break;
    if (e >= end) {
      row = row_from(rows, row, e);
      end = rows.offsets[u64{row} + 1];
    }
    sum += signed_hash(row, rows.checked_neighbor(ids[k], row, e), key);
  }
  return sum;
}

// The sum over all entries. Every warp takes one stretch of them, however long their rows are.
SKERRY_INLINE void sum_reverses(const Rows& rows, u64 key) {
  constexpr u64 part = u64{kSummedEntries} * kLanes;
  const u64 parts = (rows.entries + part - 1) / part;
  const u64 own = (parts + warp_count() - 1) / warp_count();
  const u64 begin = warp_number() * own;
  const u64 end = begin + own < parts ? begin + own : parts;
  u64 sum = 0;
  if (begin < end) {
    Vertex row = row_by_warp(rows, begin * part);
    for (u64 i = begin; i < end; ++i) {
      sum += sum_of_entries(rows, i * part + lane() * kSummedEntries, row, key);
    }
  }
  add_to_state(sum, rows.state + kReverseSum);
}

}  // namespace skerry
