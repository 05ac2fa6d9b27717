// Turns the run-time choice of a pointer jumping into a type.
#pragma once

#include "common/union_find.h"
#include "cpu/passes/passes.h"

namespace skerry {

template <class Body>
void with_jump(Jump jump, Body&& body) {
  switch (jump) {
    case Jump::multiple:
      return body.template operator()<JumpMultiple>();
    case Jump::single:
      return body.template operator()<JumpSingle>();
    case Jump::none:
      return body.template operator()<JumpNone>();
    case Jump::halving:
      return body.template operator()<JumpHalving>();
  }
}

}  // namespace skerry
