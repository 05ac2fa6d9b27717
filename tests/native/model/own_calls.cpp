// Calls of the CPU's own passes that do more than union_find.h has: own/join_as_read.h and
// passes/ordered_finish.h.
#include "calls.h"

#include "cpu/own/join_as_read.h"
#include "cpu/passes/ordered_finish.h"

namespace model {
namespace {

// An entry of the row of v: its only one, so v's own word is read first, as where a row begins.
Vertex join_entry(Vertex* parent, Vertex v, Vertex u, unsigned& hooks) {
  HookCount tally{hooks};
  const std::uint64_t offsets[] = {0, 1};
  const skerry::CsrView<Vertex> row{offsets, &u, 1, 1};
  skerry::join_entries<Modeled>(row, 0, 1, v, ~Vertex{0}, parent, tally);
  return v;
}

// The last vertex is not prefetched ahead of: the same loads, but for one whose value is not used.
Vertex finish_in_order(Vertex* parent, Vertex v, Vertex, unsigned&) {
  skerry::finish_range<Modeled>(v, v + 1, v + 1, parent);
  return v;
}

}  // namespace

Function own_function(Kind kind) {
  switch (kind) {
    case kJoinEntry:
      return join_entry;
    case kFinishOrdered:
      return finish_in_order;
    default:
      return nullptr;
  }
}

}  // namespace model
