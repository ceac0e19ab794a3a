// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Steering: what velocity an agent should want, from where it is and what it
// sees. Pure functions; what they need of chance is given to them. Any of them
// may be added up; LimitedChange makes what comes out a motion.

#ifndef REPRISE_SIM_NAVIGATION_STEERING_H_
#define REPRISE_SIM_NAVIGATION_STEERING_H_

#include <algorithm>
#include <cstdint>
#include <span>

#include "sim/geometry/vector3.h"

namespace reprise::sim {

// Straight to `goal`; zero where it is there.
Vector3 Seek(Vector3 place, Vector3 goal, double speed_m_s);

// Straight away from `danger`; zero where it is there itself.
Vector3 Flee(Vector3 place, Vector3 danger, double speed_m_s);

// As Seek, and slower in proportion within `slow_radius_m` of the goal.
// REQUIRES: slow_radius_m > 0.
Vector3 Arrive(Vector3 place, Vector3 goal, double speed_m_s,
               double slow_radius_m);

struct Quarry {
  Vector3 place;
  Vector3 velocity_m_s;
};

// To where a quarry that keeps its velocity is met soonest; to where it is now
// when it is never met, or not within `horizon_s`.
Vector3 Pursue(Vector3 place, const Quarry& quarry, double speed_m_s,
               double horizon_s);

// As Pursue, away from there.
Vector3 Evade(Vector3 place, const Quarry& hunter, double speed_m_s,
              double horizon_s);

struct Wandering {
  double distance_m = 2.0;  // of a circle ahead
  double radius_m = 1.0;    // of that circle, on which the goal strays
  double stray_rad = 0.5;   // how far it can stray at once, either way
};

struct WanderStep {
  Vector3 velocity_m_s;
  double angle_rad = 0.0;  // for the next step
};

// A goal on a circle ahead of `heading`, level, strays along it: by
// stray_rad * (2 * chance - 1) from `angle_rad`, which counts from straight
// ahead, towards x seen from z. `chance` is at least 0 and below 1. REQUIRES:
// heading is level and of length 1.
WanderStep Wander(Vector3 heading, double angle_rad, double chance,
                  double speed_m_s, const Wandering& wandering);

// Away from each of `others` within `radius_m`, the closer the more: from
// speed_m_s for one at no distance to zero at the radius. From one at the very
// same place nobody knows where to. The sum is at most speed_m_s long.
Vector3 Separate(Vector3 place, std::span<const Vector3> others,
                 double radius_m, double speed_m_s);

struct RoundObstacle {
  Vector3 centre;
  double radius_m = 0.0;
};

// Sideways, away from the first of `obstacles` that an agent with this radius
// and velocity touches within `horizon_s`: speed_m_s long where it is touched
// already, in proportion less the later. Zero when there is none. Straight at a
// centre it goes to the right, seen along the way with y up; straight up or
// down along x.
Vector3 AvoidObstacles(Vector3 place, Vector3 velocity_m_s, double radius_m,
                       std::span<const RoundObstacle> obstacles,
                       double horizon_s, double speed_m_s);

// `velocity_m_s` brought towards `wanted_m_s` by at most `change_max_m_s`.
Vector3 LimitedChange(Vector3 velocity_m_s, Vector3 wanted_m_s,
                      double change_max_m_s);

struct PathStep {
  Vector3 place;
  // The point that it goes to next; the number of points when it is there.
  uint32_t next = 0;
};

// Goes `step_m` from `place` along the points point_at(k), k < `count`, of
// which `next` is the one to go to. A point is passed when it is reached, the
// last one when the place is within `arrive_radius_m` of it; what is left of
// the step leads on.
template <typename PointAt>
PathStep FollowPoints(Vector3 place, uint32_t count, const PointAt& point_at,
                      uint32_t next, double step_m, double arrive_radius_m) {
  double left = step_m;
  while (next < count) {
    const Vector3 point = point_at(next);
    const Vector3 way = point - place;
    const double distance = Length(way);
    const bool is_last = next + 1 == count;
    if (distance <= (is_last ? arrive_radius_m : 0.0)) {
      ++next;
    } else if (distance <= left) {
      left -= distance;
      place = point;
      ++next;
    } else {
      place = place + (left / distance) * way;
      const bool is_there = is_last && Length(point - place) <= arrive_radius_m;
      return {.place = place, .next = is_there ? next + 1 : next};
    }
  }
  return {.place = place, .next = next};
}

// The same on ground: in plan it goes straight to each point, and it is as high
// as ground_at(place), a std::optional of metres, says; where that says
// nothing, as the line to the point. It goes `step_m` along the ground, as far
// as that is straight within a step. By a link, is_link(k) before point k, it
// goes straight in space.
template <typename PointAt, typename IsLink, typename GroundAt>
PathStep FollowGround(Vector3 place, uint32_t count, const PointAt& point_at,
                      const IsLink& is_link, const GroundAt& ground_at,
                      uint32_t next, double step_m, double arrive_radius_m) {
  double left = step_m;
  while (next < count) {
    const Vector3 point = point_at(next);
    const bool is_on_ground = !is_link(next);
    const bool is_last = next + 1 == count;
    Vector3 way = point - place;
    const double rise = way.y;
    if (is_on_ground) way.y = 0.0;
    const double distance = Length(way);
    if (distance <= (is_last ? arrive_radius_m : 0.0)) {
      ++next;
      continue;
    }
    const auto at_share = [&](double share) {
      Vector3 there = place + share * way;
      if (!is_on_ground) return there;
      there.y = ground_at(there).value_or(place.y + share * rise);
      return there;
    };
    double share = std::min(left / distance, 1.0);
    Vector3 there = share == 1.0 && !is_on_ground ? point : at_share(share);
    const double gone = Length(there - place);
    if (share == 1.0 && gone <= left) {
      left -= gone;
      place = is_on_ground ? Vector3{point.x, there.y, point.z} : point;
      ++next;
      continue;
    }
    if (gone > left) there = at_share(share * left / gone);
    // Who is above the ground comes down no faster than it goes.
    there.y = std::clamp(there.y, place.y - left, place.y + left);
    const Vector3 rest = {point.x - there.x,
                          is_on_ground ? 0.0 : point.y - there.y,
                          point.z - there.z};
    const bool is_there = is_last && Length(rest) <= arrive_radius_m;
    return {.place = there, .next = is_there ? next + 1 : next};
  }
  return {.place = place, .next = next};
}

// The same as FollowPoints of points in a row.
inline PathStep FollowPoints(Vector3 place, std::span<const Vector3> points,
                             uint32_t next, double step_m,
                             double arrive_radius_m) {
  return FollowPoints(
      place, static_cast<uint32_t>(points.size()),
      [&](uint32_t k) { return points[k]; }, next, step_m, arrive_radius_m);
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_NAVIGATION_STEERING_H_
