// See stream.h.
#include "cpu/own/stream.h"

#include <algorithm>
#include <optional>

#include "common/union_find.h"
#include "cpu/memory.h"
#include "cpu/own/members.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/passes/passes.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kBatch = 64;  // 32 and 64 are alike, 256 a tenth slower: 2026-11-15
constexpr double kGiant = 0.5;        // from this share of a sample on, edges inside are dropped

// The pairs of one piece of the edge list that need a join, and their processing.
template <class Memory, class Vertex>
class Piece {
 public:
  static constexpr std::uint64_t kCapacity = 4096;

  explicit Piece(Vertex* parent) : parent_(parent) {}

  template <class Id>
  void take(const EdgeView<Id>& edges, std::uint64_t from, std::uint64_t to, const Members* giant) {
    size_ = 0;
    for (std::uint64_t i = from; i < to; ++i) {
      const Id u = edges.source(i), v = edges.target(i);
      u_[size_] = static_cast<Vertex>(u);
      v_[size_] = static_cast<Vertex>(v);
      size_ += giant == nullptr || !giant->both(u, v);
    }
    for (std::uint64_t i = 0; i < kBatch; ++i) u_[size_ + i] = v_[size_ + i] = 0;
  }

  template <class Tally>
  void join(Tally& tally) {
    for (std::uint64_t i = 0; i < kBatch; ++i) fetch(u_[i], v_[i]);
    for (std::uint64_t begin = 0; begin < size_; begin += kBatch) {
      const unsigned apart = to_grandparents(to_parents(begin, std::min(begin + kBatch, size_)));
      for (unsigned i = 0; i < apart; ++i)
        unite<JumpHalving, Memory>(parent_, up_u_[i], up_v_[i], tally);
    }
  }

 private:
  void fetch(Vertex u, Vertex v) const {
    prefetch(parent_ + u);
    prefetch(parent_ + v);
  }

  unsigned to_parents(std::uint64_t begin, std::uint64_t end) {
    unsigned kept = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      fetch(u_[i + kBatch], v_[i + kBatch]);
      keep(kept, u_[i], v_[i], Memory::load(parent_ + u_[i]), Memory::load(parent_ + v_[i]));
    }
    return kept;
  }

  unsigned to_grandparents(unsigned count) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i) {
      const Vertex top_u = Memory::load(parent_ + up_u_[i]);
      const Vertex top_v = Memory::load(parent_ + up_v_[i]);
      // The overwritten vertex is not a root, and keeps the same ancestors: see union_find.h.
      if (top_u != up_u_[i]) Memory::store(parent_ + low_u_[i], top_u);
      if (top_v != up_v_[i]) Memory::store(parent_ + low_v_[i], top_v);
      keep(kept, up_u_[i], up_v_[i], top_u, top_v);
    }
    return kept;
  }

  void keep(unsigned& kept, Vertex low_u, Vertex low_v, Vertex up_u, Vertex up_v) {
    low_u_[kept] = low_u;
    low_v_[kept] = low_v;
    up_u_[kept] = up_u;
    up_v_[kept] = up_v;
    fetch(up_u, up_v);
    kept += up_u != up_v;
  }

  Vertex* parent_;
  std::uint64_t size_ = 0;
  Vertex u_[kCapacity + kBatch], v_[kCapacity + kBatch];
  Vertex low_u_[kBatch], low_v_[kBatch], up_u_[kBatch], up_v_[kBatch];
};

template <class Id, class Vertex>
void stream_part(Context& context, const EdgeView<Id>& edges, std::uint64_t begin,
                 std::uint64_t end, const Members* giant, Vertex* parent) {
  with_memory(context, [&]<class Memory>() {
    with_tally(context, [&]<class Tally>() {
      constexpr std::uint64_t kPiece = Piece<Memory, Vertex>::kCapacity;
      for_ranges(context, end - begin, kPiece, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        Piece<Memory, Vertex> piece(parent);
        piece.take(edges, begin + from, begin + to, giant);
        piece.join(tally);
      });
    });
  });
}

}  // namespace

template <class Id, class Vertex>
void stream_edges(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                  Vertex* parent) {
  std::optional<Members> giant;
  std::uint64_t begin = 0, end = std::max<std::uint64_t>(vertices, 1);
  // A stage must be followed by at least as many edges to be worth the flattening.
  while (begin < edges.count && !context.stopped()) {
    if (end > edges.count / 2) end = edges.count;
    stream_part(context, edges, begin, end, giant ? &*giant : nullptr, parent);
    context.end_phase(giant ? "join edges, those in the giant dropped" : "join edges");
    begin = end;
    end *= 2;
    if (begin == edges.count) break;
    const Largest largest = guess_largest(vertices, parent);
    if (largest.share < kGiant) continue;
    if (!giant) giant.emplace(context, vertices);
    with_memory(context, [&]<class Memory>() {
      giant->finish_and_mark(context, parent, static_cast<Vertex>(largest.label),
                             [&](std::uint64_t from, std::uint64_t to) {
                               finish_range<Memory>(from, to, vertices, parent);
                             });
    });
    context.end_phase("flatten, mark the giant");
  }
}

#define SKERRY_INSTANTIATE(Id, Vertex) \
  template void stream_edges(Context&, const EdgeView<Id>&, std::uint64_t, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint32_t, std::uint64_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
