// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What a script says of itself in the table that it returns: the functions that
// are called, the events that it handles, its parameters, and what it needs.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_HOOKS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_HOOKS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/script/script_machine.h"
#include "sim/systems/scripts/script_states.h"
#include "sim/world/components/property_value.h"

namespace reprise::sim {

// The functions of one file in one machine.
struct ScriptHooks {
  std::optional<ScriptEntry> spawn;
  std::optional<ScriptEntry> update;  // before physics
  std::optional<ScriptEntry> after_physics;
  std::optional<ScriptEntry> destroyed;
  // `on` of the table, ascending by the events' ids.
  std::vector<std::pair<Id, ScriptEntry>> handlers;
  ScriptStates states;

  const ScriptEntry* FindHandler(Id event) const;
};

ScriptHooks FindHooks(ScriptMachine& machine, std::string_view file);

// A parameter as a script declares it: `parameters = { speed = { default = 3.0,
// unit = "m/s", minimum = 0, help = "..." } }`, or short: `speed = 3.0`.
struct ScriptParameterDeclaration {
  std::string name;
  PropertyValue default_value;
  std::string text;  // of a default that is one
  std::string help;
  std::string unit;
  std::optional<double> minimum;
  std::optional<double> maximum;
};

// What stays the same whoever runs it.
struct ScriptDeclaration {
  std::string help;
  // That it handles, in its order; those of states behind.
  std::vector<std::string> events;
  std::vector<std::string> states;
  std::vector<ScriptParameterDeclaration> parameters;
  bool reads_others = false;
  bool queries = false;
  bool marks_timelines = false;
};

// INVALID_ARGUMENT for a script that returns no table with something to call,
// that has something else than a function where one is called, or a parameter
// without a default. What it says of states is for StateMistakes.
absl::StatusOr<ScriptDeclaration> ReadDeclaration(ScriptMachine& machine,
                                                  std::string_view file);

// Keys of the table that nobody reads, but that are nearly called as one that
// is: a function of the file's own may be called as it likes.
std::vector<ScriptMistake> KeyMistakes(ScriptMachine& machine,
                                       std::string_view file);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_HOOKS_H_
