// See stream.h.
#include "cpu/own/stream.h"

#include <algorithm>
#include <atomic>

#include "common/union_find.h"
#include "cpu/graph/inputs.h"
#include "cpu/memory.h"
#include "cpu/own/giant.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kBatch = 64;  // 32 and 64 are alike, 256 a tenth slower: 2026-11-15

// Counts the hooks alone: they cost nothing beside the joins, and are how many trees were joined.
class HookTally {
 public:
  explicit HookTally(Context& context) : context_(context) {}
  HookTally(const HookTally&) = delete;
  HookTally& operator=(const HookTally&) = delete;
  ~HookTally() {
    if (part_.hooks != 0) context_.add(part_);
  }

  void step() {}
  void end_find() {}
  void hooked() { ++part_.hooks; }

 private:
  Context& context_;
  Statistics part_;
};

// The pairs of one piece of the edge list that need a join, and their processing.
template <class Memory, class Vertex>
class Piece {
 public:
  static constexpr std::uint64_t kCapacity = 4096;

  explicit Piece(Vertex* parent) : parent_(parent) {}

  // Returns false where an end is no vertex; then no edge is taken. It is always noticed of edges
  // that are kept; of those that are dropped, or whose ids are narrowed, if `checking`.
  template <class Id>
  bool take(const EdgeView<Id>& edges, std::uint64_t from, std::uint64_t to, std::uint64_t vertices,
            const Members* giant, bool checking) {
    size_ =
        giant == nullptr
            ? take_if(edges, from, to, [](std::uint64_t, std::uint64_t) { return true; })
            : take_if(edges, from, to, [inside = giant->view()](std::uint64_t u, std::uint64_t v) {
                return !inside.both(u, v);
              });
    const Vertex limit = static_cast<Vertex>(vertices);
    bool right = all_below(u_, size_, limit) && all_below(v_, size_, limit);
    if (checking && (giant != nullptr || sizeof(Id) > sizeof(Vertex)))  // they are in the cache now
      right &= all_vertices(edges.src, edges.src_step, from, to, vertices) &&
               all_vertices(edges.dst, edges.dst_step, from, to, vertices);
    if (!right) size_ = 0;
    for (std::uint64_t i = 0; i < kBatch; ++i) u_[size_ + i] = v_[size_ + i] = 0;
    return right;
  }

  // Whether one of the edges that were taken is a loop.
  bool has_loop() const {
    bool any = false;
    for (std::uint64_t i = 0; i < size_; ++i) any |= u_[i] == v_[i];
    return any;
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
  template <class Id>
  static bool all_vertices(const Id* column, std::ptrdiff_t step, std::uint64_t from,
                           std::uint64_t to, std::uint64_t vertices) {
    if (vertices > static_cast<Id>(~Id{0})) return true;
    const Id* id = column + static_cast<std::ptrdiff_t>(from) * step;
    if (step == 1) return all_below(id, to - from, static_cast<Id>(vertices));
    Id highest = 0;
    for (std::uint64_t i = from; i < to; ++i, id += step) highest = std::max(highest, *id);
    return highest < vertices;
  }

  // Copies edges, and returns how many. Nothing here may be out of bounds: the ids are not checked.
  template <class Id, class Wanted>
  std::uint64_t take_if(const EdgeView<Id> edges, std::uint64_t from, std::uint64_t to,
                        const Wanted wanted) {
    std::uint64_t size = 0;
    for (std::uint64_t i = from; i < to; ++i) {
      const Id u = edges.source(i), v = edges.target(i);
      u_[size] = static_cast<Vertex>(u);
      v_[size] = static_cast<Vertex>(v);
      size += wanted(u, v);
    }
    return size;
  }

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
                 std::uint64_t end, std::uint64_t vertices, const Members* giant, Readers readers,
                 Vertex* parent, std::atomic<bool>* looped = nullptr) {
  with_memory_for(context, readers, [&]<class Memory>() {
    const auto join_all = [&]<class Tally>() {
      constexpr std::uint64_t kPiece = Piece<Memory, Vertex>::kCapacity;
      for_ranges(context, end - begin, kPiece, [&](std::uint64_t from, std::uint64_t to, int) {
        Tally tally(context);
        Piece<Memory, Vertex> piece(parent);
        if (!piece.take(edges, begin + from, begin + to, vertices, giant, context.checking))
          context.add_fault();
        if (looped != nullptr && piece.has_loop()) looped->store(true, std::memory_order_relaxed);
        piece.join(tally);
      });
    };
    if (context.counting) {
      join_all.template operator()<Counting>();
    } else {
      join_all.template operator()<HookTally>();
    }
  });
}

}  // namespace

template <class Id, class Vertex>
void stream_edges(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                  Vertex* parent) {
  in_stages(context, edges.count, vertices, parent,
            [&](std::uint64_t begin, std::uint64_t end, const Members* giant) {
              stream_part(context, edges, begin, end, vertices, giant, Readers::none, parent);
            });
}

template <class Id, class Vertex>
std::uint64_t BatchJoiner::join(Context& context, const EdgeView<Id>& edges, std::uint64_t vertices,
                                Vertex* parent, std::atomic<bool>* looped) {
  if (vertices != vertices_) {  // a bit of the bitmap may stand for vertices that are new
    giant_.reset();
    vertices_ = vertices;
    seen_ = 0;
    next_ = std::max<std::uint64_t>(vertices, 1);
  }
  std::uint64_t begin = 0;
  while (begin < edges.count && !context.stopped()) {
    if (seen_ >= next_) {
      // If the run was stopped, half of the marks may be of another component than the rest.
      if (mark_giant(context, vertices, Readers::some, parent, giant_, home_) && context.stopped())
        giant_.reset();
      next_ = 2 * seen_;
    }
    const std::uint64_t end = begin + std::min(edges.count - begin, next_ - seen_);
    stream_part(context, edges, begin, end, vertices, giant_ ? &*giant_ : nullptr, Readers::some,
                parent, looped);
    if (context.stopped()) break;
    seen_ += end - begin;
    begin = end;
  }
  return begin;
}

#define SKERRY_INSTANTIATE(Id, Vertex)                                                            \
  template void stream_edges(Context&, const EdgeView<Id>&, std::uint64_t, Vertex*);              \
  template std::uint64_t BatchJoiner::join(Context&, const EdgeView<Id>&, std::uint64_t, Vertex*, \
                                           std::atomic<bool>*);
SKERRY_INSTANTIATE(std::uint32_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint32_t, std::uint64_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
