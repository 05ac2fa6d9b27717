// The planner's table: the first rule whose bounds hold for the features of a graph. The rules are
// written in algorithms/cpu_rules.py; here they are looked up without a way back to Python between
// the features, which would take as long as a small graph's components.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpu/context.h"
#include "cpu/own/features.h"
#include "cpu/views.h"

namespace skerry {

// The features of a rule, in the order of Features of graph/features.py. Those from kReached on
// take longer than the rest: they are looked at when a rule asks for them whose other bounds hold.
enum Feature : std::uint32_t {
  kThreads,
  kVertices,
  kSize,
  kDegree,
  kNear,
  kSmaller,
  kReached,
  kLevels,
  kFeatures
};

// From its smallest value to below its largest.
struct Bound {
  std::uint32_t feature;
  double low;
  double high;
};

struct SelectedRule {
  std::uint64_t number = 0;
  Order order;
  Expansion expansion;
};

class RuleTable {
 public:
  explicit RuleTable(std::vector<std::vector<Bound>> rules) : rules_(std::move(rules)) {
    if (rules_.empty() || !rules_.back().empty())
      throw std::invalid_argument("the last rule must hold for every graph");
    for (std::vector<Bound>& rule : rules_) {
      for (const Bound& bound : rule)
        if (bound.feature >= kFeatures) throw std::invalid_argument("no such feature");
      std::stable_partition(rule.begin(), rule.end(),
                            [](const Bound& bound) { return bound.feature < kReached; });
    }
  }

  // expansion() is called at most once.
  template <class Vertex, class Expand>
  SelectedRule first(const CsrView<Vertex>& graph, int threads, Expand&& expansion) const {
    const std::uint64_t n = graph.vertices, entries = graph.entries();
    const Order order = csr_order(graph);
    SelectedRule selected{0, order, {}};
    double values[kFeatures] = {
        static_cast<double>(threads),
        static_cast<double>(n),
        static_cast<double>(n + entries),
        static_cast<double>(entries) / static_cast<double>(std::max<std::uint64_t>(n, 1)),
        order.near,
        order.smaller,
        0,
        0};
    bool expanded = false;
    const auto holds = [&](const Bound& bound) {
      if (bound.feature >= kReached && !expanded) {
        selected.expansion = expansion();
        values[kReached] = static_cast<double>(selected.expansion.reached);
        values[kLevels] = static_cast<double>(selected.expansion.levels);
        expanded = true;
      }
      return bound.low <= values[bound.feature] && values[bound.feature] < bound.high;
    };
    while (!std::all_of(rules_[selected.number].begin(), rules_[selected.number].end(), holds))
      ++selected.number;
    return selected;
  }

 private:
  std::vector<std::vector<Bound>> rules_;
};

}  // namespace skerry
