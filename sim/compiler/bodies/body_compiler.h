// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles rigid bodies: their kinds and shapes, by the pack's materials,
// collision layers and files.

#ifndef REPRISE_SIM_COMPILER_BODIES_BODY_COMPILER_H_
#define REPRISE_SIM_COMPILER_BODIES_BODY_COMPILER_H_

#include <map>
#include <string>
#include <vector>

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/bodies/material_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

class BodyCompiler {
 public:
  // `checker` is the pack's own; `archive` outlives the compiler.
  BodyCompiler(const v1::Pack& pack, const MessageChecker& checker,
               const PackArchive& archive);

  // The kind of `body`, whose shape is added to `shapes`. `checker` is the
  // body's own.
  BodyKind Compile(const v1::Body& body, const MessageChecker& checker,
                   std::vector<ShapeDefinition>& shapes) const;

 private:
  void CompileMass(const v1::Body& body, const MaterialDefinition& material,
                   const ShapeDefinition& shape, const MessageChecker& checker,
                   BodyKind& compiled) const;

  const PackArchive& archive_;
  SleepRule sleep_;  // of bodies that don't say it themselves
  std::map<std::string, MaterialDefinition> materials_;
  CollisionLayers layers_;
};

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BODIES_BODY_COMPILER_H_
