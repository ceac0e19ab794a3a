// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Levels of solids that stand still, for tests and benchmarks of what is baked
// of them.

#ifndef REPRISE_TOOLS_REPRISE_BAKING_TESTING_LEVELS_H_
#define REPRISE_TOOLS_REPRISE_BAKING_TESTING_LEVELS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "sim/base/random.h"
#include "sim/geometry/quaternion.h"
#include "sim/geometry/vector3.h"
#include "sim/navigation/navigation_mesh.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/navigation/mesh_source.h"
#include "tools/reprise/baking/mesh_baker.h"

namespace reprise::tools {

class SolidLevel {
 public:
  SolidLevel& Box(sim::Vector3 middle, sim::Vector3 size,
                  sim::Quaternion rotation = {}) {
    physics_.shapes.push_back(sim::SolidShape{
        {{.solid = sim::BoxPrimitive{.half_extents_m = 0.5 * size}}}});
    Add(middle, rotation);
    return *this;
  }
  SolidLevel& Cylinder(sim::Vector3 middle, double radius, double height) {
    physics_.shapes.push_back(
        sim::SolidShape{{{.solid = sim::CylinderPrimitive{
                              .radius_m = radius, .height_m = height}}}});
    Add(middle, {});
    return *this;
  }

  const sim::PhysicsDefinition& physics() const { return physics_; }

  absl::StatusOr<sim::NavigationMeshData> Bake(
      const sim::MeshSettings& settings) const {
    const auto source = MakeMeshSource(settings, physics_);
    if (!source.ok()) return source.status();
    return BakeMesh(*source);
  }

 private:
  void Add(sim::Vector3 middle, sim::Quaternion rotation) {
    const auto index = static_cast<uint32_t>(physics_.kinds.size());
    physics_.kinds.push_back({.shape = index, .motion = sim::Motion::kFixed});
    physics_.bodies.push_back({.object = {index + 1},
                               .kind = index,
                               .position = middle,
                               .rotation = rotation});
  }

  sim::PhysicsDefinition physics_;
};

// A floor of `side_m` by `side_m`, with so many pillars and pieces of wall that
// turn any way. Nobody can stand on top of any.
inline SolidLevel HallOfPillars(double side_m, int count,
                                sim::RandomStream& stream) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * NextUnit(stream);
  };
  SolidLevel level;
  level.Box({0, -0.5, 0}, {side_m, 1, side_m});
  for (int i = 0; i < count; ++i) {
    const double x = between(-0.5 * side_m, 0.5 * side_m);
    const double z = between(-0.5 * side_m, 0.5 * side_m);
    if (i % 2 == 0) {
      level.Cylinder({x, 1.5, z}, between(0.2, 0.4), 3.0);
      continue;
    }
    const double length = between(1.0, 6.0);
    level.Box({x, 1.5, z}, {length, 3.0, 0.4},
              sim::FromTurns({0, between(0.0, 180.0), 0}));
  }
  return level;
}

}  // namespace reprise::tools

#endif  // REPRISE_TOOLS_REPRISE_BAKING_TESTING_LEVELS_H_
