// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/shape_definition.h"

namespace reprise::sim {
namespace {

struct PrimitiveCounter {
  uint32_t operator()(const SolidShape& solid) const {
    return static_cast<uint32_t>(solid.primitives.size());
  }
  uint32_t operator()(const PlaneShape&) const { return 1; }
  uint32_t operator()(const MeshShape& mesh) const {
    return static_cast<uint32_t>(mesh.triangles.size());
  }
  uint32_t operator()(const HeightFieldShape& field) const {
    return 2 * (field.columns - 1) * (field.rows - 1);
  }
};

}  // namespace

uint32_t PrimitiveCount(const ShapeDefinition& shape) {
  return std::visit(PrimitiveCounter{}, shape);
}

bool IsSurface(const ShapeDefinition& shape) {
  return std::holds_alternative<MeshShape>(shape) ||
         std::holds_alternative<HeightFieldShape>(shape);
}

}  // namespace reprise::sim
