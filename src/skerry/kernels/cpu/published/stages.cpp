// The groups of Stages and the four algorithms that join them: see stages.h.
#include "cpu/published/stages.h"

#include <algorithm>
#include <bit>
#include <utility>

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

// join(group) joins the ends of a group's edges in labels; it leaves every vertex at its root,
// which is what the next group's ends are read from.
template <class Vertex, class Join>
void in_stages(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options, Join&& join) {
  init_own(context, vertices, labels);
  const std::uint64_t size = group_size(options, vertices, edges.count);
  const Word key = stream_key(std::bit_cast<Word>(options.number("seed", 0)), 0);
  EdgeCopy<Vertex> group(context, size);
  for (std::uint64_t done = 0; done < edges.count && !context.stopped(); done += size) {
    group.fill(context, std::min(size, edges.count - done), [&](std::uint64_t i) {
      const std::uint64_t drawn = permute(key, edges.count, done + i);
      return std::pair(labels[edges.source(drawn)], labels[edges.target(drawn)]);
    });
    join(group);
  }
}

}  // namespace

template <class Vertex>
void stages_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](const EdgeCopy<Vertex>& group) {
    join_by_grafting(context, group.view(), vertices, labels);
  });
}

template <class Vertex>
void stages_sv(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
               Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](const EdgeCopy<Vertex>& group) {
    join_by_hooking(context, group.view(), vertices, labels);
  });
}

template <class Vertex>
void stages_sv_updt(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                    Vertex* labels, const Options& options) {
  in_stages(context, edges, vertices, labels, options, [&](EdgeCopy<Vertex>& group) {
    join_by_hooking_updt(context, group, vertices, labels);
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
