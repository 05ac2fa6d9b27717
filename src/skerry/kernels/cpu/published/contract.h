// Contraction: the graph whose vertices are the clusters that have an edge to another, and whose
// edges are those between clusters. Edges inside a cluster go, and so do most repeats.
//
// Shun, Dhulipala & Blelloch, "A Simple and Practical Linear-Work Parallel Algorithm for
// Connectivity" (SPAA 2014): CONTRACT.
// Departures: the input is left as it is and its edges are read once more after the decomposition,
// twice in fact, to count and to write; repeats are recognized among the pairs last seen instead
// of in a hash table of all. With contract=hash what is left then goes into such a table, and no
// repeat is kept; a pair of two ids below 2^32 is a word of it, so larger graphs have no table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "cpu/memory.h"
#include "cpu/published/claim.h"
#include "cpu/scan.h"
#include "cpu/scratch.h"
#include "cpu/share.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry {

template <class Vertex>
struct Contracted {
  std::uint64_t vertices = 0;
  Scratch<std::uint64_t> offsets;
  Scratch<Vertex> neighbors;
  Scratch<Vertex> first;   // the old vertex that each new one's cluster is named after
  Scratch<Vertex> number;  // the new vertex of each such old one, else kInvalidVertex

  CsrView<Vertex> view() const {
    return {offsets.get(), neighbors.get(), vertices, offsets[vertices]};
  }
};

// The pairs of clusters last seen, one a slot: a repeat that follows closely is recognized by one
// load. A pair may be overwritten, and then a repeat is kept, which is harmless.
template <class Vertex>
class LastSeen {
 public:
  LastSeen() { std::fill_n(pairs_, kSlots, Pair{kInvalidVertex<Vertex>, kInvalidVertex<Vertex>}); }

  bool is_new(Vertex a, Vertex b) {
    const std::uint64_t hash = (std::uint64_t{a} * 0x9e3779b97f4a7c15u + b) * 0x9e3779b97f4a7c15u;
    Pair& pair = pairs_[hash >> (64 - kSlotBits)];
    if (pair.a == a && pair.b == b) return false;
    pair = {a, b};
    return true;
  }

 private:
  static constexpr int kSlotBits = 10;
  static constexpr std::uint64_t kSlots = std::uint64_t{1} << kSlotBits;
  struct Pair {
    Vertex a, b;
  };
  Pair pairs_[kSlots];
};

// Calls make_sink() once a piece of the entries and sink.add(a, b) for every pair of clusters in
// the piece. Pieces are cut by entries, so that no row is too long for one, and always alike: two
// calls see the same pairs in the same pieces.
template <class Vertex, class MakeSink>
void for_crossing_pairs(Context& context, const CsrView<Vertex>& graph, const Vertex* clusters,
                        MakeSink&& make_sink) {
  for_ranges(context, graph.entries(), 4 * kGrain,
             [&](std::uint64_t begin, std::uint64_t end, int) {
               auto sink = make_sink();
               LastSeen<Vertex> seen;
               const std::uint64_t* above =
                   std::upper_bound(graph.offsets, graph.offsets + graph.vertices + 1, begin);
               auto v = static_cast<std::uint64_t>(above - graph.offsets) - 1;
               for (std::uint64_t e = begin; e < end; ++v) {
                 const Vertex a = clusters[v];
                 for (const std::uint64_t row_end = std::min(graph.offsets[v + 1], end);
                      e < row_end; ++e) {
                   const Vertex b = clusters[graph.neighbors[e]];
                   if (a != b && seen.is_new(a, b)) sink.add(a, b);
                 }
               }
             });
}

// Counts the pairs of each cluster; a run of pairs from one cluster is added at once.
template <class Memory, class Vertex>
class PairCounter {
 public:
  explicit PairCounter(std::uint64_t* counts) : counts_(counts) {}
  PairCounter(const PairCounter&) = delete;
  PairCounter& operator=(const PairCounter&) = delete;
  ~PairCounter() { finish_run(); }

  void add(Vertex a, Vertex) {
    if (a != cluster_) finish_run();
    cluster_ = a;
    ++run_;
  }

 private:
  void finish_run() {
    if (run_ != 0) Memory::fetch_add(counts_ + cluster_, run_);
    run_ = 0;
  }

  std::uint64_t* counts_;
  Vertex cluster_ = kInvalidVertex<Vertex>;
  std::uint64_t run_ = 0;
};

// Writes the pairs to the rows of the new graph, a run at a time for the same reason.
template <class Memory, class Vertex>
class PairWriter {
 public:
  PairWriter(std::uint64_t* cursors, const Contracted<Vertex>& into)
      : cursors_(cursors), into_(into) {}
  PairWriter(const PairWriter&) = delete;
  PairWriter& operator=(const PairWriter&) = delete;
  ~PairWriter() { finish_run(); }

  void add(Vertex a, Vertex b) {
    if (a != cluster_ || run_ == kRun) finish_run();
    cluster_ = a;
    targets_[run_++] = into_.number[b];
  }

 private:
  static constexpr std::uint64_t kRun = 128;

  void finish_run() {
    if (run_ == 0) return;
    const std::uint64_t position = Memory::fetch_add(cursors_ + cluster_, run_);
    std::copy_n(targets_, run_, into_.neighbors.get() + position);
    run_ = 0;
  }

  std::uint64_t* cursors_;
  const Contracted<Vertex>& into_;
  Vertex cluster_ = kInvalidVertex<Vertex>;
  std::uint64_t run_ = 0;
  Vertex targets_[kRun];
};

// A hash table of pairs that threads fill together.
template <class Memory>
class PairTable {
 public:
  PairTable(Context& context, std::uint64_t pairs, std::uint64_t vertices)
      : vertices_(vertices),
        mask_(std::bit_ceil(2 * pairs + 1) - 1),
        slots_(make_scratch<std::uint64_t>(context.scratch, mask_ + 1)) {
    for_each(context, mask_ + 1, [this](std::uint64_t i) { slots_[i] = kEmpty; });
  }

  // Whether the pair is new.
  bool insert(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t pair = a * vertices_ + b;
    for (std::uint64_t i = pair * 0x9e3779b97f4a7c15u >> 20;; ++i) {
      std::uint64_t* const slot = slots_.get() + (i & mask_);
      std::uint64_t seen = Memory::load(slot);
      if (seen == kEmpty) seen = Memory::compare_and_swap(slot, kEmpty, pair);
      if (seen == kEmpty || seen == pair) return seen == kEmpty;
    }
  }

  // Calls body(a, b) for every pair, on a team.
  template <class Body>
  void for_pairs(Context& context, Body&& body) const {
    for_each(context, mask_ + 1, [&](std::uint64_t i) {
      if (slots_[i] != kEmpty) body(slots_[i] / vertices_, slots_[i] % vertices_);
    });
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};  // no pair: its ends would be equal

  std::uint64_t vertices_;
  std::uint64_t mask_;
  Scratch<std::uint64_t> slots_;
};

// Counts the pairs of each cluster that a table does not have yet.
template <class Memory>
struct NewPairCounter {
  PairTable<Memory>& table;
  std::uint64_t* counts;

  template <class Vertex>
  void add(Vertex a, Vertex b) {
    if (table.insert(a, b)) Memory::fetch_add(counts + a, std::uint64_t{1});
  }
};

// Numbers the clusters that have pairs and turns their counts into offsets and cursors.
template <class Vertex>
void number_clusters(Context& context, std::uint64_t vertices, std::uint64_t* counts,
                     Contracted<Vertex>& into) {
  into.first = make_scratch<Vertex>(context.scratch, vertices);
  into.number = make_scratch<Vertex>(context.scratch, vertices);
  for_ranges(context, vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
    Share<Vertex> share(into.first.get(), &into.vertices);
    for (std::uint64_t c = begin; c < end; ++c) {
      into.number[c] = kInvalidVertex<Vertex>;
      if (counts[c] != 0) share.push(static_cast<Vertex>(c));
    }
  });
  into.offsets = make_scratch<std::uint64_t>(context.scratch, into.vertices + 1);
  into.offsets[into.vertices] = 0;
  for_each(context, into.vertices, [&](std::uint64_t i) {
    into.number[into.first[i]] = static_cast<Vertex>(i);
    into.offsets[i] = counts[into.first[i]];
  });
  exclusive_scan(context, into.offsets.get(), into.vertices + 1);
  for_each(context, into.vertices,
           [&](std::uint64_t i) { counts[into.first[i]] = into.offsets[i]; });
}

// `counts` has how many pairs each cluster has, repeats included.
template <class Memory, class Vertex>
Contracted<Vertex> contract_hashed(Context& context, const CsrView<Vertex>& graph,
                                   const Vertex* clusters, std::uint64_t* counts) {
  std::uint64_t pairs = 0;
  for (std::uint64_t v = 0; v < graph.vertices; ++v) pairs += std::exchange(counts[v], 0);
  PairTable<Memory> table(context, pairs, graph.vertices);
  for_crossing_pairs(context, graph, clusters,
                     [&] { return NewPairCounter<Memory>{table, counts}; });
  Contracted<Vertex> smaller;
  if (context.stopped()) return smaller;
  number_clusters(context, graph.vertices, counts, smaller);
  if (context.stopped()) return {};
  smaller.neighbors = make_scratch<Vertex>(context.scratch, smaller.offsets[smaller.vertices]);
  table.for_pairs(context, [&](std::uint64_t a, std::uint64_t b) {
    smaller.neighbors[Memory::fetch_add(counts + a, std::uint64_t{1})] = smaller.number[b];
  });
  if (context.stopped()) return {};
  return smaller;
}

// clusters[v] is the vertex that v's cluster is named after. Without vertices where no edge joins
// two clusters, and where the context was stopped.
template <class Memory, class Vertex>
Contracted<Vertex> contract(Context& context, const CsrView<Vertex>& graph, const Vertex* clusters,
                            bool hashing) {
  Contracted<Vertex> smaller;
  const auto counts = make_scratch<std::uint64_t>(context.scratch, graph.vertices);
  for_each(context, graph.vertices, [&](std::uint64_t v) { counts[v] = 0; });
  for_crossing_pairs(context, graph, clusters,
                     [&] { return PairCounter<Memory, Vertex>(counts.get()); });
  if (context.stopped()) return {};
  if (hashing && graph.vertices >> 32 == 0)
    return contract_hashed<Memory>(context, graph, clusters, counts.get());
  number_clusters(context, graph.vertices, counts.get(), smaller);
  if (context.stopped()) return {};
  smaller.neighbors = make_scratch<Vertex>(context.scratch, smaller.offsets[smaller.vertices]);
  for_crossing_pairs(context, graph, clusters,
                     [&] { return PairWriter<Memory, Vertex>(counts.get(), smaller); });
  if (context.stopped()) return {};
  return smaller;
}

}  // namespace skerry
