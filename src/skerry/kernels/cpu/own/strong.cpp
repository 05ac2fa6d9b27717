#include "cpu/own/strong.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/memory.h"
#include "cpu/own/depth_first.h"
#include "cpu/scratch.h"
#include "cpu/share.h"
#include "cpu/team.h"

namespace skerry {

namespace {

using Word = std::uint64_t;

inline bool is_set(const Word* words, std::uint64_t v) {
  return (words[v / 64] >> (v % 64) & 1) != 0;
}

// Sets a bit; returns whether this call did it.
template <class Memory>
bool set_bit(Word* words, std::uint64_t v) {
  Word* const word = words + v / 64;
  const Word bit = Word{1} << (v % 64);
  for (Word seen = Memory::load(word); (seen & bit) == 0;) {
    const Word before = Memory::compare_and_swap(word, seen, seen | bit);
    if (before == seen) return true;
    seen = before;
  }
  return false;
}

// The component of a pivot, where it is large and the searches are short.
template <class Vertex>
class Giant {
 public:
  Giant(Context& context, const CsrView<Vertex>& graph, Vertex* queue)
      : context_(context),
        graph_(graph),
        queue_(queue),
        words_((graph.vertices + 63) / 64),
        forward_(words_, 0, context.scratch),
        backward_(words_, 0, context.scratch) {}

  // False if there is none, as far as short searches show.
  bool find() {
    const std::uint64_t n = graph_.vertices;
    if (n < kMinVertices || graph_.entries() < n + n / 4) return false;
    const Vertex pivot = frequent_vertex();
    bool reached = false;
    with_memory(context_, [&]<class Memory>() {
      find_predecessors<Memory>(pivot);
      reached = search_forward<Memory>(pivot);
    });
    return reached && search_backward() && kMembers * members_ >= n;
  }

  bool has(std::uint64_t v) const { return is_set(backward_.data(), v); }
  bool reaches(std::uint64_t v) const { return is_set(forward_.data(), v); }
  // How many vertices the component reaches that are not its own, and how many it does not reach.
  std::uint64_t after() const { return reached_ - members_; }
  std::uint64_t others() const { return graph_.vertices - reached_; }

 private:
  // Below, the searches fit into the cache: depth first is 0.8 to 1.7 times as fast, from there on
  // 0.4 to 0.9 times (random, R-MAT and web graphs on a core, 2026-11-19).
  static constexpr std::uint64_t kMinVertices = (1 << 16) / kShrink;
  static constexpr std::uint64_t kMembers = 4;  // a giant has a quarter of the vertices
  static constexpr std::uint64_t kSamples = 1 << 12;
  static constexpr std::uint64_t kAhead = 8;
  // The forward search goes on while levels grow by that, until it has one vertex of so many; while
  // it reaches the pivot again before it has one of so many; and for so many levels.
  static constexpr std::uint64_t kGrowth = 3, kUntil = 32, kReturn = 8;
  static constexpr int kLevels = 32;
  static constexpr std::uint64_t kReadings = 6;  // of the entries, by the backward search

  // Of the targets of some entries, the one whose number of entries times successors is largest.
  Vertex frequent_vertex() const {
    std::vector<Vertex> targets;
    const std::uint64_t step = std::max<std::uint64_t>(graph_.entries() / kSamples, 1);
    for (std::uint64_t e = 0; e < graph_.entries(); e += step) {
      const Vertex target = graph_.neighbor(e);
      if (target < graph_.vertices) targets.push_back(target);
    }
    std::sort(targets.begin(), targets.end());
    Vertex best = 0;
    std::uint64_t best_score = 0, run = 0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      run = i > 0 && targets[i] == targets[i - 1] ? run + 1 : 1;
      const Span row = graph_.row(targets[i]);
      const std::uint64_t score = row.begin < row.end ? run * (row.end - row.begin) : 0;
      if (score > best_score) best_score = score, best = targets[i];
    }
    return best;
  }

  template <class Memory>
  void find_predecessors(Vertex pivot) {
    for_ranges(context_, graph_.entries(), [&](std::uint64_t from, std::uint64_t to, int) {
      for (std::uint64_t e = from; e < to;) {
        constexpr std::uint64_t kBlock = 256;
        const std::uint64_t end = std::min(e + kBlock, to);
        if (std::find(graph_.neighbors + e, graph_.neighbors + end, pivot) ==
            graph_.neighbors + end) {
          e = end;
          continue;
        }
        for (; e < end; ++e) {
          if (graph_.neighbor(e) != pivot) continue;
          const std::uint64_t* const past =
              std::upper_bound(graph_.offsets, graph_.offsets + graph_.vertices, e);
          const std::uint64_t v = static_cast<std::uint64_t>(past - graph_.offsets);
          if (v > 0 && v - 1 != pivot) set_bit<Memory>(backward_.data(), v - 1);
        }
      }
    });
  }

  // Level by level, so that its result, if it gives up too, does not depend on the threads.
  template <class Memory>
  bool search_forward(Vertex pivot) {
    const std::uint64_t n = graph_.vertices;
    std::uint64_t begin = 0, end = 1;
    bool returned = false;
    queue_[0] = pivot;
    set_bit<Memory>(forward_.data(), pivot);
    for (int depth = 0; begin < end; ++depth) {
      const std::uint64_t first = begin, count = end - begin;
      begin = end;
      for_ranges(context_, count, 1 << 10, [&](std::uint64_t from, std::uint64_t to, int) {
        Share<Vertex> level(queue_, &end);
        const std::uint64_t stop = first + to;
        for (std::uint64_t i = first + from; i < stop; ++i) {
          if (i + 2 * kAhead < stop) prefetch(graph_.offsets + queue_[i + 2 * kAhead]);
          if (i + kAhead < stop) prefetch(graph_.neighbors + graph_.bound(queue_[i + kAhead]));
          follow<Memory>(queue_[i], level);
        }
      });
      if (context_.stopped() || depth == kLevels) return false;
      if (kUntil * end < n && end - begin < kGrowth * count) return false;
      if (kReturn * end >= n && !returned && !(returned = count_members() > 0)) return false;
    }
    reached_ = end;
    set_bit<Serial>(backward_.data(), pivot);
    return kMembers * reached_ >= n;
  }

  // Vertices that both searches have.
  std::uint64_t count_members() const {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < words_; ++i)
      count += static_cast<std::uint64_t>(std::popcount(forward_[i] & backward_[i]));
    return count;
  }

  template <class Memory>
  void follow(Vertex v, Share<Vertex>& level) {
    const Span row = graph_.row(v);
    if (row.begin > row.end || row.end > graph_.size) return context_.add_fault();
    for (std::uint64_t e = row.begin; e < row.end; ++e) {
      const Vertex w = graph_.neighbor(e);
      if (w >= graph_.vertices) {
        context_.add_fault();
      } else if (set_bit<Memory>(forward_.data(), w)) {
        level.push(w);
      }
    }
  }

  // Which of the reached vertices reach the pivot: repeatedly those with a successor that does.
  bool search_backward() {
    ScratchVector<Word> next(words_, 0, context_.scratch);
    for (std::uint64_t i = 0; i < words_; ++i) backward_[i] &= forward_[i];
    members_ = count_members();
    const std::uint64_t limit = kReadings * graph_.entries();
    for (std::uint64_t read = 0; read <= limit;) {
      std::uint64_t added = 0;
      for_ranges(context_, words_, kGrain / 64, [&](std::uint64_t from, std::uint64_t to, int) {
        std::uint64_t entries = 0, fresh = 0;
        for (std::uint64_t i = from; i < to; ++i) {
          const Word gained = gain(i, entries);
          fresh += static_cast<std::uint64_t>(std::popcount(gained));
          next[i] = backward_[i] | gained;
        }
        Shared::fetch_add(&read, entries);
        Shared::fetch_add(&added, fresh);
      });
      if (context_.stopped()) return false;
      std::swap(next, backward_);
      members_ += added;
      if (added == 0) return true;
    }
    return false;
  }

  // The vertices of one word that the search gains in a level; adds the entries that it read.
  Word gain(std::uint64_t word, std::uint64_t& entries) const {
    Word gained = 0;
    for (Word left = forward_[word] & ~backward_[word]; left != 0; left &= left - 1) {
      const std::uint64_t bit = static_cast<std::uint64_t>(std::countr_zero(left));
      const std::uint64_t v = 64 * word + bit;
      std::uint64_t e = graph_.bound(v);
      const std::uint64_t end = graph_.bound(v + 1), begin = e;
      for (; e < end; ++e) {
        const std::uint64_t w = graph_.neighbor(e);
        if (w < graph_.vertices && is_set(backward_.data(), w)) {
          gained |= Word{1} << bit;
          break;
        }
      }
      entries += e > begin ? e - begin : 0;
    }
    return gained;
  }

  Context& context_;
  const CsrView<Vertex> graph_;
  Vertex* const queue_;
  const std::uint64_t words_;
  ScratchVector<Word> forward_, backward_;
  std::uint64_t reached_ = 0, members_ = 0;
};

// Numbers what the vertices reach for which is_root(v) is true, and is not outside; returns the
// next number.
template <class Vertex, class IsRoot, class Outside>
std::uint64_t search_from(DepthFirst<Vertex, Outside>&& search, std::uint64_t n, IsRoot is_root) {
  for (std::uint64_t v = 0; v < n; ++v)
    if (is_root(v) && !search.search(v)) break;
  return search.next_number();
}

template <class Vertex>
std::uint64_t search_all(Context& context, const CsrView<Vertex>& graph, Vertex* labels) {
  const std::uint64_t n = graph.vertices;
  const auto none = [](std::uint64_t) { return false; };
  const auto all = [](std::uint64_t) { return true; };
  std::fill_n(labels, n, Vertex{0});
  const std::uint64_t count = search_from<Vertex>(
      DepthFirst<Vertex, decltype(none)>(context, 0, graph, labels, n, 0, none), n, all);
  for_each(context, n,
           [&](std::uint64_t v) { labels[v] = static_cast<Vertex>(kTop<Vertex> - labels[v]); });
  return count;
}

// What the giant component reaches, from 1 on, and at the same time all others, from `offset` on;
// then the giant gets its number between them.
template <class Vertex>
std::uint64_t search_rest(Context& context, const CsrView<Vertex>& graph,
                          const Giant<Vertex>& giant, Vertex* labels) {
  const std::uint64_t n = graph.vertices, offset = giant.after() + 1;
  const auto none = [](std::uint64_t) { return false; };
  const auto reached = [&](std::uint64_t v) { return giant.reaches(v); };
  const auto others = [&](std::uint64_t v) { return !giant.reaches(v); };
  for_each(context, n,
           [&](std::uint64_t v) { labels[v] = giant.has(v) ? kTop<Vertex> : Vertex{0}; });
  std::uint64_t after = 1, end = offset;
  std::atomic<int> next{0}, done{0};
  run_team(std::min(context.threads, 2), [&](int thread, int) {
    for (int task; (task = next.fetch_add(1, std::memory_order_relaxed)) < 2;) {
      if (task == 0) {
        end = search_from<Vertex>(
            DepthFirst<Vertex, decltype(reached)>(context, thread, graph, labels, giant.others(),
                                                  offset, reached),
            n, others);
      } else {
        after = search_from<Vertex>(DepthFirst<Vertex, decltype(none)>(
                                        context, thread, graph, labels, giant.after(), 1, none),
                                    n, reached);
      }
      done.fetch_add(1, std::memory_order_relaxed);
    }
    // The other search has begun, and may take long: only this thread looks for Ctrl-C.
    while (thread == 0 && done.load(std::memory_order_relaxed) < 2 && context.keep_going(0))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  for_each(context, n, [&](std::uint64_t v) {
    const std::uint64_t number = kTop<Vertex> - labels[v];
    labels[v] = static_cast<Vertex>(number == 0       ? after - 1
                                    : number < offset ? number - 1
                                                      : number - offset + after);
  });
  return after + (end - offset);
}

}  // namespace

template <class Vertex>
std::uint64_t strong_components(Context& context, const CsrView<Vertex>& graph, Vertex* labels) {
  Giant<Vertex> giant(context, graph, labels);
  const bool has_giant = giant.find();
  if (context.stopped()) return 0;
  return has_giant ? search_rest(context, graph, giant, labels)
                   : search_all(context, graph, labels);
}

template std::uint64_t strong_components(Context&, const CsrView<std::uint32_t>&, std::uint32_t*);
template std::uint64_t strong_components(Context&, const CsrView<std::uint64_t>&, std::uint64_t*);

}  // namespace skerry
