// The groups of Stages and the four algorithms that join them: see stages.h.
#include "cpu/published/stages.h"

#include <algorithm>
#include <bit>

#include "common/permutation.h"
#include "cpu/passes/passes.h"
#include "cpu/published/graft.h"
#include "cpu/published/rounds.h"
#include "cpu/published/scheduled_cc.h"
#include "cpu/published/shiloach_vishkin.h"

namespace skerry {

namespace {

// max(1, q * n), and no more than there are edges; NaN means all of them.
std::uint64_t group_size(const Options& options, std::uint64_t vertices, std::uint64_t edges) {
  const double wanted = options.number("q", 1.0) * static_cast<double>(vertices);
  if (!(wanted < static_cast<double>(edges))) return edges;
  return wanted < 1 ? 1 : static_cast<std::uint64_t>(wanted);
}

// The order in which edges are taken: blocks of consecutive edges, permuted, then the edges that do
// not fill a block. Blocks of one are the paper's permutation; with size 0 the order stays.
class EdgeOrder {
 public:
  EdgeOrder(const Options& options, std::uint64_t edges)
      : size_(options.count("chunk", kDefaultChunk)),
        blocks_(size_ == 0 ? 0 : edges / size_),
        key_(stream_key(std::bit_cast<Word>(options.number("seed", 0)), 0)) {}

  EdgeOrder() : size_(0), blocks_(0), key_(0) {}  // as they are

  // Calls visit(edge) for the edges at the positions begin .. end.
  template <class Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
    std::uint64_t i = begin;
    while (i < std::min(end, blocks_ * size_)) {
      const std::uint64_t shift = permute(key_, blocks_, i / size_) * size_ - i / size_ * size_;
      const std::uint64_t stop = std::min(end, (i / size_ + 1) * size_);
      for (; i < stop; ++i) visit(i + shift);
    }
    for (; i < end; ++i) visit(i);
  }

 private:
  static constexpr std::uint64_t kDefaultChunk = 1024;

  std::uint64_t size_;
  std::uint64_t blocks_;
  Word key_;
};

// All edges in this order.
template <class Vertex>
EdgeCopy<Vertex> permuted(Context& context, const EdgeView<Vertex>& edges, const EdgeOrder& order) {
  EdgeCopy<Vertex> copy(context, edges.count);
  copy.resize(edges.count);
  for_ranges(context, edges.count, [&](std::uint64_t begin, std::uint64_t end, int) {
    order.for_each(begin, end, [&](std::uint64_t edge) {
      copy.set(begin++, edges.source(edge), edges.target(edge));
    });
  });
  return copy;
}

// Adds the edges of positions begin .. end, their ends moved to their components: all of them, or
// those whose ends are in different ones.
template <class Vertex>
void add_edges(const EdgeView<Vertex>& edges, const EdgeOrder& order, std::uint64_t begin,
               std::uint64_t end, bool all, const Vertex* labels, EdgeCopy<Vertex>& group) {
  constexpr std::uint64_t kPiece = 256;
  Vertex sources[kPiece];
  Vertex targets[kPiece];
  for (; begin < end; begin += std::min(kPiece, end - begin)) {
    std::uint64_t open = 0;
    const std::uint64_t stop = std::min(begin + kPiece, end);
    order.for_each(begin, stop, [&](std::uint64_t edge) {
      sources[open] = labels[edges.source(edge)];
      targets[open] = labels[edges.target(edge)];
      open += all || sources[open] != targets[open];
    });
    group.append(sources, targets, open);
  }
}

// join(group) joins the ends of a group's edges in labels; it leaves every vertex at its root,
// which is what the next group's ends are read from.
template <class Vertex, class Join>
void join_groups(Context& context, const EdgeView<Vertex>& edges, const EdgeOrder& order,
                 std::uint64_t vertices, Vertex* labels, const Options& options, Join&& join) {
  const std::uint64_t size = group_size(options, vertices, edges.count);
  const bool all = options.number("drop", 1) == 0;
  EdgeCopy<Vertex> group(context, size);
  for (std::uint64_t done = 0; done < edges.count && !context.stopped(); done += size) {
    group.clear();
    const std::uint64_t count = std::min(size, edges.count - done);
    for_ranges(context, count, [&](std::uint64_t begin, std::uint64_t end, int) {
      add_edges(edges, order, done + begin, done + end, all, labels, group);
    });
    join(group);
  }
}

template <class Vertex, class Join>
void in_stages(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options, Join&& join) {
  init_own(context, vertices, labels);
  const EdgeOrder order(options, edges.count);
  if (!options.flag("permute"))
    return join_groups(context, edges, order, vertices, labels, options, join);
  const EdgeCopy<Vertex> stored = permuted(context, edges, order);
  join_groups(context, stored.view(), EdgeOrder(), vertices, labels, options, join);
}

}  // namespace

template <class Vertex>
void stages_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](const EdgeCopy<Vertex>& group) {
    join_by_grafting(context, group.view(), vertices, labels, options);
  });
}

template <class Vertex>
void stages_sv(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](const EdgeCopy<Vertex>& group) {
    join_by_hooking(context, group.view(), vertices, labels, options);
  });
}

template <class Vertex>
void stages_sv_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                    Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](EdgeCopy<Vertex>& group) {
    join_by_hooking_updt(context, group, vertices, labels, options);
  });
}

template <class Vertex>
void stages_schd(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                 Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](const EdgeCopy<Vertex>& group) {
    join_by_schedule(context, group.view(), vertices, labels, options);
  });
}

#define SKERRY_KERNEL(name, Vertex) \
  template void name(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, const Options&);
#define SKERRY_INSTANTIATE(Vertex)      \
  SKERRY_KERNEL(stages_cc, Vertex)      \
  SKERRY_KERNEL(stages_sv, Vertex)      \
  SKERRY_KERNEL(stages_sv_updt, Vertex) \
  SKERRY_KERNEL(stages_schd, Vertex)
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE
#undef SKERRY_KERNEL

}  // namespace skerry
