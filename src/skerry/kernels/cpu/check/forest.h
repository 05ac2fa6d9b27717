// The checker's spanning forest. It shares no step with the kernels that give answers.
//
// Labels are the components of a graph exactly if (1) every edge joins equal labels and (2) the
// vertices of each label are connected. The first is looked up at every edge. For the second, edges
// that join two trees are recorded: a spanning forest. By (1) each label's vertices are whole
// trees, so (2) holds exactly if there are as many trees as labels, n - k edges for k labels.
//
// The trees are those of the textbook union-find, made to be used by several threads: a root is
// hooked below a root of a smaller number with a compare-and-swap, which succeeds for one thread
// only, and walks halve their path. parent <= child always holds and only roots are hooked, so
// there is no circle, and each hook joins two trees that were apart.
//
// On most graphs one tree soon holds nearly all vertices. From time to time its vertices are marked
// in a bitmap, which stays in the caches: an edge between two marked vertices joins equal labels,
// and ends of one tree, so nothing else is looked at.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "cpu/check/access.h"
#include "cpu/context.h"
#include "cpu/ids/pages.h"
#include "cpu/team.h"
#include "cpu/views.h"

namespace skerry::check {

// The first edge that shows labels to be wrong.
enum class Wrong : int { nothing = 0, unknown_end = 1, labels_differ = 2 };
struct Fault {
  Wrong what = Wrong::nothing;
  std::uint64_t row = 0;
};

// How ids of edges become numbers of vertices: by subtraction.
struct Shift {
  std::uint64_t low = 0;     // the id of vertex 0, as a pattern of 64 bits
  bool reject_high = false;  // ids with the highest bit set are unknown: of the other signedness
};

// Room for many items, straight from the system and in huge pages where it can have them: while
// several threads touch new memory for the first time, they wait for each other at every page.
template <class T>
class Room {
 public:
  Room() = default;
  explicit Room(std::uint64_t size) : pages_(size * sizeof(T)) {
    if (size > 0 && !pages_) throw std::bad_alloc();
  }
  T* get() const { return pages_.as<T>(); }
  T& operator[](std::uint64_t i) const { return get()[i]; }

 private:
  Pages pages_;
};

// Positions of edges.
class EdgeList {
 public:
  std::uint64_t size() const { return size_; }
  std::uint64_t* data() const { return items_.get(); }
  const std::uint64_t* begin() const { return items_.get(); }
  const std::uint64_t* end() const { return items_.get() + size_; }

  // Room for `size` edges, which will never be more than `bound`.
  void resize(std::uint64_t size, std::uint64_t bound) {
    if (size > capacity_) {
      const std::uint64_t capacity = std::max(size, std::min(bound, 2 * capacity_));
      Room<std::uint64_t> items(capacity);
      std::copy_n(items_.get(), size_, items.get());
      items_ = std::move(items);
      capacity_ = capacity;
    }
    size_ = size;
  }

 private:
  Room<std::uint64_t> items_;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

template <class Word>
class Forest {
 public:
  static constexpr Word kAbsent = static_cast<Word>(~Word{0});

  // Room for vertices 0..range-1.
  explicit Forest(std::uint64_t range)
      : range_(range),
        nodes_(range),
        loops_(Bits::words(range), 0),
        next_marking_(std::max(range, kMarkFrom)) {}

  std::uint64_t range() const { return range_; }

  // All vertices, with their labels.
  template <class Label>
  void fill(Context& context, const Label* labels) {
    for_each(context, range_, [&](std::uint64_t v) {
      nodes_[v] = {static_cast<Word>(labels[v]), static_cast<Word>(v)};
    });
    present_ = range_;
  }

  // Only the vertices of these ids, all of them in the range. Returns the position of an id that
  // stands there twice, or `count`.
  template <class Label, class Id>
  std::uint64_t fill(Context& context, const Label* labels, const Id* ids, std::uint64_t count,
                     std::uint64_t low) {
    for_each(context, range_, [&](std::uint64_t v) { nodes_[v] = {0, kAbsent}; });
    std::atomic<std::uint64_t> repeated{count};
    for_each(context, count, [&](std::uint64_t i) {
      const std::uint64_t v = pattern(ids[i]) - low;
      Node& node = nodes_[v];
      if (Together::exchange(node.parent, static_cast<Word>(v)) != kAbsent)
        repeated.store(i, std::memory_order_relaxed);
      else
        node.label = static_cast<Word>(labels[i]);
    });
    present_ = count;
    return repeated.load(std::memory_order_relaxed);
  }

  // Checks edges and joins their ends. Edge i is called base + i in the forest, or base +
  // names[i] where there are names.
  template <class Id>
  Fault take(Context& context, const EdgeView<Id>& edges, const Shift& shift, std::uint64_t base,
             const std::uint64_t* names) {
    Fault fault;
    with_access(context.threads, [&]<class Access>() {
      chosen_.assign(Bits::words(edges.count), 0);
      first_fault_ = kNoFault;
      for (std::uint64_t begin = 0; begin < edges.count && !context.stopped();) {
        const std::uint64_t end = begin + std::min(edges.count - begin, next_marking_ - taken_);
        join_edges<Access>(context, edges, shift, begin, end);
        if (first_fault_ != kNoFault) break;
        taken_ += end - begin;
        if (taken_ == next_marking_) mark_largest<Access>(context);
        begin = end;
      }
      fault = fault_found();
      if (fault.what == Wrong::nothing) keep_chosen(context, edges.count, base, names);
    });
    return fault;
  }

  // The same for rows, whose entries are the edges.
  template <class Vertex, class Label>
  Fault take_rows(Context& context, const CsrView<Vertex>& graph, const Label* labels);

  const EdgeList& edges() const { return edges_; }
  EdgeList release_edges() { return std::exchange(edges_, EdgeList{}); }

  struct Trees {
    std::uint64_t count;   // trees
    std::uint64_t labels;  // different labels of their roots, and so of all vertices
  };
  Trees trees(Context& context) const;

  // The first vertex that no edge and no loop has touched, or kNoFault.
  std::uint64_t first_untouched(Context& context) const;

  static constexpr std::uint64_t kNoFault = ~std::uint64_t{0};

 private:
  // Side by side: an edge needs both, and waiting for memory is nearly all of a check.
  struct Node {
    Word label;
    Word parent;
  };

  static constexpr std::uint64_t kMarkFrom = (1 << 16) / kShrink;  // smaller ones stay in caches
  static constexpr unsigned kSamples = 256;

  template <class Id>
  static std::uint64_t pattern(Id id) {
    return static_cast<std::uint64_t>(id);  // extends the sign of signed ids
  }

  template <class Access>
  Word root(Word v) {
    Word up = Access::get(nodes_[v].parent);
    while (up != v) {
      const Word next = Access::get(nodes_[up].parent);
      if (next == up) return up;
      Access::put(nodes_[v].parent, next);
      v = next;
      up = Access::get(nodes_[v].parent);
    }
    return v;
  }

  // Whether u and v were in two trees, which this call has joined.
  template <class Access>
  bool join(Word u, Word v) {
    while (true) {
      u = root<Access>(u);
      v = root<Access>(v);
      if (u == v) return false;
      if (u < v) std::swap(u, v);
      if (Access::template replace<Word>(nodes_[u].parent, u, v)) return true;
    }
  }

  void note(Wrong what, std::uint64_t row) {
    const std::uint64_t code = 2 * row + (what == Wrong::labels_differ ? 1 : 0);
    std::uint64_t seen = Together::get(first_fault_);
    while (code < seen && !Together::replace(first_fault_, seen, code))
      seen = Together::get(first_fault_);
  }
  bool is_late(std::uint64_t row) const { return Together::get(first_fault_) <= 2 * row; }
  Fault fault_found() const {
    if (first_fault_ == kNoFault) return {};
    return {first_fault_ & 1 ? Wrong::labels_differ : Wrong::unknown_end, first_fault_ >> 1};
  }

  // Edges of one thread on their way: the memory of all is asked for before it is used.
  template <class Access>
  class Pipeline {
   public:
    explicit Pipeline(Forest& forest) : forest_(forest) {}
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    void add(std::uint64_t u, std::uint64_t v, std::uint64_t row) {
      fetch_early(&forest_.nodes_[u]);
      fetch_early(&forest_.nodes_[v]);
      pairs_[count_++] = {static_cast<Word>(u), static_cast<Word>(v), row};
      if (count_ == kLength) flush();
    }

    void flush() {
      Node* nodes = forest_.nodes_.get();
      unsigned apart = 0;
      for (unsigned i = 0; i < count_; ++i) {
        const Pair& pair = pairs_[i];
        const Word u_up = Access::get(nodes[pair.u].parent);
        const Word v_up = Access::get(nodes[pair.v].parent);
        if (u_up == kAbsent || v_up == kAbsent) {
          forest_.note(Wrong::unknown_end, pair.row);
        } else if (nodes[pair.u].label != nodes[pair.v].label) {
          forest_.note(Wrong::labels_differ, pair.row);
        } else if (u_up != v_up) {
          fetch_early(&nodes[u_up]);
          fetch_early(&nodes[v_up]);
          pairs_[apart++] = pair;
        } else if (pair.u == pair.v) {
          Bits::set<Access>(forest_.loops_.data(), pair.u);
        }
      }
      unsigned still_apart = 0;
      for (unsigned i = 0; i < apart; ++i) {
        Pair pair = pairs_[i];
        climb(pair.u);
        climb(pair.v);
        if (pair.u == pair.v) continue;
        fetch_early(&nodes[pair.u]);
        fetch_early(&nodes[pair.v]);
        pairs_[still_apart++] = pair;
      }
      for (unsigned i = 0; i < still_apart; ++i)
        if (forest_.template join<Access>(pairs_[i].u, pairs_[i].v))
          Bits::set<Access>(forest_.chosen_.data(), pairs_[i].row);
      count_ = 0;
    }

   private:
    // From a vertex to the parent of its parent, which becomes its parent.
    void climb(Word& v) {
      Node* nodes = forest_.nodes_.get();
      const Word up = Access::get(nodes[v].parent);
      const Word next = Access::get(nodes[up].parent);
      if (next != up) Access::put(nodes[v].parent, next);
      v = next;
    }

    static constexpr unsigned kLength = 64;
    struct Pair {
      Word u;
      Word v;
      std::uint64_t row;
    };
    Forest& forest_;
    unsigned count_ = 0;
    Pair pairs_[kLength];
  };

  template <class Access, class Id>
  void join_edges(Context& context, const EdgeView<Id>& edges, const Shift& shift,
                  std::uint64_t first, std::uint64_t last) {
    const std::uint64_t* marks = marks_.empty() ? nullptr : marks_.data();
    for_ranges(context, last - first, [&](std::uint64_t begin, std::uint64_t end, int) {
      if (is_late(first + begin)) return;
      Pipeline<Access> pipeline(*this);
      for (std::uint64_t i = first + begin; i < first + end; ++i) {
        const std::uint64_t s = pattern(edges.source(i)), t = pattern(edges.target(i));
        const std::uint64_t u = s - shift.low, v = t - shift.low;
        if (u >= range_ || v >= range_ || (shift.reject_high && (s | t) >> 63)) {
          note(Wrong::unknown_end, i);
          break;
        }
        if (marks != nullptr && Bits::get(marks, u) && Bits::get(marks, v)) continue;
        pipeline.add(u, v, i);
      }
      pipeline.flush();
    });
  }

  template <class Access, class Vertex>
  void hook_to_first(Context& context, const CsrView<Vertex>& graph);

  // Marks the vertices of the tree that seems largest, if it is large.
  template <class Access>
  void mark_largest(Context& context) {
    next_marking_ = 2 * taken_;
    if (range_ <= kMarkFrom || marked_ >= present_ - present_ / 64) return;
    const Word tree = sampled_tree<Access>();
    if (tree == kAbsent) return;
    marks_.resize(Bits::words(range_));
    const Word label = nodes_[tree].label;
    std::atomic<std::uint64_t> marked{0};
    for_ranges(
        context, marks_.size(), kGrain / 64, [&](std::uint64_t begin, std::uint64_t end, int) {
          std::uint64_t here = 0;
          for (std::uint64_t w = begin; w < end; ++w) {
            std::uint64_t word = 0;
            const std::uint64_t stop = std::min(64 * w + 64, range_);
            for (std::uint64_t v = 64 * w; v < stop; ++v) {
              const Word up = Access::get(nodes_[v].parent);
              const bool same =
                  up == tree || (up != kAbsent && root<Access>(static_cast<Word>(v)) == tree);
              word |= std::uint64_t{same && nodes_[v].label == label} << (v & 63);
            }
            marks_[w] = word;
            here += static_cast<std::uint64_t>(std::popcount(word));
          }
          marked.fetch_add(here, std::memory_order_relaxed);
        });
    marked_ = marked.load(std::memory_order_relaxed);
  }

  // The tree of at least a quarter of some sampled vertices, or kAbsent.
  template <class Access>
  Word sampled_tree() {
    Word roots[kSamples];
    unsigned count = 0;
    std::uint64_t state = range_;
    for (unsigned i = 0; i < kSamples; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t v = (state >> 20) % range_;
      if (Access::get(nodes_[v].parent) != kAbsent)
        roots[count++] = root<Access>(static_cast<Word>(v));
    }
    return most_frequent(roots, count);
  }

  template <class Value>
  static Value most_frequent(Value* values, unsigned count) {
    std::sort(values, values + count);
    Value best{};
    unsigned longest = 0;
    for (unsigned begin = 0, end = 0; begin < count; begin = end) {
      while (end < count && values[end] == values[begin]) ++end;
      if (end - begin > longest) {
        longest = end - begin;
        best = values[begin];
      }
    }
    return longest > 1 && 4 * longest >= count ? best : static_cast<Value>(~Value{0});
  }

  // Appends the chosen edges, in their order.
  void keep_chosen(Context& context, std::uint64_t count, std::uint64_t base,
                   const std::uint64_t* names) {
    constexpr std::uint64_t kBlock = 1024;
    const std::uint64_t words = Bits::words(count), blocks = (words + kBlock - 1) / kBlock;
    std::vector<std::uint64_t> starts(blocks + 1, edges_.size());
    for_ranges(context, blocks, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t b = begin; b < end; ++b) {
        std::uint64_t here = 0;
        for (std::uint64_t w = b * kBlock; w < std::min(b * kBlock + kBlock, words); ++w)
          here += static_cast<std::uint64_t>(std::popcount(chosen_[w]));
        starts[b + 1] = here;
      }
    });
    for (std::uint64_t b = 0; b < blocks; ++b) starts[b + 1] += starts[b];
    edges_.resize(starts[blocks], present_);
    for_ranges(context, blocks, 1, [&](std::uint64_t begin, std::uint64_t end, int) {
      for (std::uint64_t b = begin; b < end; ++b) {
        std::uint64_t at = starts[b];
        for (std::uint64_t w = b * kBlock; w < std::min(b * kBlock + kBlock, words); ++w)
          for (std::uint64_t word = chosen_[w]; word != 0; word &= word - 1) {
            const std::uint64_t row = 64 * w + static_cast<unsigned>(std::countr_zero(word));
            edges_.data()[at++] = base + (names == nullptr ? row : names[row]);
          }
      }
    });
  }

  std::uint64_t range_;
  std::uint64_t present_ = 0;  // vertices that are there
  Room<Node> nodes_;
  std::vector<std::uint64_t> loops_;  // a bit for each vertex with a loop
  std::vector<std::uint64_t> marks_;  // a bit for each vertex of the largest tree
  std::uint64_t marked_ = 0;
  std::uint64_t taken_ = 0;            // edges so far
  std::uint64_t next_marking_;         // edges after which the largest tree is marked again
  std::vector<std::uint64_t> chosen_;  // a bit for each edge taken that joined two trees
  std::uint64_t first_fault_ = kNoFault;
  EdgeList edges_;  // names of all edges that joined two trees
};

}  // namespace skerry::check

#include "cpu/check/rows.h"
#include "cpu/check/trees.h"
