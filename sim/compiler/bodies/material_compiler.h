// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles what bodies refer to by name: materials and collision layers.

#ifndef REPRISE_SIM_COMPILER_BODIES_MATERIAL_COMPILER_H_
#define REPRISE_SIM_COMPILER_BODIES_MATERIAL_COMPILER_H_

#include <cstdint>
#include <map>
#include <string>

#include "google/protobuf/repeated_ptr_field.h"
#include "reprise/v1/pack.pb.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// As in a body's kind.
struct MaterialDefinition {
  double friction = 0.5;
  double rolling_friction = 0.0;
  double restitution = 0.0;
  double density_kg_m3 = 0.0;  // 0: none
  CombinationRule friction_rule = CombinationRule::kMultiply;
  CombinationRule rolling_friction_rule = CombinationRule::kMultiply;
  CombinationRule restitution_rule = CombinationRule::kMultiply;
};

// What Bullet accepts; above 1 friction is common for rubber, 10 is glue.
inline constexpr double kFrictionMax = 10.0;

// Osmium has 22,600; denser is a mistake of units.
inline constexpr double kDensityMax = 1e6;

// The materials of `pack` by name, and that of bodies without one as "".
// `checker` is the pack's own.
std::map<std::string, MaterialDefinition> CompileMaterials(
    const v1::Pack& pack, const MessageChecker& checker);

class CollisionLayers {
 public:
  // Those of `pack`. Bits are given in the order of names, so that the order of
  // the manifest is nothing.
  CollisionLayers(const v1::Pack& pack, const MessageChecker& checker);

  // Of something that is on the layers `names`, the field "layers" of the
  // message of `checker`; of "default" when there are none.
  CollisionFilter FilterOf(
      const google::protobuf::RepeatedPtrField<std::string>& names,
      const MessageChecker& checker) const;

 private:
  std::map<std::string, uint32_t> bits_;
  std::map<std::string, uint32_t> masks_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BODIES_MATERIAL_COMPILER_H_
