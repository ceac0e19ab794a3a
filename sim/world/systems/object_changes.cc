// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/world/systems/object_changes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "sim/base/check.h"
#include "sim/base/handle.h"
#include "sim/geometry/transform.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/definition/world_rows.h"
#include "sim/world/events/interests.h"
#include "sim/world/objects/attaching.h"
#include "sim/world/objects/body_kinds.h"
#include "sim/world/systems/systems.h"
#include "sim/world/time/timeline.h"
#include "sim/world/time/timeline_marks.h"
#include "sim/world/time/timers.h"
#include "sim/world/updates/step_writers.h"
#include "sim/world/updates/update_context.h"
#include "sim/world/updates/world_queries.h"

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
  for (const Objects::Change& change : parts.objects.destroyed()) {
    const uint64_t serial = change.object.serial;
    const uint32_t end = streams.LowerBound(std::array{serial + 1});
    for (uint32_t row = streams.LowerBound(std::array{serial}); row < end;
         ++row) {
      rows.push_back(row);
    }
  }
  std::ranges::sort(rows);  // a total order
  streams.Erase(rows);
  for (const Objects::Change& change : parts.objects.destroyed()) {
    DropInterests(parts.state.mutable_table(parts.tables.events.interests),
                  change.object);
    Timers(parts.state, parts.tables.timers).StopAllOf(change.object);
    RemoveTimelinesOf(parts.state.mutable_table(parts.tables.timelines),
                      change.object);
    if (parts.tables.timeline_marks.has_value()) {
      RemoveMarksOf(parts.state.mutable_table(*parts.tables.timeline_marks),
                    change.object);
    }
  }
}

// Calls `run` for each behaviour of an object that has a hook.
template <typename HasHook, typename Run>
void RunHook(const WorldParts& parts, Handle handle, bool are_going,
             const HasHook& has_hook, const Run& run) {
  const uint32_t row = parts.objects.RowOf(parts.state, handle);
  if (row == kNoRow) return;
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  for (const BehaviourUse& use :
       parts.definition.types[parts.objects.TypeOf(row)].behaviours) {
    if (!has_hook(use.behaviour->hooks())) continue;
    const auto& object = objects.Get<ObjectRow>(row);
    if (object.status == ObjectStatus::kInert ||
        object.status == ObjectStatus::kAwayInert) {
      return;
    }
    UpdateContext context(parts, parts.readable);
    if (are_going) {
      context.BeginLast(object.bucket, std::span(&row, 1));
    } else {
      context.Begin(object.bucket, std::span(&row, 1));
    }
    const ScopedWriter writer(parts.systems->writers(), [&] {
      return fmt::format("behaviour {}, {}", use.name,
                         are_going ? "going" : "coming");
    });
    run(*use.behaviour, context);
    context.End();
  }
}

// Others are read as they are now: rows have moved since the last update.
void KeepReadable(const WorldParts& parts) {
  if (parts.readable != nullptr) *parts.readable = parts.state;
  if (parts.queries != nullptr) parts.queries->Look(parts);
}

void RunSpawnHooks(const WorldParts& parts) {
  // A hook may ask for more, which the next round brings.
  const std::vector<Objects::Change> spawned(parts.objects.spawned().begin(),
                                             parts.objects.spawned().end());
  if (spawned.empty()) return;
  KeepReadable(parts);
  for (const Objects::Change& change : spawned) {
    RunHook(
        parts, change.handle, /*are_going=*/false,
        [](const Behaviour::Hooks& hooks) { return hooks.on_spawn; },
        [](const Behaviour& behaviour, UpdateContext& context) {
          behaviour.OnSpawn(context);
        });
  }
}

void RunDestroyHooks(const WorldParts& parts) {
  if (parts.objects.pending_destroys().empty()) return;
  KeepReadable(parts);
  std::set<Handle> told;
  // A hook may ask for the end of others: the list grows meanwhile.
  for (size_t i = 0; i < parts.objects.pending_destroys().size(); ++i) {
    const Handle handle = parts.objects.pending_destroys()[i];
    if (!told.insert(handle).second) continue;
    RunHook(
        parts, handle, /*are_going=*/true,
        [](const Behaviour::Hooks& hooks) { return hooks.on_destroy; },
        [](const Behaviour& behaviour, UpdateContext& context) {
          behaviour.OnDestroy(context);
        });
  }
}

// Where an object is carried by its parent; nowhere without a place.
void WriteAttachment(const WorldParts& parts, ObjectId object,
                     const std::optional<Transform>& place) {
  Table& table = parts.state.mutable_table(parts.tables.objects.attachments);
  const uint32_t row = table.LowerBound(std::array{object.serial});
  const bool is_there =
      row < table.row_count() && table.Get<AttachmentRow>(row).object == object;
  if (!place.has_value()) {
    if (is_there) table.Erase(std::array{row});
    return;
  }
  if (!is_there) table.Insert(row);
  table.Mutable<AttachmentRow>(row) = {object, place->position,
                                       place->rotation};
}

AttachRefusal AttachOne(const WorldParts& parts,
                        const Objects::AttachRequest& request) {
  const uint32_t row = parts.objects.RowOf(parts.state, request.object);
  if (row == kNoRow) return AttachRefusal::kIsGone;
  const bool is_carried = request.is_carried && !request.parent.is_null();
  if (is_carried &&
      !CanBeCarried(parts.definition,
                    parts.definition.types[parts.objects.TypeOf(row)])) {
    return AttachRefusal::kNotKinematic;
  }
  const AttachRefusal refusal =
      SetParent(parts.definition, parts.objects, parts.state, request.object,
                request.parent);
  if (refusal != AttachRefusal::kNone) return refusal;
  std::optional<Transform> place;
  if (is_carried) {
    const uint32_t parent = parts.objects.RowOf(parts.state, request.parent);
    place = request.place_on_parent.has_value()
                ? *request.place_on_parent
                : Inverse(PlaceOf(parts, parts.state, parent)) *
                      PlaceOf(parts, parts.state, row);
  }
  WriteAttachment(parts,
                  parts.state.table(parts.tables.objects.objects)
                      .Get<ObjectRow>(row)
                      .object,
                  place);
  return AttachRefusal::kNone;
}

void AttachAsked(const WorldParts& parts) {
  bool changes = false;
  for (const Objects::AttachRequest& request :
       parts.objects.TakeAttachRequests()) {
    const AttachRefusal refusal = AttachOne(parts, request);
    changes |= refusal == AttachRefusal::kNone;
    if (refusal == AttachRefusal::kNone ||
        parts.objects.RowOf(parts.state, request.asked_by) == kNoRow) {
      continue;
    }
    TellObject(parts, kAttachRefused, request.asked_by,
               {{kReference, FieldValue::OfHandle(request.object)},
                {kReason, FieldValue::OfId(ReasonOf(refusal))}});
  }
  if (changes) parts.objects.Reorder();
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

// Lets what was asked for come and go once.
void CommitOnce(const WorldParts& parts) {
  parts.systems->RunAt(StepPoint::kBeforeObjects);
  RunDestroyHooks(parts);
  parts.objects.Commit(parts.game_tick, parts.state);
  ChangeBodies(parts);
  parts.systems->RunAt(StepPoint::kAfterObjects);
  GreetSpawned(parts);
  ForgetDestroyed(parts);
  AttachAsked(parts);
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
  RunSpawnHooks(parts);
}

}  // namespace

void CommitObjects(const WorldParts& parts) {
  CommitOnce(parts);
  // What those that came and went asked for.
  for (uint32_t round = 1; parts.objects.HasRequests(); ++round) {
    parts.objects.set_is_late(round >= kHookRoundsMax);
    CommitOnce(parts);
  }
  parts.objects.set_is_late(false);
  parts.router->Settle();
}

void GreetFirst(const WorldParts& parts) {
  GreetSpawned(parts);
  RunSpawnHooks(parts);
  if (parts.objects.HasRequests()) CommitObjects(parts);
}

}  // namespace reprise::sim
