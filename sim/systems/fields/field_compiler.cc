// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Compiles fluids and gravity zones.

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <variant>

#include "fmt/format.h"
#include "reprise/v1/pack.pb.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/message_checker.h"
#include "sim/compiler/checking/system_compiler.h"
#include "sim/geometry/matrix3.h"
#include "sim/geometry/vector3.h"
#include "sim/geometry/volume.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/systems/fields/field_definition.h"
#include "sim/systems/fields/field_system.h"
#include "sim/systems/regions/region_system.h"
#include "sim/systems/regions/regions.h"

namespace reprise::sim {
namespace {

// Fifty times osmium; an acceleration that no game needs; a rate that stops a
// body within a tick.
constexpr double kDensityMax = 1e6;
constexpr double kAccelerationMax = 1e6;
constexpr double kDragMax = 1e3;

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

bool ComesBefore(const GravityZoneDefinition& a,
                 const GravityZoneDefinition& b) {
  const auto key = [](const GravityZoneDefinition& zone) {
    return std::tuple(zone.is_added, ~zone.priority, zone.region.name);
  };
  return key(a) < key(b);
}

class FieldCompiler final : public SystemCompiler {
 public:
  using SystemCompiler::SystemCompiler;

  void CompilePack() override {
    if (static_cast<size_t>(pack().fluids_size()) > kFieldsMax ||
        static_cast<size_t>(pack().gravity_zones_size()) > kFieldsMax) {
      checker().Problem("fluids",
                        fmt::format("of fluids and gravity zones at most {} "
                                    "are possible, of each",
                                    kFieldsMax));
      return;
    }
    for (int i = 0; i < pack().fluids_size(); ++i) {
      const v1::Fluid& fluid = pack().fluids(i);
      definition_->fluids.push_back(
          CompileFluid(fluid, checker().In(fluid, "fluids", i)));
    }
    for (int i = 0; i < pack().gravity_zones_size(); ++i) {
      const v1::GravityZone& zone = pack().gravity_zones(i);
      definition_->gravity_zones.push_back(
          CompileZone(zone, checker().In(zone, "gravity_zones", i)));
    }
    // Where two are of one region they stay as the pack has them.
    std::ranges::stable_sort(
        definition_->fluids, {},
        [](const FluidDefinition& fluid) { return fluid.region.name; });
    std::ranges::stable_sort(definition_->gravity_zones, ComesBefore);
  }

  std::shared_ptr<const SystemDefinition> definition() const override {
    const bool is_empty =
        definition_->fluids.empty() && definition_->gravity_zones.empty();
    return is_empty ? nullptr : definition_;
  }

 private:
  // A region; null after reporting that there is none.
  const RegionDefinition* FindRegion(const std::string& name,
                                     const MessageChecker& place) const {
    const Id id = IdOf(name);
    for (const RegionDefinition& region :
         RegionsOf(compilation().Find<RegionDefinitions>())) {
      if (region.name == id) return &region;
    }
    place.NoSuch("region", "region", name);
    return nullptr;
  }

  FluidDefinition CompileFluid(const v1::Fluid& message,
                               const MessageChecker& place) const {
    FluidDefinition fluid;
    const RegionDefinition* const region = FindRegion(message.region(), place);
    if (region != nullptr) fluid.region = *region;
    fluid.density_kg_m3 =
        place.Number("density", message.density(), 0.0, kDensityMax);
    fluid.linear_drag_per_s =
        place.Number("linear_drag", message.linear_drag(), 0.0, kDragMax);
    fluid.angular_drag_per_s =
        place.Number("angular_drag", message.angular_drag(), 0.0, kDragMax);
    fluid.flow_m_s = place.Vector("flow", message.flow());
    if (message.has_surface_height()) {
      fluid.surface_height_m =
          place.Number("surface_height", message.surface_height(),
                       -kMagnitudeMax, kMagnitudeMax);
    } else if (region != nullptr) {
      fluid.surface_height_m = std::visit(Top{}, region->volume);
    }
    return fluid;
  }

  GravityZoneDefinition CompileZone(const v1::GravityZone& message,
                                    const MessageChecker& place) const {
    GravityZoneDefinition zone;
    const RegionDefinition* const region = FindRegion(message.region(), place);
    if (region != nullptr) zone.region = *region;
    zone.is_added = message.adds();
    zone.priority = message.priority();
    if (zone.is_added && zone.priority != 0) {
      place.Problem("priority", "what is added has none");
    }
    switch (message.kind_case()) {
      case v1::GravityZone::kUniform: {
        const Vector3 pull = place.Vector("uniform", message.uniform());
        for (const double part : {pull.x, pull.y, pull.z}) {
          place.Number("uniform", part, -kAccelerationMax, kAccelerationMax);
        }
        zone.pull = pull;
        break;
      }
      case v1::GravityZone::kPoint:
        zone.pull = CompilePointGravity(message.point(),
                                        place.In(message.point(), "point"));
        break;
      default:
        place.Problem("uniform", "required: uniform or point");
    }
    return zone;
  }

  std::shared_ptr<FieldDefinitions> definition_ =
      std::make_shared<FieldDefinitions>();
};

REPRISE_REGISTER_SYSTEM(fields, MakeSystemModule<FieldCompiler>(
                                    FieldDefinitions::Declaration(),
                                    {"Pack.fluids", "Pack.gravity_zones"},
                                    {"regions"}));

}  // namespace
}  // namespace reprise::sim
