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

// What touches is nearer than it was by this share of the slop when it is
// looked at again.
constexpr double kNearerShare = 0.5;

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

  // Until when they can't come as near as `gap_m`, by balls around them, and
  // by the plane of a triangle.
  double ApartUntil(double time_s, double gap_m) const {
    const Part& part = *second_.part;
    if (part.is_plane) return time_s;
    const btTransform a = first_.way->PoseAt(time_s);
    const btTransform b = second_.way->PoseAt(time_s);
    const btVector3 apart = a(first_.part->middle) - b(part.middle);
    const double between_balls =
        apart.length() - first_.part->radius_m - part.radius_m;
    double until_s = After(time_s, between_balls - gap_m, SpeedMax());
    if (part.is_triangle && until_s < end_s_) {
      btVector3 normal = b.getBasis() * part.normal;
      if (normal.dot(apart) < 0.0) normal = -normal;
      const double off_plane = Separation(a * first_.part->place, b, normal);
      until_s = std::max(until_s,
                         After(time_s, off_plane - gap_m, ApproachMax(normal)));
    }
    return until_s;
  }

  Gap GapAt(double time_s, const btVector3& guess, double reach_m) const {
    const btTransform a = first_.way->PoseAt(time_s) * first_.part->place;
    const btTransform b = second_.way->PoseAt(time_s) * second_.part->place;
    Gap gap;
    if (second_.part->is_plane) {
      gap.proximity = Proximity::kNear;
      gap.normal = b.getBasis() * second_.part->normal;
      gap.distance_m = Separation(a, b, gap.normal);
      gap.on_second = Farthest(first_.part->core, a, -gap.normal);
      return gap;
    }
    const Matrix3 to_a = Transposed(FromBullet(a.getBasis()));
    const CorePair pair = {
        .a = first_.part->core,
        .b = second_.part->core,
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
    return Separation(first_.way->PoseAt(time_s) * first_.part->place,
                      second_.way->PoseAt(time_s) * second_.part->place,
                      normal);
  }

  // The most that they come nearer along `normal` in a second.
  double ApproachMax(const btVector3& normal) const {
    return first_.way->SpeedAlong(-normal, end_s_, first_.part->extents) +
           second_.way->SpeedAlong(normal, end_s_, second_.part->extents);
  }
  double SpeedMax() const {
    return first_.way->SpeedMax(end_s_, first_.part->extents) +
           second_.way->SpeedMax(end_s_, second_.part->extents);
  }

  // How fast the two nearest points come nearer.
  double ApproachOf(const Gap& gap, double time_s) const {
    const btVector3 on_second =
        gap.on_second + second_.part->core.margin_m * gap.normal;
    return gap.normal.dot(VelocityOf(*second_.way, on_second, time_s) -
                          VelocityOf(*first_.way, on_second, time_s));
  }

 private:
  // When what is `distance_m` apart can be together.
  double After(double time_s, double distance_m, double speed) const {
    if (distance_m <= 0.0) return time_s;
    return speed > 0.0 ? time_s + distance_m / speed : end_s_;
  }

  double Margins() const {
    return first_.part->core.margin_m + second_.part->core.margin_m;
  }

  double Separation(const btTransform& a, const btTransform& b,
                    const btVector3& normal) const {
    const double of_first = normal.dot(Farthest(first_.part->core, a, -normal));
    if (second_.part->is_plane) {
      // Of its own normal, along which alone it is looked at.
      const double height = second_.part->offset_m + normal.dot(b.getOrigin());
      return of_first - height - Margins();
    }
    return of_first - normal.dot(Farthest(second_.part->core, b, normal)) -
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

MeetingSearch::MeetingSearch(const MovingPart& first, const MovingPart& second,
                             double begin_s, double end_s,
                             const MeetingRule& rule, const btVector3* slide)
    : first_(first),
      second_(second),
      end_s_(end_s),
      rule_(rule),
      slides_(slide != nullptr),
      time_s_(begin_s) {
  if (slides_) {
    slide_ = *slide;
    return;
  }
  // What is in each other to begin with stays where it is.
  time_s_ = Pair(first_, second_, end_s_).ApartUntil(begin_s, rule_.gap_m);
  has_begun_ = time_s_ > begin_s;
}

void MeetingSearch::Advance() {
  const Pair pair(first_, second_, end_s_);
  if (++steps_ > kStepsMax) {
    is_found_ = true;
    is_unknown_ = true;
    return;
  }
  const double reach_m = pair.SpeedMax() * (end_s_ - time_s_) + rule_.gap_m;
  const Gap gap = pair.GapAt(time_s_, normal_, reach_m);
  if (gap.proximity == Proximity::kApart ||
      (gap.proximity == Proximity::kInside && !has_begun_)) {
    time_s_ = end_s_;
    return;
  }
  has_begun_ = true;
  if (gap.proximity == Proximity::kInside) {
    is_found_ = true;
    return;
  }
  normal_ = gap.normal;
  if (gap.distance_m > rule_.gap_m) {
    slides_ = false;
    touches_ = false;
    const double approach = pair.ApproachMax(normal_);
    time_s_ = approach > 0.0
                  ? time_s_ + (gap.distance_m - 0.5 * rule_.gap_m) / approach
                  : end_s_;
    return;
  }
  if (!slides_ && pair.ApproachOf(gap, time_s_) > rule_.speed_min) {
    is_found_ = true;
    return;
  }
  if (!touches_) {
    touches_ = true;
    touching_m_ = gap.distance_m;
  }
  // Along a face out of which one stands the other comes nearer beside it.
  const bool is_along_slide = slides_ && pair.SeparationAt(time_s_, slide_) >
                                             touching_m_ - rule_.slop_m;
  time_s_ = SlideUntil(pair, is_along_slide ? slide_ : normal_, time_s_, end_s_,
                       rule_.slop_m, steps_);
  if (time_s_ >= end_s_) return;
  const Gap then = pair.GapAt(time_s_, normal_, rule_.gap_m);
  if (then.proximity == Proximity::kApart) return;
  if (then.proximity == Proximity::kNear) {
    normal_ = then.normal;
    if (then.distance_m > touching_m_ - kNearerShare * rule_.slop_m) return;
  }
  is_found_ = true;
}

std::optional<Meeting> FindMeeting(const MovingPart& first,
                                   const MovingPart& second, double begin_s,
                                   double end_s, const MeetingRule& rule) {
  MeetingSearch search(first, second, begin_s, end_s, rule, nullptr);
  while (!search.is_found()) {
    if (!search.is_before_end()) return std::nullopt;
    search.Advance();
  }
  return search.meeting();
}

}  // namespace reprise::sim
