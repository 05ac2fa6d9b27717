// "trace": skerry's algorithm for small graphs, on one thread.
//
// Searches from the smallest vertex that has no label yet, which becomes the label of all that it
// reaches. Where the labels lie in a core's cache a search costs less than union-find, which waits
// for mispredicted branches: whether a neighbor is new is as good as random, so each is written to
// the queue in any case, and the queue grows by one or none.
#include <algorithm>

#include "cpu/memory.h"
#include "cpu/own/check_rows.h"
#include "cpu/own/kernels.h"
#include "cpu/own/prefetch_at.h"
#include "cpu/pacer.h"

namespace skerry {

namespace {

// Goes on with the search from `start` at row `next` of its queue, up to row `stop`; returns the
// queue's new size. Not inlined, and without a call: the loop needs all registers (15 %).
template <class Vertex>
[[gnu::noinline]] std::uint64_t search_rows(const CsrView<Vertex>& graph, Vertex start,
                                            std::uint64_t next, std::uint64_t stop,
                                            std::uint64_t size, Vertex* label, Vertex* queue) {
  constexpr std::uint64_t kAhead = 8;
  const std::uint64_t* const offsets = graph.offsets;
  const Vertex* const neighbors = graph.neighbors;
  const Vertex n = static_cast<Vertex>(graph.vertices);
  for (; next < size && next < stop; ++next) {
    if (next + 2 * kAhead < size) {
      prefetch(offsets + queue[next + 2 * kAhead]);
      prefetch_at(neighbors, look(offsets + queue[next + kAhead]));
    }
    const Vertex v = queue[next];
    const std::uint64_t end = graph.bound(v + 1);
    for (std::uint64_t e = look(offsets + v); e < end; ++e) {
      const Vertex u = look(neighbors + e);
      if (u >= n) [[unlikely]]
        continue;
      queue[size] = u;
      size += label[u] != start;
      label[u] = start;
    }
  }
  return size;
}

// Labels what can be reached from `start`; false once the kernel is to return.
template <class Vertex>
bool search(Pacer& pacer, const CsrView<Vertex>& graph, Vertex start, Vertex* label,
            Vertex* queue) {
  constexpr std::uint64_t kPace = 4096;
  label[start] = start;
  queue[0] = start;
  std::uint64_t size = 1;
  for (std::uint64_t next = 0; next < size; next += kPace) {
    size = search_rows(graph, start, next, next + kPace, size, label, queue);
    if (!pacer.go(std::min(kPace, size - next))) return false;
  }
  return true;
}

}  // namespace

template <class Vertex>
void trace(Context& context, const CsrView<Vertex>& graph, Vertex* label, const Options&) {
  const std::uint64_t n = graph.vertices;
  const Vertex none = static_cast<Vertex>(~Vertex{0});
  std::fill_n(label, n, none);
  const auto queue = make_scratch<Vertex>(context.scratch, n + 1);  // one is written in vain
  Pacer pacer(context);
  for (std::uint64_t v = 0; v < n; ++v) {
    if (label[v] != none) continue;
    const Vertex start = static_cast<Vertex>(v);
    if (graph.degree(v) == 0) {
      label[v] = start;
    } else if (!search(pacer, graph, start, label, queue.get())) {
      return;
    }
  }
  RowCheck<Vertex> check(context, graph);
  check.rows(0, n);  // they are in the cache now
  check.end();
  context.end_phase("search");
}

template void trace(Context&, const CsrView<std::uint32_t>&, std::uint32_t*, const Options&);
template void trace(Context&, const CsrView<std::uint64_t>&, std::uint64_t*, const Options&);

}  // namespace skerry
