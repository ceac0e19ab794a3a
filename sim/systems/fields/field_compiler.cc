// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/fields/field_compiler.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/volume.h"

namespace reprise::sim {
namespace {

// Fifty times osmium; an acceleration that no game needs; a rate that stops a
// body within a tick.
constexpr double kDensityMax = 1e6;
constexpr double kAccelerationMax = 1e6;
constexpr double kDragMax = 1e3;

// The index of a region; 0 after reporting that there is none.
uint32_t FindRegion(const std::string& name, const MessageChecker& checker,
                    const WorldDefinition& world) {
  const auto found = std::ranges::find(world.level.regions, IdOf(name),
                                       &RegionDefinition::name);
  if (found == world.level.regions.end()) {
    checker.NoSuch("region", "region", name);
    return 0;
  }
  return static_cast<uint32_t>(found - world.level.regions.begin());
}

// The greatest height of a volume.
struct Top {
  double operator()(const SphereVolume& sphere) const {
    return sphere.centre.y + sphere.radius_m;
  }
  double operator()(const OrientedBoxVolume& box) const {
    const Vector3 up = ToMatrix3(box.rotation).rows[1];
    return box.centre.y + Abs(up.x) * box.half_extents_m.x +
           Abs(up.y) * box.half_extents_m.y + Abs(up.z) * box.half_extents_m.z;
  }
  double operator()(const ConvexPrismVolume& prism) const {
    return prism.top_m;
  }
  double operator()(const SlabVolume& slabs) const { return slabs.high.y; }
};

FluidDefinition CompileFluid(const v1::Fluid& message,
                             const MessageChecker& checker,
                             const WorldDefinition& world) {
  FluidDefinition fluid;
  fluid.region = FindRegion(message.region(), checker, world);
  fluid.density_kg_m3 =
      checker.Number("density", message.density(), 0.0, kDensityMax);
  fluid.linear_drag_per_s =
      checker.Number("linear_drag", message.linear_drag(), 0.0, kDragMax);
  fluid.angular_drag_per_s =
      checker.Number("angular_drag", message.angular_drag(), 0.0, kDragMax);
  fluid.flow_m_s = checker.Vector("flow", message.flow());
  if (message.has_surface_height()) {
    fluid.surface_height_m =
        checker.Number("surface_height", message.surface_height(),
                       -kMagnitudeMax, kMagnitudeMax);
  } else if (!world.level.regions.empty()) {
    fluid.surface_height_m =
        std::visit(Top{}, world.level.regions[fluid.region].volume);
  }
  return fluid;
}

PointGravity CompilePointGravity(const v1::PointGravity& message,
                                 const MessageChecker& checker) {
  return {
      .centre = checker.Vector("centre", message.centre()),
      .acceleration_m_s2 =
          checker.Number("acceleration", message.acceleration(),
                         -kAccelerationMax, kAccelerationMax),
      .radius_m =
          checker.Number("radius", message.radius(), kSizeMinM, kPositionMaxM),
      .falloff = checker.Count("falloff", message.falloff(), 0, kFalloffMax)};
}

GravityZoneDefinition CompileZone(const v1::GravityZone& message,
                                  const MessageChecker& checker,
                                  const WorldDefinition& world) {
  GravityZoneDefinition zone;
  zone.region = FindRegion(message.region(), checker, world);
  zone.is_added = message.adds();
  zone.priority = message.priority();
  if (zone.is_added && zone.priority != 0) {
    checker.Problem("priority", "what is added has none");
  }
  switch (message.kind_case()) {
    case v1::GravityZone::kUniform: {
      const Vector3 pull = checker.Vector("uniform", message.uniform());
      for (const double part : {pull.x, pull.y, pull.z}) {
        checker.Number("uniform", part, -kAccelerationMax, kAccelerationMax);
      }
      zone.pull = pull;
      break;
    }
    case v1::GravityZone::kPoint:
      zone.pull = CompilePointGravity(message.point(),
                                      checker.In(message.point(), "point"));
      break;
    default:
      checker.Problem("uniform", "required: uniform or point");
  }
  return zone;
}

bool ComesBefore(const GravityZoneDefinition& a, const GravityZoneDefinition& b,
                 const WorldDefinition& world) {
  const auto key = [&](const GravityZoneDefinition& zone) {
    return std::tuple(zone.is_added, ~zone.priority,
                      world.level.regions[zone.region].name);
  };
  return key(a) < key(b);
}

}  // namespace

void CompileFields(const v1::Pack& pack, const MessageChecker& checker,
                   WorldDefinition& world) {
  if (static_cast<size_t>(pack.fluids_size()) > kFieldsMax ||
      static_cast<size_t>(pack.gravity_zones_size()) > kFieldsMax) {
    checker.Problem("fluids",
                    fmt::format("of fluids and gravity zones at most {} are "
                                "possible, of each",
                                kFieldsMax));
    return;
  }
  for (int i = 0; i < pack.fluids_size(); ++i) {
    world.fields.fluids.push_back(CompileFluid(
        pack.fluids(i), checker.In(pack.fluids(i), "fluids", i), world));
  }
  for (int i = 0; i < pack.gravity_zones_size(); ++i) {
    world.fields.gravity_zones.push_back(CompileZone(
        pack.gravity_zones(i),
        checker.In(pack.gravity_zones(i), "gravity_zones", i), world));
  }
  if (world.level.regions.empty()) return;  // reported, if there are fields
  // Where two are of one region they stay as the pack has them.
  std::ranges::stable_sort(world.fields.fluids, {},
                           [&](const FluidDefinition& fluid) {
                             return world.level.regions[fluid.region].name;
                           });
  std::ranges::stable_sort(
      world.fields.gravity_zones,
      [&](const GravityZoneDefinition& a, const GravityZoneDefinition& b) {
        return ComesBefore(a, b, world);
      });
}

ExplosiveDefinition CompileExplosive(const v1::Explosive& message,
                                     const MessageChecker& checker) {
  return {
      .radius_m =
          checker.Number("radius", message.radius(), kSizeMinM, kSizeMaxM),
      .impulse_n_s = checker.Positive("impulse_ns", message.impulse_ns()),
      .falloff = checker.Count("falloff", message.falloff(), 0, kFalloffMax),
      .needs_sight = message.needs_sight()};
}

}  // namespace reprise::sim
