// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/surface_edges.h"

#include <array>
#include <optional>

#include "sim/geometry/closest_points.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/shapes/bullet_conversion.h"

namespace reprise::sim {
namespace {

// Normals nearer to each other than this are the same: less than a degree.
constexpr double kSameNormalCosine = 0.9999;

// What is this near to an edge lies on it: more than the search for contacts
// rounds, less than can be seen.
constexpr double kOnEdgeM = 1e-3;

// An overlap of more than what lies on a surface has.
constexpr double kDeepM = 5e-3;

// The cosine within which a contact looks out of a face, and not along it.
constexpr double kUprightCosine = 0.7;

Vector3 NormalOf(const Triangle& triangle) {
  return Normalized(Cross(triangle.b - triangle.a, triangle.c - triangle.a));
}

// The third corner of another triangle at the edge from `p` to `q`; nullopt at
// the surface's rim.
std::optional<Vector3> CornerBeyond(const TriangleSurface& surface,
                                    uint32_t triangle, Vector3 p, Vector3 q,
                                    std::vector<uint32_t>& found) {
  const Vector3 middle = 0.5 * (p + q);
  // The middle is rounded, and the boxes of level triangles are thin.
  const Vector3 skin = {kOnEdgeM, kOnEdgeM, kOnEdgeM};
  surface.Find({middle - skin, middle + skin}, found);
  for (const uint32_t index : found) {
    if (index == triangle) continue;
    const Triangle other = surface.triangle(index);
    const std::array<Vector3, 3> corners = {other.a, other.b, other.c};
    for (int i = 0; i < 3; ++i) {
      const Vector3 next = corners[(i + 1) % 3];
      if ((corners[i] == p && next == q) || (corners[i] == q && next == p)) {
        return corners[(i + 2) % 3];
      }
    }
  }
  return std::nullopt;
}

// Whether a contact on the edge from `p` to `q` can have the normal `normal`.
// `face` is the triangle's own normal on the same side, `inner` its third
// corner, and `outer` that of its neighbour.
bool IsOfRidge(Vector3 p, Vector3 q, Vector3 inner, Vector3 outer, Vector3 face,
               Vector3 normal) {
  if (Dot(outer - p, face) >= 0.0) return false;  // level, or a valley
  Vector3 other_face = Normalized(Cross(q - p, outer - p));
  if (Dot(inner - p, other_face) > 0.0) other_face = -other_face;
  const double least = Dot(face, other_face);
  return Dot(normal, face) >= least && Dot(normal, other_face) >= least;
}

// Of a manifold's point, out of `body` and in its frame.
Vector3 NormalOf(const btManifoldPoint& point, const btCollisionObject& body,
                 bool is_second) {
  const double side = is_second ? 1.0 : -1.0;
  return FromBullet(side * point.m_normalWorldOnB *
                    body.getWorldTransform().getBasis());
}

// Has a point push along `face`, out of `body` and in its frame.
void Turn(const Vector3& face, const btCollisionObject& body, bool is_second,
          btManifoldPoint& point) {
  const double side = is_second ? 1.0 : -1.0;
  point.m_normalWorldOnB =
      side * (body.getWorldTransform().getBasis() * ToBullet(face));
  point.m_distance1 = (point.m_positionWorldOnA - point.m_positionWorldOnB)
                          .dot(point.m_normalWorldOnB);
}

}  // namespace

void KeepUpright(const TriangleSurface& surface, uint32_t triangle,
                 const btCollisionObject& body,
                 btPersistentManifold& manifold) {
  const bool is_second = manifold.getBody1() == &body;
  const Vector3 face = NormalOf(surface.triangle(triangle));
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    const Vector3 normal =
        NormalOf(manifold.getContactPoint(i), body, is_second);
    if (Dot(normal, face) < kUprightCosine) manifold.removeContactPoint(i--);
  }
}

void SmoothInnerEdges(const TriangleSurface& surface, uint32_t triangle,
                      const btCollisionObject& body, bool is_round,
                      btPersistentManifold& manifold,
                      std::vector<uint32_t>& found) {
  const bool is_second = manifold.getBody1() == &body;
  const Triangle corners = surface.triangle(triangle);
  const Vector3 plane_normal = NormalOf(corners);
  for (int i = 0; i < manifold.getNumContacts(); ++i) {
    btManifoldPoint& point = manifold.getContactPoint(i);
    const Vector3 normal = NormalOf(point, body, is_second);
    const bool is_above =
        surface.is_solid() || Dot(normal, plane_normal) >= 0.0;
    const Vector3 face = is_above ? plane_normal : -plane_normal;
    if (Dot(normal, face) >= kSameNormalCosine) continue;

    const Vector3 place =
        FromBullet(is_second ? point.m_localPointB : point.m_localPointA);
    const std::array<Vector3, 4> ring = {corners.a, corners.b, corners.c,
                                         corners.a};
    bool is_within = true;
    for (int edge = 0; edge < 3; ++edge) {
      const Vector3 p = ring[edge];
      const Vector3 q = ring[edge + 1];
      if (Length(ClosestPoint(Segment{p, q}, place) - place) > kOnEdgeM) {
        continue;
      }
      is_within = false;
      const std::optional<Vector3> outer =
          CornerBeyond(surface, triangle, p, q, found);
      const Vector3 inner = ring[(edge + 2) % 3];
      if (!outer.has_value() || IsOfRidge(p, q, inner, *outer, face, normal)) {
        continue;
      }
      if (is_round || point.m_distance1 > -kDeepM) {
        // Of what lies on this edge the neighbour's face is touched.
        manifold.removeContactPoint(i--);
      } else {
        // What is in the surface gets out the way it came.
        Turn(face, body, is_second, point);
      }
      break;
    }
    // Ground is touched within a face along the face's normal alone, whatever
    // the shortest way out of a sheet would be.
    if (!surface.is_solid() || !is_within) continue;
    if (Dot(normal, face) < 0.0) {
      manifold.removeContactPoint(i--);
    } else {
      Turn(face, body, is_second, point);
    }
  }
}

}  // namespace reprise::sim
