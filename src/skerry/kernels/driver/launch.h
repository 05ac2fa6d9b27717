// Starts CUDA kernels through the driver's own entry points, which the caller has looked up: nothing
// here needs CUDA's headers or libraries. Our kernels take 64-bit words only, so a launch is a list of
// numbers.
//
// Several launches become a CUDA graph that is made once, and then given its new arguments: the driver
// takes 4 us to start a kernel, and little more for seven of them that it knows (docs/gpu.md). Small
// graphs are bound by launches. Where kernels wait themselves for the one before them
// (wait_for_previous of gpu/grid.h), they are set up while that one still runs.
//
// What is launched again and again is a Program: written down once, and told its numbers each time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace skerry {

constexpr std::size_t kMostWords = 32;

// One launch, as the driver's graphs take it: CUDA_KERNEL_NODE_PARAMS_v1.
struct KernelNode {
  void* function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  void** arguments;
  void** extra;
};

// How a node of a graph depends on one before it: CUgraphEdgeData. From its programmatic port, as soon
// as all of its blocks say so or have ended; else when it has ended.
struct Edge {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
};

inline constexpr Edge kEarly{1, 0, 1, {}};

// The driver's functions, in the order in which the caller names them. The last came with CUDA 12.3
// and may be missing.
struct Driver {
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**);
  int (*create)(void** graph, unsigned flags);
  int (*add)(void** node, void* graph, const void* const* before, std::size_t count,
             const KernelNode* kernel);
  int (*instantiate)(void** executable, void* graph, unsigned long long flags);
  int (*change)(void* executable, void* node, const KernelNode* kernel);
  int (*start)(void* executable, void* stream);
  int (*destroy)(void* graph);
  int (*is_capturing)(void* stream, int* status);
  int (*depend)(void* graph, void* const* from, void* const* to, const Edge* edges,
                std::size_t count);
};

// A kernel's address, its blocks, the threads of each, and its arguments.
struct Launch {
  std::uint64_t function = 0;
  unsigned blocks = 0;
  unsigned threads = 0;
  std::size_t count = 0;
  std::array<std::uint64_t, kMostWords> words{};

  bool operator==(const Launch& other) const {
    return function == other.function && blocks == other.blocks && threads == other.threads &&
           count == other.count &&
           std::equal(words.begin(), words.begin() + count, other.words.begin());
  }
};

// Where a launch's arguments are, as the driver wants to be told.
struct Places {
  explicit Places(Launch& launch) {
    for (std::size_t i = 0; i < launch.count; ++i) at[i] = &launch.words[i];
  }
  std::array<void*, kMostWords> at{};
};

// Launches that the driver knows: a graph whose kernels stay the same.
class Chain {
 public:
  Chain(const Driver& driver, std::vector<Launch> launches)
      : driver_(driver), launches_(std::move(launches)) {}

  bool fits(const std::vector<Launch>& launches) const {
    return std::equal(launches.begin(), launches.end(), launches_.begin(), launches_.end(),
                      [](const Launch& a, const Launch& b) { return a.function == b.function; });
  }

  // Makes the graph, and what can be started of it. Early: see Edge.
  int build(bool early) {
    void* graph = nullptr;
    if (const int status = driver_.create(&graph, 0)) return status;
    int status = add_nodes(graph, early);
    if (status == 0) status = driver_.instantiate(&executable_, graph, 0);
    if (status != 0) driver_.destroy(graph);
    return status;  // the nodes are named by those of the graph, so it stays
  }

  int start(std::vector<Launch>& launches, void* stream) {
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i] == launches_[i]) continue;
      Places places(launches[i]);
      const KernelNode node = node_of(launches[i], places);
      if (const int status = driver_.change(executable_, nodes_[i], &node)) return status;
      launches_[i] = launches[i];
    }
    return driver_.start(executable_, stream);
  }

 private:
  int add_nodes(void* graph, bool early) {
    nodes_.clear();
    for (Launch& one : launches_) {
      Places places(one);
      const KernelNode node = node_of(one, places);
      void* added = nullptr;
      void* const before = nodes_.empty() ? nullptr : nodes_.back();
      const std::size_t known = before == nullptr || early ? 0 : 1;
      if (const int status = driver_.add(&added, graph, known ? &before : nullptr, known, &node))
        return status;
      if (before != nullptr && early) {
        if (const int status = driver_.depend(graph, &before, &added, &kEarly, 1)) return status;
      }
      nodes_.push_back(added);
    }
    return 0;
  }

  static KernelNode node_of(Launch& one, Places& places) {
    return {reinterpret_cast<void*>(one.function),
            {one.blocks, 1, 1},
            {one.threads, 1, 1},
            0,
            places.at.data(),
            nullptr};
  }

  const Driver& driver_;
  std::vector<Launch> launches_;
  std::vector<void*> nodes_;
  void* executable_ = nullptr;
};

// Starts launches on a device. Chains live as long as their kernels, which is until the end.
class Launcher {
 public:
  explicit Launcher(const std::vector<std::uintptr_t>& entries) {
    constexpr std::size_t kEntries = sizeof(Driver) / sizeof(void*);
    if (entries.size() != kEntries || entries[0] == 0) throw std::invalid_argument("no driver");
    for (std::size_t i = 0; i + 1 < kEntries; ++i) graphs_ = graphs_ && entries[i] != 0;
    std::memcpy(&driver_, entries.data(), sizeof(Driver));
  }

  Launcher(const Launcher&) = delete;  // chains refer to its driver

  // The driver's status: 0 if all were started. Early: each kernel waits itself for those before it.
  int launch(std::vector<Launch>& launches, void* stream, bool early = false) {
    if (graphs_ && launches.size() > 1 && !is_captured(stream)) {
      if (Chain* const chain = chain_for(launches, early)) return chain->start(launches, stream);
    }
    for (Launch& one : launches) {
      Places places(one);
      const int status = driver_.launch(reinterpret_cast<void*>(one.function), one.blocks, 1, 1,
                                        one.threads, 1, 1, 0, stream, places.at.data(), nullptr);
      if (status != 0) return status;
    }
    return 0;
  }

 private:
  // Whether what is launched becomes part of a graph of the caller's, which can hold no other.
  bool is_captured(void* stream) const {
    int status = 0;
    return driver_.is_capturing(stream, &status) != 0 || status != 0;
  }

  // The chain of these kernels, made if it is new; none where the driver makes no graph of them.
  Chain* chain_for(const std::vector<Launch>& launches, bool early) {
    for (const auto& one : chains_) {
      if (one->fits(launches)) return one.get();
    }
    auto made = std::make_unique<Chain>(driver_, launches);
    const bool built = early && driver_.depend != nullptr && made->build(true) == 0;
    if (!built && made->build(false) != 0) {
      graphs_ = false;
      return nullptr;
    }
    return chains_.emplace_back(std::move(made)).get();
  }

  Driver driver_{};
  bool graphs_ = true;
  std::vector<std::unique_ptr<Chain>> chains_;
};

// Launches whose arguments and numbers of blocks are told at every start, as a list of numbers: a
// program has their places in it. Each launch is written with places where its words would be, and in
// `blocks` too.
class Program {
 public:
  Program(Launcher& launcher, std::vector<Launch> places, bool early)
      : launcher_(launcher), places_(std::move(places)), launches_(places_), early_(early) {
    for (const Launch& one : places_) {
      needed_ = std::max<std::uint64_t>(needed_, std::uint64_t{one.blocks} + 1);
      for (std::size_t i = 0; i < one.count; ++i) needed_ = std::max(needed_, one.words[i] + 1);
    }
  }

  int start(const std::vector<std::uint64_t>& numbers, void* stream) {
    if (numbers.size() < needed_) throw std::invalid_argument("a program lacks numbers");
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Launch& from = places_[i];
      launches_[i].blocks = static_cast<unsigned>(numbers[from.blocks]);
      for (std::size_t k = 0; k < from.count; ++k) launches_[i].words[k] = numbers[from.words[k]];
    }
    return launcher_.launch(launches_, stream, early_);
  }

 private:
  Launcher& launcher_;
  std::vector<Launch> places_;
  std::vector<Launch> launches_;
  std::uint64_t needed_ = 0;
  bool early_;
};

}  // namespace skerry
