// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/characters/capsule_motion.h"

#include <algorithm>
#include <span>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

constexpr Vector3 kUp = {0.0, 1.0, 0.0};
constexpr Vector3 kDown = {0.0, -1.0, 0.0};

// A corner of a room takes three obstacles; what is left after five is less
// than anybody sees.
constexpr int kSlidesMax = 5;

// Shorter ways are not gone: rounding, not movement.
constexpr double kWayMinM = 1e-7;

// To keep its distance from a wall that it meets at a small angle, a capsule
// would have to stop far before it; below this cosine it comes closer instead.
constexpr double kGrazingCosine = 0.1;

// A sweep ends up to a millimetre early, so that distances that differ by less
// than two are the same.
constexpr double kSettledM = 0.002;

// How far behind an edge its upper face is looked for, and how far above and
// below.
constexpr double kEdgeBehindM = 0.01;
constexpr double kEdgeAboveM = 0.02;

constexpr int kRecoveriesMax = 4;

Vector3 Level(Vector3 v) { return {v.x, 0.0, v.z}; }

// A wall's normal without its slant; the normal itself where nothing is left.
Vector3 WallNormal(Vector3 normal) {
  constexpr double kLevelMin = 1e-3;
  const Vector3 level = Level(normal);
  return Length(level) < kLevelMin ? normal : Normalized(level);
}

// What is left of `v` behind a plane.
Vector3 Without(Vector3 v, Vector3 normal) {
  const double into = Dot(v, normal);
  return into < 0.0 ? v - into * normal : v;
}

// What is left of `v` behind several planes: along the last one if the others
// let it, else along an edge of it, else nothing.
Vector3 WithoutAll(Vector3 v, std::span<const Vector3> normals) {
  constexpr double kInto = -1e-9;
  const auto is_free = [&](Vector3 way) {
    return std::ranges::all_of(normals, [&](Vector3 normal) {
      return Dot(way, normal) >= kInto * Length(way);
    });
  };
  const Vector3 last = normals.back();
  const Vector3 along = Without(v, last);
  if (is_free(along)) return along;
  for (const Vector3 other : normals.first(normals.size() - 1)) {
    const Vector3 edge = Cross(last, other);
    if (Length(edge) < 1e-6) continue;
    const Vector3 direction = Normalized(edge);
    const Vector3 left = Dot(v, direction) * direction;
    if (is_free(left)) return left;
  }
  return {};
}

// A way over a slope that goes as far in plan as `way`.
Vector3 UpSlope(Vector3 way, Vector3 normal) {
  const double rise = -(normal.x * way.x + normal.z * way.z) / normal.y;
  return {way.x, std::max(rise, way.y), way.z};
}

}  // namespace

double CapsuleMotion::FootOf(Vector3 position) const {
  const CapsulePrimitive& capsule = definition_.capsule;
  return position.y - 0.5 * capsule.height_m - capsule.radius_m;
}

PlacedSolid CapsuleMotion::At(Vector3 position) const {
  return {.solid = definition_.capsule, .position = position, .rotation = {}};
}

bool CapsuleMotion::IsWalkable(Vector3 normal) const {
  return normal.y >= definition_.slope_cosine;
}

Vector3 CapsuleMotion::OffSteepSlope(Vector3 v,
                                     const Obstacle& obstacle) const {
  const bool is_steep = obstacle.normal.y > 0.0 && !IsWalkable(obstacle.normal);
  return is_steep ? Without(v, WallNormal(obstacle.normal)) : v;
}

std::optional<Obstacle> CapsuleMotion::FindObstacle(
    Vector3 from, Vector3 motion, ObjectId ignored_too) const {
  const double length = Length(motion);
  if (length < kWayMinM) return std::nullopt;
  const Vector3 direction = motion / length;
  // Far enough to see everything that it would come too close to.
  const double reach = length + kCharacterSkinM / kGrazingCosine;
  QueryFilter filter = filter_;
  filter.ignored_too = ignored_too;
  const std::optional<QueryHit> hit =
      queries_.CastSolid({.solid = definition_.capsule,
                          .way = {.from = from, .to = from + reach * direction},
                          .rotation = {}},
                         filter);
  if (!hit.has_value()) return std::nullopt;
  const double cosine = -Dot(direction, hit->normal);
  if (cosine <= 0.0) return std::nullopt;  // it only passes by
  const double free_m = hit->fraction * reach -
                        kCharacterSkinM / std::max(cosine, kGrazingCosine);
  if (free_m >= length) return std::nullopt;
  return Obstacle{.free_m = std::max(free_m, 0.0),
                  .object = hit->what.object,
                  .point = hit->point,
                  .normal = hit->normal};
}

Vector3 CapsuleMotion::Sweep(Vector3 from, Vector3 motion,
                             ObjectId ignored_too) const {
  const std::optional<Obstacle> obstacle =
      FindObstacle(from, motion, ignored_too);
  if (!obstacle.has_value()) return from + motion;
  return from + (obstacle->free_m / Length(motion)) * motion;
}

bool CapsuleMotion::CanStandOn(const Obstacle& obstacle, double foot_m) const {
  if (IsWalkable(obstacle.normal)) return true;
  if (obstacle.normal.y <= 0.0 ||
      obstacle.point.y - foot_m > definition_.step_height_m + kCharacterSkinM) {
    return false;
  }
  // The normal at an edge says how the capsule hangs on it, not what is there.
  const Vector3 above = obstacle.point -
                        kEdgeBehindM * WallNormal(obstacle.normal) +
                        kEdgeAboveM * kUp;
  const std::optional<QueryHit> face = queries_.CastRay(
      {.from = above, .to = above + 2.0 * kEdgeAboveM * kDown}, filter_);
  return face.has_value() && IsWalkable(face->normal);
}

std::optional<Obstacle> CapsuleMotion::FindGround(Vector3 from,
                                                  double depth_m) const {
  // What lies just below the depth is ground, too, while it is within the skin.
  std::optional<Obstacle> ground =
      FindObstacle(from, (depth_m + kSettledM) * kDown);
  if (!ground.has_value()) return std::nullopt;
  const double foot_m = FootOf(from) - ground->free_m;
  if (!CanStandOn(*ground, foot_m)) return std::nullopt;
  if (ground->free_m <= kSettledM) ground->free_m = 0.0;
  return ground;
}

std::optional<Vector3> CapsuleMotion::ClimbStep(Vector3 from,
                                                Vector3 motion) const {
  const Vector3 level = Level(motion);
  const double length = Length(level);
  if (length < kWayMinM || definition_.step_height_m <= 0.0) {
    return std::nullopt;
  }
  const Vector3 raised =
      Sweep(from, definition_.step_height_m * kUp, kNoObject);
  const double rise = raised.y - from.y;
  // Beyond the edge by more than the skin that it kept from the face below it.
  const double reach = std::max(length, 2.0 * kCharacterSkinM);
  const Vector3 over = Sweep(raised, (reach / length) * level, kNoObject);
  if (Length(over - raised) < kCharacterSkinM) return std::nullopt;
  const std::optional<Obstacle> ground = FindGround(over, rise);
  if (!ground.has_value() ||
      ground->point.y - FootOf(from) > definition_.step_height_m + kSettledM) {
    return std::nullopt;
  }
  const Vector3 landed = over + ground->free_m * kDown;
  if (landed.y - from.y < kSettledM) return std::nullopt;  // no step
  return landed;
}

template <typename Turn>
CapsuleSlide CapsuleMotion::Slide(Vector3 from, Vector3 motion,
                                  const Turn& turn) const {
  CapsuleSlide result{.position = from, .touched = {}};
  std::vector<Vector3> normals;
  Vector3 left = motion;
  for (int i = 0; i < kSlidesMax && Length(left) >= kWayMinM; ++i) {
    const std::optional<Obstacle> obstacle =
        FindObstacle(result.position, left);
    if (!obstacle.has_value()) {
      result.position = result.position + left;
      break;
    }
    const Vector3 gone = (obstacle->free_m / Length(left)) * left;
    result.position = result.position + gone;
    left = left - gone;
    const std::optional<Vector3> normal = turn(*obstacle, result, left);
    if (!normal.has_value()) break;
    normals.push_back(*normal);
    left = WithoutAll(left, normals);
    if (Dot(left, motion) <= 0.0) break;  // it would turn back and forth
  }
  return result;
}

CapsuleSlide CapsuleMotion::Walk(Vector3 from, Vector3 motion) const {
  return Slide(from, motion,
               [this](const Obstacle& obstacle, CapsuleSlide& result,
                      Vector3& left) -> std::optional<Vector3> {
                 if (IsWalkable(obstacle.normal)) {
                   left = UpSlope(left, obstacle.normal);
                   return obstacle.normal;
                 }
                 if (const std::optional<Vector3> climbed =
                         ClimbStep(result.position, left)) {
                   result.position = *climbed;
                   return std::nullopt;
                 }
                 result.touched.push_back(obstacle);
                 return WallNormal(obstacle.normal);
               });
}

CapsuleSlide CapsuleMotion::Fly(Vector3 from, Vector3 motion) const {
  return Slide(from, motion,
               [this](const Obstacle& obstacle, CapsuleSlide& result,
                      Vector3& left) -> std::optional<Vector3> {
                 result.touched.push_back(obstacle);
                 left = OffSteepSlope(left, obstacle);
                 return obstacle.normal;
               });
}

Vector3 CapsuleMotion::Recover(Vector3 from) const {
  Vector3 position = from;
  double budget_m = definition_.capsule.radius_m;
  for (int i = 0; i < kRecoveriesMax; ++i) {
    const std::vector<NearPrimitive> near =
        queries_.FindNear(At(position), kCharacterSkinM - kSettledM, filter_);
    // The deepest, and of equals the first.
    const auto deepest =
        std::ranges::min_element(near, {}, &NearPrimitive::distance_m);
    if (deepest == near.end()) break;
    const double way_m =
        std::min(kCharacterSkinM - deepest->distance_m, budget_m);
    if (way_m < kWayMinM) break;
    budget_m -= way_m;
    position = Sweep(position, way_m * deepest->normal, deepest->what.object);
  }
  return position;
}

Vector3 CapsuleMotion::Clip(Vector3 velocity,
                            const std::vector<Obstacle>& touched) const {
  std::vector<Vector3> normals;
  for (const Obstacle& obstacle : touched) {
    velocity = OffSteepSlope(velocity, obstacle);
    normals.push_back(obstacle.normal);
    velocity = WithoutAll(velocity, normals);
  }
  return velocity;
}

}  // namespace reprise::sim
