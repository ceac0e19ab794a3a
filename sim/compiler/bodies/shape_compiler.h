// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles the solids that make up a body.

#ifndef REPRISE_SIM_COMPILER_BODIES_SHAPE_COMPILER_H_
#define REPRISE_SIM_COMPILER_BODIES_SHAPE_COMPILER_H_

#include "reprise/v1/pack.pb.h"
#include "sim/compiler/bodies/material_compiler.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/pack_archive.h"
#include "sim/physics/definition/physics_definition.h"

namespace reprise::sim {

// The shapes of `body` as one. `checker` is the body's own; meshes are read
// from `archive`.
ShapeDefinition CompileShape(const v1::Body& body,
                             const MessageChecker& checker,
                             const CollisionLayers& layers,
                             const PackArchive& archive);

}  // namespace reprise::sim

#endif  // REPRISE_SIM_COMPILER_BODIES_SHAPE_COMPILER_H_
