// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/fields/field_system.h"

#include <cstring>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"
#include "sim/systems/layers/layers.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

constexpr uint32_t kSleepers = 0;  // the only table

enum Step : uint32_t { kPush, kNote };

constexpr Vector3 kNothing = {};

// Whether a ball and a box share a point, roughly: the corners are not cut.
bool Reaches(const VolumeBounds& bounds, Vector3 centre, double radius) {
  return bounds.low.x - radius <= centre.x &&
         centre.x <= bounds.high.x + radius &&
         bounds.low.y - radius <= centre.y &&
         centre.y <= bounds.high.y + radius &&
         bounds.low.z - radius <= centre.z &&
         centre.z <= bounds.high.z + radius;
}

Vector3 PullAt(const PointGravity& gravity, Vector3 point) {
  const Vector3 way = gravity.centre - point;
  const double radii = Length(way) / gravity.radius_m;
  // Inside, the strength grows with the distance, as in a planet.
  if (radii <= 1.0) {
    return (gravity.acceleration_m_s2 / gravity.radius_m) * way;
  }
  double strength = gravity.acceleration_m_s2;
  for (uint32_t i = 0; i < gravity.falloff; ++i) strength /= radii;
  return strength * Normalized(way);
}

Vector3 PullAt(const GravityZoneDefinition& zone, Vector3 point) {
  if (const auto* const uniform = std::get_if<Vector3>(&zone.pull)) {
    return *uniform;
  }
  return PullAt(std::get<PointGravity>(zone.pull), point);
}

// A rate as it acts over a whole tick: however high it is, a body is slowed to
// the fluid's speed and not beyond.
double OverTick(double rate_per_s, double tick_s) {
  return rate_per_s / (1.0 + rate_per_s * tick_s);
}

// The torque that changes the spin of a body by `change` in a second; none
// about axes that don't turn.
Vector3 TorqueFor(const MassProperties& mass, const Matrix3& basis,
                  Vector3 change) {
  const auto over = [](double value, double inverse) {
    return inverse > 0.0 ? value / inverse : 0.0;
  };
  const Vector3 local = Transposed(basis) * change;
  return basis * Vector3{over(local.x, mass.inverse_inertia.x),
                         over(local.y, mass.inverse_inertia.y),
                         over(local.z, mass.inverse_inertia.z)};
}

bool IsFiniteVector(Vector3 v) {
  return IsFinite(v.x) && IsFinite(v.y) && IsFinite(v.z);
}

BodyRow AtRest(BodyRow row) {
  row.linear_velocity = kNothing;
  row.angular_velocity = kNothing;
  return row;
}

}  // namespace

const SystemDeclaration& FieldDefinitions::Declaration() {
  static const SystemDeclaration declaration = {
      .name = kSystem,
      .help = "fluids, which lift, slow and carry, and gravity zones",
      .tables = {RowSchema::Of<FieldSleeperRow>()},
      .steps = {{.name = "fields",
                 .point = StepPoint::kPhysics,
                 .before = {kSolverStep.name},
                 .writes = {"physics.bodies"}},
                {.name = "field sleepers",
                 .point = StepPoint::kPhysics,
                 .after = {kSolverStep.name}}}};
  return declaration;
}

std::unique_ptr<System> FieldDefinitions::Create(
    const SystemPlace& place) const {
  return std::make_unique<Fields>(*this, place);
}

Fields::Fields(const FieldDefinitions& definition, const SystemPlace& place)
    : System(place),
      definition_(definition),
      displacement_(place.parts.definition.physics) {
  for (const FluidDefinition& fluid : definition.fluids) {
    bounds_.push_back(BoundsOf(fluid.region.volume));
  }
}

void Fields::Connect(const Systems& systems) {
  layers_ = systems.Find<Layers>();
}

absl::Status Fields::CheckRows(const State& snapshot) const {
  if (!RowsAscend(snapshot.table(index(kSleepers)))) {
    return absl::DataLossError("snapshot: the field sleepers are not in order");
  }
  return absl::OkStatus();
}

void Fields::Run(uint32_t step) {
  if (step == kPush) {
    Push();
  } else {
    NoteSleepers();
  }
}

bool Fields::IsOn(const RegionDefinition& region) const {
  return IsLayerEnabled(LayerRowsOf(layers_), region.layer);
}

bool Fields::IsPushed(const BodyRow& row) const {
  return physics().kinds[row.kind].motion == Motion::kDynamic &&
         row.activation != Activation::kOutOfReach &&
         IsFiniteVector(row.position) && IsFiniteVector(row.linear_velocity) &&
         IsFiniteVector(row.angular_velocity);
}

Vector3 Fields::GravityAt(Vector3 point) const {
  Vector3 gravity = physics().gravity_m_s2;
  bool is_replaced = false;
  for (const GravityZoneDefinition& zone : definition_.gravity_zones) {
    if ((is_replaced && !zone.is_added) || !IsOn(zone.region) ||
        !Contains(zone.region.volume, point)) {
      continue;
    }
    const Vector3 pull = PullAt(zone, point);
    if (zone.is_added) {
      gravity = gravity + pull;
    } else {
      gravity = pull;
      is_replaced = true;
    }
  }
  return gravity;
}

void Fields::AddFluid(uint32_t index, const BodyRow& row, Vector3 gravity,
                      Load& load) const {
  const FluidDefinition& fluid = definition_.fluids[index];
  const BodyKind& kind = physics().kinds[row.kind];
  const double radius = displacement_.Radius(kind.shape);
  if (row.position.y - radius >= fluid.surface_height_m ||
      !Reaches(bounds_[index], row.position, radius) || !IsOn(fluid.region)) {
    return;
  }
  const SubmergedPart part = displacement_.Below(
      kind.shape, row.position, row.basis, fluid.surface_height_m);
  if (part.volume_m3 == 0.0 || !Contains(fluid.region.volume, part.centre)) {
    return;
  }
  const MassProperties& mass = parts().physics.mass_properties(row.kind);
  const double tick_s = physics().tick_s;
  const double share = part.volume_m3 / displacement_.Volume(kind.shape);
  const Vector3 arm = part.centre - row.position;
  const Vector3 velocity =
      row.linear_velocity + Cross(row.angular_velocity, arm);
  const Vector3 lift = -fluid.density_kg_m3 * part.volume_m3 * gravity;
  const Vector3 drag =
      (share * OverTick(fluid.linear_drag_per_s, tick_s) / mass.inverse_mass) *
      (fluid.flow_m_s - velocity);
  const Vector3 force = lift + drag;
  load.force = load.force + force;
  load.torque = load.torque + Cross(arm, force) +
                TorqueFor(mass, row.basis,
                          -share * OverTick(fluid.angular_drag_per_s, tick_s) *
                              row.angular_velocity);
}

Fields::Load Fields::LoadOn(const BodyRow& row) const {
  Load load;
  const MassProperties& mass = parts().physics.mass_properties(row.kind);
  if (mass.inverse_mass == 0.0) return load;
  const Vector3 gravity = GravityAt(row.position);
  const BodyKind& kind = physics().kinds[row.kind];
  load.force = (kind.gravity_scale / mass.inverse_mass) *
               (gravity - physics().gravity_m_s2);
  for (uint32_t i = 0; i < definition_.fluids.size(); ++i) {
    AddFluid(i, row, gravity, load);
  }
  return load;
}

void Fields::Push() {
  const PhysicsTables& tables = parts().tables.physics;
  const Table& sleepers = table(kSleepers);
  const uint32_t count = state().table(tables.bodies).row_count();
  for (uint32_t i = 0; i < count; ++i) {
    const BodyRow row = state().table(tables.bodies).Get<BodyRow>(i);
    if (!IsPushed(row)) continue;
    const MassProperties& mass = parts().physics.mass_properties(row.kind);
    if (row.activation == Activation::kAsleep) {
      const Load load = LoadOn(AtRest(row));
      const FieldSleeperRow now = {row.object, load.force, load.torque};
      const auto noted = FindRow(sleepers, std::array{row.object.serial});
      if (noted.has_value() &&
          std::memcmp(sleepers.Row(*noted).data(), &now, sizeof(now)) == 0) {
        continue;
      }
      Wake(state(), tables, i, mass);
    }
    const Load load = LoadOn(row);
    if (load.force == kNothing && load.torque == kNothing) continue;
    // Not by ApplyForce, which keeps a body from falling asleep.
    BodyRow& pushed = state().mutable_table(tables.bodies).Mutable<BodyRow>(i);
    pushed.force = pushed.force + load.force;
    pushed.torque = pushed.torque + load.torque;
  }
}

void Fields::NoteSleepers() {
  const Table& bodies = state().table(parts().tables.physics.bodies);
  std::vector<FieldSleeperRow> rows;
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    if (row.activation != Activation::kAsleep || !IsPushed(row)) {
      continue;
    }
    const Load load = LoadOn(AtRest(row));
    rows.push_back({row.object, load.force, load.torque});
  }
  WriteTail<FieldSleeperRow>(mutable_table(kSleepers), 0, rows);
}

Vector3 GravityAt(const Fields* fields, const WorldParts& parts,
                  Vector3 point) {
  return fields == nullptr ? parts.definition.physics.gravity_m_s2
                           : fields->GravityAt(point);
}

}  // namespace reprise::sim
