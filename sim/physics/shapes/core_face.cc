// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/core_face.h"

#include <cstdint>
#include <span>

#include "sim/base/math.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// A rim is taken as this many points. Where it is tilted, one is its lowest.
constexpr int kRimPoints = 8;

// By the sine: below it a rim counts as level, and its points stay where they
// are. What is missing of it then is at most 0.4 % of its radius.
constexpr double kTiltMin = 0.05;

// Edges of boxes and cylinders are sharp where they lie on something.
ConvexCore SharpOf(ConvexCore core) {
  const double margin_m = core.margin_m;
  if (core.kind == ConvexCore::Kind::kBox ||
      core.kind == ConvexCore::Kind::kCylinder) {
    core.extents = core.extents + Vector3{margin_m, margin_m, margin_m};
    core.margin_m = 0.0;
  }
  return core;
}

CoreFace BoxFace(const Vector3& half, const Vector3& d) {
  CoreFace face;
  const double x = half.x;
  const double y = half.y;
  const double z = half.z;
  // Along which axis, and then around it against the clock.
  if (Abs(d.x) >= Abs(d.y) && Abs(d.x) >= Abs(d.z)) {
    const double s = d.x < 0.0 ? -1.0 : 1.0;
    face.normal = {s, 0.0, 0.0};
    face.points = {{s * x, -s * y, -z},
                   {s * x, s * y, -z},
                   {s * x, s * y, z},
                   {s * x, -s * y, z}};
  } else if (Abs(d.y) >= Abs(d.z)) {
    const double s = d.y < 0.0 ? -1.0 : 1.0;
    face.normal = {0.0, s, 0.0};
    face.points = {{-x, s * y, -s * z},
                   {-x, s * y, s * z},
                   {x, s * y, s * z},
                   {x, s * y, -s * z}};
  } else {
    const double s = d.z < 0.0 ? -1.0 : 1.0;
    face.normal = {0.0, 0.0, s};
    face.points = {{-s * x, -y, s * z},
                   {s * x, -y, s * z},
                   {s * x, y, s * z},
                   {-s * x, y, s * z}};
  }
  return face;
}

// A disc around the y axis that looks up (`side` 1) or down (-1).
CoreFace DiscFace(double radius, double y, double side, const Vector3& d) {
  CoreFace face;
  face.normal = {0.0, side, 0.0};
  const double across = Sqrt(d.x * d.x + d.z * d.z);
  double x = radius;
  double z = 0.0;
  if (across > kTiltMin) {
    x = radius * d.x / across;
    z = radius * d.z / across;
  }
  // By turns of 45 degrees, from x towards z where it looks down.
  const double turn = Sqrt(0.5);
  for (int i = 0; i < kRimPoints; ++i) {
    face.points.push_back({x, y, z});
    const double next_x = turn * (x + side * z);
    const double next_z = turn * (z - side * x);
    x = next_x;
    z = next_z;
  }
  return face;
}

// The line of a round side that looks in the direction `d`.
CoreFace LineFace(Vector3 low, Vector3 high, const Vector3& d) {
  CoreFace face;
  face.normal = d;
  face.points = {low, high};
  return face;
}

CoreFace CylinderFace(const Vector3& extents, const Vector3& d) {
  const double across = Sqrt(d.x * d.x + d.z * d.z);
  if (Abs(d.y) >= across) {
    const double side = d.y < 0.0 ? -1.0 : 1.0;
    return DiscFace(extents.x, side * extents.y, side, d);
  }
  const double x = extents.x * d.x / across;
  const double z = extents.x * d.z / across;
  return LineFace({x, -extents.y, z}, {x, extents.y, z}, d);
}

CoreFace ConeFace(const Vector3& extents, const Vector3& d) {
  const double radius = extents.x;
  const double base = extents.y;
  const double tip = extents.z;
  const double across = Sqrt(d.x * d.x + d.z * d.z);
  const double slant = Sqrt(radius * radius + (tip - base) * (tip - base));
  const double along_side = ((tip - base) * across + radius * d.y) / slant;
  if (-d.y >= along_side || across == 0.0) {
    return DiscFace(radius, base, -1.0, d);
  }
  return LineFace({radius * d.x / across, base, radius * d.z / across},
                  {0.0, tip, 0.0}, d);
}

CoreFace TriangleFace(std::span<const btVector3> corners, const Vector3& d) {
  CoreFace face;
  const Vector3 a = FromBullet(corners[0]);
  const Vector3 b = FromBullet(corners[1]);
  const Vector3 c = FromBullet(corners[2]);
  face.normal = Normalized(Cross(b - a, c - a));
  face.points = {a, b, c};
  if (Dot(face.normal, d) < 0.0) {
    face.normal = -face.normal;
    face.points = {a, c, b};
  }
  return face;
}

CoreFace HullFaceToward(const ConvexCore& core, const Vector3& d) {
  const HullFace* best = &core.faces[0];
  for (const HullFace& face : core.faces.subspan(1)) {
    if (Dot(face.normal, d) > Dot(best->normal, d)) best = &face;
  }
  CoreFace face;
  face.normal = best->normal;
  for (const uint32_t corner : best->corners) {
    face.points.push_back(FromBullet(core.corners[corner]));
  }
  return face;
}

}  // namespace

CoreFace FaceToward(const ConvexCore& core, Vector3 direction) {
  const ConvexCore sharp = SharpOf(core);
  CoreFace face;
  switch (sharp.kind) {
    case ConvexCore::Kind::kPoint:
      return face;
    case ConvexCore::Kind::kSegment:
      face = LineFace(-sharp.extents, sharp.extents, direction);
      break;
    case ConvexCore::Kind::kBox:
      face = BoxFace(sharp.extents, direction);
      break;
    case ConvexCore::Kind::kCylinder:
      face = CylinderFace(sharp.extents, direction);
      break;
    case ConvexCore::Kind::kCone:
      face = ConeFace(sharp.extents, direction);
      break;
    case ConvexCore::Kind::kHull:
      face = sharp.faces.empty() ? TriangleFace(sharp.corners, direction)
                                 : HullFaceToward(sharp, direction);
      break;
  }
  const Vector3 margin = sharp.margin_m * face.normal;
  for (Vector3& point : face.points) point = point + margin;
  return face;
}

}  // namespace reprise::sim
