// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/definition/convex_hull.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// Of the hull's size: what lies nearer to a face counts as on it. Far above
// rounding, and far below what can be seen.
constexpr double kTolerance = 1e-7;

struct Face {
  TriangleCorners corners;
  Vector3 normal;  // of length 1
  double offset = 0.0;
};

using Edge = std::pair<uint32_t, uint32_t>;

std::array<Edge, 3> EdgesOf(const TriangleCorners& corners) {
  return {Edge{corners[0], corners[1]}, Edge{corners[1], corners[2]},
          Edge{corners[2], corners[0]}};
}

absl::Status Refusal(std::string_view text) {
  return absl::InvalidArgumentError({text.data(), text.size()});
}

bool ComesBefore(Vector3 a, Vector3 b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Grows a hull point by point.
class HullBuilder {
 public:
  explicit HullBuilder(std::span<const Vector3> points) : points_(points) {}

  absl::Status Build() {
    const std::optional<std::array<uint32_t, 4>> first = FindFirst();
    if (!first.has_value()) {
      return Refusal(
          fmt::format("the points lie in one plane, up to {} m", kSizeMinM));
    }
    StartWith(*first);
    for (uint32_t i = 0; i < points_.size(); ++i) {
      if (!Include(i)) return Refusal("the points are too close to each other");
    }
    return absl::OkStatus();
  }

  // The corners, without those that lie inside of a face or an edge.
  HullPrimitive Take() const {
    std::vector<Vector3> corners;
    for (uint32_t i = 0; i < points_.size(); ++i) {
      if (IsCorner(i)) corners.push_back(points_[i]);
    }
    HullPrimitive hull{.vertices = std::move(corners), .faces = {}};
    for (const Face& face : faces_) hull.faces.push_back(face.corners);
    return hull;
  }

 private:
  double Height(const Face& face, uint32_t point) const {
    return Dot(face.normal, points_[point]) - face.offset;
  }

  Face MakeFace(TriangleCorners corners) const {
    const Vector3 a = points_[corners[0]];
    const Vector3 normal =
        Normalized(Cross(points_[corners[1]] - a, points_[corners[2]] - a));
    return {.corners = corners, .normal = normal, .offset = Dot(normal, a)};
  }

  // The index of the first point at which measure(point) is greatest.
  template <typename Measure>
  uint32_t Farthest(const Measure& measure) const {
    uint32_t farthest = 0;
    for (uint32_t i = 1; i < points_.size(); ++i) {
      if (measure(points_[i]) > measure(points_[farthest])) farthest = i;
    }
    return farthest;
  }

  // Four points that span a body; nullopt when all lie in one plane.
  std::optional<std::array<uint32_t, 4>> FindFirst() {
    const auto [low, high] =
        std::minmax_element(points_.begin(), points_.end(), ComesBefore);
    const Vector3 a = *low;
    const Vector3 along = Normalized(*high - a);
    size_ = Length(*high - a);
    if (size_ < kSizeMinM) return std::nullopt;
    const auto off_line = [&](Vector3 p) {
      const Vector3 across = Cross(p - a, along);
      return Dot(across, across);
    };
    const uint32_t c = Farthest(off_line);
    if (off_line(points_[c]) < kSizeMinM * kSizeMinM) return std::nullopt;
    const Vector3 normal = Normalized(Cross(along, points_[c] - a));
    const auto off_plane = [&](Vector3 p) { return Abs(Dot(p - a, normal)); };
    const uint32_t d = Farthest(off_plane);
    if (off_plane(points_[d]) < kSizeMinM) return std::nullopt;
    return std::array{static_cast<uint32_t>(low - points_.begin()),
                      static_cast<uint32_t>(high - points_.begin()), c, d};
  }

  void StartWith(const std::array<uint32_t, 4>& first) {
    const auto [a, b, c, d] = first;
    const Face base = MakeFace({a, b, c});
    const bool is_below = Height(base, d) < 0.0;
    const uint32_t p = is_below ? b : c;
    const uint32_t q = is_below ? c : b;
    // Seen from d, a -> p -> q turns with the clock.
    faces_ = {MakeFace({a, p, q}), MakeFace({a, d, p}), MakeFace({p, d, q}),
              MakeFace({q, d, a})};
  }

  // Makes `point` part of the hull. False when rounding leaves no hull.
  bool Include(uint32_t point) {
    std::vector<bool> is_seen(faces_.size());
    bool is_outside = false;
    for (size_t i = 0; i < faces_.size(); ++i) {
      is_seen[i] = Height(faces_[i], point) > kTolerance * size_;
      is_outside = is_outside || is_seen[i];
    }
    if (!is_outside) return true;

    // The rim of what is seen: edges whose other side isn't.
    std::map<Edge, uint32_t> rim;
    for (size_t i = 0; i < faces_.size(); ++i) {
      if (!is_seen[i]) continue;
      for (const Edge& edge : EdgesOf(faces_[i].corners)) {
        const auto other = rim.find({edge.second, edge.first});
        if (other != rim.end()) {
          rim.erase(other);
        } else {
          rim.emplace(edge, 0);
        }
      }
    }
    std::vector<Face> faces;
    for (size_t i = 0; i < faces_.size(); ++i) {
      if (!is_seen[i]) faces.push_back(faces_[i]);
    }
    for (const auto& [edge, unused] : rim) {
      faces.push_back(MakeFace({edge.first, edge.second, point}));
      if (faces.back().normal == Vector3{}) return false;
    }
    faces_ = std::move(faces);
    return !rim.empty();
  }

  // Whether the faces at a point turn in all directions.
  bool IsCorner(uint32_t point) const {
    // Sines of angles between faces below this are rounding.
    constexpr double kSineMin = 1e-6;
    std::vector<Vector3> normals;
    for (const Face& face : faces_) {
      if (std::ranges::find(face.corners, point) == face.corners.end()) {
        continue;
      }
      normals.push_back(face.normal);
    }
    for (size_t i = 1; i < normals.size(); ++i) {
      const Vector3 across = Cross(normals[0], normals[i]);
      if (Length(across) < kSineMin) continue;
      for (const Vector3& normal : normals) {
        if (Abs(Dot(across, normal)) > kSineMin * Length(across)) return true;
      }
    }
    return false;
  }

  std::span<const Vector3> points_;
  double size_ = 0.0;
  std::vector<Face> faces_;
};

absl::Status CheckPoints(std::span<const Vector3> points) {
  if (points.size() < 4 || points.size() > kHullPointsMax) {
    return Refusal(fmt::format("{} points; 4 to {} are possible", points.size(),
                               kHullPointsMax));
  }
  for (size_t i = 0; i < points.size(); ++i) {
    for (const double value : {points[i].x, points[i].y, points[i].z}) {
      if (Abs(value) <= kSizeMaxM) continue;
      return Refusal(
          fmt::format("point {}: {} is not within +-{}", i, value, kSizeMaxM));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<HullPrimitive> MakeHull(std::span<const Vector3> points) {
  if (absl::Status status = CheckPoints(points); !status.ok()) return status;
  HullBuilder all(points);
  if (absl::Status status = all.Build(); !status.ok()) return status;
  // Once more with the corners alone, so that faces have no other points.
  const std::vector<Vector3> corners = all.Take().vertices;
  if (corners.size() > kHullVerticesMax) {
    return Refusal(fmt::format("{} corners; at most {} are possible",
                               corners.size(), kHullVerticesMax));
  }
  HullBuilder builder(corners);
  if (absl::Status status = builder.Build(); !status.ok()) return status;
  HullPrimitive hull = builder.Take();
  hull.vertices = corners;
  if (const std::string problem = HullProblem(hull); !problem.empty()) {
    return Refusal(problem);
  }
  return hull;
}

std::string HullProblem(const HullPrimitive& hull) {
  if (hull.vertices.size() < 4 || hull.vertices.size() > kHullVerticesMax) {
    return fmt::format("{} vertices, not 4 to {}", hull.vertices.size(),
                       kHullVerticesMax);
  }
  for (const Vector3& vertex : hull.vertices) {
    for (const double value : {vertex.x, vertex.y, vertex.z}) {
      if (!(Abs(value) <= kSizeMaxM)) {
        return fmt::format("{} is not within +-{}", value, kSizeMaxM);
      }
    }
  }
  // A closed surface of triangles has two of them at each edge.
  if (hull.faces.size() != 2 * hull.vertices.size() - 4) {
    return fmt::format("{} faces of {} vertices don't close", hull.faces.size(),
                       hull.vertices.size());
  }
  std::map<Edge, uint32_t> edges;
  for (const TriangleCorners& corners : hull.faces) {
    for (const uint32_t corner : corners) {
      if (corner >= hull.vertices.size()) {
        return fmt::format("vertex {} of {}", corner, hull.vertices.size());
      }
    }
    for (const Edge& edge : EdgesOf(corners)) ++edges[edge];
  }
  for (const auto& [edge, count] : edges) {
    if (count != 1 || !edges.contains({edge.second, edge.first})) {
      return fmt::format("the edge from vertex {} to {} isn't closed",
                         edge.first, edge.second);
    }
  }
  // A few times what MakeHull leaves out.
  constexpr double kConvexTolerance = 1e-5;
  for (const TriangleCorners& corners : hull.faces) {
    const Vector3 a = hull.vertices[corners[0]];
    const Vector3 normal = Normalized(
        Cross(hull.vertices[corners[1]] - a, hull.vertices[corners[2]] - a));
    if (normal == Vector3{}) return "a face without an area";
    double depth = 0.0;
    for (const Vector3& vertex : hull.vertices) {
      const double height = Dot(normal, vertex - a);
      depth = std::max(depth, -height);
      if (height > kConvexTolerance * Length(vertex - a)) {
        return "it isn't convex";
      }
    }
    if (depth < 0.5 * kSizeMinM) return "it is flat";
  }
  return "";
}

}  // namespace reprise::sim
