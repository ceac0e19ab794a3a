// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/explosions/explosions.h"

#include <optional>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/check.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/physics/queries/physics_queries.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

const TypeDefinition* TypeOf(const WorldParts& parts, ObjectId object) {
  const uint32_t row = parts.objects.RowOf(parts.state, object);
  if (row == kNoRow) return nullptr;
  return &parts.definition.types[parts.objects.TypeOf(row)];
}

// The point of one primitive that is closest to `point`.
Vector3 ClosestOn(const Primitive& primitive, const BodyRow& body,
                  Vector3 point) {
  const Vector3 centre = body.position + body.basis * primitive.position;
  const Matrix3 basis = body.basis * ToMatrix3(Normalized(primitive.rotation));
  const Vector3 local = Transposed(basis) * (point - centre);
  const Vector3 closest = ClosestPointOf(primitive.solid, local);
  return closest == local ? point : centre + basis * closest;
}

// Where a blow meets a body.
struct Blow {
  Vector3 point;
  double distance_m = 0.0;
};

// On a plane or a surface; nullopt if that is out of reach.
std::optional<Blow> BlowOnGround(const PhysicsQueries& queries, ObjectId object,
                                 Vector3 centre, double radius) {
  const std::optional<ClosestBodyPoint> closest =
      queries.FindClosestPoint(centre, radius, {.only = object});
  if (!closest.has_value()) return std::nullopt;
  return Blow{.point = closest->point, .distance_m = closest->distance_m};
}

std::optional<Blow> BlowOn(const WorldParts& parts, const BodyRow& body,
                           Vector3 centre, double radius) {
  const PhysicsDefinition& physics = parts.definition.physics;
  const auto* const shape =
      std::get_if<SolidShape>(&physics.shapes[physics.kinds[body.kind].shape]);
  if (shape == nullptr) {
    return BlowOnGround(*parts.blast_queries, body.object, centre, radius);
  }
  std::optional<Blow> blow;
  for (const Primitive& primitive : shape->primitives) {
    const Vector3 point = ClosestOn(primitive, body, centre);
    const double distance = Length(point - centre);
    if (!blow.has_value() || distance < blow->distance_m) {
      blow = {.point = point, .distance_m = distance};
    }
  }
  return blow;
}

Vector3 DirectionOf(const Blow& blow, const BodyRow& body, Vector3 centre) {
  if (blow.distance_m > 0.0) return (blow.point - centre) / blow.distance_m;
  const Vector3 way = body.position - centre;
  return way == Vector3{} ? kUp : Normalized(way);
}

double StrengthAt(double distance, const ExplosiveDefinition& explosive) {
  const double rest = 1.0 - distance / explosive.radius_m;
  double strength = explosive.impulse_n_s;
  for (uint32_t i = 0; i < explosive.falloff; ++i) strength *= rest;
  return strength;
}

// The bodies near an explosion, ascending, each once.
std::vector<ObjectId> FindNear(const PhysicsQueries& queries, Vector3 centre,
                               double radius) {
  std::vector<ObjectId> objects;
  for (const PrimitiveKey& key : queries.FindOverlaps(
           {.solid = SpherePrimitive{radius}, .position = centre})) {
    if (objects.empty() || objects.back() != key.object) {
      objects.push_back(key.object);
    }
  }
  return objects;
}

bool IsInSight(const PhysicsQueries& queries, ObjectId object, Vector3 centre,
               Vector3 point) {
  const std::optional<QueryHit> hit =
      queries.CastRay({.from = centre, .to = point});
  return !hit.has_value() || hit->what.object == object;
}

}  // namespace

void Explode(const WorldParts& parts, ObjectId source, Vector3 centre,
             const ExplosiveDefinition& explosive) {
  const PhysicsTables& tables = parts.tables.physics;
  const PhysicsDefinition& physics = parts.definition.physics;
  CHECK(parts.blast_queries != nullptr);
  PhysicsQueries& queries = *parts.blast_queries;
  queries.Look(parts.state);
  for (const ObjectId object : FindNear(queries, centre, explosive.radius_m)) {
    const TypeDefinition* const type = TypeOf(parts, object);
    const std::optional<uint32_t> row = FindBody(parts.state, tables, object);
    if (object == source || type == nullptr || !row.has_value()) continue;
    const BodyRow body = parts.state.table(tables.bodies).Get<BodyRow>(*row);
    const bool is_dynamic = physics.kinds[body.kind].motion == Motion::kDynamic;
    if (!is_dynamic && !type->destructible.has_value()) continue;
    const std::optional<Blow> blow =
        BlowOn(parts, body, centre, explosive.radius_m);
    if (!blow.has_value() || blow->distance_m > explosive.radius_m) continue;
    if (explosive.needs_sight &&
        !IsInSight(queries, object, centre, blow->point)) {
      continue;
    }
    const double strength = StrengthAt(blow->distance_m, explosive);
    if (is_dynamic) {
      ApplyImpulse(parts.state, tables, *row,
                   parts.physics.mass_properties(body.kind),
                   strength * DirectionOf(*blow, body, centre),
                   blow->point - body.position);
    }
    TellObject(parts, kBlast, object,
               {{kObject, FieldValue::OfObject(source)},
                {kImpulse, FieldValue::OfDouble(strength)},
                {kX, FieldValue::OfDouble(blow->point.x)},
                {kY, FieldValue::OfDouble(blow->point.y)},
                {kZ, FieldValue::OfDouble(blow->point.z)}});
  }
}

bool TakeExplode(const WorldParts& parts, uint32_t row,
                 const WorldEvent& event) {
  const auto& explosive =
      parts.definition.types[parts.objects.TypeOf(row)].explosive;
  if (event.type != kExplode || !explosive.has_value()) return false;
  const absl::StatusOr<double> x = event.arguments.GetDouble(kX);
  const absl::StatusOr<double> y = event.arguments.GetDouble(kY);
  const absl::StatusOr<double> z = event.arguments.GetDouble(kZ);
  Vector3 centre = PlaceOf(parts, parts.state, row).position;
  if (x.ok() && y.ok() && z.ok()) centre = {*x, *y, *z};
  // An event of the game may say anything; this also finds NaN.
  const auto is_near = [](double value) { return Abs(value) <= kPositionMaxM; };
  if (!is_near(centre.x) || !is_near(centre.y) || !is_near(centre.z)) {
    return false;
  }
  const ObjectId object = parts.state.table(parts.tables.objects.objects)
                              .Get<ObjectRow>(row)
                              .object;
  Explode(parts, object, centre, *explosive);
  return true;
}

}  // namespace reprise::sim
