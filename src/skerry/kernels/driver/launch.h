// Launches CUDA kernels through driver functions whose addresses the caller has looked up. Nothing
// here needs CUDA headers or libraries. All kernels take 64-bit arguments only, so a launch is a
// list of integers.
//
// A sequence of launches is recorded once as a CUDA graph and updated with new arguments before it
// is launched again. The driver needs 4 us to launch a kernel, and little more for a graph of seven
// kernels (H200); small inputs are bound by launches. Kernels that call wait_for_previous
// (gpu/grid.h) are set up while the kernel before them still runs.
//
// RecordedLaunches is a parameterized sequence: each run supplies pointers, sizes and grid sizes.
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

constexpr std::size_t kMaxArguments = 32;

// Parameters of a kernel node of a CUDA graph: CUDA_KERNEL_NODE_PARAMS_v1.
struct KernelNode {
  void* function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  void** arguments;
  void** extra;
};

// How a graph node depends on another: CUgraphEdgeData. An edge from the programmatic port is
// satisfied once all blocks of that node have triggered it or have ended, any other edge once the
// node has ended.
struct Dependency {
  unsigned char from_port;
  unsigned char to_port;
  unsigned char type;
  unsigned char reserved[5];
};

inline constexpr Dependency kProgrammatic{1, 0, 1, {}};

// Driver functions, in the order in which the caller passes their addresses. The last one needs
// CUDA 12.3 and may be missing.
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
  int (*depend)(void* graph, void* const* from, void* const* to, const Dependency* edges,
                std::size_t count);
};

// Address of a kernel, number of blocks, threads of a block, and arguments.
struct Launch {
  std::uint64_t function = 0;
  unsigned blocks = 0;
  unsigned threads = 0;
  std::size_t count = 0;
  std::array<std::uint64_t, kMaxArguments> words{};

  bool operator==(const Launch& other) const {
    return function == other.function && blocks == other.blocks && threads == other.threads &&
           count == other.count &&
           std::equal(words.begin(), words.begin() + count, other.words.begin());
  }
};

// Addresses of the arguments of a launch, as the driver expects them.
struct ArgumentAddresses {
  explicit ArgumentAddresses(Launch& launch) {
    for (std::size_t i = 0; i < launch.count; ++i) at[i] = &launch.words[i];
  }
  std::array<void*, kMaxArguments> at{};
};

// An instantiated CUDA graph of launches in sequence. Its kernels stay the same; arguments and grid
// sizes are updated.
class LaunchGraph {
 public:
  LaunchGraph(const Driver& driver, std::vector<Launch> launches, void* stream)
      : stream(stream), driver_(driver), launches_(std::move(launches)) {}

  void* stream;  // the last one that it was started in

  bool fits(const std::vector<Launch>& launches) const {
    return std::equal(launches.begin(), launches.end(), launches_.begin(), launches_.end(),
                      [](const Launch& a, const Launch& b) { return a.function == b.function; });
  }

  // Creates and instantiates the graph. Returns the driver's status. `dependent`: launches depend
  // on each other programmatically, see Dependency.
  int build(bool dependent) {
    void* graph = nullptr;
    if (const int status = driver_.create(&graph, 0)) return status;
    int status = add_nodes(graph, dependent);
    if (status == 0) status = driver_.instantiate(&executable_, graph, 0);
    if (status != 0) driver_.destroy(graph);
    return status;  // the graph is kept: updates refer to its nodes
  }

  int start(std::vector<Launch>& launches, void* stream) {
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i] == launches_[i]) continue;
      ArgumentAddresses addresses(launches[i]);
      const KernelNode node = node_of(launches[i], addresses);
      if (const int status = driver_.change(executable_, nodes_[i], &node)) return status;
      launches_[i] = launches[i];
    }
    return driver_.start(executable_, stream);
  }

 private:
  int add_nodes(void* graph, bool dependent) {
    nodes_.clear();
    for (Launch& launch : launches_) {
      ArgumentAddresses addresses(launch);
      const KernelNode node = node_of(launch, addresses);
      void* added = nullptr;
      void* const before = nodes_.empty() ? nullptr : nodes_.back();
      const std::size_t count = before == nullptr || dependent ? 0 : 1;
      if (const int status = driver_.add(&added, graph, count ? &before : nullptr, count, &node))
        return status;
      if (before != nullptr && dependent) {
        if (const int status = driver_.depend(graph, &before, &added, &kProgrammatic, 1))
          return status;
      }
      nodes_.push_back(added);
    }
    return 0;
  }

  static KernelNode node_of(Launch& launch, ArgumentAddresses& addresses) {
    return {reinterpret_cast<void*>(launch.function),
            {launch.blocks, 1, 1},
            {launch.threads, 1, 1},
            0,
            addresses.at.data(),
            nullptr};
  }

  const Driver& driver_;
  std::vector<Launch> launches_;
  std::vector<void*> nodes_;
  void* executable_ = nullptr;
};

// Launches kernels on a device. Its graphs live as long as the kernels, which are never unloaded.
class Launcher {
 public:
  explicit Launcher(const std::vector<std::uintptr_t>& entries) {
    constexpr std::size_t kEntries = sizeof(Driver) / sizeof(void*);
    if (entries.size() != kEntries || entries[0] == 0) throw std::invalid_argument("no driver");
    for (std::size_t i = 0; i + 1 < kEntries; ++i) use_graphs_ = use_graphs_ && entries[i] != 0;
    std::memcpy(&driver_, entries.data(), sizeof(Driver));
  }

  Launcher(const Launcher&) = delete;  // graphs refer to its driver

  // Returns the driver's status, 0 on success. `dependent`: each kernel calls wait_for_previous.
  int launch(std::vector<Launch>& launches, void* stream, bool dependent = false) {
    if (use_graphs_ && launches.size() > 1 && !is_capturing(stream)) {
      if (LaunchGraph* const graph = graph_for(launches, stream, dependent))
        return graph->start(launches, stream);
    }
    for (Launch& launch : launches) {
      ArgumentAddresses addresses(launch);
      const int status =
          driver_.launch(reinterpret_cast<void*>(launch.function), launch.blocks, 1, 1,
                         launch.threads, 1, 1, 0, stream, addresses.at.data(), nullptr);
      if (status != 0) return status;
    }
    return 0;
  }

 private:
  // Whether the stream is being captured into a graph of the caller, which cannot contain another.
  bool is_capturing(void* stream) const {
    int status = 0;
    return driver_.is_capturing(stream, &status) != 0 || status != 0;
  }

  // The graph of these kernels for a stream, built on first use; null if the driver cannot build
  // it. The driver runs the launches of one graph one after the other, in whatever streams they
  // are. So that calls in different streams can run at the same time, each stream has a graph of
  // its own, up to kStreams of them; more streams share these in turn.
  LaunchGraph* graph_for(const std::vector<Launch>& launches, void* stream, bool dependent) {
    std::size_t alike = 0;
    LaunchGraph* other = nullptr;
    for (const auto& graph : graphs_) {
      if (!graph->fits(launches)) continue;
      if (graph->stream == stream) return graph.get();
      if (alike++ == shared_ % kStreams) other = graph.get();
    }
    if (alike >= kStreams) {
      ++shared_;
      other->stream = stream;
      return other;
    }
    auto graph = std::make_unique<LaunchGraph>(driver_, launches, stream);
    const bool built = dependent && driver_.depend != nullptr && graph->build(true) == 0;
    if (!built && graph->build(false) != 0) {
      use_graphs_ = false;
      return nullptr;
    }
    return graphs_.emplace_back(std::move(graph)).get();
  }

  static constexpr std::size_t kStreams = 8;
  Driver driver_{};
  bool use_graphs_ = true;
  std::vector<std::unique_ptr<LaunchGraph>> graphs_;
  std::size_t shared_ = 0;  // graphs that went from one stream to another
};

// A sequence of launches without values: `blocks` and the arguments of each launch are positions in
// the list of values that a run supplies.
class RecordedLaunches {
 public:
  RecordedLaunches(Launcher& launcher, std::vector<Launch> positions, bool dependent)
      : launcher_(launcher),
        positions_(std::move(positions)),
        launches_(positions_),
        dependent_(dependent) {
    for (const Launch& launch : positions_) {
      needed_ = std::max<std::uint64_t>(needed_, std::uint64_t{launch.blocks} + 1);
      for (std::size_t i = 0; i < launch.count; ++i)
        needed_ = std::max(needed_, launch.words[i] + 1);
    }
  }

  int launch(const std::vector<std::uint64_t>& values, void* stream) {
    if (values.size() < needed_) throw std::invalid_argument("too few values for the launches");
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const Launch& from = positions_[i];
      launches_[i].blocks = static_cast<unsigned>(values[from.blocks]);
      for (std::size_t k = 0; k < from.count; ++k) launches_[i].words[k] = values[from.words[k]];
    }
    return launcher_.launch(launches_, stream, dependent_);
  }

 private:
  Launcher& launcher_;
  std::vector<Launch> positions_;
  std::vector<Launch> launches_;
  std::uint64_t needed_ = 0;
  bool dependent_;
};

}  // namespace skerry
