// The largest tree while edges are joined in stages. Cong & Muzio's Stages (2014, sect. 5) observe
// that after n edges or so most further edges lie inside a giant component. So stages double (n
// edges, 2 n, 4 n, ...); after each the trees are flattened, and if a sample shows a giant its
// members are marked: later edges between two of them are dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/memory.h"
#include "cpu/own/members.h"
#include "cpu/passes/ordered_finish.h"
#include "cpu/passes/passes.h"

namespace skerry {

inline constexpr double kGiant = 0.5;  // the share of a sample from which a tree is a giant

// Who else may look at the parent array: with readers, one thread alone uses atomic accesses too.
enum class Readers { none, some };

template <class Body>
void with_memory_for(const Context& context, Readers readers, Body&& body) {
  if (readers == Readers::none) {
    with_memory(context, body);
  } else {
    body.template operator()<Shared>();
  }
}

// Flattens all trees and marks the members of the largest, if it is a giant. Returns whether it is.
template <class Vertex>
bool mark_giant(Context& context, std::uint64_t vertices, Readers readers, Vertex* parent,
                std::optional<Members>& giant, Context& owner) {
  const Largest largest = guess_largest(vertices, parent);
  if (largest.share < kGiant) return false;
  if (!giant) giant.emplace(owner, vertices);
  with_memory_for(context, readers, [&]<class Memory>() {
    giant->finish_and_mark(context, parent, static_cast<Vertex>(largest.label),
                           [&](std::uint64_t from, std::uint64_t to) {
                             finish_range<Memory>(from, to, vertices, parent);
                           });
  });
  return true;
}

// The same where nobody reads, as a phase of the context that also owns the marks.
template <class Vertex>
bool mark_giant(Context& context, std::uint64_t vertices, Vertex* parent,
                std::optional<Members>& giant) {
  if (!mark_giant(context, vertices, Readers::none, parent, giant, context)) return false;
  context.end_phase("flatten, mark the giant");
  return true;
}

// Calls join(begin, end, giant) for the edges of each stage; `giant` is null until there is one.
template <class Vertex, class Join>
void in_stages(Context& context, std::uint64_t edges, std::uint64_t vertices, Vertex* parent,
               Join&& join) {
  std::optional<Members> giant;
  std::uint64_t begin = 0, end = std::max<std::uint64_t>(vertices, 1);
  // A stage must be followed by at least as many edges to be worth the flattening.
  while (begin < edges && !context.stopped()) {
    if (end > edges / 2) end = edges;
    join(begin, end, giant ? &*giant : nullptr);
    context.end_phase(giant ? "join edges, those in the giant dropped" : "join edges");
    begin = end;
    end *= 2;
    if (begin < edges) mark_giant(context, vertices, parent, giant);
  }
}

}  // namespace skerry
