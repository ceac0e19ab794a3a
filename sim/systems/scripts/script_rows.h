// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the state keeps of an object whose script has states: the component
// `script`. Scripts themselves keep nothing.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_ROWS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_ROWS_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Only in packs that have such scripts. A step of the state is one of its
// `steps`; what it was given when it began stands here, too.
struct ScriptRow {
  ObjectId object;
  uint64_t overridden = 0;
  // The name of the state that it shall be in; kNoId: the initial one.
  Id state;
  // Its own. The state whose `enter` has run; kNoId: none yet.
  Id entered;
  Tick since = 0;         // when it was entered
  uint64_t step = 0;      // that is under way, from 1; 0: none
  uint64_t is_begun = 0;  // 1: its arguments are those below
  Tick began = 0;
  Tick until = 0;  // of wait and move_to: when it is done
  Vector3 from;    // of move_to
  Vector3 to;

  static constexpr std::string_view kTable = "script";
  static constexpr uint32_t kKeyFields = 1;
  static constexpr auto Describe() {
    return std::array{REPRISE_FIELD(ScriptRow, object, ""),
                      REPRISE_FIELD(ScriptRow, overridden, ""),
                      REPRISE_FIELD(ScriptRow, state, ""),
                      REPRISE_FIELD(ScriptRow, entered, ""),
                      REPRISE_FIELD(ScriptRow, since, "tick"),
                      REPRISE_FIELD(ScriptRow, step, ""),
                      REPRISE_FIELD(ScriptRow, is_begun, ""),
                      REPRISE_FIELD(ScriptRow, began, "tick"),
                      REPRISE_FIELD(ScriptRow, until, "tick"),
                      REPRISE_FIELD(ScriptRow, from, "m"),
                      REPRISE_FIELD(ScriptRow, to, "m")};
  }
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_ROWS_H_
