// First parents: ECL-CC's Init1 to Init3 (Jaiganesh & Burtscher 2018, sect. 3 and 5.1, Fig. 7).
#include "gpu/grid.h"
#include "gpu/rows.h"

namespace skerry {

extern "C" __global__ void init_own(Vertex* parent, u64 vertices) {
  for_each_thread(vertices, [&](u64 v) { parent[v] = static_cast<Vertex>(v); });
}

extern "C" __global__ void init_smallest(const Offset* offsets, const Id* neighbors, u64 vertices,
                                         u64 entries, Vertex* parent, u64* state) {
  const Rows rows{offsets, neighbors, vertices, entries, state};
  for_each_thread(vertices, [&](u64 v) {
    Vertex smallest = static_cast<Vertex>(v);
    const Rows::Range row = rows.row(v);
    for (u64 e = row.begin; e < row.end; ++e) {
      const Vertex u = rows.neighbor(v, e);
      if (u < smallest) smallest = u;
    }
    parent[v] = smallest;
  });
}

extern "C" __global__ void init_first_smaller(const Offset* offsets, const Id* neighbors,
                                              u64 vertices, u64 entries, Vertex* parent,
                                              u64* state) {
  const Rows rows{offsets, neighbors, vertices, entries, state};
  for_each_thread(vertices, [&](u64 v) {
    Vertex first = static_cast<Vertex>(v);
    const Rows::Range row = rows.row(v);
    for (u64 e = row.begin; e < row.end && first == v; ++e) {
      const Vertex u = rows.neighbor(v, e);
      if (u < first) first = u;
    }
    parent[v] = first;
  });
}

}  // namespace skerry
