// Connected components by four threads, with one planted error of the kinds that the Indigo suite
// has (Liu, Azami, Walters & Burtscher, ISPASS 2022). Ours, and small: prey for the tools.
// It writes the ends of the edges and the labels. tests/native/test_planted.py says which tool
// finds which error.
#include <algorithm>
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "common/union_find.h"
#include "cpu/memory.h"

namespace {

using Vertex = std::uint32_t;
constexpr unsigned kThreads = 4;

struct Tally {
  void step() {}
  void end_find() {}
  void hooked() {}
};

// The compare-and-swap of threads that share nothing.
struct Torn : skerry::Shared {
  template <class T>
  static T compare_and_swap(T* address, T expected, T desired) {
    const T seen = load(address);
    if (seen == expected) store(address, desired);
    return seen;
  }
};

struct Plain : skerry::Shared {
  template <class T>
  static T load(const T* address) {
    return *address;
  }
};

struct Graph {
  std::vector<Vertex> src, dst, parent;
  std::string_view error;
  bool changed = false;

  void solve() {
    if (error == "atomic") return solve_by<Torn>();
    if (error == "plain") return solve_by<Plain>();
    solve_by<skerry::Shared>();
  }

 private:
  template <class Memory>
  void hook_edge(std::uint64_t e) {
    Tally tally;
    if (error == "guard") {
      // Whether the end of the walk is still a root is not looked at.
      const Vertex u = skerry::JumpNone::find<Memory>(parent.data(), src[e], tally);
      const Vertex v = skerry::JumpNone::find<Memory>(parent.data(), dst[e], tally);
      Memory::store(parent.data() + std::max(u, v), std::min(u, v));
      return;
    }
    if (error == "race") changed = true;  // as rounds say that they have changed something
    const Vertex u = skerry::JumpHalving::find<Memory>(parent.data(), src[e], tally);
    const Vertex v = skerry::JumpHalving::find<Memory>(parent.data(), dst[e], tally);
    if (error == "retry") {
      if (u != v)
        Memory::compare_and_swap(parent.data() + std::max(u, v), std::max(u, v), std::min(u, v));
    } else {
      skerry::hook<Memory>(parent.data(), u, v, tally);
    }
  }

  template <class Memory>
  void solve_by() {
    std::barrier<> passes(kThreads);
    const auto work = [&](unsigned thread) {
      passes.arrive_and_wait();  // so that they run at the same time
      const std::uint64_t edges = src.size() + (error == "bounds");
      for (std::uint64_t e = thread; e < edges; e += kThreads) hook_edge<Memory>(e);
      if (error != "sync") passes.arrive_and_wait();
      Tally tally;
      for (std::uint64_t v = thread; v < parent.size(); v += kThreads) {
        Vertex* const at = parent.data() + v;
        Memory::store(at, skerry::JumpSingle::find<Memory>(parent.data(), Vertex(v), tally));
      }
    };
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, thread);
    for (std::thread& thread : threads) thread.join();
  }
};

void write(const std::vector<Vertex>& words) {
  std::fwrite(words.data(), sizeof(Vertex), words.size(), stdout);
}

}  // namespace

// planted ERROR VERTICES TIMES: up to so many paths, until one is not one component.
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Graph graph;
  graph.error = argv[1];
  std::vector<Vertex> order(std::strtoull(argv[2], nullptr, 10));
  std::iota(order.begin(), order.end(), Vertex{0});
  const std::vector<Vertex> own = order;
  std::mt19937_64 random(44);
  for (int time = std::atoi(argv[3]); time > 0; --time) {
    std::shuffle(order.begin(), order.end(), random);
    graph.parent = own;
    graph.src.assign(order.begin() + 1, order.end());
    graph.dst.assign(order.begin(), order.end() - 1);
    graph.solve();
    if (std::count(graph.parent.begin(), graph.parent.end(), 0) != std::ssize(graph.parent)) break;
  }
  write(graph.src);
  write(graph.dst);
  write(graph.parent);
}
