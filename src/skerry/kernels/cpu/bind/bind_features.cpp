// Bindings of what the planner looks at.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "cpu/bind/bind.h"
#include "cpu/own/features.h"
#include "cpu/own/rules.h"

namespace skerry {

namespace {

using BoundList = std::vector<std::tuple<std::uint32_t, double, double>>;

RuleTable table_of(const std::vector<BoundList>& rules) {
  std::vector<std::vector<Bound>> table;
  for (const BoundList& rule : rules) {
    table.emplace_back();
    for (const auto& [feature, low, high] : rule) table.back().push_back({feature, low, high});
  }
  return RuleTable(std::move(table));
}

template <class Vertex>
Expansion expansion_of(const CsrView<Vertex>& graph) {
  Expansion expansion;
  run_native(1, false, [&](Context& context) { expansion = csr_expansion(context, graph); });
  return expansion;
}

}  // namespace

void bind_features(nb::module_& module) {
  // (near, smaller): see features.h.
  module.def(
      "csr_order",
      [](const Input& offsets, const Input& neighbors) {
        return by_width(neighbors, [&]<class Vertex>() {
          const Order order = csr_order(csr_view<Vertex>(offsets, neighbors));
          return nb::make_tuple(order.near, order.smaller);
        });
      },
      nb::sig("def csr_order(offsets: Array, neighbors: Array, /) -> tuple[float, float]"));
  // (reached, levels): see features.h.
  module.def(
      "csr_expansion",
      [](const Input& offsets, const Input& neighbors) {
        return by_width(neighbors, [&]<class Vertex>() {
          const Expansion expansion = expansion_of(csr_view<Vertex>(offsets, neighbors));
          return nb::make_tuple(expansion.reached, expansion.levels);
        });
      },
      nb::sig("def csr_expansion(offsets: Array, neighbors: Array, /) -> tuple[int, int]"));
  nb::class_<RuleTable>(module, "RuleTable", "Rules of the planner: see rules.h.")
      .def(
          "__init__",
          [](RuleTable* table, const std::vector<BoundList>& rules) {
            new (table) RuleTable(table_of(rules));
          },
          nb::sig("def __init__(self, rules: Sequence[Sequence[tuple[int, float, float]]], /) -> "
                  "None"))
      // The number of the first rule that holds, and near, smaller, reached and levels.
      .def(
          "first",
          [](const RuleTable& table, const Input& offsets, const Input& neighbors, int threads) {
            return by_width(neighbors, [&]<class Vertex>() {
              const auto graph = csr_view<Vertex>(offsets, neighbors);
              const SelectedRule rule =
                  table.first(graph, threads, [&] { return expansion_of(graph); });
              return nb::make_tuple(rule.number, rule.order.near, rule.order.smaller,
                                    rule.expansion.reached, rule.expansion.levels);
            });
          },
          nb::sig("def first(self, offsets: Array, neighbors: Array, threads: int, /) -> "
                  "tuple[int, float, float, int, int]"));
}

}  // namespace skerry
