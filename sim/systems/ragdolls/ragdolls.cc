// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/ragdolls/ragdolls.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "sim/base/check.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

const ObjectRow& ObjectAt(const WorldParts& parts, uint32_t row) {
  return parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
}

// Null for an object that can't go limp.
const RagdollDefinition* RagdollOf(const WorldParts& parts, uint32_t row) {
  const TypeDefinition& type =
      parts.definition.types[parts.objects.TypeOf(row)];
  return type.ragdoll.has_value() ? &*type.ragdoll : nullptr;
}

// The rows of an object's bones, in the order of the ragdoll's; kNoRow for one
// that is gone.
std::vector<uint32_t> BonesOf(const WorldParts& parts, uint32_t row) {
  const RagdollDefinition& ragdoll = *RagdollOf(parts, row);
  const Handle owner = ObjectAt(parts, row).handle;
  std::vector<uint32_t> bones(ragdoll.bones.size(), kNoRow);
  const Table& objects = parts.state.table(parts.tables.objects.objects);
  for (uint32_t i = 0; i < objects.row_count(); ++i) {
    const auto& object = objects.Get<ObjectRow>(i);
    if (object.parent != owner) continue;
    const auto bone =
        std::ranges::find(ragdoll.bones, object.name, &BoneDefinition::name);
    if (bone == ragdoll.bones.end()) continue;
    bones[static_cast<size_t>(bone - ragdoll.bones.begin())] = i;
  }
  return bones;
}

// What a bone of an object that moves like `body` begins with.
SpawnRequest RequestOf(const BoneDefinition& bone, const ObjectRow& owner,
                       const Transform& place, const BodyRow& body) {
  const Transform bone_place = place * bone.place;
  return {.archetype = bone.archetype,
          .name = bone.name,
          .parent = owner.handle,
          .place = bone_place,
          .linear_velocity_m_s = body.linear_velocity +
                                 Cross(body.angular_velocity,
                                       bone_place.position - place.position),
          .angular_velocity_rad_s = body.angular_velocity};
}

// Whether physics has room for what a ragdoll brings, and can begin with it.
bool IsPossible(const WorldParts& parts, const RagdollDefinition& ragdoll,
                std::span<const SpawnRequest> requests) {
  size_t joints =
      ragdoll.joints.size() +
      parts.state.table(parts.tables.physics.spawned_joints).row_count();
  for (const RagdollRequests::Limbs& limbs : parts.ragdolls->limbs) {
    joints += limbs.definition->joints.size();
  }
  if (joints > kJointsMax) return false;
  return std::ranges::all_of(requests, [&](const SpawnRequest& request) {
    const uint32_t type = parts.definition.archetypes[request.archetype].type;
    // Any object will do: only kind and motion are looked at.
    return ValidateBodyPlacement(
               parts.definition.physics,
               {.object = {1},
                .kind = *parts.definition.types[type].body_kind,
                .position = request.place.position,
                .rotation = request.place.rotation,
                .linear_velocity_m_s = request.linear_velocity_m_s,
                .angular_velocity_rad_s = request.angular_velocity_rad_s})
        .ok();
  });
}

void Refuse(const WorldParts& parts, ObjectId owner, Id archetype) {
  TellListeners(parts, kSpawnRefused, owner,
                {{kType, FieldValue::OfId(archetype)}});
}

void GoLimp(const WorldParts& parts, uint32_t row) {
  const ObjectRow owner = ObjectAt(parts, row);
  const std::optional<uint32_t> body =
      FindBody(parts.state, parts.tables.physics, owner.object);
  if (owner.status != ObjectStatus::kActive || !body.has_value()) return;
  const auto body_row =
      parts.state.table(parts.tables.physics.bodies).Get<BodyRow>(*body);
  const Transform place = PlaceOf(parts, parts.state, row);
  const RagdollDefinition& ragdoll = *RagdollOf(parts, row);
  std::vector<SpawnRequest> requests;
  for (const BoneDefinition& bone : ragdoll.bones) {
    requests.push_back(RequestOf(bone, owner, place, body_row));
  }
  if (!IsPossible(parts, ragdoll, requests)) {
    Refuse(parts, owner.object, owner.type);
    return;
  }

  RagdollRequests::Limbs limbs{
      .owner = owner.object, .definition = &ragdoll, .bones = {}};
  for (const SpawnRequest& request : requests) {
    const Objects::SpawnResult result =
        parts.objects.RequestSpawn(parts.state, request);
    if (result.refusal == SpawnRefusal::kNone) {
      limbs.bones.push_back(result.handle);
      continue;
    }
    // All bones come, or none.
    for (const Handle bone : limbs.bones) {
      parts.objects.RequestDestroy(parts.state, bone);
    }
    Refuse(parts, owner.object,
           parts.definition.archetypes[request.archetype].id);
    return;
  }
  SetStatus(parts, row, ObjectStatus::kDormant);
  parts.ragdolls->limbs.push_back(std::move(limbs));
}

// The part of a rotation that turns about the vertical axis.
Quaternion HeadingOf(Quaternion rotation) {
  const Quaternion heading = {0.0, rotation.y, 0.0, rotation.w};
  return Dot(heading, heading) > 0.0 ? Normalized(heading) : Quaternion{};
}

void StandUp(const WorldParts& parts, uint32_t row) {
  if (ObjectAt(parts, row).status != ObjectStatus::kDormant) return;
  const RagdollDefinition& ragdoll = *RagdollOf(parts, row);
  const std::vector<uint32_t> bones = BonesOf(parts, row);
  bool is_placed = false;
  for (size_t i = 0; i < bones.size(); ++i) {
    if (bones[i] == kNoRow) continue;
    parts.objects.RequestDestroy(parts.state, ObjectAt(parts, bones[i]).handle);
    if (is_placed) continue;
    is_placed = true;
    const Transform lies =
        PlaceOf(parts, parts.state, bones[i]) * Inverse(ragdoll.bones[i].place);
    SetPlace(parts, row,
             {.position = lies.position, .rotation = HeadingOf(lies.rotation)});
  }
  SetStatus(parts, row, ObjectStatus::kActive);
}

bool Request(const WorldParts& parts, uint32_t row, bool goes_limp) {
  CHECK(parts.ragdolls != nullptr);
  parts.ragdolls->switches.push_back(
      {.object = ObjectAt(parts, row).handle, .goes_limp = goes_limp});
  return true;
}

}  // namespace

bool IsLimp(const WorldParts& parts, uint32_t row) {
  if (RagdollOf(parts, row) == nullptr ||
      ObjectAt(parts, row).status != ObjectStatus::kDormant) {
    return false;
  }
  return std::ranges::any_of(BonesOf(parts, row),
                             [](uint32_t bone) { return bone != kNoRow; });
}

bool RequestGoLimp(const WorldParts& parts, uint32_t row) {
  const bool is_able = RagdollOf(parts, row) != nullptr &&
                       ObjectAt(parts, row).status == ObjectStatus::kActive;
  return is_able && Request(parts, row, /*goes_limp=*/true);
}

bool RequestStandUp(const WorldParts& parts, uint32_t row) {
  return IsLimp(parts, row) && Request(parts, row, /*goes_limp=*/false);
}

void SwitchRagdolls(const WorldParts& parts) {
  if (parts.ragdolls == nullptr) return;
  for (const RagdollRequests::Switch& asked : parts.ragdolls->switches) {
    const uint32_t row = parts.objects.RowOf(parts.state, asked.object);
    if (row == kNoRow) continue;
    if (asked.goes_limp) {
      GoLimp(parts, row);
    } else {
      StandUp(parts, row);
    }
  }
  parts.ragdolls->switches.clear();
}

void JoinBones(const WorldParts& parts) {
  if (parts.ragdolls == nullptr) return;
  for (const RagdollRequests::Limbs& limbs : parts.ragdolls->limbs) {
    const auto bone = [&](uint32_t index) {
      const uint32_t row = parts.objects.RowOf(parts.state, limbs.bones[index]);
      return row == kNoRow ? kNoObject : ObjectAt(parts, row).object;
    };
    for (const BoneJoint& joint : limbs.definition->joints) {
      // A joint of an earlier fall, whose bones somebody kept, stays; the new
      // bones do without.
      AddSpawnedJoint(parts.state, parts.tables.physics,
                      parts.definition.physics,
                      {.owner = limbs.owner,
                       .joint = joint.joint,
                       .object_a = bone(joint.bone_a),
                       .object_b = bone(joint.bone_b)})
          .IgnoreError();
    }
  }
  parts.ragdolls->limbs.clear();
}

}  // namespace reprise::sim
