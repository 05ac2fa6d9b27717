// Which way rows are joined next, by what the last ranges took: see join_faster.h.
#include <algorithm>
#include <vector>

#include "cpu/own/join_faster.h"
#include "harness.h"

namespace {

using skerry::Trial;
using skerry::Way;

// The ways of so many ranges, where they take so long each.
std::vector<Way> ways(double windows, double as_read, int ranges) {
  Trial trial;
  std::vector<Way> taken;
  for (int i = 0; i < ranges; ++i) {
    const Way way = trial.next();
    taken.push_back(way);
    trial.add(way, way == Way::kWindows ? windows : as_read, 1000);
  }
  return taken;
}

// The slower way is tried at first and again, but in few of the ranges.
bool mostly_takes_the_faster(Way faster, const std::vector<Way>& taken) {
  const auto times = std::count(taken.begin(), taken.end(), faster);
  const auto size = static_cast<std::ptrdiff_t>(taken.size());
  return times < size && times >= size * 9 / 10 && taken[size / 2 - 1] == faster;
}

void join(Trial& trial, double windows, double as_read) {
  const Way way = trial.next();
  trial.add(way, way == Way::kWindows ? windows : as_read, 1000);
}

// One range in windows was interrupted: entries as they are read still take longer.
bool bears_an_interruption() {
  Trial trial;
  for (int i = 0; i < 4; ++i) join(trial, 1, 3);
  join(trial, 100, 3);
  return trial.next() == Way::kWindows;
}

// From some range on windows take longer.
bool follows_a_change() {
  Trial trial;
  for (int i = 0; i < 10; ++i) join(trial, 1, 2);
  for (int i = 0; i < 4; ++i) join(trial, 5, 2);
  return trial.next() == Way::kAsRead;
}

}  // namespace

int main() {
  CheckResults results;
  results.add(mostly_takes_the_faster(Way::kWindows, ways(1, 2, 100)), "windows are faster");
  results.add(mostly_takes_the_faster(Way::kAsRead, ways(2, 1, 100)),
              "entries as they are read are faster");
  results.add(bears_an_interruption(), "one range was interrupted");
  results.add(follows_a_change(), "what was faster becomes slower");
  return results.close();
}
