// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/physics/continuous/meeting.h"

#include <algorithm>

#include "sim/base/math.h"
#include "sim/geometry/matrix3.h"
#include "sim/physics/shapes/bullet_conversion.h"
#include "sim/physics/shapes/core_proximity.h"

namespace reprise::sim {
namespace {

// What turns past something closely takes some hundred steps.
constexpr int kStepsMax = 400;

// A search ends this near to where it would: as share of what is left.
constexpr double kEndShare = 0.25;

// How two parts stand to each other.
struct Gap {
  Proximity proximity = Proximity::kApart;
  double distance_m = 0.0;  // kNear: below 0 where they overlap
  btVector3 normal;         // kNear: from the second to the first
  btVector3 on_second;      // kNear: of its core
};

btVector3 Farthest(const ConvexCore& core, const btTransform& pose,
                   const btVector3& direction) {
  return pose(
      ToBullet(FarthestPoint(core, FromBullet(direction * pose.getBasis()))));
}

class Pair {
 public:
  Pair(const MovingPart& first, const MovingPart& second, double end_s)
      : first_(first), second_(second), end_s_(end_s) {}

  // Whether they can't come to each other, by balls around them.
  bool IsFar() const {
    if (second_.part.is_plane) return false;
    const btVector3 apart = first_.way.from()(first_.part.middle) -
                            second_.way.from()(second_.part.middle);
    const double begin_s =
        std::min(first_.way.begin_s(), second_.way.begin_s());
    return apart.length() - first_.part.radius_m - second_.part.radius_m >
           SpeedMax() * (end_s_ - begin_s);
  }

  Gap GapAt(double time_s, const btVector3& guess, double reach_m) const {
    const btTransform a = first_.way.PoseAt(time_s) * first_.part.place;
    const btTransform b = second_.way.PoseAt(time_s) * second_.part.place;
    Gap gap;
    if (second_.part.is_plane) {
      gap.proximity = Proximity::kNear;
      gap.normal = b.getBasis() * second_.part.normal;
      gap.distance_m = Separation(a, b, gap.normal);
      gap.on_second = Farthest(first_.part.core, a, -gap.normal);
      return gap;
    }
    const Matrix3 to_a = Transposed(FromBullet(a.getBasis()));
    const CorePair pair = {
        .a = first_.part.core,
        .b = second_.part.core,
        .b_rotation = to_a * FromBullet(b.getBasis()),
        .b_position = to_a * FromBullet(b.getOrigin() - a.getOrigin())};
    Vector3 toward = FromBullet(guess * a.getBasis());
    if (toward == Vector3{}) toward = -pair.b_position;
    if (toward == Vector3{}) toward = {0.0, 1.0, 0.0};
    const CoreProximity found =
        FindProximity(pair, toward, reach_m + Margins());
    gap.proximity = found.proximity;
    if (found.proximity != Proximity::kNear) return gap;
    const double distance = Length(found.axis);
    gap.normal = a.getBasis() * ToBullet(found.axis / distance);
    gap.distance_m = distance - Margins();
    gap.on_second = a(ToBullet(found.point_b));
    return gap;
  }

  // How far they are apart along `normal` then.
  double SeparationAt(double time_s, const btVector3& normal) const {
    return Separation(first_.way.PoseAt(time_s) * first_.part.place,
                      second_.way.PoseAt(time_s) * second_.part.place, normal);
  }

  // The most that they come nearer along `normal` in a second.
  double ApproachMax(const btVector3& normal) const {
    return first_.way.SpeedAlong(-normal, end_s_, first_.part.extents) +
           second_.way.SpeedAlong(normal, end_s_, second_.part.extents);
  }
  double SpeedMax() const {
    return first_.way.SpeedMax(end_s_, first_.part.extents) +
           second_.way.SpeedMax(end_s_, second_.part.extents);
  }

  // How fast the two nearest points come nearer.
  double ApproachOf(const Gap& gap, double time_s) const {
    const btVector3 on_second =
        gap.on_second + second_.part.core.margin_m * gap.normal;
    return gap.normal.dot(VelocityOf(second_.way, on_second, time_s) -
                          VelocityOf(first_.way, on_second, time_s));
  }

 private:
  double Margins() const {
    return first_.part.core.margin_m + second_.part.core.margin_m;
  }

  double Separation(const btTransform& a, const btTransform& b,
                    const btVector3& normal) const {
    const double of_first = normal.dot(Farthest(first_.part.core, a, -normal));
    if (second_.part.is_plane) {
      // Of its own normal, along which alone it is looked at.
      const double height = second_.part.offset_m + normal.dot(b.getOrigin());
      return of_first - height - Margins();
    }
    return of_first - normal.dot(Farthest(second_.part.core, b, normal)) -
           Margins();
  }

  static btVector3 VelocityOf(const BodyWay& way, const btVector3& point,
                              double time_s) {
    const LinearAngular velocity = way.VelocityAt(time_s);
    return velocity.linear +
           velocity.angular.cross(point - way.PoseAt(time_s).getOrigin());
  }

  const MovingPart& first_;
  const MovingPart& second_;
  double end_s_;
};

// The time from `begin_s` on at which the two, which touch along `normal`, are
// in each other by `slop_m` more than now; `end_s` or more: they aren't before
// that.
double SlideUntil(const Pair& pair, const btVector3& normal, double begin_s,
                  double end_s, double slop_m, int& steps) {
  const double approach = pair.ApproachMax(normal);
  if (approach <= 0.0) return end_s;
  const double floor = pair.SeparationAt(begin_s, normal) - slop_m;
  double time = begin_s + slop_m / approach;
  for (; steps < kStepsMax && time < end_s; ++steps) {
    const double left = pair.SeparationAt(time, normal) - floor;
    if (left <= kEndShare * slop_m) return time;
    time += left / approach;
  }
  return time;
}

}  // namespace

std::optional<Meeting> FindMeeting(const MovingPart& first,
                                   const MovingPart& second, double begin_s,
                                   double end_s, const MeetingRule& rule,
                                   const btVector3* slide) {
  const Pair pair(first, second, end_s);
  if (pair.IsFar()) return std::nullopt;
  double time = begin_s;
  btVector3 normal(0.0, 0.0, 0.0);
  for (int steps = 0; steps < kStepsMax; ++steps) {
    const Gap gap =
        pair.GapAt(time, normal, pair.SpeedMax() * (end_s - time) + rule.gap_m);
    if (gap.proximity == Proximity::kApart) return std::nullopt;
    if (gap.proximity == Proximity::kInside) {
      if (time == begin_s) return std::nullopt;
      return Meeting{.time_s = time, .normal = normal};
    }
    normal = gap.normal;
    if (gap.distance_m > rule.gap_m) {
      const double approach = pair.ApproachMax(normal);
      if (approach <= 0.0) return std::nullopt;
      time += (gap.distance_m - 0.5 * rule.gap_m) / approach;
      if (time >= end_s) return std::nullopt;
      slide = nullptr;
      continue;
    }
    if (slide == nullptr && pair.ApproachOf(gap, time) > rule.speed_min) {
      return Meeting{.time_s = time, .normal = normal};
    }
    time = SlideUntil(pair, slide != nullptr ? *slide : normal, time, end_s,
                      rule.slop_m, steps);
    if (time >= end_s) return std::nullopt;
    slide = nullptr;
    const Gap then = pair.GapAt(time, normal, rule.gap_m);
    if (then.proximity == Proximity::kApart) continue;
    if (then.proximity == Proximity::kNear) normal = then.normal;
    return Meeting{.time_s = time, .normal = normal};
  }
  return Meeting{.time_s = time, .normal = normal, .is_unknown = true};
}

}  // namespace reprise::sim
