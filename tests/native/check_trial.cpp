// Which way rows are joined next, by what the last ranges took: see join_faster.h.
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

std::vector<int> ranges_of(Way way, const std::vector<Way>& taken) {
  std::vector<int> ranges;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i] == way) ranges.push_back(static_cast<int>(i));
  return ranges;
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
  const std::vector<int> tried{1, 8, 16, 32};  // the slower one: less and less often
  results.add(ranges_of(Way::kAsRead, ways(1, 2, 40)) == tried, "windows are faster");
  results.add(ranges_of(Way::kWindows, ways(2, 1, 40)) == std::vector<int>{0, 8, 16, 32},
              "entries as they are read are faster");
  results.add(bears_an_interruption(), "one range was interrupted");
  results.add(follows_a_change(), "what was faster becomes slower");
  return results.close();
}
