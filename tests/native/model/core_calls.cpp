// Calls of common/union_find.h.
#include "calls.h"

#include "common/union_find.h"

namespace model {
namespace {

using namespace skerry;

template <class Jump>
Vertex unite_by(Vertex* parent, Vertex u, Vertex v, unsigned& hooks) {
  HookCount tally{hooks};
  return unite<Jump, Modeled>(parent, u, v, tally);
}

Vertex unite_apart(Vertex* parent, Vertex u, Vertex v, unsigned& hooks) {
  HookCount tally{hooks};
  unite_if_apart<Modeled>(parent, u, v, tally);
  return u;
}

template <class Jump>
Vertex find_by(Vertex* parent, Vertex v, Vertex, unsigned& hooks) {
  HookCount tally{hooks};
  return Jump::template find<Modeled>(parent, v, tally);
}

// As the rows of passes/hook_rows.cpp go on with the root that a hook returns.
Vertex hook_entry(Vertex* parent, Vertex u, Vertex root, unsigned& hooks) {
  HookCount tally{hooks};
  return hook<Modeled>(parent, JumpHalving::find<Modeled>(parent, u, tally), root, tally);
}

// As finish_with of passes/passes.cpp.
template <class Jump>
Vertex finish_by(Vertex* parent, Vertex v, Vertex, unsigned& hooks) {
  HookCount tally{hooks};
  const Vertex root = Jump::template find<Modeled>(parent, v, tally);
  Modeled::store(parent + v, root);
  return root;
}

}  // namespace

Function core_function(Kind kind) {
  switch (kind) {
    case kUniteMultiple:
      return unite_by<JumpMultiple>;
    case kUniteSingle:
      return unite_by<JumpSingle>;
    case kUniteNone:
      return unite_by<JumpNone>;
    case kUniteHalving:
      return unite_by<JumpHalving>;
    case kUniteIfApart:
      return unite_apart;
    case kFindMultiple:
      return find_by<JumpMultiple>;
    case kFindSingle:
      return find_by<JumpSingle>;
    case kFindNone:
      return find_by<JumpNone>;
    case kFindHalving:
      return find_by<JumpHalving>;
    case kHookHalving:
      return hook_entry;
    case kFinishHalving:
      return finish_by<FinishHalving>;
    case kFinishMultiple:
      return finish_by<JumpMultiple>;
    case kFinishSingle:
      return finish_by<JumpSingle>;
    default:
      return nullptr;
  }
}

}  // namespace model
