// Soman's algorithm over an edge list: rounds of hooking representatives and multiple pointer
// jumping until no edge joins two components. An edge found inside a component is marked, and
// later rounds look only at its mark. See representatives.h for the steps and their departures.
//
// Soman, Kishore & Narayanan, "A fast GPU algorithm for graph connectivity" (IPDPSW 2010), as in
// Jaiganesh & Burtscher 2018, sect. 2, and Jaiganesh 2017, sect. 2, Algorithms 3 to 5. There the
// jumping comes once, after all hooking; here it comes after every round, as Soman has it, so that
// representatives are found by one load. (As printed, two vertices that hang from a third can keep
// moving it to and fro between their other neighbors, and rounds in opposite directions can close a
// circle: nothing ends them.) By the letter (direction=alternate) hooks are plain stores, of which
// any stays, to the smaller in one round and to the larger in the next, and every step of the
// jumping is stored; labels are made the smallest members afterwards. All hooks of a round go one
// way between vertices that were representatives when it began, so no circle can close; a round in
// which edges join different representatives hooks at least one. Soman's own program reads and
// writes parents with plain accesses, which race. It takes 0.82 times as long on average over ten
// graphs on an H200, 0.37 on a path and 1.2 on roads and meshes.
#include "gpu/grid.h"
#include "gpu/published/representatives.h"

namespace skerry {

using Mark = unsigned char;

// Where a round hooks: the larger below the smaller, of which the smallest stays; or, by plain
// stores, the larger below the smaller or the smaller below the larger.
enum Direction : u64 { kLeast, kDown, kUp };

// Sets kChanged while there are edges between components. `fresh` is 1 in the first round, when
// there are no marks to be read yet.
extern "C" __global__ void hook_unmarked(const Id* source, const Id* target, u64 source_step,
                                         u64 target_step, u64 vertices, u64 edges, Vertex* parent,
                                         u64* state, Mark* marks, u64 fresh, u64 direction) {
  const EdgeList list{source, target, source_step, target_step, vertices, edges, state};
  Tally tally(state);
  bool changed = false;
  for_each_thread(edges, [&](u64 i) {
    if (fresh == 0 && marks[i] != 0) return;
    const Representatives roots = representatives_of(parent, list[i]);
    if (roots.same() || fresh != 0) marks[i] = roots.same();
    if (roots.same()) return;
    changed = true;
    if (direction == kLeast) {
      hook_representatives(parent, roots, tally);
      return;
    }
    const Vertex from = direction == kDown ? roots.high : roots.low;
    Device::store(parent + from, direction == kDown ? roots.low : roots.high);
    tally.hooked();
  });
  if (changed) set_changed(state);
}

extern "C" __global__ void jump_all(Vertex* parent, u64 vertices, u64* state) {
  Tally tally(state);
  for_each_thread(vertices,
                  [&](u64 v) { jump_to_representative(parent, static_cast<Vertex>(v), tally); });
}

}  // namespace skerry
