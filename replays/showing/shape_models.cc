// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays/showing/shape_models.h"

#include <string_view>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::replays {
namespace {

using Kind = sim::FrameShape::Kind;
using sim::Vector3;

// Sides of what is round: an edge of a ball of 1 m is 13 cm, and the ball is
// 0.9 cm too thin between two.
constexpr int kSides = 24;
constexpr int kRings = 12;  // from pole to pole

std::array<float, 3> Narrow(const Vector3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y),
          static_cast<float>(v.z)};
}

struct Corner {
  Vector3 position;
  Vector3 normal;
};

class GeometryBuilder {
 public:
  void Triangle(const Corner& a, const Corner& b, const Corner& c) {
    for (const Corner& corner : {a, b, c}) {
      geometry_.positions.push_back(Narrow(corner.position));
      geometry_.normals.push_back(Narrow(sim::Normalized(corner.normal)));
    }
  }

  // With the normal of its plane; nothing where it has no area.
  void FlatTriangle(const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 normal = sim::Normalized(sim::Cross(b - a, c - a));
    if (normal == Vector3{}) return;
    Triangle({a, normal}, {b, normal}, {c, normal});
  }

  // Corners against the clock as seen from outside.
  void FlatQuad(const Vector3& a, const Vector3& b, const Vector3& c,
                const Vector3& d) {
    FlatTriangle(a, b, c);
    FlatTriangle(a, c, d);
  }

  ShapeGeometry Finish() { return std::move(geometry_); }

 private:
  ShapeGeometry geometry_;
};

// A point of the unit circle in the plane of x and z.
Vector3 OnCircle(int side) {
  const double angle = 2.0 * sim::kPi * (side % kSides) / kSides;
  return {sim::Cos(angle), 0, sim::Sin(angle)};
}

// What comes of turning a line around y: of each ring radius, height and the
// normal's slope. Rings descend.
struct Ring {
  double radius = 0;
  double y = 0;
  double normal_out = 0;
  double normal_up = 0;
};

void Turn(std::span<const Ring> rings, GeometryBuilder& builder) {
  const auto corner = [](const Ring& ring, int side) {
    const Vector3 out = OnCircle(side);
    return Corner{ring.radius * out + Vector3{0, ring.y, 0},
                  ring.normal_out * out + Vector3{0, ring.normal_up, 0}};
  };
  for (size_t i = 0; i + 1 < rings.size(); ++i) {
    const Ring& upper = rings[i];
    const Ring& lower = rings[i + 1];
    for (int side = 0; side < kSides; ++side) {
      if (upper.radius > 0) {
        builder.Triangle(corner(upper, side), corner(upper, side + 1),
                         corner(lower, side));
      }
      if (lower.radius > 0) {
        builder.Triangle(corner(upper, side + 1), corner(lower, side + 1),
                         corner(lower, side));
      }
    }
  }
}

// Two halves of a ball of radius 1, `straight` above and below the middle.
ShapeGeometry MakeCapsule(double straight) {
  std::vector<Ring> rings;
  for (int ring = 0; ring <= kRings; ++ring) {
    const double angle = sim::kPi * ring / kRings;
    // Exactly 0 at the poles, so that no triangle there is without area.
    const bool is_pole = ring == 0 || ring == kRings;
    const double radius = is_pole ? 0 : sim::Sin(angle);
    const double y = sim::Cos(angle);
    if (2 * ring <= kRings) rings.push_back({radius, y + straight, radius, y});
    if (2 * ring >= kRings && (straight > 0 || 2 * ring > kRings)) {
      rings.push_back({radius, y - straight, radius, y});
    }
  }
  GeometryBuilder builder;
  Turn(rings, builder);
  return builder.Finish();
}

ShapeGeometry MakeCylinder() {
  const std::array<Ring, 2> top = {{{0, 1, 0, 1}, {1, 1, 0, 1}}};
  const std::array<Ring, 2> side = {{{1, 1, 1, 0}, {1, -1, 1, 0}}};
  const std::array<Ring, 2> bottom = {{{1, -1, 0, -1}, {0, -1, 0, -1}}};
  GeometryBuilder builder;
  for (const std::span<const Ring> rings :
       {std::span<const Ring>(top), std::span<const Ring>(side),
        std::span<const Ring>(bottom)}) {
    Turn(rings, builder);
  }
  return builder.Finish();
}

// Of half height 1: its base half of that below the origin, as its centre of
// mass is a quarter of the height above the base. The normals of a side are
// those of the side before it is scaled: out by 2, up by 1.
ShapeGeometry MakeCone() {
  const std::array<Ring, 2> side = {{{0, 1.5, 2, 1}, {1, -0.5, 2, 1}}};
  const std::array<Ring, 2> bottom = {{{1, -0.5, 0, -1}, {0, -0.5, 0, -1}}};
  GeometryBuilder builder;
  Turn(side, builder);
  Turn(bottom, builder);
  return builder.Finish();
}

ShapeGeometry MakeBox() {
  GeometryBuilder builder;
  for (const double s : {-1.0, 1.0}) {
    // Each face's first edge and second turn to the outside.
    builder.FlatQuad({s, -1, -s}, {s, 1, -s}, {s, 1, s}, {s, -1, s});
    builder.FlatQuad({-s, s, -1}, {-s, s, 1}, {s, s, 1}, {s, s, -1});
    builder.FlatQuad({-1, -s, s}, {1, -s, s}, {1, s, s}, {-1, s, s});
  }
  return builder.Finish();
}

ShapeGeometry MakePlane() {
  GeometryBuilder builder;
  builder.FlatQuad({-1, 0, -1}, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1});
  return builder.Finish();
}

ShapeGeometry MakeMesh(const sim::FrameMesh& mesh) {
  GeometryBuilder builder;
  for (const auto& [a, b, c] : mesh.triangles) {
    builder.FlatTriangle(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  }
  return builder.Finish();
}

std::string_view NameOf(Kind kind) {
  switch (kind) {
    case Kind::kSphere:
      return "sphere";
    case Kind::kBox:
      return "box";
    case Kind::kCapsule:
      return "capsule";
    case Kind::kCylinder:
      return "cylinder";
    case Kind::kPlane:
      return "plane";
    case Kind::kCone:
      return "cone";
    case Kind::kHull:
      return "hull";
    case Kind::kMesh:
      return "mesh";
  }
  return "";
}

bool HasMesh(Kind kind) { return kind == Kind::kHull || kind == Kind::kMesh; }

// The turn that brings y to `normal`, the short way.
sim::Quaternion FromUp(const Vector3& normal) {
  const Vector3 up = {0, 1, 0};
  const double cosine = sim::Dot(up, normal);
  if (cosine < -1.0 + 1e-12) return {1, 0, 0, 0};
  const Vector3 axis = sim::Cross(up, normal);
  return sim::Normalized(sim::Quaternion{axis.x, axis.y, axis.z, 1.0 + cosine});
}

}  // namespace

PlacedGeometry ShapeModels::Place(const sim::FrameShape& shape) {
  const Vector3& size = shape.size;
  PlacedGeometry placed = {.position = shape.position,
                           .rotation = shape.rotation};
  double straight = 0;
  switch (shape.kind) {
    case Kind::kSphere:
      placed.scale = {size.x, size.x, size.x};
      break;
    case Kind::kCapsule:
      placed.scale = {size.x, size.x, size.x};
      if (size.x > 0) straight = size.y / size.x;
      break;
    case Kind::kBox:
      placed.scale = size;
      break;
    case Kind::kCylinder:
    case Kind::kCone:
      placed.scale = {size.x, size.y, size.x};
      break;
    case Kind::kPlane:
      placed.scale = {kPlaneReachM, 1, kPlaneReachM};
      placed.rotation = shape.rotation * FromUp(size);
      break;
    case Kind::kHull:
    case Kind::kMesh:
      break;
  }
  const uint32_t mesh = HasMesh(shape.kind) ? shape.mesh : 0;
  const auto [known, is_new] =
      geometry_of_.try_emplace(Key{shape.kind, mesh, straight},
                               static_cast<uint32_t>(geometries_.size()));
  placed.geometry = known->second;
  if (!is_new) return placed;

  ShapeGeometry geometry;
  switch (shape.kind) {
    case Kind::kSphere:
    case Kind::kCapsule:
      geometry = MakeCapsule(straight);
      break;
    case Kind::kBox:
      geometry = MakeBox();
      break;
    case Kind::kCylinder:
      geometry = MakeCylinder();
      break;
    case Kind::kCone:
      geometry = MakeCone();
      break;
    case Kind::kPlane:
      geometry = MakePlane();
      break;
    case Kind::kHull:
    case Kind::kMesh:
      if (mesh < meshes_.size()) geometry = MakeMesh(meshes_[mesh]);
      break;
  }
  geometry.name = NameOf(shape.kind);
  if (HasMesh(shape.kind)) geometry.name += fmt::format(" {}", mesh);
  geometries_.push_back(std::move(geometry));
  return placed;
}

}  // namespace reprise::replays
