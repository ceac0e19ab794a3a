// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what holds the bodies of a pack together.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "fmt/format.h"
#include "reprise/v1/joint.pb.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/pack_names.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/transform.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/joints/joint_parts_compiler.h"
#include "sim/systems/joints/joint_system.h"
#include "sim/world/definition/world_definition.h"

namespace reprise::sim {
namespace {

// Whether bodies are joined in the pack, from the beginning or once they fall.
bool HasJoints(const v1::Pack& pack) {
  return pack.joints_size() > 0 ||
         std::any_of(pack.types().begin(), pack.types().end(),
                     [](const v1::Type& type) { return type.has_ragdoll(); });
}

class JointCompiler final : public SystemCompiler {
 public:
  explicit JointCompiler(PackCompilation& compilation)
      : SystemCompiler(compilation) {
    if (HasJoints(pack())) definition_ = std::make_shared<JointsDefinition>();
  }

  // Adds the joints of the pack to its physics. Those of ragdolls are templates
  // that ragdolls add.
  void CompileObjects() override {
    if (pack().joints_size() > static_cast<int>(kJointsMax)) {
      checker().Problem("joints",
                        fmt::format("more than {} joints", kJointsMax));
      return;
    }
    std::set<std::string> names;
    for (int i = 0; i < pack().joints_size(); ++i) {
      const v1::Joint& joint = pack().joints(i);
      const MessageChecker place = checker().In(joint, "joints", i);
      if (!names.insert(joint.name()).second) {
        place.Problem("name",
                      fmt::format("there are two joints '{}'", joint.name()));
      }
      words().insert(joint.name());
      CompileJoint(joint, place);
    }
    // A total order: equal names were refused above.
    std::ranges::sort(world().physics.joints, {}, &JointDefinition::name);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    return definition_;
  }

 private:
  // The body of the object `name`; nullptr after reporting that there is none.
  const BodyPlacement* FindBody(std::string_view field, const std::string& name,
                                const MessageChecker& place) const {
    const std::optional<uint32_t> index =
        FindPermanentObject(field, name, place, world());
    if (!index.has_value()) return nullptr;
    const ObjectId number{*index + uint64_t{1}};
    const auto body = std::ranges::lower_bound(world().physics.bodies, number,
                                               {}, &BodyPlacement::object);
    if (body == world().physics.bodies.end() || body->object != number) {
      const ObjectDefinition& object = world().objects[*index];
      const TypeDefinition& type =
          world().types[world().archetypes[object.archetype].type];
      place.Problem(field, object.is_dormant && type.body_kind.has_value()
                               ? fmt::format("'{}' is dormant: its body comes "
                                             "when it wakes",
                                             name)
                               : fmt::format("'{}' has no body", name));
      return nullptr;
    }
    return &*body;
  }

  bool IsDynamic(const BodyPlacement* body) const {
    return body != nullptr &&
           world().physics.kinds[body->kind].motion == Motion::kDynamic;
  }

  void CompileJoint(const v1::Joint& joint, const MessageChecker& place) const {
    const Id name = IdOf(place.Name("name", joint.name()));
    if (joint.object_a().empty()) {
      place.Problem("object_a", "required: the object that the joint holds");
      return;
    }
    const BodyPlacement* const a =
        FindBody("object_a", joint.object_a(), place);
    const BodyPlacement* const b =
        joint.object_b().empty()
            ? nullptr
            : FindBody("object_b", joint.object_b(), place);
    if (a == nullptr || (b == nullptr && !joint.object_b().empty())) return;
    if (b == a) {
      place.Problem("object_b", "is object_a: a joint needs two");
    } else if (!IsDynamic(a) && !IsDynamic(b)) {
      place.Problem("object_a", b == nullptr
                                    ? "needs a dynamic body"
                                    : "this or object_b needs a dynamic body");
    }
    const Transform place_a{a->position, a->rotation};
    Transform place_b;
    if (b != nullptr) place_b = {b->position, b->rotation};
    JointDefinition compiled = CompileJointParts(
        joint, place, place_a, b == nullptr ? nullptr : &place_b);
    compiled.name = name;
    compiled.object_a = a->object;
    if (b != nullptr) compiled.object_b = b->object;
    world().physics.joints.push_back(compiled);
  }

  std::shared_ptr<const JointsDefinition> definition_;
};

}  // namespace

REPRISE_REGISTER_SYSTEM(joints,
                        MakeSystemModule<JointCompiler>(JointsDeclaration(),
                                                        {"Pack.joints",
                                                         "Type.ragdoll"}));

}  // namespace reprise::sim
