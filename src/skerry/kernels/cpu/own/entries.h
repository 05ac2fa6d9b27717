// Which entries of its row a vertex is joined with.
//
// An edge that is stored twice is joined from its larger end. In sorted rows the smaller neighbors
// come first: a row is left at the first entry that is not smaller, so half of all entries are not
// read, and one branch a row is mispredicted instead of one an entry wherever ids are in no order.
// Joining as read takes 0.6 to 0.8 times as long (2 cores of a Neoverse-N1).
#pragma once

#include "cpu/context.h"

namespace skerry {

enum class Entries {
  kAll,           // an entry may have no reverse
  kSmaller,       // those that lead to a smaller vertex
  kSmallerFirst,  // the same, in sorted rows
};

// Quarters of an entry a vertex from which finding out whether rows are sorted pays: tries of 2
// entries a vertex 0.85 of the time, 2 cores of a Cascade Lake.
inline constexpr std::uint64_t kOrderFrom = 6;

// Calls body.operator()<Entries>() with what is right for the rows of a kernel's graph.
template <class Body>
void with_entries(const Context& context, bool one_direction, Body&& body) {
  if (!one_direction) {
    body.template operator()<Entries::kAll>();
  } else if (!context.sorted_rows) {
    body.template operator()<Entries::kSmaller>();
  } else {
    body.template operator()<Entries::kSmallerFirst>();
  }
}

}  // namespace skerry
