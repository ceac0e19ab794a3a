// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/queries/physics_queries.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "BulletCollision/CollisionShapes/btBoxShape.h"
#include "BulletCollision/CollisionShapes/btCapsuleShape.h"
#include "BulletCollision/CollisionShapes/btCylinderShape.h"
#include "BulletCollision/CollisionShapes/btSphereShape.h"
#include "sim/base/check.h"
#include "sim/base/float_control.h"
#include "sim/base/math.h"
#include "sim/physics/queries/query_scene.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/bullet_shapes.h"

namespace reprise::sim {
namespace {

void CheckFinite(Vector3 v) {
  CHECK(IsFinite(v.x));
  CHECK(IsFinite(v.y));
  CHECK(IsFinite(v.z));
}

bool IsWanted(const Placed& placed, const QueryFilter& filter) {
  return (placed.filter.layers & filter.layers) != 0 &&
         (filter.includes_triggers || !placed.kind->is_trigger) &&
         placed.key.object != filter.ignored &&
         placed.key.object != filter.ignored_too &&
         (filter.only == kNoObject || placed.key.object == filter.only) &&
         (!filter.layers_of_asker.has_value() ||
          (placed.filter.collides_with & *filter.layers_of_asker) != 0);
}

// Calls use(shape) with Bullet's shape of a solid, without rounded edges.
template <typename Use>
struct ShapeUser {
  const Use& use;

  auto operator()(const SpherePrimitive& sphere) const {
    return use(btSphereShape(sphere.radius_m));
  }
  auto operator()(const BoxPrimitive& box) const {
    btBoxShape shape(ToBullet(box.half_extents_m));
    shape.setMargin(0.0);
    return use(shape);
  }
  auto operator()(const CapsulePrimitive& capsule) const {
    return use(btCapsuleShape(capsule.radius_m, capsule.height_m));
  }
  auto operator()(const CylinderPrimitive& cylinder) const {
    btCylinderShape shape(btVector3(cylinder.radius_m, 0.5 * cylinder.height_m,
                                    cylinder.radius_m));
    shape.setMargin(0.0);
    return use(shape);
  }
  auto operator()(const ConePrimitive& cone) const {
    ConeShape shape(cone);
    shape.setMargin(0.0);
    return use(shape);
  }
  auto operator()(const HullPrimitive& hull) const {
    HullShape shape(hull);
    shape.setMargin(0.0);
    return use(shape);
  }
};

template <typename Use>
auto WithShape(const Solid& solid, const Use& use) {
  return std::visit(ShapeUser<Use>{use}, solid);
}

// The first hit, or all of them.
class FirstHit {
 public:
  // What lies behind the hit is of no interest. At the same fraction there may
  // be one that comes first.
  double Add(const QueryHit& hit) {
    if (!hit_.has_value() || ComesBefore(hit, *hit_)) hit_ = hit;
    return hit_->fraction;
  }
  double fraction_max() const {
    return hit_.has_value() ? hit_->fraction : 1.0;
  }
  const std::optional<QueryHit>& hit() const { return hit_; }

 private:
  std::optional<QueryHit> hit_;
};

class AllHits {
 public:
  double Add(const QueryHit& hit) {
    hits_.push_back(hit);
    return 1.0;
  }
  double fraction_max() const { return 1.0; }
  std::vector<QueryHit> TakeSorted() {
    // A total order: each primitive is hit once.
    std::sort(hits_.begin(), hits_.end(), ComesBefore);
    return std::move(hits_);
  }

 private:
  std::vector<QueryHit> hits_;
};

// Adds to `hits` what test(placed) touches of the planes and of the solids
// whose boxes, grown, are on the way.
template <typename Hits, typename Test>
void Collect(const QueryScene& scene, const RayQuery& way, Vector3 grown_by,
             const QueryFilter& filter, const Test& test, Hits& hits) {
  CheckFinite(way.from);
  CheckFinite(way.to);
  const Vector3 motion = way.to - way.from;
  const auto add = [&](const Placed& placed) {
    if (!IsWanted(placed, filter)) return hits.fraction_max();
    ForEachPrimitive(placed, way.from, motion, Length(grown_by),
                     [&](const Placed& primitive) {
                       const std::optional<PrimitiveTouch> touch =
                           test(primitive);
                       if (!touch.has_value()) return;
                       hits.Add({.fraction = touch->fraction,
                                 .what = primitive.key,
                                 .point = touch->point,
                                 .normal = touch->normal});
                     });
    return hits.fraction_max();
  };
  for (const Placed& plane : scene.planes()) add(plane);
  scene.tree().SearchAlong(way.from, motion, grown_by, [&](uint32_t index) {
    return add(scene.solids()[index]);
  });
}

template <typename Hits>
void CollectRay(const QueryScene& scene, const RayQuery& ray,
                const QueryFilter& filter, Hits& hits) {
  const Vector3 motion = ray.to - ray.from;
  Collect(
      scene, ray, {}, filter,
      [&](const Placed& placed) {
        return EnterPrimitive(placed, ray.from, motion);
      },
      hits);
}

template <typename Hits>
void CollectSweep(const QueryScene& scene, const SolidSweep& sweep,
                  const QueryFilter& filter, Hits& hits) {
  WithShape(sweep.solid, [&](const btConvexShape& shape) {
    const btTransform from = ToBullet(sweep.way.from, sweep.rotation);
    const btTransform to = ToBullet(sweep.way.to, sweep.rotation);
    // As far as the box reaches to the farther side.
    const AxisAlignedBox box = BoxAround(shape, btTransform(from.getBasis()));
    const Vector3 reach = {std::max(box.high.x, -box.low.x),
                           std::max(box.high.y, -box.low.y),
                           std::max(box.high.z, -box.low.z)};
    Collect(
        scene, sweep.way, reach, filter,
        [&](const Placed& placed) {
          return SweepPrimitive(placed, shape, from, to);
        },
        hits);
  });
}

// What `answer` says to each of the questions.
template <typename Question, typename Answer>
auto AnswerEach(std::span<const Question> questions, Answer answer) {
  std::vector<decltype(answer(questions.front()))> answers;
  answers.reserve(questions.size());
  for (const Question& question : questions) {
    answers.push_back(answer(question));
  }
  return answers;
}

}  // namespace

PhysicsQueries::PhysicsQueries(
    std::shared_ptr<const PhysicsDefinition> definition,
    const PhysicsTables& tables)
    : definition_(std::move(definition)),
      tables_(tables),
      scene_(std::make_unique<QueryScene>(*definition_)) {}

PhysicsQueries::~PhysicsQueries() = default;

void PhysicsQueries::Look(const State& state) {
  const ScopedFloatControl float_control;
  scene_->Place(state.table(tables_.bodies));
}

std::optional<QueryHit> PhysicsQueries::CastRay(
    const RayQuery& ray, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  FirstHit first;
  CollectRay(*scene_, ray, filter, first);
  return first.hit();
}

std::vector<QueryHit> PhysicsQueries::CastRayThrough(
    const RayQuery& ray, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  AllHits all;
  CollectRay(*scene_, ray, filter, all);
  return all.TakeSorted();
}

std::optional<QueryHit> PhysicsQueries::CastSolid(
    const SolidSweep& sweep, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  FirstHit first;
  CollectSweep(*scene_, sweep, filter, first);
  return first.hit();
}

std::vector<QueryHit> PhysicsQueries::CastSolidThrough(
    const SolidSweep& sweep, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  AllHits all;
  CollectSweep(*scene_, sweep, filter, all);
  return all.TakeSorted();
}

std::vector<PrimitiveKey> PhysicsQueries::FindOverlaps(
    const PlacedSolid& solid, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  CheckFinite(solid.position);
  std::vector<PrimitiveKey> found;
  WithShape(solid.solid, [&](const btConvexShape& shape) {
    const btTransform pose = ToBullet(solid.position, solid.rotation);
    const AxisAlignedBox box = BoxAround(shape, pose);
    const double reach_m = std::max(Length(box.low - solid.position),
                                    Length(box.high - solid.position));
    const auto* const sphere = std::get_if<SpherePrimitive>(&solid.solid);
    const auto add = [&](const Placed& placed) {
      if (!IsWanted(placed, filter)) return;
      ForEachPrimitive(
          placed, solid.position, {}, reach_m, [&](const Placed& primitive) {
            // Of a sphere there is a closed form.
            const bool overlaps =
                sphere != nullptr
                    ? Length(ClosestPointOf(primitive, solid.position) -
                             solid.position) <= sphere->radius_m
                    : OverlapsPrimitive(primitive, shape, pose);
            if (overlaps) found.push_back(primitive.key);
          });
    };
    for (const Placed& plane : scene_->planes()) add(plane);
    scene_->tree().Search(
        box, [&](uint32_t index) { add(scene_->solids()[index]); });
  });
  // A total order: each primitive is found once.
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<NearPrimitive> PhysicsQueries::FindNear(
    const PlacedSolid& solid, double distance_max_m,
    const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  CheckFinite(solid.position);
  CHECK(distance_max_m >= 0.0);
  std::vector<NearPrimitive> found;
  WithShape(solid.solid, [&](const btConvexShape& shape) {
    const btTransform pose = ToBullet(solid.position, solid.rotation);
    AxisAlignedBox box = BoxAround(shape, pose);
    const double reach_m =
        distance_max_m + std::max(Length(box.low - solid.position),
                                  Length(box.high - solid.position));
    const auto add_primitive = [&](const Placed& placed) {
      const std::optional<PrimitiveDistance> separation =
          DistanceTo(placed, shape, pose, distance_max_m);
      if (!separation.has_value()) return;
      found.push_back({.distance_m = separation->distance_m,
                       .what = placed.key,
                       .point = separation->point,
                       .normal = separation->normal});
    };
    const auto add = [&](const Placed& placed) {
      if (!IsWanted(placed, filter)) return;
      ForEachPrimitive(placed, solid.position, {}, reach_m, add_primitive);
    };
    for (const Placed& plane : scene_->planes()) add(plane);
    const Vector3 reach = {distance_max_m, distance_max_m, distance_max_m};
    box = {box.low - reach, box.high + reach};
    scene_->tree().Search(
        box, [&](uint32_t index) { add(scene_->solids()[index]); });
  });
  // A total order: each primitive is found once.
  std::ranges::sort(found, {}, &NearPrimitive::what);
  return found;
}

std::optional<ClosestBodyPoint> PhysicsQueries::FindClosestPoint(
    Vector3 point, double distance_max_m, const QueryFilter& filter) const {
  const ScopedFloatControl float_control;
  CheckFinite(point);
  CHECK(distance_max_m >= 0.0);
  std::optional<ClosestBodyPoint> closest;
  const auto add_primitive = [&](const Placed& placed) {
    const Vector3 on_body = ClosestPointOf(placed, point);
    const double distance_m = Length(on_body - point);
    if (distance_m > distance_max_m) return;
    const bool is_closer =
        !closest.has_value() || distance_m < closest->distance_m ||
        (distance_m == closest->distance_m && placed.key < closest->what);
    if (!is_closer) return;
    closest = {.distance_m = distance_m, .what = placed.key, .point = on_body};
  };
  const auto add = [&](const Placed& placed) {
    if (!IsWanted(placed, filter)) return;
    ForEachPrimitive(placed, point, {}, distance_max_m, add_primitive);
  };
  for (const Placed& plane : scene_->planes()) add(plane);
  const Vector3 reach = {distance_max_m, distance_max_m, distance_max_m};
  scene_->tree().Search({point - reach, point + reach},
                        [&](uint32_t index) { add(scene_->solids()[index]); });
  return closest;
}

std::vector<std::optional<QueryHit>> PhysicsQueries::CastRays(
    std::span<const RayQuery> rays, const QueryFilter& filter) const {
  return AnswerEach(rays,
                    [&](const RayQuery& ray) { return CastRay(ray, filter); });
}

std::vector<std::optional<QueryHit>> PhysicsQueries::CastSolids(
    std::span<const SolidSweep> sweeps, const QueryFilter& filter) const {
  return AnswerEach(sweeps, [&](const SolidSweep& sweep) {
    return CastSolid(sweep, filter);
  });
}

std::vector<std::vector<PrimitiveKey>> PhysicsQueries::FindOverlapsOfEach(
    std::span<const PlacedSolid> solids, const QueryFilter& filter) const {
  return AnswerEach(solids, [&](const PlacedSolid& solid) {
    return FindOverlaps(solid, filter);
  });
}

std::vector<std::optional<ClosestBodyPoint>> PhysicsQueries::FindClosestPoints(
    std::span<const Vector3> points, double distance_max_m,
    const QueryFilter& filter) const {
  return AnswerEach(points, [&](Vector3 point) {
    return FindClosestPoint(point, distance_max_m, filter);
  });
}

}  // namespace reprise::sim
