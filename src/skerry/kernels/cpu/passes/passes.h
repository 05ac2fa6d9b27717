// The passes over one parent array that union-find algorithms are made of: an init, hooks, a
// finish. A named algorithm is an entry of the catalog that combines them. The hooks live in
// hook_rows.cpp and hook_edges.cpp, the others in passes.cpp.
#pragma once

#include <cstdint>

#include "cpu/context.h"
#include "cpu/views.h"

namespace skerry {

enum class Init { own, smallest, first_smaller };          // ECL-CC's Init1, Init2, Init3
enum class Jump { multiple, single, none, halving };       // Jump1 to Jump4
enum class Finish { halving, multiple, single, ordered };  // Fini1 to Fini3, and skerry's

// Which entries of a CSR are hooked.
struct Rows {
  bool one_direction = false;  // only entries below their row: right only if all are stored twice
  std::uint64_t first = 0;     // entries of each row to leave out: earlier passes have hooked them
  bool skip = false;           // leave out rows of vertices whose parent is `skipped`: right only
  std::uint64_t skipped = 0;   //   if every entry of those rows is stored in the other row too
  bool guided = false;         // threads take falling ranges of rows, not small ones of their parts
  std::uint64_t begin = 0;     // the rows to hook, up to `end` or the last one
  std::uint64_t end = ~std::uint64_t{0};
};

template <class Vertex>
void init_own(Context& context, std::uint64_t vertices, Vertex* parent);

template <class Vertex>
void init_from_rows(Context& context, const CsrView<Vertex>& graph, Init init, Vertex* parent);

template <class Vertex>
void hook_rows(Context& context, const CsrView<Vertex>& graph, Jump jump, const Rows& rows,
               Vertex* parent);

// Hooks every vertex with its nth neighbor (counted from 0): Afforest's neighbor sampling.
template <class Vertex>
void hook_nth(Context& context, const CsrView<Vertex>& graph, std::uint64_t nth, Vertex* parent);

template <class Id, class Vertex>
void hook_edges(Context& context, const EdgeView<Id>& edges, Jump jump, Vertex* parent);

template <class Vertex>
void finish(Context& context, std::uint64_t vertices, Finish finish, Vertex* parent);

// Afforest's guess of the largest component so far: the most frequent root among some vertices
// drawn by a fixed rule, and the share of them that has it. The trees need not be flat.
struct Largest {
  std::uint64_t label = 0;
  double share = 0;
};

inline constexpr std::uint64_t kSamples = 1024;  // Sutton, Ben-Nun & Barak 2018, sect. IV-C

template <class Vertex>
Largest guess_largest(std::uint64_t vertices, const Vertex* parent);

// Replaces labels (any values below `vertices`) by the smallest member of their class.
template <class Vertex>
void make_canonical(Context& context, std::uint64_t vertices, Vertex* labels);

// How many classes canonical labels have.
template <class Vertex>
std::uint64_t count_components(Context& context, std::uint64_t vertices, const Vertex* labels);

// Canonical labels to 0..k-1 in order of first appearance; returns k.
template <class Vertex>
std::uint64_t make_dense(Context& context, std::uint64_t vertices, const Vertex* labels,
                         Vertex* dense);

}  // namespace skerry
