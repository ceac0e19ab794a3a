// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Which events a script may send, and what it may give them: those of the pack
// and of its players' commands, and those by which packs tell systems what to
// do. What only the world says, no script can make up.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENT_TYPES_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENT_TYPES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "sim/base/field.h"
#include "sim/base/id.h"
#include "sim/world/events/receivers.h"
#include "sim/world/events/world_event.h"

namespace reprise::sim {

struct ScriptEventType {
  struct Argument {
    Id id;
    std::string name;
    std::optional<ScalarType> type;  // unset: of any
  };

  Id id;
  std::string name;
  bool is_for_packs = false;  // else the world alone sends it
  std::vector<Argument> arguments;
};

class ScriptEventTypes {
 public:
  // No event is known, and all may be sent.
  ScriptEventTypes() = default;

  // `is_strict`: the pack declares events, so there are no others, and none has
  // other arguments.
  ScriptEventTypes(std::vector<ScriptEventType> types, bool is_strict);

  // INVALID_ARGUMENT where no script may send an event of this type.
  absl::Status Check(std::string_view event) const;

  // The same, and where what sends it gives it an argument that is declared to
  // be of another type.
  absl::Status CheckGiven(std::string_view event, std::string_view argument,
                          ScalarType type) const;

  // Gives each argument the type that is declared: a script's 3 is a number
  // where one is meant, 3.0 a whole number, and an object one by its serial.
  // INVALID_ARGUMENT where one can't have it, or the event has no such
  // argument. `text_of` names ids. REQUIRES: Check(event).
  absl::Status Fit(std::string_view event, EventArguments& arguments,
                   const EventReceivers& receivers,
                   absl::FunctionRef<std::string(Id)> text_of) const;

 private:
  const ScriptEventType* Find(std::string_view event) const;

  std::vector<ScriptEventType> types_;  // ascending by id
  bool is_strict_ = false;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_EVENT_TYPES_H_
