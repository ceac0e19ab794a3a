// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/scripts/script_functions.h"

#include <array>
#include <utility>

#include "sim/base/check.h"

namespace reprise::sim {
namespace {

// What hooks may call: it changes nothing, or nothing but what is told. Events
// are delivered later, as if any other object had sent them.
constexpr auto kForHooks = std::to_array<std::string_view>({
    "character.ground",   "character.stands",
    "character.velocity", "event.get",
    "event.give",         "event.post",
    "event.sender",       "event.type",
    "flow.cost",          "flow.goal",
    "flow.next",          "grid.weight",
    "layer.is_on",        "log.debug",
    "log.error",          "log.info",
    "log.warning",        "navigator.count",
    "navigator.point",    "other.get",
    "other.now",          "other.position",
    "other.position_now", "other.rotation",
    "other.rotation_now", "other.size",
    "other.updated_at",   "own.get",
    "own.handle",         "own.parent",
    "own.position",       "own.rotation",
    "own.serial",         "own.size",
    "own.spin",           "own.to_local",
    "own.to_world",       "own.velocity",
    "path.direction",     "path.length",
    "path.point",         "player.acceleration",
    "player.axis",        "player.holds",
    "player.is_down",     "player.mouse_motion",
    "player.pointer",     "player.presses",
    "player.releases",    "player.steps",
    "player.touch",       "player.touch_id",
    "player.touch_phase", "player.touches",
    "player.turning",     "player.value",
    "player.went_down",   "player.went_up",
    "player.wheel",       "query.all",
    "query.along",        "query.box",
    "query.closest",      "query.colliding",
    "query.cone",         "query.corner",
    "query.distance",     "query.hull_of",
    "query.layer",        "query.near",
    "query.near_box",     "query.near_hull",
    "query.near_solid",   "query.nearest",
    "query.normal",       "query.object",
    "query.only",         "query.point",
    "query.ray",          "query.sees",
    "query.sphere",       "query.sweep",
    "query.sweep_box",    "query.sweep_hull",
    "query.sweep_solid",  "query.without",
    "state.name",         "state.step",
    "state.ticks",        "steering.arrive",
    "steering.avoid",     "steering.evade",
    "steering.flee",      "steering.limit",
    "steering.pursue",    "steering.seek",
    "steering.separate",  "steering.wander",
    "timeline.duration",  "timeline.is_paused",
    "timeline.rate",      "timeline.time",
    "timer.due_in",       "timer.firings",
    "timer.period",       "vehicle.engine_speed",
    "vehicle.gear",       "vehicle.steering",
    "world.by_serial",    "world.exists",
    "world.find",         "world.step",
    "world.tick",
});

// What a hook gathers is its own: it can't give an argument to the event that
// the call which it looks on at is about to post.
void LookOn(void* context, absl::FunctionRef<void(void*)> run) {
  const auto& watched = *static_cast<const ScriptPlace*>(context);
  ScriptPlace place{.context = watched.context,
                    .object = watched.object,
                    .use = watched.use,
                    .properties = watched.properties,
                    .event_types = watched.event_types,
                    .event = watched.event,
                    .is_update = watched.is_update,
                    .states = watched.states,
                    .is_leaving = watched.is_leaving};
  run(&place);
}

}  // namespace

void ScriptFunctions::LetHooksCall(std::span<const std::string_view> names) {
  for (const std::string_view name : names) api_->LetHooksCall(name);
}

std::shared_ptr<const ScriptApi> ScriptFunctions::Finish() {
  api_->set_watching(LookOn);
  return std::move(api_);
}

void ScriptFunctions::Add(std::string name, std::string help,
                          std::vector<ScriptParameter> parameters,
                          ScriptResult result, ScriptNative native,
                          std::string fails_when) {
  ScriptFunction function{.name = std::move(name),
                          .help = std::move(help),
                          .parameters = std::move(parameters),
                          .result = std::move(result),
                          .failures = {},
                          .native = native};
  if (!fails_when.empty()) {
    function.failures.push_back({.code = absl::StatusCode::kInvalidArgument,
                                 .when = std::move(fails_when)});
  }
  const absl::Status status = api_->Add(std::move(function));
  CHECK(status.ok(), "{}", status.ToString());
}

const BodyRow* FindBodyRow(const WorldParts& parts, const State& state,
                           ObjectId object) {
  const Table& bodies = state.table(parts.tables.physics.bodies);
  const uint32_t row = bodies.LowerBound(std::array{object.serial});
  if (row == bodies.row_count()) return nullptr;
  const auto& body = bodies.Get<BodyRow>(row);
  return body.object == object ? &body : nullptr;
}

absl::Status Refused(const absl::Status& status) {
  if (status.ok()) return status;
  return absl::InvalidArgumentError(status.message());
}

int64_t IntegerOr(const ScriptCall& call, size_t index, int64_t otherwise) {
  return call.has(index) ? call.integer(index) : otherwise;
}

Id KeepWord(ScriptCall& call, size_t index) {
  UpdateContext& context = PlaceOf(call).context;
  const std::string_view text = call.string(index);
  if (context.parts().definition.names.NameOf(IdOf(text)).empty()) {
    call.Charge(kKeepTextInstructions);
  }
  return context.KeepText(text);
}

GrowthCharge::GrowthCharge(ScriptCall& call, TableIndex table)
    : call_(call), table_(table), before_(RowCount()) {}

uint32_t GrowthCharge::RowCount() const {
  return PlaceOf(call_).context.parts().state.table(table_).row_count();
}

void GrowthCharge::Pay() const {
  // As many rows are moved about in the time of an instruction.
  constexpr uint32_t kRowsPerInstruction = 16;
  const uint32_t now = RowCount();
  if (now > before_) call_.Charge(now / kRowsPerInstruction);
}

std::shared_ptr<const ScriptApi> WorldScriptApi() {
  static const auto& api = *new std::shared_ptr<const ScriptApi>([] {
    ScriptFunctions functions;
    AddOwnFunctions(functions);
    AddOtherFunctions(functions);
    AddWorldFunctions(functions);
    AddEventFunctions(functions);
    AddQueryFunctions(functions);
    AddLogFunctions(functions);
    AddStateFunctions(functions);
    AddSteeringFunctions(functions);
    AddSystemFunctions(functions);
    AddPlayerFunctions(functions);
    AddDeviceFunctions(functions);
    AddBodyFunctions(functions);
    AddHullFunctions(functions);
    functions.LetHooksCall(kForHooks);
    return functions.Finish();
  }());
  return api;
}

}  // namespace reprise::sim
