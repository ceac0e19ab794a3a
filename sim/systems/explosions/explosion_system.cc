// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/explosions/explosion_system.h"

#include <variant>

#include "absl/status/statusor.h"
#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/bodies/body_forces.h"
#include "sim/physics/definition/physics_definition.h"
#include "sim/physics/definition/solid_geometry.h"
#include "sim/systems/destructibles/destructible_definition.h"
#include "sim/systems/explosions/explosion_events.h"
#include "sim/world/components/object_rows.h"
#include "sim/world/components/world_names.h"
#include "sim/world/definition/world_definition.h"
#include "sim/world/objects/objects.h"
#include "sim/world/objects/world_parts.h"
#include "sim/world/systems/body_queries.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};

// The point of one primitive that is closest to `point`.
Vector3 ClosestOn(const Primitive& primitive, const BodyRow& body,
                  Vector3 point) {
  const Vector3 centre = body.position + body.basis * primitive.position;
  const Matrix3 basis = body.basis * ToMatrix3(Normalized(primitive.rotation));
  const Vector3 local = Transposed(basis) * (point - centre);
  const Vector3 closest = ClosestPointOf(primitive.solid, local);
  return closest == local ? point : centre + basis * closest;
}

double StrengthAt(double distance, const ExplosiveDefinition& explosive) {
  const double rest = 1.0 - distance / explosive.radius_m;
  double strength = explosive.impulse_n_s;
  for (uint32_t i = 0; i < explosive.falloff; ++i) strength *= rest;
  return strength;
}

}  // namespace

const SystemDeclaration& ExplosionsDeclaration() {
  static const SystemDeclaration declaration = {
      .name = ExplosionsDefinition::kSystem,
      .help = "blows that push all that is near",
      .events = kExplosionEvents,
      .handles = {kExplode}};
  return declaration;
}

std::unique_ptr<System> ExplosionsDefinition::Create(
    const SystemPlace& place) const {
  return std::make_unique<Explosions>(place);
}

Explosions::Explosions(const SystemPlace& place)
    : System(place),
      queries_(QueriesOf(place.parts)),
      explosives_(PartsOfTypes<ExplosiveDefinition>(place.parts.definition)) {
  for (const TypeDefinition& type : place.parts.definition.types) {
    breaks_.push_back(type.parts.Find<DestructibleDefinition>() != nullptr);
  }
}

bool Explosions::OnEvent(uint32_t row, const WorldEvent& event) {
  const ExplosiveDefinition* const explosive =
      explosives_[parts().objects.TypeOf(row)];
  const auto& object =
      state().table(parts().tables.objects.objects).Get<ObjectRow>(row);
  if (explosive == nullptr || object.status != ObjectStatus::kActive) {
    return false;
  }
  const absl::StatusOr<double> x = event.arguments.GetDouble(kX);
  const absl::StatusOr<double> y = event.arguments.GetDouble(kY);
  const absl::StatusOr<double> z = event.arguments.GetDouble(kZ);
  Vector3 centre = PlaceOf(parts(), state(), row).position;
  if (x.ok() && y.ok() && z.ok()) centre = {*x, *y, *z};
  // An event of the game may say anything; this also finds NaN.
  const auto is_near = [](double value) { return Abs(value) <= kPositionMaxM; };
  if (!is_near(centre.x) || !is_near(centre.y) || !is_near(centre.z)) {
    return false;
  }
  Explode(object.object, centre, *explosive);
  return true;
}

void Explosions::Explode(ObjectId source, Vector3 centre,
                         const ExplosiveDefinition& explosive) {
  const PhysicsTables& tables = parts().tables.physics;
  const PhysicsDefinition& physics = parts().definition.physics;
  queries_.Look(state());
  for (const ObjectId object : FindNear(centre, explosive.radius_m)) {
    const uint32_t object_row = parts().objects.RowOf(state(), object);
    const std::optional<uint32_t> row = FindBody(state(), tables, object);
    if (object == source || object_row == kNoRow || !row.has_value()) continue;
    const BodyRow body = state().table(tables.bodies).Get<BodyRow>(*row);
    const bool is_dynamic = physics.kinds[body.kind].motion == Motion::kDynamic;
    if (!is_dynamic && !breaks_[parts().objects.TypeOf(object_row)]) continue;
    const std::optional<Blow> blow = BlowOn(body, centre, explosive.radius_m);
    if (!blow.has_value() || blow->distance_m > explosive.radius_m) continue;
    if (explosive.needs_sight && !IsInSight(object, centre, blow->point)) {
      continue;
    }
    const double strength = StrengthAt(blow->distance_m, explosive);
    if (is_dynamic) {
      ApplyImpulse(state(), tables, *row,
                   parts().physics.mass_properties(body.kind),
                   strength * DirectionOf(*blow, body, centre),
                   blow->point - body.position);
    }
    TellObject(parts(), kBlast, object,
               {{kObject, FieldValue::OfObject(source)},
                {kImpulse, FieldValue::OfDouble(strength)},
                {kX, FieldValue::OfDouble(blow->point.x)},
                {kY, FieldValue::OfDouble(blow->point.y)},
                {kZ, FieldValue::OfDouble(blow->point.z)}});
  }
}

std::vector<ObjectId> Explosions::FindNear(Vector3 centre,
                                           double radius_m) const {
  std::vector<ObjectId> objects;
  for (const PrimitiveKey& key : queries_.FindOverlaps(
           {.solid = SpherePrimitive{radius_m}, .position = centre})) {
    if (objects.empty() || objects.back() != key.object) {
      objects.push_back(key.object);
    }
  }
  return objects;
}

std::optional<Explosions::Blow> Explosions::BlowOn(const BodyRow& body,
                                                   Vector3 centre,
                                                   double radius_m) const {
  const PhysicsDefinition& physics = parts().definition.physics;
  const auto* const shape =
      std::get_if<SolidShape>(&physics.shapes[physics.kinds[body.kind].shape]);
  if (shape == nullptr) {
    const std::optional<ClosestBodyPoint> closest =
        queries_.FindClosestPoint(centre, radius_m, {.only = body.object});
    if (!closest.has_value()) return std::nullopt;
    return Blow{.point = closest->point, .distance_m = closest->distance_m};
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

bool Explosions::IsInSight(ObjectId object, Vector3 centre,
                           Vector3 point) const {
  const std::optional<QueryHit> hit =
      queries_.CastRay({.from = centre, .to = point});
  return !hit.has_value() || hit->what.object == object;
}

Vector3 Explosions::DirectionOf(const Blow& blow, const BodyRow& body,
                                Vector3 centre) {
  if (blow.distance_m > 0.0) return (blow.point - centre) / blow.distance_m;
  const Vector3 way = body.position - centre;
  return way == Vector3{} ? kUp : Normalized(way);
}

}  // namespace reprise::sim
