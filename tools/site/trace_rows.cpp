// Runs "rows" on a small graph with one thread and prints the parent array after each stage.
//
// Standard input: the number of vertices, the number of entries, the offsets, the neighbors; every
// entry has its reverse. Standard output: a line for each stage: its name, a tab, the parents; then
// a line for each number that the samples have shown.
//
// The kernel is not changed. A context asks for interrupts before each range, at most every 50 ms.
// Here each question takes longer than that, so that there is one before every range: it copies the
// parents. The first range of a stage begins with what the stage before it has left.
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <map>
#include <thread>
#include <vector>

#include "cpu/context.h"
#include "cpu/options.h"
#include "cpu/own/kernels.h"
#include "cpu/views.h"

namespace {

using Parents = std::vector<std::uint32_t>;

const skerry::Context* running = nullptr;
Parents parent;
std::map<std::size_t, Parents> after;  // so many stages

void wait() {
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
}

bool copy_parents() {
  after.emplace(running->phases.size(), parent);  // before the first range of a stage only
  wait();
  return false;
}

template <class T>
std::vector<T> read_numbers(std::size_t count) {
  std::vector<T> numbers(count);
  for (T& number : numbers) {
    std::uint64_t value = 0;
    if (std::scanf("%" SCNu64, &value) != 1) std::exit(2);
    number = static_cast<T>(value);
  }
  return numbers;
}

}  // namespace

int main() {
  const auto sizes = read_numbers<std::uint64_t>(2);
  const auto offsets = read_numbers<std::uint64_t>(sizes[0] + 1);
  const auto neighbors = read_numbers<std::uint32_t>(sizes[1]);
  parent.assign(sizes[0], 0);

  skerry::Context context(1, true, copy_parents);
  running = &context;
  wait();
  const skerry::CsrView<std::uint32_t> graph{offsets.data(), neighbors.data(), sizes[0], sizes[1]};
  skerry::rows(context, graph, parent.data(), skerry::Options({{"one_direction", 1.0}}));
  after.emplace(context.phases.size(), parent);

  for (std::size_t stage = 0; stage < context.phases.size(); ++stage) {
    const auto copied = after.find(stage + 1);
    if (copied == after.end()) return 3;  // a stage without a range of its own
    std::printf("%s\t", context.phases[stage].name);
    for (const std::uint32_t above : copied->second) std::printf("%" PRIu32 " ", above);
    std::printf("\n");
  }
  for (const auto& [name, value] : context.statistics.measured)
    std::printf("measured %s\t%.6f\n", name, value);
  return 0;
}
