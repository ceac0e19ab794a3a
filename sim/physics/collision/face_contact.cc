// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/collision/face_contact.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// The cosine within which a face looks along a normal: what rounding, and the
// search for the way out, make of the same direction.
constexpr double kSameDirection = 0.9998;

// The second's face is the one that is cut by, unless the first's looks better
// along the normal by this: which of two parallel faces it is does not change
// from tick to tick.
constexpr double kPreference = 1e-4;

// Points nearer to each other than this are one, and depths that differ by less
// are the same.
constexpr double kSamePointM = 1e-3;
constexpr double kSameDepthM = 1e-3;

// By more than that a direction can differ by, as two frames tell it: rows may
// have rotations that are off by 1e-3.
constexpr double kSkew = 1e-2;

using Polygon = absl::InlinedVector<Vector3, 16>;
using Candidates = absl::InlinedVector<FacePoint, 16>;

// Leaves of a polygon, or an edge, what lies behind a plane.
void CutBehind(const Vector3& normal, double offset, Polygon& polygon) {
  const Polygon before = polygon;
  polygon.clear();
  const size_t count = before.size();
  if (count == 0) return;
  // An edge has one side, a polygon as many as corners.
  const size_t sides = count == 2 ? 1 : count;
  double height = Dot(normal, before[0]) - offset;
  if (count <= 2 && height <= 0.0) polygon.push_back(before[0]);
  for (size_t i = 0; i < sides && count >= 2; ++i) {
    const Vector3& from = before[i];
    const Vector3& to = before[(i + 1) % count];
    const double next = Dot(normal, to) - offset;
    if ((height <= 0.0) != (next <= 0.0)) {
      polygon.push_back(from + height / (height - next) * (to - from));
    }
    if (next <= 0.0) polygon.push_back(to);
    height = next;
  }
}

// What of `face` lies above `ground`, along its normal.
Polygon CutTo(const CoreFace& ground, const CoreFace& face) {
  Polygon polygon(face.points.begin(), face.points.end());
  const size_t count = ground.points.size();
  for (size_t i = 0; i < count && !polygon.empty(); ++i) {
    const Vector3& from = ground.points[i];
    const Vector3& to = ground.points[(i + 1) % count];
    const Vector3 outward = Cross(to - from, ground.normal);
    CutBehind(outward, Dot(outward, from), polygon);
  }
  return polygon;
}

// The candidate with the most of `measure`; of those that have the most but for
// `tolerance` the first, so that the choice does not change from tick to tick.
template <typename Measure>
const FacePoint& FirstOfMost(const Candidates& candidates, double tolerance,
                             const Measure& measure) {
  double most = measure(candidates[0]);
  for (const FacePoint& point : candidates) {
    most = std::max(most, measure(point));
  }
  return *std::find_if(candidates.begin(), candidates.end(),
                       [&](const FacePoint& point) {
                         return measure(point) >= most - tolerance;
                       });
}

void Take(const FacePoint& point, FaceContact& contact) {
  for (const FacePoint& taken : contact.all()) {
    if (Length(taken.point_b - point.point_b) < kSamePointM) return;
  }
  contact.points[contact.count++] = point;
}

// Of many points the deepest, the one farthest from it, the one farthest from
// the line between them, and the one farthest on that line's other side.
void TakeWidest(const Candidates& candidates, const Vector3& normal,
                FaceContact& contact) {
  if (candidates.size() <= contact.points.size()) {
    for (const FacePoint& point : candidates) Take(point, contact);
    return;
  }
  const FacePoint& deepest =
      FirstOfMost(candidates, kSameDepthM,
                  [](const FacePoint& p) { return -p.distance_m; });
  const auto distance = [&](const FacePoint& p) {
    return Length(p.point_b - deepest.point_b);
  };
  const FacePoint& opposite = FirstOfMost(candidates, kSamePointM, distance);
  const Vector3 line = opposite.point_b - deepest.point_b;
  Take(deepest, contact);
  Take(opposite, contact);
  if (contact.count < 2) return;
  const Vector3 across = Cross(normal, line) / Length(line);
  for (const double side : {1.0, -1.0}) {
    Take(FirstOfMost(candidates, kSamePointM,
                     [&](const FacePoint& p) {
                       return side * Dot(across, p.point_b - deepest.point_b);
                     }),
         contact);
  }
}

// The second's face, or its edge, in the frame of the first.
CoreFace InFirst(const CorePair& pair, CoreFace face) {
  face.normal = pair.b_rotation * face.normal;
  for (Vector3& point : face.points) {
    point = pair.b_rotation * point + pair.b_position;
  }
  return face;
}

Vector3 ToSecond(const CorePair& pair, const Vector3& v) {
  const auto& rows = pair.b_rotation.rows;
  return v.x * rows[0] + v.y * rows[1] + v.z * rows[2];
}

// Whether a core may have a face that looks along `direction`, of length 1 in
// its frame. Of what is quick to say, for most contacts are not flat.
bool MayBeFlat(const ConvexCore& core, const Vector3& direction) {
  constexpr double kLeast = kSameDirection - kSkew;
  switch (core.kind) {
    case ConvexCore::Kind::kPoint:
    case ConvexCore::Kind::kSegment:
      return false;
    case ConvexCore::Kind::kBox:
      return Abs(direction.x) > kLeast || Abs(direction.y) > kLeast ||
             Abs(direction.z) > kLeast;
    case ConvexCore::Kind::kCylinder:
      return Abs(direction.y) > kLeast;
    case ConvexCore::Kind::kCone:
    case ConvexCore::Kind::kHull:
      break;
  }
  return true;
}

}  // namespace

FaceContact FindFaceContact(const CorePair& pair, Vector3 normal_b,
                            double distance_max_m) {
  FaceContact contact;
  const Vector3 direction_b = ToSecond(pair, normal_b);
  if (!MayBeFlat(pair.a, normal_b) && !MayBeFlat(pair.b, direction_b)) {
    return contact;
  }
  const CoreFace face_a = FaceToward(pair.a, -normal_b);
  if (face_a.points.empty()) return contact;
  const CoreFace face_b = InFirst(pair, FaceToward(pair.b, direction_b));
  if (face_b.points.empty()) return contact;
  const double along_a =
      face_a.is_polygon() ? -Dot(face_a.normal, normal_b) : 0.0;
  const double along_b =
      face_b.is_polygon() ? Dot(face_b.normal, normal_b) : 0.0;
  const bool is_on_b = along_b + kPreference >= along_a;
  if ((is_on_b ? along_b : along_a) < kSameDirection) return contact;

  const CoreFace& ground = is_on_b ? face_b : face_a;
  contact.normal_b = is_on_b ? face_b.normal : -face_a.normal;
  Candidates candidates;
  for (const Vector3& point : CutTo(ground, is_on_b ? face_a : face_b)) {
    const double distance = Dot(point - ground.points[0], ground.normal);
    if (distance > distance_max_m) continue;
    candidates.push_back(
        {.point_b = is_on_b ? point - distance * ground.normal : point,
         .distance_m = distance});
  }
  if (!candidates.empty()) TakeWidest(candidates, contact.normal_b, contact);
  return contact;
}

FaceContact FindPlaneContact(const ConvexCore& core, Vector3 normal,
                             double offset_m, double distance_max_m) {
  FaceContact contact;
  contact.normal_b = normal;
  Candidates candidates;
  for (const Vector3& point : FaceToward(core, -normal).points) {
    const double distance = Dot(point, normal) - offset_m;
    if (distance > distance_max_m) continue;
    candidates.push_back(
        {.point_b = point - distance * normal, .distance_m = distance});
  }
  if (!candidates.empty()) TakeWidest(candidates, normal, contact);
  return contact;
}

}  // namespace reprise::sim
