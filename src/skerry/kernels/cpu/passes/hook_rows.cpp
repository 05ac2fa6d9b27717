// Hooking over the rows of a CSR: ECL-CC's compute phase (Jaiganesh & Burtscher 2018, sect. 3) and
// Afforest's neighbor rounds (Sutton, Ben-Nun & Barak 2018).
//
// Departures of ecl: relaxed atomics where the original races; rows are dealt to threads in small
// ranges, the original's in large ones first (schedule=guided).
#include <algorithm>
#include <atomic>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/passes/with_jump.h"
#include "cpu/team.h"

namespace skerry {

namespace {

// Always inlined: left to itself, GCC needs 4 % more instructions.
template <class Jump, class Memory, class Vertex, class Tally>
[[gnu::always_inline]] inline void hook_row(const CsrView<Vertex>& graph, const Rows& rows,
                                            std::uint64_t row, Vertex* parent, Tally& tally) {
  const Vertex v = static_cast<Vertex>(row);
  const std::uint64_t end = graph.offsets[row + 1];
  std::uint64_t e = graph.offsets[row] + rows.first;
  if (e >= end) return;
  if (rows.skip && Memory::load(parent + v) == static_cast<Vertex>(rows.skipped)) return;
  Vertex root = Jump::template find<Memory>(parent, v, tally);
  for (; e < end; ++e) {
    const Vertex u = graph.neighbors[e];
    if (rows.one_direction && u >= v) continue;
    const Vertex other = Jump::template find<Memory>(parent, u, tally);
    root = hook<Memory>(parent, other, root, tally);
  }
}

// As OpenMP's guided schedule: a thread takes its share of what is left, so ranges fall from
// count / threads to one. Calls body for pieces of a range, between which the run can be stopped.
template <class Body>
void for_falling_ranges(Context& context, std::uint64_t count, Body&& body) {
  const std::uint64_t threads = static_cast<std::uint64_t>(std::max(context.threads, 1));
  std::atomic<std::uint64_t> next{0};
  run_team(context.threads, [&](int thread, int) {
    std::uint64_t begin = next.load(std::memory_order_relaxed);
    while (begin < count) {
      const std::uint64_t end = begin + (count - begin + threads - 1) / threads;
      if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) continue;
      for (; begin < end && context.keep_going(thread); begin += std::min(kGrain, end - begin))
        body(begin, std::min(begin + kGrain, end), thread);
      if (context.stopped()) return;
      begin = next.load(std::memory_order_relaxed);
    }
  });
}

}  // namespace

template <class Vertex>
void hook_rows(Context& context, const CsrView<Vertex>& graph, Jump jump, const Rows& rows,
               Vertex* parent) {
  with_jump(jump, [&]<class JumpKind>() {
    with_memory_and_tally(context, [&]<class Memory, class Tally>() {
      const auto hook_range = [&](std::uint64_t begin, std::uint64_t end, int) {
        Tally tally(context);
        for (std::uint64_t v = rows.begin + begin; v < rows.begin + end; ++v)
          hook_row<JumpKind, Memory>(graph, rows, v, parent, tally);
      };
      const std::uint64_t count = std::min(rows.end, graph.vertices) - rows.begin;
      if (rows.guided) {
        for_falling_ranges(context, count, hook_range);
      } else {
        for_parts(context, count, 1 << 10, hook_range);
      }
    });
  });
}

template <class Vertex>
void hook_nth(Context& context, const CsrView<Vertex>& graph, std::uint64_t nth, Vertex* parent) {
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    for_ranges(context, graph.vertices, [&](std::uint64_t begin, std::uint64_t end, int) {
      Tally tally(context);
      for (std::uint64_t v = begin; v < end; ++v) {
        const std::uint64_t e = graph.offsets[v] + nth;
        if (e < graph.offsets[v + 1])
          unite_if_apart<Memory>(parent, static_cast<Vertex>(v), graph.neighbors[e], tally);
      }
    });
  });
}

#define SKERRY_INSTANTIATE(Vertex)                                                       \
  template void hook_rows(Context&, const CsrView<Vertex>&, Jump, const Rows&, Vertex*); \
  template void hook_nth(Context&, const CsrView<Vertex>&, std::uint64_t, Vertex*);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
