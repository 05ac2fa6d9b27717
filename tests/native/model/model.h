// An exhaustive search of what a few threads can do with one small parent array.
//
// A state is, for each thread, where it is in its call (paths.h), what memory holds, and which
// tasks are left. A thread without a task begins any that is left, so all ways to share them out
// and all their orders are searched. What can follow a state is searched once.
//
// Memory, by Order:
// - kOneOrder: every access sees the last write (sequential consistency).
// - kRelaxed: what C++ allows relaxed atomics, without load buffering (RC11: no cycle of program
//   order and reads-from). The writes of a word stand in one order. A load returns any that is not
//   older than what its thread has read or written there. A store goes anywhere after that. A
//   successful compare-and-swap comes right after the write that it has read, with nothing between;
//   a failed one is a load. Writes of different words are not ordered at all.
// - kCached: the same, and a cached load returns any value that the word has had since the threads
//   began, even one older than what its thread has read: more than the GPU's L1 does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "paths.h"

namespace model {

constexpr unsigned kThreads = 3;  // at most
constexpr unsigned kWrites = 18;  // of a word that a thread may still read, at most

enum class Order : std::uint8_t { kOneOrder, kRelaxed, kCached };

// Calls that one thread makes in turn, each with what the one before has returned.
struct Task {
  std::vector<std::pair<Function, unsigned>> calls;  // and their vertices
  unsigned carried = 0;                              // by the first
  unsigned group = 0;  // of the tasks of a group one is done: an edge, either way round
};

struct Problem {
  Order order;
  unsigned vertices;
  unsigned threads;
  bool labels;  // whether each word must be the label of its vertex at the end
  std::uint8_t parent[kVertices];
  std::uint8_t truth[kVertices];  // canonical labels
  std::vector<Task> tasks;
};

// How many ways lead on from the states that were searched, by 128 bits of hash.
class Known {
 public:
  struct Entry {
    std::uint64_t key[2] = {0, 0};
    double ways = 0;
  };
  // The entry of a state; a new one has the key 0.
  Entry& operator[](const Entry& wanted) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = wanted.key[0] & mask;; i = (i + 1) & mask)
      if (table_[i].key[1] == 0 || std::memcmp(table_[i].key, wanted.key, 16) == 0)
        return table_[i];
  }
  void put(const Entry& entry) {
    if (2 * ++size_ > table_.size()) {
      std::vector<Entry> old(2 * table_.size());
      old.swap(table_);
      for (const Entry& each : old)
        if (each.key[1] != 0) (*this)[each] = each;
    }
    (*this)[entry] = entry;
  }
  std::size_t size() const { return size_; }

 private:
  std::vector<Entry> table_ = std::vector<Entry>(1 << 10);
  std::size_t size_ = 0;
};

class Search {
 public:
  explicit Search(Paths& paths) : paths_(paths) {}

  // Returns the number of schedules: all ways to share out the tasks, to interleave and to read,
  // up to the names of threads. Then `wrong` says what is wrong, if anything, at the end of
  // `trace`.
  double run(const Problem& problem) {
    problem_ = &problem;
    known_ = {};
    trace.clear();
    wrong = "";
    State state;
    std::memset(&state, 0, sizeof state);
    for (unsigned v = 0; v < problem.vertices; ++v) {
      state.writes[v] = 1;
      state.word[v][0] = problem.parent[v];
      state.ever[v] = static_cast<std::uint8_t>(1u << problem.parent[v]);
    }
    for (const Task& task : problem.tasks) state.left |= 1u << task.group;
    return from(state);
  }
  std::size_t states() const { return known_.size(); }

  struct Event {
    unsigned task;
    Node node;
    unsigned value;  // returned
  };
  std::string wrong;
  std::vector<Event> trace;

 private:
  static constexpr std::uint8_t kSwapped = 0x80;  // the next write has swapped this one

  struct Thread {
    std::uint16_t node;
    std::uint8_t task;  // its number, plus 1; 0: none
    std::uint8_t call;
    std::uint8_t oldest[kVertices];  // of each word, the first write that it may still read
    std::uint8_t zero;
  };
  struct State {
    std::uint16_t left;            // groups of tasks
    std::uint8_t ever[kVertices];  // a bit for each value that the word has had
    std::uint8_t writes[kVertices];
    std::uint8_t word[kVertices][kWrites];
    Thread thread[kThreads];
    std::uint8_t zero[4];
  };
  static_assert(sizeof(State) % 8 == 0, "hashed in words");
  static_assert(sizeof(State) == 2 + kVertices * (kWrites + 2) + 10 * kThreads + 4, "no padding");

  double from(State& state) {
    tidy(state);
    Known::Entry entry = hash(state);
    const Known::Entry& known = known_[entry];
    if (known.key[1] != 0) return known.ways;
    bool ended = true;
    for (unsigned t = 0; t < problem_->threads && wrong.empty(); ++t) {
      const Thread& thread = state.thread[t];
      if (thread.task != 0) {
        ended = false;
        entry.ways += step(state, t);
      } else if (t == 0 || std::memcmp(&thread, &thread - 1, sizeof thread) != 0) {
        ended = ended && state.left == 0;
        entry.ways += begin(state, t);
      }
    }
    if (ended) entry.ways = check_end(state);
    known_.put(entry);
    return entry.ways;
  }

  // Begins each task that is left. Its first access comes with it: that it began is not seen.
  double begin(const State& state, unsigned t) {
    double ways = 0;
    for (unsigned i = 0; i < problem_->tasks.size() && wrong.empty(); ++i) {
      const Task& task = problem_->tasks[i];
      if ((state.left >> task.group & 1) == 0) continue;
      State next = state;
      Thread& thread = next.thread[t];
      next.left = static_cast<std::uint16_t>(next.left & ~(1u << task.group));
      thread.task = static_cast<std::uint8_t>(i + 1);
      thread.node = paths_.root(task.calls[0].first, task.calls[0].second, task.carried);
      ways += step(next, t);
    }
    return ways;
  }

  // Makes the next access of a thread in each possible way.
  double step(const State& state, unsigned t) {
    const Thread& thread = state.thread[t];
    const Node& node = paths_[thread.node];
    if (node.what == What::end) return go_on(state, t, node, 0);
    if (node.what != What::access) return fail(kFaults[static_cast<int>(node.what)]);
    const bool one_order = problem_->order == Order::kOneOrder;
    const unsigned v = node.word, end = state.writes[v];
    const unsigned oldest = one_order ? end - 1u : thread.oldest[v];
    double ways = 0;
    if (node.access == Access::store) {
      for (unsigned at = oldest + 1; at <= end; ++at)
        if ((state.word[v][at - 1] & kSwapped) == 0) ways += write(state, t, node, at, node.first);
    } else if (node.access == Access::cached_load && problem_->order == Order::kCached) {
      for (unsigned value = 0; value <= v; ++value)
        if (state.ever[v] >> value & 1) ways += go_on(state, t, node, value);
    } else {
      for (unsigned at = oldest; at < end; ++at) ways += read(state, t, node, at);
    }
    return ways;
  }

  double read(const State& state, unsigned t, const Node& node, unsigned at) {
    const unsigned value = state.word[node.word][at] & ~kSwapped & 0xff;
    State next = state;
    if (node.access == Access::compare_and_swap && value == node.first) {
      if (value != state.word[node.word][at]) return 0;  // another has swapped this write
      next.word[node.word][at] |= kSwapped;
      return write(next, t, node, at + 1, node.second);
    }
    next.thread[t].oldest[node.word] = static_cast<std::uint8_t>(at);
    return go_on(next, t, node, value);
  }

  // Puts a write before the one that was number `at`.
  double write(State next, unsigned t, const Node& node, unsigned at, unsigned value) {
    const unsigned v = node.word;
    if (value > v) return fail("a parent is larger than its vertex");
    if (problem_->truth[value] != problem_->truth[v]) return fail("joins what no edge joins");
    const std::uint8_t* const writes = next.word[v];
    if (value == v && std::any_of(writes, writes + next.writes[v],
                                  [v](unsigned each) { return (each & ~kSwapped & 0xff) != v; }))
      return fail("a hooked vertex becomes a root");
    if (next.writes[v] == kWrites) return fail("more writes than the model holds");
    for (unsigned i = next.writes[v]++; i > at; --i) next.word[v][i] = next.word[v][i - 1];
    for (unsigned i = 0; i < problem_->threads; ++i)
      next.thread[i].oldest[v] += next.thread[i].oldest[v] >= at;
    next.word[v][at] = static_cast<std::uint8_t>(value);
    next.ever[v] |= static_cast<std::uint8_t>(1u << value);
    next.thread[t].oldest[v] = static_cast<std::uint8_t>(at);
    return go_on(next, t, node, node.access == Access::store ? 0 : node.first);
  }

  // After an access that has returned a value. Vertex 0 is its own parent always, so accesses to
  // its word are made at once: no other order could be seen.
  double go_on(State next, unsigned t, const Node& access, unsigned value) {
    Thread& thread = next.thread[t];
    trace.push_back({thread.task - 1u, access, value});
    if (access.what == What::access) thread.node = access.next[value];
    while (thread.task != 0) {
      const Node& node = paths_[thread.node];
      if (node.what == What::end) {
        if (!end_call(thread, node.first)) return fail("returns a vertex of another tree");
      } else if (node.what == What::access && node.word == 0 &&
                 node.access != Access::compare_and_swap) {
        if (node.first != 0) return fail("vertex 0 gets a parent");
        thread.node = node.next[0];
      } else {
        break;
      }
    }
    const double ways = from(next);
    if (wrong.empty()) trace.pop_back();
    return ways;
  }

  bool end_call(Thread& thread, unsigned result) {
    const Task& task = problem_->tasks[thread.task - 1u];
    const unsigned vertex = task.calls[thread.call].second;
    if (result >= problem_->vertices || problem_->truth[result] != problem_->truth[vertex])
      return false;
    if (++thread.call < task.calls.size()) {
      const auto& [function, next] = task.calls[thread.call];
      thread.node = paths_.root(function, next, result);
    } else {
      thread.node = thread.task = thread.call = 0;
    }
    return true;
  }

  // Makes states equal that differ by nothing that can matter: writes that no thread can read any
  // more, and names of threads.
  void tidy(State& state) const {
    const auto end = state.thread + problem_->threads;
    for (unsigned v = 0; v < problem_->vertices; ++v) {
      unsigned first = state.writes[v] - 1u;
      for (Thread* thread = state.thread; thread != end; ++thread) {
        if (problem_->order == Order::kOneOrder || (thread->task == 0 && state.left == 0)) {
          thread->oldest[v] = kNone;
        } else if (thread->oldest[v] < first) {
          first = thread->oldest[v];
        }
      }
      for (Thread* thread = state.thread; thread != end; ++thread)
        thread->oldest[v] -= thread->oldest[v] == kNone ? kNone : first;
      state.writes[v] -= first;
      std::memmove(state.word[v], state.word[v] + first, state.writes[v]);
      std::memset(state.word[v] + state.writes[v], 0, kWrites - state.writes[v]);
      if (problem_->order != Order::kCached) state.ever[v] = 0;
    }
    std::sort(state.thread, end,
              [](const Thread& a, const Thread& b) { return std::memcmp(&a, &b, sizeof a) < 0; });
  }

  static Known::Entry hash(const State& state) {
    Known::Entry entry;
    std::uint64_t words[sizeof state / 8], a = 1, b = 2;
    std::memcpy(words, &state, sizeof state);
    for (const std::uint64_t word : words) {
      a = (a ^ word) * 0x9e3779b97f4a7c15u, a ^= a >> 29;
      b = (b + word) * 0xc2b2ae3d27d4eb4fu, b ^= b >> 31;
    }
    entry.key[0] = a;
    entry.key[1] = b | 1;
    return entry;
  }

  double check_end(const State& state) {
    for (unsigned v = 0; v < problem_->vertices; ++v) {
      const auto parent = [&](unsigned u) { return state.word[u][state.writes[u] - 1u]; };
      unsigned root = parent(v);
      if (problem_->labels && root != problem_->truth[v]) return fail("a label is not the root");
      while (parent(root) != root) root = parent(root);
      if (root != problem_->truth[v]) return fail("a tree is not joined");
    }
    return 1;
  }

  double fail(const char* why) {
    if (wrong.empty()) wrong = why;
    return 0;
  }

  static constexpr std::uint8_t kNone = 0xff;

  Paths& paths_;
  const Problem* problem_ = nullptr;
  Known known_;
};

}  // namespace model
