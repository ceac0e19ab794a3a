// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The states that a script declares in the table that it returns: what is
// called while an object is in one, and the steps that the object then does one
// after the other, which take time.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_STATES_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_STATES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/id.h"
#include "sim/geometry/vector3.h"
#include "sim/script/script_machine.h"

namespace reprise::sim {

inline constexpr uint32_t kScriptStatesMax = 256;      // of a file
inline constexpr uint32_t kScriptStepsMax = 256;       // of a state
inline constexpr uint32_t kScriptTransitionsMax = 16;  // of one call

enum class ScriptStepKind : uint8_t {
  kWait,       // { wait = ticks }
  kWaitUntil,  // { wait_until = function }
  kMoveTo,     // { move_to = vector, speed = m/s }
  kPlay,       // { play = "timeline", ticks = ticks }
  kCall,       // { call = function or name of one }
};

// What a step is given: a constant, or what a function of the script says when
// the step begins.
struct ScriptArgument {
  double number = 0.0;
  Vector3 vector;
  std::optional<ScriptEntry> function;
};

struct ScriptStep {
  ScriptStepKind kind = ScriptStepKind::kWait;
  ScriptArgument amount;                // ticks; of kMoveTo m/s
  ScriptArgument to;                    // of kMoveTo
  Id timeline;                          // of kPlay
  std::optional<ScriptEntry> function;  // of kCall and kWaitUntil
  int line = 0;  // where it begins in its file; 0: it isn't written out there
};

// The functions of one state in one machine.
struct ScriptState {
  Id name;
  std::string text;
  std::optional<ScriptEntry> enter;
  std::optional<ScriptEntry> exit;
  std::optional<ScriptEntry> update;
  std::optional<ScriptEntry> after_physics;
  std::optional<ScriptEntry> finished;  // all steps are done
  // Ascending by the events' ids; nothing for those that it ignores.
  std::vector<std::pair<Id, std::optional<ScriptEntry>>> handlers;
  std::vector<ScriptStep> steps;
  Id next;  // the state behind the last step; kNoId: it stays

  // Whether the state has a word on an event: null where it hasn't.
  const std::optional<ScriptEntry>* FindHandler(Id event) const;
};

// All of a file.
struct ScriptStates {
  std::vector<ScriptState> states;  // ascending by their names' ids
  Id initial;

  bool empty() const { return states.empty(); }
  const ScriptState* Find(Id name) const;
};

// REQUIRES: StateMistakes finds none.
ScriptStates FindStates(ScriptMachine& machine, std::string_view file);

// A mistake in what a file says of states. `word` is the string or the key that
// it is about, or empty.
struct ScriptMistake {
  std::string what;
  std::string word;
  int line = 0;  // where a function begins that it is about; 0: of `word`
};

std::vector<ScriptMistake> StateMistakes(ScriptMachine& machine,
                                         std::string_view file);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_STATES_H_
