// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what the objects of a pack become when they go limp.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "fmt/format.h"
#include "reprise/v1/joint.pb.h"
#include "reprise/v1/pack.pb.h"
#include "reprise/v1/ragdoll.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/joints/joint_parts_compiler.h"
#include "sim/systems/ragdolls/ragdoll_definition.h"
#include "sim/systems/ragdolls/ragdoll_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

// Compiles the ragdoll of one type. Its joints become templates of the world's
// physics, and the names of its parts, "walker.left_knee", words.
class RagdollPartCompiler {
 public:
  // `limp_types` are those that say that they have a ragdoll.
  RagdollPartCompiler(const v1::Type& type, const MessageChecker& checker,
                      const std::set<Id>& limp_types,
                      std::set<std::string>& words, WorldDefinition& world)
      : type_(type),
        checker_(checker),
        limp_types_(limp_types),
        words_(words),
        world_(world) {}

  RagdollDefinition Compile() {
    const v1::Ragdoll& ragdoll = type_.ragdoll();
    const MessageChecker place = checker_.In(ragdoll, "ragdoll");
    place.Count("bones", static_cast<uint32_t>(ragdoll.bones_size()), 1,
                kBonesMax);
    place.Count("joints", static_cast<uint32_t>(ragdoll.joints_size()), 0,
                kRagdollJointsMax);
    for (int i = 0; i < ragdoll.bones_size(); ++i) {
      CompileBone(ragdoll.bones(i), place.In(ragdoll.bones(i), "bones", i));
    }
    for (int i = 0; i < ragdoll.joints_size(); ++i) {
      CompileJoint(ragdoll.joints(i), place.In(ragdoll.joints(i), "joints", i));
    }
    return std::move(ragdoll_);
  }

 private:
  // The name of a part, told from those of other ragdolls.
  Id Declare(const std::string& name, std::set<std::string>& declared,
             const MessageChecker& checker) {
    checker.Name("name", name);
    if (!declared.insert(name).second) {
      checker.Problem("name", fmt::format("'{}' stands there twice", name));
    }
    std::string full_name = fmt::format("{}.{}", type_.name(), name);
    const Id id = IdOf(full_name);
    words_.insert(std::move(full_name));
    return id;
  }

  void CompileBone(const v1::Bone& bone, const MessageChecker& checker) {
    BoneDefinition compiled{
        .name = Declare(bone.name(), bone_names_, checker),
        .place = {.position = checker.Vector("position", bone.position(),
                                             kPositionMaxM),
                  .rotation = checker.Rotation("rotation_degrees",
                                               bone.rotation_degrees())}};
    const std::optional<uint32_t> archetype =
        world_.FindArchetype(IdOf(bone.type()));
    if (!archetype.has_value()) {
      checker.NoSuch("type", "type or archetype", bone.type());
    } else if (!IsDynamic(*archetype)) {
      checker.Problem("type",
                      fmt::format("'{}' has no dynamic body", bone.type()));
    } else if (HasRagdoll(*archetype)) {
      // Falling apart would have no end.
      checker.Problem("type",
                      fmt::format("'{}' has a ragdoll itself", bone.type()));
    }
    compiled.archetype = archetype.value_or(0);
    indexes_.emplace(bone.name(), static_cast<uint32_t>(ragdoll_.bones.size()));
    ragdoll_.bones.push_back(compiled);
  }

  bool IsDynamic(uint32_t archetype) const {
    const TypeDefinition& type =
        world_.types[world_.archetypes[archetype].type];
    return type.body_kind.has_value() &&
           world_.physics.kinds[*type.body_kind].motion == Motion::kDynamic;
  }

  bool HasRagdoll(uint32_t archetype) const {
    const TypeDefinition& type =
        world_.types[world_.archetypes[archetype].type];
    return limp_types_.contains(type.id) ||
           std::ranges::any_of(type.bases, [this](Id base) {
             return limp_types_.contains(base);
           });
  }

  // The index of a bone; nullopt after reporting that there is none.
  std::optional<uint32_t> FindBone(std::string_view field,
                                   const std::string& name,
                                   const MessageChecker& checker) const {
    const auto found = indexes_.find(name);
    if (found != indexes_.end()) return found->second;
    std::vector<std::string> bones;
    for (const auto& [bone, index] : indexes_) bones.push_back(bone);
    checker.NoSuch(field, "bone", name, bones);
    return std::nullopt;
  }

  void CompileJoint(const v1::Joint& joint, const MessageChecker& checker) {
    const Id name = Declare(joint.name(), joint_names_, checker);
    const std::optional<uint32_t> a =
        FindBone("object_a", joint.object_a(), checker);
    const std::optional<uint32_t> b =
        FindBone("object_b", joint.object_b(), checker);
    if (!a.has_value() || !b.has_value()) return;
    if (a == b) checker.Problem("object_b", "is object_a: a joint needs two");
    JointDefinition compiled = CompileJointParts(
        joint, checker, ragdoll_.bones[*a].place, &ragdoll_.bones[*b].place);
    compiled.name = name;
    world_.physics.joint_templates.push_back(compiled);
    ragdoll_.joints.push_back({.joint = name, .bone_a = *a, .bone_b = *b});
  }

  const v1::Type& type_;
  const MessageChecker& checker_;
  const std::set<Id>& limp_types_;
  std::set<std::string>& words_;
  WorldDefinition& world_;
  RagdollDefinition ragdoll_;
  std::map<std::string, uint32_t> indexes_;
  std::set<std::string> bone_names_;
  std::set<std::string> joint_names_;
};

// The nearest of a type's own ragdoll and those of the types it extends.
const RagdollDefinition* FindRagdoll(
    const TypeDefinition& type,
    const std::map<Id, RagdollDefinition>& ragdolls) {
  const auto own = ragdolls.find(type.id);
  if (own != ragdolls.end()) return &own->second;
  for (const Id base : type.bases) {
    const auto found = ragdolls.find(base);
    if (found != ragdolls.end()) return &found->second;
  }
  return nullptr;
}

class RagdollCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  // Types get the ragdoll of their own, or of the nearest that they extend.
  void CompilePack() override {
    std::set<Id> limp_types;
    for (const v1::Type& type : pack().types()) {
      if (type.has_ragdoll()) limp_types.insert(IdOf(type.name()));
    }
    std::map<Id, RagdollDefinition> ragdolls;
    for (int i = 0; i < pack().types_size(); ++i) {
      const v1::Type& message = pack().types(i);
      const std::optional<uint32_t> type =
          world().FindType(IdOf(message.name()));
      // Two types of one name are reported already.
      if (!message.has_ragdoll() || !type.has_value() ||
          ragdolls.contains(IdOf(message.name()))) {
        continue;
      }
      const MessageChecker place = checker().In(message, "types", i);
      if (!world().types[*type].body_kind.has_value()) {
        place.Problem("ragdoll", "needs a body that it takes the place of");
      }
      ragdolls.emplace(
          IdOf(message.name()),
          RagdollPartCompiler(message, place, limp_types, words(), world())
              .Compile());
    }
    for (TypeDefinition& type : world().types) {
      if (const RagdollDefinition* const found = FindRagdoll(type, ragdolls)) {
        type.parts.Set(RagdollDefinition(*found));
      }
    }
    // A total order: equal names were reported.
    std::ranges::sort(world().physics.joint_templates, {},
                      &JointDefinition::name);
    if (!ragdolls.empty()) definition_ = std::make_shared<RagdollsDefinition>();
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  std::shared_ptr<const RagdollsDefinition> definition_;
};

}  // namespace

REPRISE_REGISTER_SYSTEM(ragdolls,
                        MakeSystemModule<RagdollCompiler>(RagdollsDeclaration(),
                                                          {"Type.ragdoll"}));

}  // namespace reprise::sim
