// Parallel Rem with splicing by plain stores: see rem.h, also for why the recorded edges suffice.
#include "cpu/published/rem.h"

#include <bit>
#include <type_traits>
#include <utility>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/rounds.h"
#include "cpu/scratch.h"

namespace skerry {

namespace {

// A miss to memory takes about as long as this many edges whose parents are in the cache.
constexpr std::uint64_t kPrefetchAhead = 16;

// One bit an edge. A range of edges begins at a multiple of the word, so no two threads share one.
using Record = ScratchVector<std::uint64_t>;
constexpr std::uint64_t kWord = 64;
static_assert(kGrain % kWord == 0);

// Returns whether it has written anything.
template <class Memory, class Vertex, class Tally>
bool unite_splicing(Vertex* parent, Vertex a, Vertex b, Tally& tally) {
  Vertex above_a = Memory::load(parent + a);
  Vertex above_b = Memory::load(parent + b);
  bool wrote = false;
  while (above_a != above_b) {
    if (above_a < above_b) {
      std::swap(a, b);
      std::swap(above_a, above_b);
    }
    Memory::store(parent + a, above_b);
    wrote = true;
    if (above_a == a) {
      tally.hooked();
      break;
    }
    tally.step();
    a = above_a;
    above_a = Memory::load(parent + a);
  }
  tally.end_find();
  return wrote;
}

template <bool Prefetch, class Memory, class Tally, class Vertex>
void unite_all(Context& context, const EdgeView<Vertex>& edges, Vertex* parent, Record& record) {
  for_ranges(context, edges.count, [&](std::uint64_t begin, std::uint64_t end, int) {
    Tally tally(context);
    for (std::uint64_t i = begin; i < end; ++i) {
      if constexpr (Prefetch) {
        if (i + kPrefetchAhead < edges.count) {
          prefetch(parent + edges.source(i + kPrefetchAhead));
          prefetch(parent + edges.target(i + kPrefetchAhead));
        }
      }
      const bool wrote = unite_splicing<Memory>(parent, edges.source(i), edges.target(i), tally);
      if constexpr (std::is_same_v<Memory, Shared>)
        record[i / kWord] |= std::uint64_t{wrote} << (i % kWord);
    }
  });
}

// Expects every vertex to point to its root. Returns whether a recorded edge had its ends at
// different ones.
template <class Memory, class Tally, class Vertex>
bool unite_recorded(Context& context, const EdgeView<Vertex>& edges, Vertex* parent,
                    const Record& record) {
  return any_change<Tally>(context, record.size(), kGrain / kWord,
                           [&](std::uint64_t word, Tally& tally) {
                             bool changed = false;
                             for (std::uint64_t rest = record[word]; rest != 0; rest &= rest - 1) {
                               const auto bit = static_cast<std::uint64_t>(std::countr_zero(rest));
                               const Vertex u = edges.source(word * kWord + bit);
                               const Vertex v = edges.target(word * kWord + bit);
                               if (Memory::load(parent + u) == Memory::load(parent + v)) continue;
                               unite_splicing<Memory>(parent, u, v, tally);
                               changed = true;
                             }
                             return changed;
                           });
}

template <class Memory, class Tally, class Vertex>
void unite_and_verify(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* parent, bool prefetching) {
  constexpr bool alone = std::is_same_v<Memory, Serial>;
  Record record(alone ? 0 : (edges.count + kWord - 1) / kWord, context.scratch);
  ++context.statistics.rounds;
  if (prefetching) {
    unite_all<true, Memory, Tally>(context, edges, parent, record);
  } else {
    unite_all<false, Memory, Tally>(context, edges, parent, record);
  }
  finish(context, vertices, Finish::single, parent);
  if constexpr (!alone) {
    repeat_rounds(context, [&] {
      const bool changed = unite_recorded<Memory, Tally>(context, edges, parent, record);
      if (changed) finish(context, vertices, Finish::single, parent);
      return changed;
    });
  }
}

}  // namespace

template <class Vertex>
void parallel_rem(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                  Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      unite_and_verify<Memory, Tally>(context, edges, vertices, labels, options.flag("prefetch"));
    });
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                      \
  template void parallel_rem(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, \
                             const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
