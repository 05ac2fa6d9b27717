// The rows of a CSR in device memory. Nothing is read twice for validation: every access checks the
// value it has read, reports an invalid one, and continues with a harmless value (an empty row, a
// loop). So invalid input can neither crash a kernel nor pass unnoticed.
#pragma once

#include "gpu/state.h"

namespace skerry {

struct Rows {
  const Offset* offsets;
  const Id* neighbors;
  u64 vertices;
  u64 entries;
  u64* state;

  struct Range {
    Offset begin;
    Offset end;
    SKERRY_INLINE Offset size() const { return end - begin; }
  };

  SKERRY_INLINE Range row(u64 v) const { return checked({offsets[v], offsets[v + 1]}, v); }

  // A row whose bounds were read before, or an empty one if they are invalid.
  SKERRY_INLINE Range checked(const Range& row, u64 v) const {
    const bool begins_at_zero = v != 0 || row.begin == 0;
    if (fits(row) && begins_at_zero) return row;
    report(state, fault_of(row, begins_at_zero), v);
    return {0, 0};
  }

  SKERRY_INLINE bool fits(const Range& row) const {
    return row.begin <= row.end && row.end <= limit();
  }

  // The neighbor of v that entry e names.
  SKERRY_INLINE Vertex neighbor(u64 v, u64 e) const { return checked_neighbor(neighbors[e], v, e); }

  // The same where the entry was read before.
  SKERRY_INLINE Vertex checked_neighbor(Id id, u64 v, u64 e) const {
    if (id <= last_id()) return static_cast<Vertex>(id);
    report(state, kNeighborOutOfRange, e);
    return static_cast<Vertex>(v);
  }

  // An id for a caller that compares it with the number of vertices by itself.
  static SKERRY_INLINE Vertex as_vertex(Id id) {
    // What does not fit is out of range too.
    return sizeof(Id) > sizeof(Vertex) && id > ~Vertex{0} ? ~Vertex{0} : static_cast<Vertex>(id);
  }

 private:
  SKERRY_INLINE static Fault fault_of(const Range& row, bool begins_at_zero) {
    if (!begins_at_zero) return kFirstOffsetNotZero;
    return row.end < row.begin ? kOffsetsFall : kOffsetOutOfRange;
  }

  // The largest id that is a vertex: of more vertices than ids can name, any.
  SKERRY_INLINE Id last_id() const {
    const Id maximum = ~Id{0};
    return vertices - 1 < maximum ? static_cast<Id>(vertices - 1) : maximum;
  }

  // How many entries offsets can point to.
  SKERRY_INLINE Offset limit() const {
    const Offset maximum = ~Offset{0};
    return entries < maximum ? static_cast<Offset>(entries) : maximum;
  }
};

}  // namespace skerry
