// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/fields/fields.h"

#include <cstring>
#include <variant>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/systems/layers/layers.h"
#include "sim/world/components/sorted_rows.h"

namespace reprise::sim {
namespace {

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

// Whether the row is one that fields act on.
bool IsPushed(const WorldParts& parts, const BodyRow& row) {
  return parts.definition.physics.kinds[row.kind].motion == Motion::kDynamic &&
         row.activation != Activation::kOutOfReach &&
         IsFiniteVector(row.position) && IsFiniteVector(row.linear_velocity) &&
         IsFiniteVector(row.angular_velocity);
}

BodyRow AtRest(BodyRow row) {
  row.linear_velocity = kNothing;
  row.angular_velocity = kNothing;
  return row;
}

}  // namespace

absl::Status CheckFieldSleepers(const Table& rows) {
  if (!RowsAscend(rows)) {
    return absl::DataLossError("snapshot: the field sleepers are not in order");
  }
  return absl::OkStatus();
}

Fields::Fields(const WorldDefinition& definition)
    : definition_(definition), displacement_(definition.physics) {
  for (const FluidDefinition& fluid : definition.fields.fluids) {
    bounds_.push_back(BoundsOf(definition.level.regions[fluid.region].volume));
  }
}

bool Fields::IsOn(const WorldParts& parts, uint32_t region) const {
  return IsLayerEnabled(parts.state.table(parts.tables.level.layers),
                        definition_.level.regions[region].layer);
}

Vector3 Fields::GravityAt(const WorldParts& parts, Vector3 point) const {
  Vector3 gravity = definition_.physics.gravity_m_s2;
  bool is_replaced = false;
  for (const GravityZoneDefinition& zone : definition_.fields.gravity_zones) {
    if ((is_replaced && !zone.is_added) || !IsOn(parts, zone.region) ||
        !Contains(definition_.level.regions[zone.region].volume, point)) {
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

void Fields::AddFluid(const WorldParts& parts, uint32_t index,
                      const BodyRow& row, Vector3 gravity, Load& load) const {
  const FluidDefinition& fluid = definition_.fields.fluids[index];
  const BodyKind& kind = definition_.physics.kinds[row.kind];
  const double radius = displacement_.Radius(kind.shape);
  if (row.position.y - radius >= fluid.surface_height_m ||
      !Reaches(bounds_[index], row.position, radius) ||
      !IsOn(parts, fluid.region)) {
    return;
  }
  const SubmergedPart part = displacement_.Below(
      kind.shape, row.position, row.basis, fluid.surface_height_m);
  if (part.volume_m3 == 0.0 ||
      !Contains(definition_.level.regions[fluid.region].volume, part.centre)) {
    return;
  }
  const MassProperties& mass = parts.physics.mass_properties(row.kind);
  const double tick_s = definition_.physics.tick_s;
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

Fields::Load Fields::LoadOn(const WorldParts& parts, const BodyRow& row) const {
  Load load;
  const MassProperties& mass = parts.physics.mass_properties(row.kind);
  if (mass.inverse_mass == 0.0) return load;
  const Vector3 gravity = GravityAt(parts, row.position);
  const BodyKind& kind = definition_.physics.kinds[row.kind];
  load.force = (kind.gravity_scale / mass.inverse_mass) *
               (gravity - definition_.physics.gravity_m_s2);
  for (uint32_t i = 0; i < definition_.fields.fluids.size(); ++i) {
    AddFluid(parts, i, row, gravity, load);
  }
  return load;
}

void Fields::Push(const WorldParts& parts) const {
  const PhysicsTables& tables = parts.tables.physics;
  const Table& sleepers = parts.state.table(parts.tables.field_sleepers);
  const uint32_t count = parts.state.table(tables.bodies).row_count();
  for (uint32_t i = 0; i < count; ++i) {
    const BodyRow row = parts.state.table(tables.bodies).Get<BodyRow>(i);
    if (!IsPushed(parts, row)) continue;
    const MassProperties& mass = parts.physics.mass_properties(row.kind);
    if (row.activation == Activation::kAsleep) {
      const Load load = LoadOn(parts, AtRest(row));
      const FieldSleeperRow now = {row.object, load.force, load.torque};
      const auto noted = FindRow(sleepers, std::array{row.object.serial});
      if (noted.has_value() &&
          std::memcmp(sleepers.Row(*noted).data(), &now, sizeof(now)) == 0) {
        continue;
      }
      Wake(parts.state, tables, i, mass);
    }
    const Load load = LoadOn(parts, row);
    if (load.force == kNothing && load.torque == kNothing) continue;
    // Not by ApplyForce, which keeps a body from falling asleep.
    BodyRow& pushed =
        parts.state.mutable_table(tables.bodies).Mutable<BodyRow>(i);
    pushed.force = pushed.force + load.force;
    pushed.torque = pushed.torque + load.torque;
  }
}

void Fields::NoteSleepers(const WorldParts& parts) const {
  const Table& bodies = parts.state.table(parts.tables.physics.bodies);
  std::vector<FieldSleeperRow> rows;
  for (uint32_t i = 0; i < bodies.row_count(); ++i) {
    const auto& row = bodies.Get<BodyRow>(i);
    if (row.activation != Activation::kAsleep || !IsPushed(parts, row)) {
      continue;
    }
    const Load load = LoadOn(parts, AtRest(row));
    rows.push_back({row.object, load.force, load.torque});
  }
  WriteTail<FieldSleeperRow>(
      parts.state.mutable_table(parts.tables.field_sleepers), 0, rows);
}

}  // namespace reprise::sim
