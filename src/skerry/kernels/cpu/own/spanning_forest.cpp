// See spanning_forest.h.
#include "cpu/own/spanning_forest.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "cpu/memory.h"
#include "cpu/own/giant.h"
#include "cpu/own/recording_window.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kLooks = 2;  // neighbors of a vertex that are looked at before the others

template <class Id, class Vertex>
void record_part(Context& context, const EdgeView<Id>& edges, const EdgeNames& names,
                 std::uint64_t first, std::uint64_t last, std::uint64_t vertices,
                 const Members* giant, Vertex* parent, const ForestRecord<Vertex>& record) {
  with_memory(context, [&]<class Memory>() {
    for_ranges(context, last - first, [&](std::uint64_t from, std::uint64_t to, int) {
      RecordingWindow<Memory, Vertex> window(parent, names, record);
      const Members::View inside = giant == nullptr ? Members::View{} : giant->view();
      for (std::uint64_t i = first + from; i < first + to; ++i) {
        const std::uint64_t u = edges.source(i), v = edges.target(i);
        if (u >= vertices || v >= vertices) return context.add_fault();
        const bool wanted = giant == nullptr || !inside.both(u, v);
        window.offer(static_cast<Vertex>(u), static_cast<Vertex>(v), i, wanted);
        if (window.full()) window.join_all();
      }
      window.join_all();
    });
  });
}

// The entries of a row that a pass looks at.
struct Entries {
  std::uint64_t first = 0;  // those before it were joined already
  std::uint64_t count = ~std::uint64_t{0};
  bool one_direction = false;              // only those below their row
  const std::uint64_t* skipped = nullptr;  // the label of vertices whose rows are left out
};

template <class Vertex>
void record_entries(Context& context, const CsrView<Vertex>& graph, const Entries& entries,
                    const Members* giant, Vertex* parent, const ForestRecord<Vertex>& record) {
  with_memory(context, [&]<class Memory>() {
    for_ranges(context, graph.vertices, [&](std::uint64_t from, std::uint64_t to, int) {
      RecordingWindow<Memory, Vertex> window(parent, EdgeNames{}, record);
      const Members::View inside = giant == nullptr ? Members::View{} : giant->view();
      for (std::uint64_t v = from; v < to; ++v) {
        if (entries.skipped != nullptr && Memory::load(parent + v) == *entries.skipped) continue;
        const std::uint64_t begin = graph.bound(v), end = graph.bound(v + 1);
        if (end < begin) return context.add_fault();
        const std::uint64_t length = end - begin;
        const std::uint64_t stop =
            begin + std::min(length, entries.first + std::min(entries.count, length));
        for (std::uint64_t e = begin + std::min(length, entries.first); e < stop; ++e) {
          const Vertex u = graph.neighbor(e);
          if (u >= graph.vertices) return context.add_fault();
          const bool wanted =
              (giant == nullptr || !inside.both(u, v)) && (!entries.one_direction || u < v);
          window.offer(static_cast<Vertex>(v), u, e, wanted);
          if (window.full()) window.join_all();
        }
      }
      window.join_all();
    });
  });
}

// Hooks every vertex below the first smaller of its first neighbors: all are roots, and each is
// written by the thread that has its row, so that there is nothing to walk and nothing to compare.
template <class Vertex>
void link_first(Context& context, const CsrView<Vertex>& graph, Vertex* parent,
                const ForestRecord<Vertex>& record) {
  for_ranges(context, graph.vertices, [&](std::uint64_t from, std::uint64_t to, int) {
    for (std::uint64_t v = from; v < to; ++v) {
      const std::uint64_t begin = graph.bound(v), end = graph.bound(v + 1);
      for (std::uint64_t e = begin; e < std::min(end, begin + kLooks); ++e) {
        const Vertex u = graph.neighbor(e);
        if (u >= v) continue;
        parent[v] = u;
        record.write(static_cast<Vertex>(v), e, static_cast<Vertex>(v), u);
        break;
      }
    }
  });
}

}  // namespace

template <class Id, class Vertex>
void record_edges(Context& context, const EdgeView<Id>& edges, const EdgeNames& names,
                  std::uint64_t vertices, Vertex* parent, const ForestRecord<Vertex>& record) {
  in_stages(context, edges.count, vertices, parent,
            [&](std::uint64_t begin, std::uint64_t end, const Members* giant) {
              record_part(context, edges, names, begin, end, vertices, giant, parent, record);
            });
}

template <class Vertex>
void record_rows(Context& context, const CsrView<Vertex>& graph, bool symmetric, Vertex* parent,
                 const ForestRecord<Vertex>& record) {
  link_first(context, graph, parent, record);
  context.end_phase("link first neighbors");
  finish_ordered(context, graph.vertices, parent);
  context.end_phase("finish in order");
  // As in Afforest, the rows of the largest component are left out, if it is large and each of
  // their entries is in another row too.
  Entries entries;
  std::optional<Members> giant;
  bool is_giant = mark_giant(context, graph.vertices, parent, giant);
  if (!is_giant && graph.entries() > kLooks * graph.vertices) {
    record_entries(context, graph, Entries{.first = 1, .count = 1}, nullptr, parent, record);
    context.end_phase("join second neighbors");
    is_giant = mark_giant(context, graph.vertices, parent, giant);
  }
  std::uint64_t label = 0;
  if (is_giant && symmetric) {
    label = guess_largest(graph.vertices, parent).label;
    entries.skipped = &label;
  } else {
    entries.one_direction = symmetric;
  }
  record_entries(context, graph, entries, giant ? &*giant : nullptr, parent, record);
  context.end_phase("join the other entries");
}

#define SKERRY_INSTANTIATE(Id, Vertex)                                                       \
  template void record_edges(Context&, const EdgeView<Id>&, const EdgeNames&, std::uint64_t, \
                             Vertex*, const ForestRecord<Vertex>&);
SKERRY_INSTANTIATE(std::uint32_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint32_t, std::uint64_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t, std::uint64_t)
#undef SKERRY_INSTANTIATE
template void record_rows(Context&, const CsrView<std::uint32_t>&, bool, std::uint32_t*,
                          const ForestRecord<std::uint32_t>&);
template void record_rows(Context&, const CsrView<std::uint64_t>&, bool, std::uint64_t*,
                          const ForestRecord<std::uint64_t>&);

}  // namespace skerry
