// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/object_changes.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "sim/base/check.h"
#include "sim/base/handle.h"
#include "sim/geometry/transform.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/interests.h"
#include "sim/world/objects/body_kinds.h"
#include "sim/world/systems/systems.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timers.h"

namespace reprise::sim {
namespace {

// Gives the objects that came attached their place on their parents.
void AttachSpawned(const WorldParts& parts) {
  Table& attachments =
      parts.state.mutable_table(parts.tables.objects.attachments);
  for (const Objects::Change& change : parts.objects.spawned()) {
    const uint32_t parent =
        parts.objects.RowOf(parts.state, change.request.parent);
    if (!change.request.is_attached || parent == kNoRow) continue;
    const Transform place =
        Inverse(PlaceOf(parts, parts.state, parent)) * change.request.place;
    attachments.Resize(attachments.row_count() + 1);
    attachments.Mutable<AttachmentRow>(attachments.row_count() - 1) = {
        change.object, place.position, place.rotation};
  }
}

// Lets the references of objects that came with a chunk lead to whoever has the
// name now: others of that chunk came at the same time.
void LinkSpawned(const WorldParts& parts) {
  for (const Objects::Change& change : parts.objects.spawned()) {
    if (change.request.chunk == kNoId) continue;
    const ObjectDefinition* const definition =
        parts.definition.FindPassingObject(change.request.name);
    if (definition == nullptr) continue;
    const uint32_t row = parts.objects.RowOf(parts.state, change.object);
    for (const ReferenceDefinition& reference : definition->references) {
      const uint32_t other = parts.objects.RowNamed(reference.object);
      const Handle handle =
          other == kNoRow ? kNullHandle
                          : parts.state.table(parts.tables.objects.objects)
                                .Get<ObjectRow>(other)
                                .handle;
      Table& component = parts.state.mutable_table(
          parts.tables.objects.components[reference.component]);
      const std::span<std::byte> bytes = component.MutableRow(
          parts.objects.ComponentRow(row, reference.component));
      std::memcpy(bytes.data() + reference.offset, &handle, sizeof(handle));
    }
  }
}

// Drops what the world kept for objects that are gone.
void ForgetDestroyed(const WorldParts& parts) {
  if (parts.objects.destroyed().empty()) return;
  Table& streams = parts.state.mutable_table(parts.tables.random_streams);
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < streams.row_count(); ++row) {
    const ObjectId owner = streams.Get<RandomStreamRow>(row).object;
    if (parts.objects.RowOf(parts.state, owner) == kNoRow) rows.push_back(row);
  }
  streams.Erase(rows);
  for (const Objects::Change& change : parts.objects.destroyed()) {
    DropInterests(parts.state.mutable_table(parts.tables.events.interests),
                  change.object);
    Timers(parts.state, parts.tables.timers).StopAllOf(change.object);
    RemoveTimelinesOf(parts.state.mutable_table(parts.tables.timelines),
                      change.object);
  }
}

void ChangeBodies(const WorldParts& parts) {
  const PhysicsDefinition& physics = parts.definition.physics;
  for (const Objects::Change& change : parts.objects.destroyed()) {
    if (!parts.definition.types[change.type].body_kind.has_value()) continue;
    // One that slept had none.
    RemoveBody(parts.state, parts.tables.physics, physics, change.object)
        .IgnoreError();
  }
  for (const Objects::Change& change : parts.objects.spawned()) {
    const TypeDefinition& type = parts.definition.types[change.type];
    if (!type.body_kind.has_value() ||
        change.request.status != ObjectStatus::kActive) {
      continue;
    }
    EnterPhysics(
        parts,
        {.object = change.object,
         .kind =
             BodyKindOf(parts.state, parts.tables.objects, type, change.object),
         .position = change.request.place.position,
         .rotation = change.request.place.rotation,
         .linear_velocity_m_s = change.request.linear_velocity_m_s,
         .angular_velocity_rad_s = change.request.angular_velocity_rad_s});
  }
  // What was posted waits in the queue over the end of the tick.
  parts.router->Settle();
}

}  // namespace

void GreetSpawned(const WorldParts& parts) {
  AttachSpawned(parts);
  LinkSpawned(parts);
  for (const Objects::Change& change : parts.objects.spawned()) {
    const TypeDefinition& type = parts.definition.types[change.type];
    for (const InterestDefinition& interest : type.interests) {
      const absl::Status status = RegisterInterest(
          parts.state.mutable_table(parts.tables.events.interests),
          interest.event, change.object, change.handle, interest.priority);
      if (!status.ok()) {
        TellListeners(parts, kSpawnIncomplete, change.object, {});
      }
    }
    for (TimerStart start : type.timers) {
      start.object = change.object;
      start.is_asleep = change.request.status != ObjectStatus::kActive;
      const absl::Status status = Timers(parts.state, parts.tables.timers)
                                      .Start(start, parts.game_tick);
      if (!status.ok()) {
        TellListeners(parts, kSpawnIncomplete, change.object, {});
      }
    }
  }
}

void CommitObjects(const WorldParts& parts) {
  parts.systems->RunAt(StepPoint::kBeforeObjects);
  parts.objects.Commit(parts.game_tick, parts.state);
  ChangeBodies(parts);
  parts.systems->RunAt(StepPoint::kAfterObjects);
  GreetSpawned(parts);
  ForgetDestroyed(parts);
  const auto tell = [&](Id event, const Objects::Change& change) {
    TellListeners(
        parts, event, change.object,
        {{kType, FieldValue::OfId(parts.definition.types[change.type].id)}});
  };
  for (const Objects::Change& change : parts.objects.destroyed()) {
    tell(kObjectDestroyed, change);
  }
  for (const Objects::Change& change : parts.objects.spawned()) {
    tell(kObjectSpawned, change);
  }
}

}  // namespace reprise::sim
