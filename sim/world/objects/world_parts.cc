// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/objects/world_parts.h"

#include <array>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/bodies/kinematic_motion.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/objects/body_kinds.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {
namespace {

bool HasBody(const WorldParts& parts, uint32_t row) {
  return parts.definition.types[parts.objects.TypeOf(row)]
      .body_kind.has_value();
}

ObjectId ObjectAt(const WorldParts& parts, const State& state, uint32_t row) {
  return state.table(parts.tables.objects.objects).Get<ObjectRow>(row).object;
}

// Makes the body of an object that had none, and takes its place row away.
void WakeBody(const WorldParts& parts, uint32_t row, const Transform& place) {
  const ObjectId object = ObjectAt(parts, parts.state, row);
  Table& places = parts.state.mutable_table(parts.tables.objects.places);
  const uint32_t place_row = places.LowerBound(std::array{object.serial});
  places.Erase(std::array{place_row});
  const TypeDefinition& type =
      parts.definition.types[parts.objects.TypeOf(row)];
  EnterPhysics(parts, {.object = object,
                       .kind = BodyKindOf(parts.state, parts.tables.objects,
                                          type, object),
                       .position = place.position,
                       .rotation = place.rotation});
}

// Moves a kinematic body; any other stays where physics has it.
void MoveBody(const WorldParts& parts, uint32_t body, const Transform& place) {
  const auto& row =
      parts.state.table(parts.tables.physics.bodies).Get<BodyRow>(body);
  const BodyKind& kind = parts.definition.physics.kinds[row.kind];
  if (kind.motion != Motion::kKinematic) return;
  MoveKinematic(parts.state, parts.tables.physics, body, place.position,
                place.rotation, parts.definition.physics.tick_s);
}

// Takes an object's body out of the physical world; it keeps its place.
void LeavePhysics(const WorldParts& parts, uint32_t row,
                  const Transform& place) {
  const ObjectId object = ObjectAt(parts, parts.state, row);
  const absl::Status status = RemoveBody(parts.state, parts.tables.physics,
                                         parts.definition.physics, object);
  CHECK(status.ok(), "{}", status.ToString());
  Table& places = parts.state.mutable_table(parts.tables.objects.places);
  const uint32_t place_row = places.LowerBound(std::array{object.serial});
  places.Insert(place_row);
  places.Mutable<PlaceRow>(place_row) = {object, place.position,
                                         place.rotation};
}

// Has an object's timers and timelines stand still, or go on.
void SetTimeAsleep(const WorldParts& parts, ObjectId object, bool is_asleep) {
  Timers timers(parts.state, parts.tables.timers);
  Table& timelines = parts.state.mutable_table(parts.tables.timelines);
  if (is_asleep) {
    timers.SleepAllOf(object, parts.game_tick);
    SleepTimelinesOf(timelines, object, parts.game_tick);
  } else {
    timers.WakeAllOf(object, parts.game_tick);
    WakeTimelinesOf(timelines, object, parts.game_tick);
  }
}

}  // namespace

void TellObject(const WorldParts& parts, Id type, ObjectId object,
                std::initializer_list<EventArgument> arguments) {
  CHECK(parts.router != nullptr);
  WorldEvent event{.type = type, .arguments = arguments};
  if (const uint32_t row = parts.objects.RowOf(parts.state, object);
      row != kNoRow) {
    event.sender = parts.state.table(parts.tables.objects.objects)
                       .Get<ObjectRow>(row)
                       .handle;
    event.target = event.sender;
  }
  parts.router->Post(event);
}

void TellListeners(const WorldParts& parts, Id type, ObjectId object,
                   std::vector<EventArgument> arguments) {
  parts.journal.Record({.tick = parts.game_tick,
                        .type = type,
                        .object = object,
                        .arguments = std::move(arguments)});
}

void EnterPhysics(const WorldParts& parts, const BodyPlacement& wanted) {
  const BodyPlacement body = WithinBounds(wanted);
  const absl::Status status = AddBody(parts.state, parts.tables.physics,
                                      parts.definition.physics, body);
  CHECK(status.ok(), "{}", status.ToString());
  if (body.position == wanted.position &&
      body.linear_velocity_m_s == wanted.linear_velocity_m_s &&
      body.angular_velocity_rad_s == wanted.angular_velocity_rad_s) {
    return;
  }
  TellObject(parts, kBodyRefused, body.object, {});
}

void SetStatus(const WorldParts& parts, uint32_t row, ObjectStatus status) {
  const auto before =
      parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
  if (before.status == status) return;
  if (HasBody(parts, row) && IsEmbodied(before.status) != IsEmbodied(status)) {
    const Transform place = PlaceOf(parts, parts.state, row);
    if (IsEmbodied(status)) {
      WakeBody(parts, row, place);
    } else {
      LeavePhysics(parts, row, place);
    }
  }
  const bool was_active = before.status == ObjectStatus::kActive;
  const bool is_active = status == ObjectStatus::kActive;
  if (was_active != is_active) SetTimeAsleep(parts, before.object, !is_active);
  parts.objects.SetStatus(parts.state, row, status);
}

Transform PlaceOf(const WorldParts& parts, const State& state, uint32_t row) {
  const ObjectId object = ObjectAt(parts, state, row);
  if (HasBody(parts, row)) {
    const std::optional<uint32_t> body =
        FindBody(state, parts.tables.physics, object);
    if (body.has_value()) {
      const auto& body_row =
          state.table(parts.tables.physics.bodies).Get<BodyRow>(*body);
      return {.position = body_row.position,
              .rotation = ToQuaternion(body_row.basis)};
    }
  }
  const Table& places = state.table(parts.tables.objects.places);
  const uint32_t place = places.LowerBound(std::array{object.serial});
  const auto& place_row = places.Get<PlaceRow>(place);
  CHECK(place_row.object == object, "object {} stands nowhere", object.serial);
  return {.position = place_row.position, .rotation = place_row.rotation};
}

void SetPlace(const WorldParts& parts, uint32_t row, const Transform& place) {
  const ObjectId object = ObjectAt(parts, parts.state, row);
  if (const std::optional<uint32_t> body =
          FindBody(parts.state, parts.tables.physics, object);
      body.has_value()) {
    MoveBody(parts, *body, place);
    return;
  }
  Table& places = parts.state.mutable_table(parts.tables.objects.places);
  const uint32_t index = places.LowerBound(std::array{object.serial});
  const auto& old = places.Get<PlaceRow>(index);
  if (old.position == place.position && old.rotation == place.rotation) return;
  places.Mutable<PlaceRow>(index) = {object, place.position, place.rotation};
}

}  // namespace reprise::sim
