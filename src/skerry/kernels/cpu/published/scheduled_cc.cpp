// Coordinated scheduling of graft and shortcut: see scheduled_cc.h.
#include "cpu/published/scheduled_cc.h"

#include <algorithm>
#include <vector>

#include "cpu/memory.h"
#include "cpu/passes/passes.h"
#include "cpu/published/rounds.h"
#include "cpu/scratch.h"

namespace skerry {

namespace {

constexpr double kBlockBits = 16;  // 2^16 parents are 256 or 512 KiB: a core's second-level cache
constexpr std::uint64_t kSmallestChunk = 1 << 16;
constexpr std::uint64_t kLargestChunk = 1 << 20;  // bounds the buffers: 24 or 48 MiB a thread

// Below 2^8 vertices a block the counters outgrow what they save; above 31 a narrow id has no bits.
unsigned block_bits(const Options& options) {
  const double wanted = options.number("block_bits", kBlockBits);
  return wanted > 8 ? static_cast<unsigned>(std::min(wanted, 31.0)) : 8;
}

// A chunk has to bring several requests for each cache line of the parents to be worth its order:
// two ends an edge and 16 narrow parents a line make that n / 8 edges for four.
std::uint64_t chunk_size(const Context& context, std::uint64_t edges, std::uint64_t vertices) {
  const std::uint64_t threads = static_cast<std::uint64_t>(std::max(context.threads, 1));
  const std::uint64_t share = (edges + threads - 1) / threads;
  const std::uint64_t wanted = std::clamp(vertices / 8, kSmallestChunk, kLargestChunk);
  return std::max<std::uint64_t>(1, std::min(share, wanted));
}

// One thread's requests, ordered by the block that they fall into.
template <class Vertex>
class Schedule {
 public:
  Schedule(Context& context, std::uint64_t vertices, unsigned bits, std::uint64_t chunk)
      : bits_(bits),
        starts_((vertices >> bits) + 2, context.scratch),
        requests_(make_scratch<Request>(context.scratch, 2 * chunk)),
        answers_(make_scratch<Vertex>(context.scratch, 2 * chunk)) {}

  Vertex* answers() { return answers_.get(); }

  // Calls visit(vertex, payload), block by block, for all that generate(emit) emits. It is called
  // twice, to count and to sort, and must emit the same both times.
  template <class Generate, class Visit>
  void run(Generate&& generate, Visit&& visit) {
    std::fill(starts_.begin(), starts_.end(), 0);
    generate([&](Vertex vertex, Vertex) { ++starts_[(vertex >> bits_) + 1]; });
    for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
    const std::uint64_t count = starts_.back();
    generate([&](Vertex vertex, Vertex payload) {
      requests_[starts_[vertex >> bits_]++] = {vertex, payload};
    });
    for (std::uint64_t i = 0; i < count; ++i) visit(requests_[i].vertex, requests_[i].payload);
  }

 private:
  struct Request {
    Vertex vertex;
    Vertex payload;
  };
  unsigned bits_;
  ScratchVector<std::uint64_t> starts_;
  Scratch<Request> requests_;
  Scratch<Vertex> answers_;
};

// The edges begin .. end in two scheduled sweeps; returns whether anything was grafted. The parents
// may have changed between the sweeps: they are roots of the round's beginning all the same, which
// is all that a graft relies on.
template <class Memory, class Tally, class Vertex>
bool graft_chunk(const EdgeView<Vertex>& edges, std::uint64_t begin, std::uint64_t end,
                 Vertex* parent, bool keep_last, Schedule<Vertex>& schedule, Tally& tally) {
  Vertex* const answers = schedule.answers();
  schedule.run(
      [&](auto&& emit) {
        for (std::uint64_t i = begin; i < end; ++i) {
          const Vertex slot = static_cast<Vertex>(2 * (i - begin));
          emit(edges.source(i), slot);
          emit(edges.target(i), static_cast<Vertex>(slot + 1));
        }
      },
      [&](Vertex vertex, Vertex slot) { answers[slot] = Memory::load(parent + vertex); });
  bool grafted = false;
  schedule.run(
      [&](auto&& emit) {
        for (std::uint64_t slot = 0; slot < 2 * (end - begin); slot += 2) {
          const auto [smaller, larger] = std::minmax(answers[slot], answers[slot + 1]);
          if (smaller != larger) emit(larger, smaller);
        }
      },
      [&](Vertex larger, Vertex smaller) {
        grafted |= graft<Memory>(parent, larger, smaller, keep_last, tally);
      });
  return grafted;
}

}  // namespace

template <class Vertex>
void join_by_schedule(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                      Vertex* parent, const Options& options) {
  const std::uint64_t chunk = chunk_size(context, edges.count, vertices);
  std::vector<Schedule<Vertex>> schedules;
  for (int t = 0; t < std::max(context.threads, 1); ++t)
    schedules.emplace_back(context, vertices, block_bits(options), chunk);
  with_memory_and_tally(context, [&]<class Memory, class Tally>() {
    const auto graft_all = [&](bool keep_last) {
      std::atomic<bool> grafted{false};
      for_ranges(context, edges.count, chunk,
                 [&](std::uint64_t begin, std::uint64_t end, int thread) {
                   Tally tally(context);
                   auto& schedule = schedules[static_cast<std::size_t>(thread)];
                   if (graft_chunk<Memory>(edges, begin, end, parent, keep_last, schedule, tally))
                     grafted.store(true, std::memory_order_relaxed);
                 });
      return grafted.load(std::memory_order_relaxed);
    };
    graft_in_rounds<Memory>(context, vertices, parent, options, graft_all, [] {});
  });
}

template <class Vertex>
void scheduled_cc(Context& context, const EdgeView<Vertex>& edges, std::uint64_t vertices,
                  Vertex* labels, const Options& options) {
  init_own(context, vertices, labels);
  join_by_schedule(context, edges, vertices, labels, options);
}

#define SKERRY_INSTANTIATE(Vertex)                                                          \
  template void scheduled_cc(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*,     \
                             const Options&);                                               \
  template void join_by_schedule(Context&, const EdgeView<Vertex>&, std::uint64_t, Vertex*, \
                                 const Options&);
SKERRY_INSTANTIATE(std::uint32_t)
SKERRY_INSTANTIATE(std::uint64_t)
#undef SKERRY_INSTANTIATE

}  // namespace skerry
