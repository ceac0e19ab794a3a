// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/ragdolls/ragdoll_system.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/geometry/quaternion.h"
#include "sim/geometry/transform.h"
#include "sim/geometry/vector3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/bodies/body_lifecycle.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/systems/ragdolls/ragdoll_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/world_parts.h"

namespace reprise::sim {
namespace {

// By their places in the declaration.
constexpr uint32_t kSwitchStep = 0;

const ObjectRow& ObjectAt(const WorldParts& parts, uint32_t row) {
  return parts.state.table(parts.tables.objects.objects).Get<ObjectRow>(row);
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

// Whether a body can begin as a bone does.
bool CanBegin(const WorldDefinition& definition, const SpawnRequest& bone) {
  const uint32_t type = definition.archetypes[bone.archetype].type;
  // Any object will do: only kind and motion are looked at.
  return ValidateBodyPlacement(
             definition.physics,
             {.object = {1},
              .kind = *definition.types[type].body_kind,
              .position = bone.place.position,
              .rotation = bone.place.rotation,
              .linear_velocity_m_s = bone.linear_velocity_m_s,
              .angular_velocity_rad_s = bone.angular_velocity_rad_s})
      .ok();
}

void TellRefused(const WorldParts& parts, ObjectId owner, Id archetype) {
  TellListeners(parts, kSpawnRefused, owner,
                {{kType, FieldValue::OfId(archetype)}});
}

// The part of a rotation that turns about the vertical axis.
Quaternion HeadingOf(Quaternion rotation) {
  const Quaternion heading = {0.0, rotation.y, 0.0, rotation.w};
  return Dot(heading, heading) > 0.0 ? Normalized(heading) : Quaternion{};
}

}  // namespace

const SystemDeclaration& RagdollsDeclaration() {
  static const SystemDeclaration declaration = {
      .name = RagdollsDefinition::kSystem,
      .help = "bones that take the place of a body while it is limp",
      .steps = {{.name = "ragdolls",
                 .point = StepPoint::kBeforeObjects,
                 .writes = {"events", "physics", "time", "world.allocation",
                            "world.objects", "world.places", "world.slots"}},
                {.name = "bones",
                 .point = StepPoint::kAfterObjects,
                 .writes = {"physics"}}},
      .events = kRagdollEvents,
      .handles = {kRagdoll, kRagdollOff, kWake}};
  return declaration;
}

std::unique_ptr<System> RagdollsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Ragdolls>(place);
}

Ragdolls::Ragdolls(const SystemPlace& place)
    : System(place),
      types_(PartsOfTypes<RagdollDefinition>(place.parts.definition)) {}

void Ragdolls::Run(uint32_t step) {
  if (step != kSwitchStep) {
    for (const Limbs& limbs : limbs_) JoinBones(limbs);
    limbs_.clear();
    return;
  }
  for (const Switch& asked : switches_) {
    const uint32_t row = parts().objects.RowOf(state(), asked.object);
    if (row == kNoRow) continue;
    if (asked.goes_limp) {
      GoLimp(row);
    } else {
      StandUp(row);
    }
  }
  switches_.clear();
}

bool Ragdolls::OnEvent(uint32_t row, const WorldEvent& event) {
  if (PartOf(row) == nullptr) return false;
  const bool goes_limp = event.type == kRagdoll;
  const bool is_able =
      goes_limp ? ObjectAt(parts(), row).status == ObjectStatus::kActive
                : IsLimp(row);
  if (!is_able) return false;
  switches_.push_back(
      {.object = ObjectAt(parts(), row).handle, .goes_limp = goes_limp});
  return true;
}

const RagdollDefinition* Ragdolls::PartOf(uint32_t row) const {
  return types_[parts().objects.TypeOf(row)];
}

std::vector<uint32_t> Ragdolls::BonesOf(uint32_t row) const {
  const RagdollDefinition& ragdoll = *PartOf(row);
  const Handle owner = ObjectAt(parts(), row).handle;
  std::vector<uint32_t> bones(ragdoll.bones.size(), kNoRow);
  const Table& objects = state().table(parts().tables.objects.objects);
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

bool Ragdolls::IsLimp(uint32_t row) const {
  if (ObjectAt(parts(), row).status != ObjectStatus::kDormant) return false;
  return std::ranges::any_of(BonesOf(row),
                             [](uint32_t bone) { return bone != kNoRow; });
}

void Ragdolls::GoLimp(uint32_t row) {
  const ObjectRow owner = ObjectAt(parts(), row);
  const std::optional<uint32_t> body =
      FindBody(state(), parts().tables.physics, owner.object);
  if (owner.status != ObjectStatus::kActive || !body.has_value()) return;
  const auto body_row =
      state().table(parts().tables.physics.bodies).Get<BodyRow>(*body);
  const Transform place = PlaceOf(parts(), state(), row);
  const RagdollDefinition& ragdoll = *PartOf(row);
  std::vector<SpawnRequest> bones;
  for (const BoneDefinition& bone : ragdoll.bones) {
    bones.push_back(RequestOf(bone, owner, place, body_row));
  }
  if (!IsPossible(ragdoll, bones)) {
    TellRefused(parts(), owner.object, owner.type);
    return;
  }
  Limbs limbs{.owner = owner.object, .definition = &ragdoll, .bones = {}};
  if (!RequestBones(bones, limbs)) return;
  SetStatus(parts(), row, ObjectStatus::kDormant);
  limbs_.push_back(std::move(limbs));
}

bool Ragdolls::IsPossible(const RagdollDefinition& ragdoll,
                          std::span<const SpawnRequest> bones) const {
  size_t joints =
      ragdoll.joints.size() +
      state().table(parts().tables.physics.spawned_joints).row_count();
  for (const Limbs& limbs : limbs_) joints += limbs.definition->joints.size();
  return joints <= kJointsMax &&
         std::ranges::all_of(bones, [&](const SpawnRequest& bone) {
           return CanBegin(parts().definition, bone);
         });
}

bool Ragdolls::RequestBones(std::span<const SpawnRequest> bones,
                            Limbs& limbs) const {
  for (const SpawnRequest& request : bones) {
    const Objects::SpawnResult result =
        parts().objects.RequestSpawn(state(), request);
    if (result.refusal == SpawnRefusal::kNone) {
      limbs.bones.push_back(result.handle);
      continue;
    }
    for (const Handle bone : limbs.bones) {
      parts().objects.RequestDestroy(state(), bone);
    }
    TellRefused(parts(), limbs.owner,
                parts().definition.archetypes[request.archetype].id);
    return false;
  }
  return true;
}

void Ragdolls::StandUp(uint32_t row) const {
  if (ObjectAt(parts(), row).status != ObjectStatus::kDormant) return;
  const RagdollDefinition& ragdoll = *PartOf(row);
  const std::vector<uint32_t> bones = BonesOf(row);
  bool is_placed = false;
  for (size_t i = 0; i < bones.size(); ++i) {
    if (bones[i] == kNoRow) continue;
    parts().objects.RequestDestroy(state(), ObjectAt(parts(), bones[i]).handle);
    if (is_placed) continue;
    is_placed = true;
    const Transform lies =
        PlaceOf(parts(), state(), bones[i]) * Inverse(ragdoll.bones[i].place);
    SetPlace(parts(), row,
             {.position = lies.position, .rotation = HeadingOf(lies.rotation)});
  }
  SetStatus(parts(), row, ObjectStatus::kActive);
}

void Ragdolls::JoinBones(const Limbs& limbs) const {
  const auto bone = [&](uint32_t index) {
    const uint32_t row = parts().objects.RowOf(state(), limbs.bones[index]);
    return row == kNoRow ? kNoObject : ObjectAt(parts(), row).object;
  };
  for (const BoneJoint& joint : limbs.definition->joints) {
    // A joint of an earlier fall, whose bones somebody kept, stays; the new
    // bones do without.
    AddSpawnedJoint(state(), parts().tables.physics, parts().definition.physics,
                    {.owner = limbs.owner,
                     .joint = joint.joint,
                     .object_a = bone(joint.bone_a),
                     .object_b = bone(joint.bone_b)})
        .IgnoreError();
  }
}

}  // namespace reprise::sim
