// Sweeps over the rows of a graph. See read_rows.h.
#include "cpu/graph/read_rows.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/memory.h"
#include "cpu/team.h"

namespace skerry {

namespace {

constexpr std::uint64_t kRows = 256;

// Calls body(first, last, v) for every v, whose neighbors are [first, last); skips the rest of a
// range of rows when body returns false.
template <class Vertex, class Body>
void for_rows(Context& context, const CsrView<Vertex>& graph, Body&& body) {
  deal_ranges(context, graph.vertices, kRows, [&](std::uint64_t begin, std::uint64_t end, int) {
    for (std::uint64_t v = begin; v < end; ++v)
      if (!body(graph.neighbors + graph.offsets[v], graph.neighbors + graph.offsets[v + 1],
                static_cast<Vertex>(v)))
        return;
  });
}

template <class Vertex>
std::uint64_t upper_of_row(const Vertex* first, const Vertex* last, Vertex v) {
  return static_cast<std::uint64_t>(std::count_if(first, last, [v](Vertex u) { return u > v; }));
}

// before[block] becomes the number of upper entries in the blocks of rows before it.
template <class Vertex>
std::uint64_t count_upper_before(Context& context, const CsrView<Vertex>& graph,
                                 std::vector<std::uint64_t>& before) {
  before.assign((graph.vertices + kRows - 1) / kRows, 0);
  for_rows(context, graph, [&](const Vertex* first, const Vertex* last, Vertex v) {
    before[v / kRows] += upper_of_row(first, last, v);
    return true;
  });
  std::uint64_t total = 0;
  for (std::uint64_t& sum : before) {
    const std::uint64_t here = sum;
    sum = total;
    total += here;
  }
  return total;
}

// Whether no row repeats an entry and as many entries lead up as down. Then the graph is symmetric
// if every entry that leads up has its reverse: none of those that lead down is left over.
template <class Vertex>
bool may_be_mirrored(Context& context, const CsrView<Vertex>& graph) {
  std::atomic<bool> repeats{false};
  std::atomic<std::uint64_t> up{0}, down{0};
  deal_ranges(context, graph.vertices, kRows, [&](std::uint64_t begin, std::uint64_t end, int) {
    std::uint64_t up_here = 0, down_here = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      const Vertex* const first = graph.neighbors + graph.offsets[v];
      const Vertex* const last = graph.neighbors + graph.offsets[v + 1];
      if (std::adjacent_find(first, last) != last) repeats.store(true, std::memory_order_relaxed);
      const Vertex* const middle = std::lower_bound(first, last, static_cast<Vertex>(v));
      down_here += static_cast<std::uint64_t>(middle - first);
      up_here += static_cast<std::uint64_t>(last - middle) - (middle != last && *middle == v);
    }
    up.fetch_add(up_here, std::memory_order_relaxed);
    down.fetch_add(down_here, std::memory_order_relaxed);
  });
  return !repeats.load() && up.load() == down.load();
}

template <class Vertex>
bool has_reverse(const CsrView<Vertex>& graph, Vertex u, Vertex v) {
  if (u == v) return true;
  if (v >= graph.vertices) return false;
  return std::binary_search(graph.neighbors + graph.offsets[v],
                            graph.neighbors + graph.offsets[v + 1], u);
}

// The first entry without a reverse, of all entries or of those that lead up.
template <class Vertex>
std::uint64_t find_one_way(Context& context, const CsrView<Vertex>& graph, bool only_up) {
  std::uint64_t lowest = kNowhere;
  with_memory(context, [&]<class Memory>() {
    for_rows(context, graph, [&](const Vertex* first, const Vertex* last, Vertex u) {
      if (only_up) first = std::upper_bound(first, last, u);
      const Vertex* const one_way =
          std::find_if(first, last, [&](Vertex v) { return !has_reverse(graph, u, v); });
      if (one_way == last) return true;
      Memory::lower(&lowest, static_cast<std::uint64_t>(one_way - graph.neighbors));
      return false;
    });
  });
  return lowest;
}

}  // namespace

template <class Vertex>
void fill_sources(Context& context, const CsrView<Vertex>& graph, Vertex* src) {
  for_rows(context, graph, [&](const Vertex* first, const Vertex* last, Vertex v) {
    std::fill(src + (first - graph.neighbors), src + (last - graph.neighbors), v);
    return true;
  });
}

template <class Vertex>
std::uint64_t count_upper(Context& context, const CsrView<Vertex>& graph) {
  std::vector<std::uint64_t> before;
  return count_upper_before(context, graph, before);
}

template <class Vertex>
bool fill_upper(Context& context, const CsrView<Vertex>& graph, std::uint64_t count, Vertex* src,
                Vertex* dst) {
  std::vector<std::uint64_t> next;
  if (count_upper_before(context, graph, next) != count || context.stopped()) return false;
  for_rows(context, graph, [&](const Vertex* first, const Vertex* last, Vertex v) {
    std::uint64_t& position = next[v / kRows];
    for (; first != last; ++first) {
      if (*first <= v) continue;
      src[position] = v;
      dst[position++] = *first;
    }
    return true;
  });
  return true;
}

template <class Vertex>
bool rows_ascend(Context& context, const CsrView<Vertex>& graph) {
  std::atomic<bool> ascend{true};
  for_rows(context, graph, [&](const Vertex* first, const Vertex* last, Vertex) {
    if (!std::is_sorted(first, last)) ascend.store(false, std::memory_order_relaxed);
    return ascend.load(std::memory_order_relaxed);
  });
  return ascend.load();
}

template <class Vertex>
std::uint64_t first_one_way(Context& context, const CsrView<Vertex>& graph) {
  if (may_be_mirrored(context, graph) && find_one_way(context, graph, true) == kNowhere)
    return kNowhere;
  return find_one_way(context, graph, false);
}

#define SKERRY_INSTANTIATE(Vertex)                                                             \
  template void fill_sources(Context&, const CsrView<Vertex>&, Vertex*);                       \
  template std::uint64_t count_upper(Context&, const CsrView<Vertex>&);                        \
  template bool fill_upper(Context&, const CsrView<Vertex>&, std::uint64_t, Vertex*, Vertex*); \
  template bool rows_ascend(Context&, const CsrView<Vertex>&);                                 \
  template std::uint64_t first_one_way(Context&, const CsrView<Vertex>&);

SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
