// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/displacement.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "sim/base/math.h"
#include "sim/physics/definition/solid_geometry.h"

namespace reprise::sim {
namespace {

constexpr int kAround = 16;  // faces around the y axis
constexpr int kUpwards = 8;  // and from pole to pole
// From so many times its size away, a solid's closest point is its farthest in
// that direction.
constexpr double kFarM = 1e3 * kSizeMaxM;

// What lies below, as its volume and the volume times its middle.
struct Moment {
  double volume = 0.0;
  Vector3 moment;

  void Add(double more, Vector3 centre) {
    volume += more;
    moment = moment + more * centre;
  }
};

double TetrahedronVolume(Vector3 a, Vector3 b, Vector3 c, Vector3 d) {
  return Abs(Dot(b - a, Cross(c - a, d - a))) / 6.0;
}

void AddTetrahedron(Vector3 a, Vector3 b, Vector3 c, Vector3 d,
                    Moment& moment) {
  moment.Add(TetrahedronVolume(a, b, c, d), (a + b + c + d) / 4.0);
}

// A corner of a tetrahedron, and how deep below the surface it is.
struct Corner {
  Vector3 point;
  double depth = 0.0;
};

// Where the edge between a wet and a dry corner meets the surface.
Vector3 Cut(const Corner& wet, const Corner& dry) {
  const double share = wet.depth / (wet.depth - dry.depth);
  return wet.point + share * (dry.point - wet.point);
}

// Adds the part of a tetrahedron that lies below the surface.
void AddBelow(std::array<Corner, 4> corners, Moment& moment) {
  // The wet ones first; which of them comes first changes only rounding, and
  // that always in the same way.
  const auto dry = std::stable_partition(
      corners.begin(), corners.end(),
      [](const Corner& corner) { return corner.depth > 0.0; });
  const auto& [a, b, c, d] = corners;
  switch (dry - corners.begin()) {
    case 0:
      return;
    case 1:
      AddTetrahedron(a.point, Cut(a, b), Cut(a, c), Cut(a, d), moment);
      return;
    case 2: {
      // A prism with a triangle at each wet corner.
      const Vector3 ac = Cut(a, c);
      const Vector3 ad = Cut(a, d);
      const Vector3 bc = Cut(b, c);
      const Vector3 bd = Cut(b, d);
      AddTetrahedron(a.point, ac, ad, bd, moment);
      AddTetrahedron(a.point, ac, bc, bd, moment);
      AddTetrahedron(a.point, b.point, bc, bd, moment);
      return;
    }
    case 3: {
      // The same between the wet triangle and the cut.
      const Vector3 ad = Cut(a, d);
      const Vector3 bd = Cut(b, d);
      const Vector3 cd = Cut(c, d);
      AddTetrahedron(a.point, b.point, c.point, cd, moment);
      AddTetrahedron(a.point, b.point, bd, cd, moment);
      AddTetrahedron(a.point, ad, bd, cd, moment);
      return;
    }
    default:
      AddTetrahedron(a.point, b.point, c.point, d.point, moment);
  }
}

// The part of a ball around the origin below the surface, `depth` above it.
void AddBall(double radius, double depth, Vector3 down, Moment& moment) {
  const double height = std::clamp(radius + depth, 0.0, 2.0 * radius);
  if (height == 0.0) return;
  const double volume = kPi * height * height * (3.0 * radius - height) / 3.0;
  const double rest = 2.0 * radius - height;
  moment.Add(volume,
             (3.0 * rest * rest / (4.0 * (3.0 * radius - height))) * down);
}

using Triangle = std::array<Vector3, 3>;

void AddQuad(Vector3 a, Vector3 b, Vector3 c, Vector3 d,
             std::vector<Triangle>& triangles) {
  triangles.push_back({a, b, c});
  triangles.push_back({a, c, d});
}

std::vector<Triangle> TrianglesOf(const BoxPrimitive& box) {
  const Vector3 h = box.half_extents_m;
  const auto corner = [&](int index) {
    return Vector3{(index & 1) != 0 ? h.x : -h.x, (index & 2) != 0 ? h.y : -h.y,
                   (index & 4) != 0 ? h.z : -h.z};
  };
  constexpr int kFaces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  std::vector<Triangle> triangles;
  for (const auto& face : kFaces) {
    AddQuad(corner(face[0]), corner(face[1]), corner(face[2]), corner(face[3]),
            triangles);
  }
  return triangles;
}

// A point within a solid.
Vector3 MiddleOf(const Solid& solid) {
  const auto* const hull = std::get_if<HullPrimitive>(&solid);
  if (hull == nullptr) return {};
  Vector3 sum;
  for (const Vector3& vertex : hull->vertices) sum = sum + vertex;
  return sum / static_cast<double>(hull->vertices.size());
}

std::vector<Triangle> TrianglesOf(const HullPrimitive& hull, Vector3 middle) {
  std::vector<Triangle> triangles;
  for (const TriangleCorners& face : hull.faces) {
    triangles.push_back({hull.vertices[face[0]] - middle,
                         hull.vertices[face[1]] - middle,
                         hull.vertices[face[2]] - middle});
  }
  return triangles;
}

// Any convex solid, seen from its middle; those without faces by their farthest
// points in directions all around.
std::vector<Triangle> TrianglesOf(const Solid& solid) {
  if (const auto* const box = std::get_if<BoxPrimitive>(&solid)) {
    return TrianglesOf(*box);
  }
  if (const auto* const hull = std::get_if<HullPrimitive>(&solid)) {
    return TrianglesOf(*hull, MiddleOf(solid));
  }
  const auto farthest = [&](int around, int upwards) {
    const double turn = 2.0 * kPi * (around % kAround) / kAround;
    const int above_middle = upwards - kUpwards / 2;
    const double rise = kPi * above_middle / kUpwards;
    const bool is_pole = upwards == 0 || upwards == kUpwards;
    const double flat = is_pole ? 0.0 : Cos(rise);
    return ClosestPointOf(
        solid, kFarM * Vector3{flat * Cos(turn), Sin(rise), flat * Sin(turn)});
  };
  std::vector<Triangle> triangles;
  for (int upwards = 0; upwards < kUpwards; ++upwards) {
    for (int around = 0; around < kAround; ++around) {
      AddQuad(farthest(around, upwards), farthest(around + 1, upwards),
              farthest(around + 1, upwards + 1), farthest(around, upwards + 1),
              triangles);
    }
  }
  return triangles;
}

double VolumeOf(const std::vector<Triangle>& triangles) {
  double volume = 0.0;
  for (const auto& [a, b, c] : triangles) {
    volume += TetrahedronVolume({}, a, b, c);
  }
  return volume;
}

// The true volume of a solid around the y axis; nullopt for any other.
std::optional<double> RoundVolume(const Solid& solid) {
  if (const auto* const capsule = std::get_if<CapsulePrimitive>(&solid)) {
    const double radius = capsule->radius_m;
    return kPi * radius * radius * (capsule->height_m + 4.0 * radius / 3.0);
  }
  if (const auto* const cylinder = std::get_if<CylinderPrimitive>(&solid)) {
    return kPi * cylinder->radius_m * cylinder->radius_m * cylinder->height_m;
  }
  if (const auto* const cone = std::get_if<ConePrimitive>(&solid)) {
    return kPi * cone->radius_m * cone->radius_m * cone->height_m / 3.0;
  }
  return std::nullopt;
}

}  // namespace

Displacement::Displacement(const PhysicsDefinition& definition) {
  for (const ShapeDefinition& definition_shape : definition.shapes) {
    Shape& shape = shapes_.emplace_back();
    const auto* const solid = std::get_if<SolidShape>(&definition_shape);
    if (solid == nullptr) continue;
    for (const Primitive& primitive : solid->primitives) {
      const Piece& piece = shape.pieces.emplace_back(PieceOf(primitive));
      double reach = piece.radius_m;
      for (const Triangle& triangle : piece.triangles) {
        for (const Vector3& point : triangle) {
          reach = std::max(reach, Length(point));
        }
      }
      shape.radius_m = std::max(shape.radius_m, Length(piece.centre) + reach);
      shape.volume_m3 +=
          VolumeOf(piece.triangles) +
          4.0 / 3.0 * kPi * piece.radius_m * piece.radius_m * piece.radius_m;
    }
  }
}

Displacement::Piece Displacement::PieceOf(const Primitive& primitive) {
  Piece piece{.centre = primitive.position, .triangles = {}};
  if (const auto* const ball = std::get_if<SpherePrimitive>(&primitive.solid)) {
    piece.radius_m = ball->radius_m;
    return piece;
  }
  std::vector<Triangle> triangles = TrianglesOf(primitive.solid);
  const double volume = VolumeOf(triangles);
  // Many triangles of a solid with corners are nothing.
  std::erase_if(triangles, [&](const Triangle& triangle) {
    return TetrahedronVolume({}, triangle[0], triangle[1], triangle[2]) <
           1e-9 * volume;
  });
  const std::optional<double> true_volume = RoundVolume(primitive.solid);
  const double widening =
      true_volume.has_value() ? Sqrt(*true_volume / VolumeOf(triangles)) : 1.0;
  const Matrix3 basis = ToMatrix3(Normalized(primitive.rotation));
  piece.centre = piece.centre + basis * MiddleOf(primitive.solid);
  for (Triangle& triangle : triangles) {
    for (Vector3& point : triangle) {
      point = basis * Vector3{widening * point.x, point.y, widening * point.z};
    }
  }
  piece.triangles = std::move(triangles);
  return piece;
}

SubmergedPart Displacement::Below(uint32_t shape, Vector3 position,
                                  const Matrix3& basis,
                                  double surface_m) const {
  // In the body's frame, where the world's up is a row of the basis.
  const Vector3 up = basis.rows[1];
  const double surface = surface_m - position.y;
  Moment all;
  for (const Piece& piece : shapes_[shape].pieces) {
    const double depth = surface - Dot(up, piece.centre);
    Moment below;
    if (piece.radius_m > 0.0) {
      AddBall(piece.radius_m, depth, -up, below);
    }
    const Corner centre = {{}, depth};
    for (const auto& [a, b, c] : piece.triangles) {
      AddBelow({centre, Corner{a, depth - Dot(up, a)},
                Corner{b, depth - Dot(up, b)}, Corner{c, depth - Dot(up, c)}},
               below);
    }
    all.volume += below.volume;
    all.moment = all.moment + below.moment + below.volume * piece.centre;
  }
  if (!(all.volume > 0.0)) return {.centre = position};
  return {.volume_m3 = all.volume,
          .centre = position + basis * (all.moment / all.volume)};
}

}  // namespace reprise::sim
