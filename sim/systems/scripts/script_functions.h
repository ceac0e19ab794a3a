// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What behaviours in Lua may call. Each function is described once: its name,
// arguments with units and ranges, result, errors and help. The checks of
// arguments, docs/script_reference.md and what editors complete follow from
// that. All that a behaviour in C++ has of UpdateContext is there.

#ifndef REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_FUNCTIONS_H_
#define REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/base/id.h"
#include "sim/base/object_id.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/physics/definition/shape_definition.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/script_call.h"
#include "sim/script/functions/script_function.h"
#include "sim/state/state.h"
#include "sim/systems/scripts/script_place.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {

// All of them, the same for all worlds. The context of calls is a ScriptPlace.
std::shared_ptr<const ScriptApi> WorldScriptApi();

// Takes descriptions, all of which work on a ScriptPlace and fail with
// INVALID_ARGUMENT alone.
class ScriptFunctions {
 public:
  // `fails_when` is empty for one that can't fail.
  void Add(std::string name, std::string help,
           std::vector<ScriptParameter> parameters, ScriptResult result,
           ScriptNative native, std::string fails_when = "");

  // Lets hooks call the functions of these names.
  void LetHooksCall(std::span<const std::string_view> names);

  // Hooks get a ScriptPlace of their own.
  std::shared_ptr<const ScriptApi> Finish();

 private:
  std::shared_ptr<ScriptApi> api_ = std::make_shared<ScriptApi>();
};

// Each adds the functions of some tables.
void AddBodyFunctions(ScriptFunctions& functions);    // query, of bodies
void AddDeviceFunctions(ScriptFunctions& functions);  // player, of devices
void AddEventFunctions(ScriptFunctions& functions);   // event, timer, timeline
void AddHullFunctions(ScriptFunctions& functions);    // query, of hulls
void AddLogFunctions(ScriptFunctions& functions);     // log
void AddOtherFunctions(ScriptFunctions& functions);   // other
void AddOwnFunctions(ScriptFunctions& functions);     // own
void AddPlayerFunctions(ScriptFunctions& functions);  // player
void AddQueryFunctions(ScriptFunctions& functions);   // query
void AddStateFunctions(ScriptFunctions& functions);   // state
void AddSteeringFunctions(ScriptFunctions& functions);  // flow, grid, steering
void AddSystemFunctions(ScriptFunctions& functions);    // layer, path ...
void AddWorldFunctions(ScriptFunctions& functions);     // world

// Where a number may be any.
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Why a property of an object can't be read or written.
inline constexpr char kNoProperty[] =
    "the pack has no such property, or the object lacks it; the value is of "
    "another type or out of its range; a list is meant, or none";

inline ScriptPlace& PlaceOf(const ScriptCall& call) {
  return call.context<ScriptPlace>();
}

// The body of an object; null when it has none.
const BodyRow* FindBodyRow(const WorldParts& parts, const State& state,
                           ObjectId object);

// INVALID_ARGUMENT: the script doesn't say that it queries.
absl::Status CheckQueries(const ScriptPlace& place);

// The hull that was said for the call's question about bodies, which the script
// pays for: its corners one by one, or that of a type's body. It holds for one
// question, whatever becomes of that. INVALID_ARGUMENT as in kNoHull.
absl::StatusOr<Solid> TakeHull(ScriptCall& call);
inline constexpr char kNoHull[] =
    "no hull was said before it, or one of fewer than 4 corners, or flat, or "
    "with corners too close to each other";

// INVALID_ARGUMENT: there is no player of argument 0, which is a whole number.
absl::Status CheckPlayer(const ScriptCall& call);
inline constexpr double kScriptPlayerMax = 63;

// Any error as the one that descriptions tell of.
absl::Status Refused(const absl::Status& status);

// Of a whole number that may be left out.
int64_t IntegerOr(const ScriptCall& call, size_t index, int64_t otherwise);

// The id of the text that an argument is. One that the pack doesn't have costs
// instructions, since it is kept.
Id KeepWord(ScriptCall& call, size_t index);

// Makes the script pay for rows that others make way for, so that it can't
// spend seconds in a call by filling a table. Nothing where it hasn't grown.
class GrowthCharge {
 public:
  // `table` is the world's. Both outlive this.
  GrowthCharge(ScriptCall& call, TableIndex table);

  // To be called behind what may have grown. Leaves as ScriptCall::Charge does.
  void Pay() const;

 private:
  uint32_t RowCount() const;

  ScriptCall& call_;
  TableIndex table_;
  uint32_t before_;
};

// Longer waits are no delays: half a year at 60 Hz.
inline constexpr double kScriptTicksMax = 1e9;

}  // namespace reprise::sim

#endif  // REPRISE_SIM_SYSTEMS_SCRIPTS_SCRIPT_FUNCTIONS_H_
