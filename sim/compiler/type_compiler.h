// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the kinds of objects of a pack: what every object of a type has.

#ifndef REPRISE_SIM_COMPILER_TYPE_COMPILER_H_
#define REPRISE_SIM_COMPILER_TYPE_COMPILER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/compiler/message_checker.h"
#include "sim/input/input_grammar.h"
#include "sim/physics/physics_definition.h"
#include "sim/world/world_definition.h"

namespace reprise::sim {

// The components of a type; what an object adds (its id, its place) is unset.
struct CompiledType {
  std::string name;
  Id id;
  std::optional<uint32_t> body_kind;  // index into PhysicsDefinition::kinds
  std::optional<RollerDefinition> roller;
  std::optional<DecisionDefinition> decision;
};

// The types of `pack` in the order of the manifest; their shapes go to
// `physics`, and the kinds of their bodies, in the order of the types' names.
// `checker` is the pack's own. REQUIRES: `physics` has no kinds yet.
std::vector<CompiledType> CompileTypes(const v1::Pack& pack,
                                       const MessageChecker& checker,
                                       const InputGrammar& inputs,
                                       PhysicsDefinition& physics);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_TYPE_COMPILER_H_
