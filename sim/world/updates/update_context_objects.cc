// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Objects that a behaviour finds, and those that it wants to come and go.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "sim/world/components/component.h"
#include "sim/world/components/world_names.h"
#include "sim/world/objects/attaching.h"
#include "sim/world/updates/update_context.h"

namespace reprise::sim {
namespace {

// Why an object can't come: in words, and as `spawn_refused` says it.
struct Refusal {
  absl::Status status;
  Id reason;
};

Refusal Refuse(absl::StatusCode code, Id reason, const std::string& problem) {
  return {.status = absl::Status(code, problem), .reason = reason};
}

Refusal RefusalOf(SpawnRefusal refusal) {
  const Id reason = ReasonOf(refusal);
  const auto exhausted = [&](const std::string& problem) {
    return Refuse(absl::StatusCode::kResourceExhausted, reason, problem);
  };
  switch (refusal) {
    case SpawnRefusal::kTypeIsFull:
      return exhausted("there are as many objects of the type as can be");
    case SpawnRefusal::kWorldIsFull:
      return exhausted("there are as many objects as can be");
    case SpawnRefusal::kNoBucket:
      return exhausted(
          fmt::format("its parent is the last of a chain of {}", kBucketsMax));
    case SpawnRefusal::kTooLate:
      return exhausted("too many came in this tick because others came");
    case SpawnRefusal::kNone:
      break;
  }
  return {};
}

// The rows of the components with what `request` sets; empty where it sets
// nothing. Otherwise what is wrong.
absl::StatusOr<std::vector<std::vector<std::byte>>> RowsOf(
    const WorldDefinition& definition, const ArchetypeDefinition& archetype,
    const ObjectRequest& request) {
  std::vector<std::vector<std::byte>> rows;
  if (request.set.empty()) return rows;
  rows = archetype.rows;
  const TypeDefinition& type = definition.types[archetype.type];
  for (const ObjectRequest::Setting& setting : request.set) {
    const ComponentDefinition& component =
        definition.components[setting.property.component];
    const auto use = std::ranges::find(
        type.components, setting.property.component, &ComponentUse::component);
    if (use == type.components.end()) {
      return absl::FailedPreconditionError(
          fmt::format("'{}' has no component '{}'", type.name, component.name));
    }
    const absl::StatusOr<PropertyValue> value = FitValue(
        component.properties[setting.property.property], setting.value);
    if (!value.ok()) return value.status();
    std::vector<std::byte>& row = rows[use - type.components.begin()];
    WriteProperty(component, setting.property.property, value->scalars(), row);
    MarkOverridden(setting.property.property, row);
  }
  return rows;
}

}  // namespace

Handle UpdateContext::Find(Id name) const {
  const uint32_t row = parts_.objects.RowNamed(name);
  if (row == kNoRow) return {};
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

Handle UpdateContext::HandleOf(ObjectId object) const {
  const uint32_t row = parts_.objects.RowOf(parts_.state, object);
  if (row == kNoRow) return {};
  return parts_.state.table(parts_.tables.objects.objects)
      .Get<ObjectRow>(row)
      .handle;
}

Handle UpdateContext::Participant(const WorldEvent& event, Id argument) const {
  const EventArgument* const found = event.arguments.Find(argument);
  if (found == nullptr) return {};
  switch (found->value.type) {
    case ScalarType::kHandle:
      return found->value.AsHandle();
    case ScalarType::kObject:
      return HandleOf(ObjectId{found->value.bits});
    default:
      return {};
  }
}

absl::StatusOr<Handle> UpdateContext::Spawn(uint32_t i,
                                            const ObjectRequest& request) {
  const auto refuse = [&](const Refusal& refusal) {
    Tell(i, kSpawnRefused,
         {{kType, FieldValue::OfId(request.archetype)},
          {kReason, FieldValue::OfId(refusal.reason)}});
    return refusal.status;
  };
  const WorldDefinition& definition = parts_.definition;
  const std::optional<uint32_t> index =
      definition.FindArchetype(request.archetype);
  if (!index.has_value()) {
    return refuse(Refuse(absl::StatusCode::kNotFound, WordIdOf("no_archetype"),
                         "the pack has no such type or archetype"));
  }
  if (!IsPlace(request.place)) {
    return refuse(Refuse(absl::StatusCode::kInvalidArgument,
                         WordIdOf("no_place"),
                         "nothing can be at such a place"));
  }
  const ArchetypeDefinition& archetype = definition.archetypes[*index];
  if (request.is_attached &&
      !CanBeCarried(definition, definition.types[archetype.type])) {
    return refuse(Refuse(absl::StatusCode::kInvalidArgument,
                         WordIdOf("not_kinematic"),
                         "its body isn't kinematic: it can't be attached"));
  }
  const auto rows = RowsOf(definition, archetype, request);
  if (!rows.ok()) {
    return refuse(
        {.status = rows.status(), .reason = WordIdOf("no_such_value")});
  }
  const Objects::SpawnResult result = parts_.objects.RequestSpawn(
      parts_.state, {.archetype = *index,
                     .name = request.name,
                     .parent = request.parent,
                     .is_attached = request.is_attached,
                     .status = request.is_dormant ? ObjectStatus::kDormant
                                                  : ObjectStatus::kActive,
                     .place = request.place,
                     .linear_velocity_m_s = request.linear_velocity_m_s,
                     .angular_velocity_rad_s = request.angular_velocity_rad_s,
                     .rows = *rows});
  if (result.refusal != SpawnRefusal::kNone) {
    return refuse(RefusalOf(result.refusal));
  }
  return result.handle;
}

Handle UpdateContext::Spawn(uint32_t i, Id archetype, const Transform& place,
                            Vector3 linear_velocity_m_s, Handle parent) {
  return Spawn(i, {.archetype = archetype,
                   .place = place,
                   .linear_velocity_m_s = linear_velocity_m_s,
                   .parent = parent})
      .value_or(Handle{});
}

void UpdateContext::Attach(uint32_t i, const AttachRequest& request) {
  parts_.objects.RequestAttach(
      {.object = request.object.is_null() ? handle(i) : request.object,
       .parent = request.parent,
       .is_carried = request.is_carried,
       .place_on_parent = request.place_on_parent,
       .asked_by = object(i)});
}

void UpdateContext::Detach(uint32_t i, Handle object) {
  Attach(i, {.object = object, .parent = {}, .is_carried = false});
}

void UpdateContext::Destroy(uint32_t i, Handle other) {
  if (!parts_.objects.RequestDestroy(parts_.state, other)) {
    Tell(i, kStaleReference, {});
  }
}

}  // namespace reprise::sim
