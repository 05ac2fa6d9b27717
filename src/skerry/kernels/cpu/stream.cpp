// See stream.h.
#include "stream.h"

#include <algorithm>

#include "../union_find.h"
#include "memory.h"
#include "team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kBatch = 64;  // 32 and 64 are alike, 256 a tenth slower: 2026-11-15

template <class Id, class Vertex>
void fetch_parents(const EdgeView<Id>& edges, std::uint64_t i, const Vertex* parent) {
  prefetch(parent + edges.source(i));
  prefetch(parent + edges.target(i));
}

template <class Memory, class Id, class Vertex>
class Batch {
 public:
  Batch(const EdgeView<Id>& edges, Vertex* parent) : edges_(edges), parent_(parent) {}

  template <class Tally>
  void join(std::uint64_t begin, std::uint64_t end, Tally& tally) {
    const unsigned apart = to_grandparents(to_parents(begin, end));
    for (unsigned i = 0; i < apart; ++i)
      unite<JumpHalving, Memory>(parent_, up_u_[i], up_v_[i], tally);
  }

 private:
  unsigned to_parents(std::uint64_t begin, std::uint64_t end) {
    unsigned kept = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      fetch_parents(edges_, std::min(i + kBatch, edges_.count - 1), parent_);
      const Vertex u = static_cast<Vertex>(edges_.source(i));
      const Vertex v = static_cast<Vertex>(edges_.target(i));
      keep(kept, u, v, Memory::load(parent_ + u), Memory::load(parent_ + v));
    }
    return kept;
  }

  unsigned to_grandparents(unsigned count) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i) {
      const Vertex top_u = Memory::load(parent_ + up_u_[i]);
      const Vertex top_v = Memory::load(parent_ + up_v_[i]);
      if (top_u != up_u_[i]) Memory::store(parent_ + u_[i], top_u);
      if (top_v != up_v_[i]) Memory::store(parent_ + v_[i], top_v);
      keep(kept, up_u_[i], up_v_[i], top_u, top_v);
    }
    return kept;
  }

  void keep(unsigned& kept, Vertex u, Vertex v, Vertex up_u, Vertex up_v) {
    u_[kept] = u;
    v_[kept] = v;
    up_u_[kept] = up_u;
    up_v_[kept] = up_v;
    prefetch(parent_ + up_u);
    prefetch(parent_ + up_v);
    kept += up_u != up_v;
  }

  const EdgeView<Id>& edges_;
  Vertex* parent_;
  Vertex u_[kBatch], v_[kBatch], up_u_[kBatch], up_v_[kBatch];
};

}  // namespace

template <class Id, class Vertex>
void stream_edges(Context& context, const EdgeView<Id>& edges, Vertex* parent) {
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      for_ranges(context, edges.count, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        Batch<Memory, Id, Vertex> batch(edges, parent);
        for (std::uint64_t i = from; i < std::min(from + kBatch, to); ++i)
          fetch_parents(edges, i, parent);
        for (std::uint64_t i = from; i < to; i += kBatch)
          batch.join(i, std::min(i + kBatch, to), tally);
      });
    });
  });
}

#define SKERRY_INSTANTIATE(Id, Vertex) \
  template void stream_edges(Context&, const EdgeView<Id>&, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint32_t, std::uint64_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
