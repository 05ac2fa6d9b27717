// Which rule of the planner's table holds, and that the graph is probed once, and only where a rule
// asks for it whose other bounds hold: see rules.h.
#include <limits>

#include "cpu/own/rules.h"
#include "harness.h"

namespace {

using skerry::Bound;

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr Bound kOneVertex{skerry::kVertices, 0, 2}, kReachesMany{skerry::kReached, 100, kAny},
    kReachesFew{skerry::kReached, 1, 100}, kSevenLevels{skerry::kLevels, 7, 8};

struct Case {
  const char* what;
  std::vector<std::vector<Bound>> rules;
  std::uint64_t number;
  int probes;
};

}  // namespace

int main() {
  CheckResults results;
  const TestCsr<std::uint32_t> rows({"path", 4, {{0, 1}, {1, 2}, {2, 3}}}, true);
  const Case cases[] = {
      {"no rule asks", {{kOneVertex}, {}}, 1, 0},
      {"a rule that asks has another bound that does not hold",
       {{kReachesFew, kOneVertex}, {}},
       1,
       0},
      {"the first asks", {{kReachesFew}, {}}, 0, 1},
      {"several ask", {{kReachesMany}, {kSevenLevels, kReachesMany}, {kSevenLevels}, {}}, 2, 1},
      {"none of those that ask holds", {{kReachesMany}, {kReachesMany, kSevenLevels}, {}}, 2, 1},
  };
  for (const Case& each : cases) {
    int probes = 0;
    const auto rule = skerry::RuleTable(each.rules).first(rows.view(), 2, [&] {
      ++probes;
      return skerry::Expansion{10, 7};
    });
    results.add(rule.number == each.number && probes == each.probes, each.what);
  }
  return results.close();
}
