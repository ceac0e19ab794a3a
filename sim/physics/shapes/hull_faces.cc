// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/shapes/hull_faces.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Triangles whose normals differ by less, and whose planes lie nearer than this
// part of the hull's size, are of one face.
constexpr double kSamePlane = 1e-6;

constexpr size_t kCornersMax = 16;

}  // namespace

std::vector<HullFace> MakeHullFaces(const HullPrimitive& hull) {
  struct Flat {
    Vector3 normal;
    double offset = 0.0;
    std::vector<uint32_t> corners;
  };
  double size = 0.0;
  for (const Vector3& vertex : hull.vertices) {
    size = std::max(size, Length(vertex));
  }
  std::vector<Flat> flats;
  for (const TriangleCorners& triangle : hull.faces) {
    const Vector3 a = hull.vertices[triangle[0]];
    const Vector3 normal = Normalized(
        Cross(hull.vertices[triangle[1]] - a, hull.vertices[triangle[2]] - a));
    const double offset = Dot(normal, a);
    auto flat = std::find_if(flats.begin(), flats.end(), [&](const Flat& f) {
      return Length(f.normal - normal) < kSamePlane &&
             Abs(f.offset - offset) < kSamePlane * size;
    });
    if (flat == flats.end()) {
      flat = flats.insert(flats.end(), {.normal = normal, .offset = offset});
    }
    for (const uint32_t corner : triangle) flat->corners.push_back(corner);
  }

  std::vector<HullFace> faces;
  for (Flat& flat : flats) {
    // A total order: equal indexes are the same corner.
    std::sort(flat.corners.begin(), flat.corners.end());
    flat.corners.erase(std::unique(flat.corners.begin(), flat.corners.end()),
                       flat.corners.end());
    Vector3 middle;
    for (const uint32_t corner : flat.corners) {
      middle = middle + hull.vertices[corner];
    }
    middle = middle / static_cast<double>(flat.corners.size());
    const Vector3 along = hull.vertices[flat.corners[0]] - middle;
    const Vector3 across = Cross(flat.normal, along);
    const auto angle = [&](uint32_t corner) {
      const Vector3 arm = hull.vertices[corner] - middle;
      return Atan2(Dot(arm, across), Dot(arm, along));
    };
    // A total order: by angle, and then by index.
    std::sort(flat.corners.begin(), flat.corners.end(),
              [&](uint32_t a, uint32_t b) {
                const double angle_a = angle(a);
                const double angle_b = angle(b);
                return angle_a != angle_b ? angle_a < angle_b : a < b;
              });
    HullFace& face = faces.emplace_back();
    face.normal = flat.normal;
    const size_t stride = (flat.corners.size() - 1) / kCornersMax + 1;
    for (size_t i = 0; i < flat.corners.size(); i += stride) {
      face.corners.push_back(flat.corners[i]);
    }
  }
  return faces;
}

}  // namespace reprise::sim
