// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/rendering/scene_picking.h"

#include <algorithm>
#include <array>

#include "sim/base/math.h"
#include "sim/geometry/quaternion.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

// What is thinner isn't drawn, and isn't met.
constexpr double kThinnestM = 1e-9;

// Of two distances that are there or not, the lesser.
void KeepNearer(std::optional<double> distance, std::optional<double>& best) {
  if (distance && (!best || *distance < *best)) best = distance;
}

// The ray as something moved and turned has it.
PictureRay Within(const PictureRay& ray, const Vector3& position,
                  const sim::Quaternion& rotation) {
  const sim::Quaternion back = sim::Conjugate(rotation);
  return {sim::Rotate(back, ray.start - position),
          sim::Rotate(back, ray.direction)};
}

// From outside, around the origin of the ray's space.
std::optional<double> MeetBall(const PictureRay& ray, double radius,
                               double least) {
  if (radius < kThinnestM) return std::nullopt;
  // |start + direction t| = radius.
  const double a = sim::Dot(ray.direction, ray.direction);
  const double b = sim::Dot(ray.start, ray.direction);
  const double c = sim::Dot(ray.start, ray.start) - radius * radius;
  const double root = b * b - a * c;
  if (root < 0) return std::nullopt;
  const double distance = (-b - sim::Sqrt(root)) / a;
  return distance >= least ? std::optional(distance) : std::nullopt;
}

// By Moller and Trumbore (Fast, Minimum Storage Ray-Triangle Intersection,
// 1997): the way along the ray and two sides of the triangle make the way from
// a corner to its start.
std::optional<double> MeetTriangle(const PictureRay& ray,
                                   const std::array<Vector3, 3>& corners,
                                   bool is_seen_from_behind, double least) {
  const Vector3 side = corners[1] - corners[0];
  const Vector3 other = corners[2] - corners[0];
  const Vector3 across = sim::Cross(ray.direction, other);
  const double volume = sim::Dot(side, across);
  // Corners stand against the clock where it is positive.
  if (volume == 0 || (volume < 0 && !is_seen_from_behind)) return std::nullopt;
  const Vector3 from_corner = ray.start - corners[0];
  const double u = sim::Dot(from_corner, across) / volume;
  const Vector3 turned = sim::Cross(from_corner, side);
  const double v = sim::Dot(ray.direction, turned) / volume;
  if (u < 0 || v < 0 || u + v > 1) return std::nullopt;
  const double distance = sim::Dot(other, turned) / volume;
  return distance >= least ? std::optional(distance) : std::nullopt;
}

}  // namespace

std::optional<double> ScenePicker::MeetShape(const sim::FrameShape& shape,
                                             const PictureRay& ray,
                                             double least) {
  std::optional<double> best;
  sim::FrameShape solid = shape;
  if (shape.kind == Kind::kSphere || shape.kind == Kind::kCapsule) {
    for (const double end : {-1.0, 1.0}) {
      const Vector3 middle = shape.kind == Kind::kSphere
                                 ? Vector3{}
                                 : Vector3{0, end * shape.size.y, 0};
      const Vector3 placed =
          shape.position + sim::Rotate(shape.rotation, middle);
      KeepNearer(MeetBall(Within(ray, placed, {}), shape.size.x, least), best);
    }
    if (shape.kind == Kind::kSphere) return best;
    solid.kind = Kind::kCylinder;
  }
  const auto [number, position, rotation, scale] = geometries_.Place(solid);
  if (scale.x < kThinnestM || scale.y < kThinnestM || scale.z < kThinnestM) {
    return best;
  }
  const bool is_surface =
      shape.kind == Kind::kPlane || shape.kind == Kind::kMesh;
  const PictureRay inside = Within(ray, position, rotation);
  const ShapeGeometry& geometry = geometries_.geometries()[number];
  for (size_t first = 0; first < geometry.positions.size(); first += 3) {
    std::array<Vector3, 3> corners;
    for (size_t i = 0; i < 3; ++i) {
      const std::array<float, 3>& at = geometry.positions[first + i];
      corners[i] = {at[0] * scale.x, at[1] * scale.y, at[2] * scale.z};
    }
    KeepNearer(MeetTriangle(inside, corners, is_surface, least), best);
  }
  return best;
}

std::optional<PickedPoint> ScenePicker::Pick(const DrawnFrame& drawn,
                                             const Projection& projection,
                                             double x_px, double y_px) {
  // A way of one is a metre along what the camera sees ahead.
  const PictureRay ray = projection.RayThrough(x_px, y_px);
  const CameraLens& lens = projection.camera().lens;
  std::optional<double> best;
  PickedPoint picked;
  for (const ShownPose& pose : drawn.frame.poses) {
    if (std::ranges::binary_search(drawn.outlined, pose.object)) continue;
    const PictureRay inside = Within(ray, pose.position, pose.rotation);
    for (const sim::FrameShape& shape : drawn.objects[pose.object].shapes) {
      const std::optional<double> depth = MeetShape(shape, inside, lens.near_m);
      if (!depth || *depth > lens.far_m || (best && *depth >= *best)) continue;
      best = depth;
      picked.object = pose.object;
    }
  }
  if (!best) return std::nullopt;
  picked.point = ray.start + ray.direction * *best;
  return picked;
}

}  // namespace reprise::replays
