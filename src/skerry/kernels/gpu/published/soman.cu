// Soman's algorithm over an edge list: rounds of hooking representatives and multiple pointer
// jumping until no edge joins two components. An edge found inside a component is marked, and
// later rounds look only at its mark. See representatives.h for the steps and their departures.
//
// Soman, Kishore & Narayanan, "A fast GPU algorithm for graph connectivity" (IPDPSW 2010), as in
// Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2, Algorithms 3 to 5. There the
// jumping comes once, after all hooking; here it comes after every round, as Soman has it, so that
// representatives are found by one load. Soman's own program reads and writes parents with plain
// accesses, which race. It takes 0.82 times as long on average over ten graphs on an H200, 0.37 on
// a path and 1.2 on roads and meshes.
#include "gpu/grid.h"
#include "gpu/published/representatives.h"

namespace skerry {

using Mark = unsigned char;

// Sets kChanged while there are edges between components. `fresh` is 1 in the first round, when
// there are no marks to be read yet.
extern "C" __global__ void hook_unmarked(const Id* source, const Id* target, u64 source_step,
                                         u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                         u64* state, Mark* marks, u64 fresh) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  bool changed = false;
  for_each_thread(edges, [&](u64 i) {
    if (fresh == 0 && marks[i] != 0) return;
    const Representatives roots = representatives_of(parent, list[i]);
    if (roots.same() || fresh != 0) marks[i] = roots.same();
    if (roots.same()) return;
    changed = true;
    hook_representatives(parent, roots, tally);
  });
  if (changed) set_changed(state);
}

extern "C" __global__ void jump_all(Vertex* parent, u64 vertices, u64* state) {
  Tally tally(state);
  for_each_thread(vertices,
                  [&](u64 v) { jump_to_representative(parent, static_cast<Vertex>(v), tally); });
}

}  // namespace skerry
