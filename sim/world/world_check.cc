// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/world_check.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/base/tick.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/definition/request_rows.h"
#include "sim/world/definition/system_declaration.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/event_queue.h"
#include "sim/world/events/interests.h"
#include "sim/world/inputs/input_tables.h"
#include "sim/world/objects/body_kinds.h"
#include "sim/world/time/game_clock.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timeline_marks.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/request_queue.h"

namespace reprise::sim {
namespace {

absl::Status Contradiction(std::string_view text) {
  return absl::DataLossError(fmt::format("snapshot: {}", text));
}

bool IsFiniteVector(Vector3 v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

absl::Status CheckRun(const Table& runs) {
  if (runs.row_count() != 1) {
    return Contradiction("the table of the run has not one row");
  }
  const auto& run = runs.Get<RunRow>(0);
  if (run.tick > kTickMax || run.outcome < 0 || run.outcome > 2) {
    return Contradiction("the tick or outcome is out of range");
  }
  return absl::OkStatus();
}

// Every object of a type with a body that is in the physical world has one of
// its kind, and nobody else has any.
absl::Status CheckBodies(const WorldDefinition& definition,
                         const WorldTables& tables, const State& snapshot) {
  const Table& objects = snapshot.table(tables.objects.objects);
  const Table& bodies = snapshot.table(tables.physics.bodies);
  uint32_t body = 0;
  for (uint32_t row = 0; row < objects.row_count(); ++row) {
    const auto& object = objects.Get<ObjectRow>(row);
    const TypeDefinition& type =
        definition.types[*definition.FindType(object.type)];
    if (!type.body_kind.has_value() || !IsEmbodied(object.status)) continue;
    if (body == bodies.row_count() ||
        bodies.Get<BodyRow>(body).object != object.object ||
        bodies.Get<BodyRow>(body).kind !=
            BodyKindOf(snapshot, tables.objects, type, object.object)) {
      return Contradiction("an object without its body");
    }
    ++body;
  }
  return body == bodies.row_count() ? absl::OkStatus()
                                    : Contradiction("a body of no object");
}

absl::Status CheckTime(const WorldTables& tables, const Objects& objects,
                       const State& snapshot) {
  const Table& clocks = snapshot.table(tables.clocks);
  if (clocks.row_count() != 1 ||
      clocks.Get<GameClockRow>(0).name != kGameClock) {
    return Contradiction("the table of clocks has not the game's one");
  }
  const Table& timelines = snapshot.table(tables.timelines);
  for (const absl::Status& checked :
       {CheckGameClocks(clocks), CheckTimers(snapshot, tables.timers),
        CheckTimelines(timelines, clocks.Get<GameClockRow>(0).game_tick)}) {
    if (!checked.ok()) return checked;
  }
  if (tables.timeline_marks.has_value()) {
    absl::Status checked =
        CheckMarkRows(snapshot.table(*tables.timeline_marks), timelines);
    if (!checked.ok()) return checked;
  }
  // Time stands still for an object as long as it isn't active.
  const Table& rows = snapshot.table(tables.objects.objects);
  const auto is_as_its_object = [&](ObjectId object, uint64_t is_asleep) {
    const uint32_t row = objects.RowOf(snapshot, object);
    return row != kNoRow && (rows.Get<ObjectRow>(row).status !=
                             ObjectStatus::kActive) == (is_asleep != 0);
  };
  const Table& timers = snapshot.table(tables.timers.timers);
  for (uint32_t row = 0; row < timers.row_count(); ++row) {
    const auto& timer = timers.Get<TimerRow>(row);
    if (objects.RowOf(snapshot, timer.object) == kNoRow) {
      return Contradiction("a timer of no object");
    }
    if (!is_as_its_object(timer.object, timer.is_asleep)) {
      return Contradiction("a timer that sleeps or runs without its object");
    }
  }
  for (uint32_t row = 0; row < timelines.row_count(); ++row) {
    const auto& timeline = timelines.Get<TimelineRow>(row);
    if (!is_as_its_object(timeline.object, timeline.is_asleep)) {
      return Contradiction("a timeline that sleeps or runs without its object");
    }
  }
  return absl::OkStatus();
}

// Each ray that waits is a request of its kind, and no other is.
absl::Status CheckRequests(const WorldDefinition& definition,
                           const WorldTables& tables, const State& snapshot) {
  const Table& rays = snapshot.table(tables.ray_requests);
  uint32_t ray = 0;
  if (tables.requests.has_value()) {
    const Table& requests = snapshot.table(*tables.requests);
    absl::Status status = CheckRequestRows(requests, definition.requests);
    if (!status.ok()) return status;
    for (uint32_t row = 0; row < requests.row_count(); ++row) {
      const auto& request = requests.Get<RequestRow>(row);
      if (request.kind != kRayRequest) continue;
      if (ray == rays.row_count()) {
        return Contradiction("a ray that goes nowhere");
      }
      const auto& asked = rays.Get<RayRequestRow>(ray++);
      if (asked.due != request.due || asked.request != request.request ||
          asked.object != request.object || asked.event != request.event ||
          !IsFiniteVector(asked.from) || !IsFiniteVector(asked.to)) {
        return Contradiction("a ray that nobody can have asked for");
      }
    }
  }
  return ray == rays.row_count()
             ? absl::OkStatus()
             : Contradiction("a ray that nobody can have asked for");
}

absl::Status CheckStreams(const Table& streams, const Objects& objects,
                          const State& snapshot) {
  for (uint32_t row = 0; row < streams.row_count(); ++row) {
    const auto key = [&](uint32_t at) {
      const auto& stream = streams.Get<RandomStreamRow>(at);
      return std::pair(stream.object, stream.name);
    };
    if ((row > 0 && key(row - 1) >= key(row)) ||
        objects.RowOf(snapshot, key(row).first) == kNoRow) {
      return Contradiction("a random stream of no object, or out of order");
    }
  }
  return absl::OkStatus();
}

// The first room of a system that `other` lacks; empty: none.
std::string_view FindMissingRoom(const State& state, const State& other) {
  for (const State::Room& room : state.rooms()) {
    const bool is_there =
        std::ranges::find(other.rooms(), room.name, &State::Room::name) !=
        other.rooms().end();
    const bool is_worlds =
        std::ranges::find(WorldRooms(), room.name) != WorldRooms().end();
    if (!is_there && !is_worlds) return room.name;
  }
  return {};
}

}  // namespace

absl::Status CheckWorldTables(const State& state, const State& snapshot) {
  if (const auto missing = FindMissingRoom(state, snapshot); !missing.empty()) {
    return absl::FailedPreconditionError(fmt::format(
        "the snapshot lacks the tables of the system '{}'", missing));
  }
  if (const auto other = FindMissingRoom(snapshot, state); !other.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("the snapshot has tables of the system '{}', which is not "
                    "in use here",
                    other));
  }
  return state.CheckSameShape(snapshot);
}

absl::Status CheckWorldRows(const WorldDefinition& definition,
                            const WorldTables& tables, const Objects& objects,
                            const State& snapshot) {
  absl::Status status = CheckRun(snapshot.table(tables.run));
  // The others find objects by these.
  if (status.ok()) status = objects.CheckRows(snapshot);
  if (status.ok()) status = CheckBodies(definition, tables, snapshot);
  if (status.ok()) status = CheckTime(tables, objects, snapshot);
  if (status.ok()) {
    status = CheckEventQueue(
        snapshot, tables.events,
        definition.event_limits.queue_capacity + kMistakeEventsMax);
  }
  if (status.ok()) {
    status = CheckInterests(snapshot.table(tables.events.interests));
  }
  if (status.ok()) {
    status = CheckRequests(definition, tables, snapshot);
  }
  if (status.ok()) {
    status =
        CheckStreams(snapshot.table(tables.random_streams), objects, snapshot);
  }
  if (status.ok()) {
    status = CheckInputRows(definition.info.inputs, tables.input, snapshot);
  }
  return status;
}

}  // namespace reprise::sim
