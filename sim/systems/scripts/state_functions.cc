// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Functions of scripts about their own states, `state`.

#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/base/nearest_name.h"
#include "sim/systems/scripts/script_functions.h"
#include "sim/systems/scripts/script_place.h"

namespace reprise::sim {
namespace {

absl::Status CheckHasStates(const ScriptPlace& place) {
  if (place.states != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("{} declares no states", place.use.file));
}

const ScriptRow& RowOf(const ScriptPlace& place) {
  return ScriptRowOf(place.context, place.object, *place.use.component);
}

absl::Status GoTo(ScriptCall& call) {
  ScriptPlace& place = PlaceOf(call);
  if (absl::Status status = CheckHasStates(place); !status.ok()) return status;
  if (place.is_leaving) {
    return absl::InvalidArgumentError(
        "a state that is left can't say where to go");
  }
  const Id name = IdOf(call.string(0));
  if (place.states->Find(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const ScriptState& state : place.states->states) {
      names.push_back(state.text);
    }
    return absl::InvalidArgumentError(
        fmt::format("there is no state '{}'{}", call.string(0),
                    DidYouMean(call.string(0), names)));
  }
  place.go_to = name;
  return absl::OkStatus();
}

// Returns what `part` makes of the row, once a state is entered.
template <typename Part>
absl::Status ReturnOf(ScriptCall& call, const Part& part) {
  const ScriptPlace& place = PlaceOf(call);
  if (absl::Status status = CheckHasStates(place); !status.ok()) return status;
  const ScriptRow& row = RowOf(place);
  if (row.entered != kNoId) part(place, row);
  return absl::OkStatus();
}

}  // namespace

void AddStateFunctions(ScriptFunctions& functions) {
  const std::string none = "the script declares no states";
  functions.Add(
      "state.go_to",
      "Has the object go to a state when the handler that runs has "
      "returned, even if it is the same one; of several the last counts.",
      {TextParameter("name", "one of the script's states")}, {}, &GoTo,
      none + ", or no such one; `exit` runs");
  functions.Add(
      "state.name", "Tells which state the object is in.", {},
      MayGive(ScriptType::kString, "nil before the first"),
      [](ScriptCall& call) {
        return ReturnOf(
            call, [&](const ScriptPlace& place, const ScriptRow& row) {
              const ScriptState* const state = place.states->Find(row.entered);
              if (state != nullptr) {
                call.Return(std::string_view(state->text));
              }
            });
      },
      none);
  functions.Add(
      "state.ticks", "Tells for how long it has been in its state.", {},
      MayGive(ScriptType::kInteger, "nil before the first", "ticks"),
      [](ScriptCall& call) {
        return ReturnOf(
            call, [&](const ScriptPlace& place, const ScriptRow& row) {
              call.Return(static_cast<int64_t>(place.context.tick()) -
                          static_cast<int64_t>(row.since));
            });
      },
      none);
  functions.Add(
      "state.step", "Tells which step of its state is under way.", {},
      MayGive(ScriptType::kInteger, "from 1; nil when none is"),
      [](ScriptCall& call) {
        return ReturnOf(
            call, [&](const ScriptPlace& /*place*/, const ScriptRow& row) {
              if (row.step == 0) return;
              call.Return(static_cast<int64_t>(row.step));
            });
      },
      none);
}

}  // namespace reprise::sim
