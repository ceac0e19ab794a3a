// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/navigation/steering.h"

#include <algorithm>
#include <optional>

#include "sim/base/math.h"

namespace reprise::sim {
namespace {

// In the direction of `way`, this fast; zero without a direction.
Vector3 Towards(Vector3 way, double speed_m_s) {
  const double length = Length(way);
  if (length == 0.0) return {};
  return (speed_m_s / length) * way;
}

// When somebody who goes at `speed` from the origin meets what is at `place`
// and keeps its velocity: the least t >= 0 with |place + velocity t| = speed t.
std::optional<double> MeetingTime(Vector3 place, Vector3 velocity,
                                  double speed) {
  const double a = Dot(velocity, velocity) - speed * speed;
  const double b = Dot(place, velocity);  // half of the linear term
  const double c = Dot(place, place);
  if (c == 0.0) return 0.0;
  if (a == 0.0) {
    if (b >= 0.0) return std::nullopt;
    return -c / (2.0 * b);
  }
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return std::nullopt;
  const double root = Sqrt(discriminant);
  // Of a slower quarry one of both is positive; of a faster one both or none.
  const double first = (-b - root) / a;
  const double second = (-b + root) / a;
  const double sooner = std::min(first, second);
  const double later = std::max(first, second);
  if (sooner >= 0.0) return sooner;
  if (later >= 0.0) return later;
  return std::nullopt;
}

Vector3 MeetingPlace(Vector3 place, const Quarry& quarry, double speed_m_s,
                     double horizon_s) {
  const std::optional<double> time =
      MeetingTime(quarry.place - place, quarry.velocity_m_s, speed_m_s);
  if (!time.has_value() || !(*time <= horizon_s)) return quarry.place;
  return quarry.place + *time * quarry.velocity_m_s;
}

// When an agent touches an obstacle for the first time; 0 when it does already
// and comes closer.
std::optional<double> TouchTime(Vector3 way, Vector3 velocity, double reach) {
  const double a = Dot(velocity, velocity);
  const double b = Dot(way, velocity);
  // Nothing is ahead of who stands, or goes away from it.
  if (a == 0.0 || b <= 0.0) return std::nullopt;
  const double c = Dot(way, way) - reach * reach;
  if (c <= 0.0) return 0.0;
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return std::nullopt;
  return (b - Sqrt(discriminant)) / a;
}

}  // namespace

Vector3 Seek(Vector3 place, Vector3 goal, double speed_m_s) {
  return Towards(goal - place, speed_m_s);
}

Vector3 Flee(Vector3 place, Vector3 danger, double speed_m_s) {
  return Towards(place - danger, speed_m_s);
}

Vector3 Arrive(Vector3 place, Vector3 goal, double speed_m_s,
               double slow_radius_m) {
  const double distance = Length(goal - place);
  return Towards(goal - place,
                 speed_m_s * std::min(distance / slow_radius_m, 1.0));
}

Vector3 Pursue(Vector3 place, const Quarry& quarry, double speed_m_s,
               double horizon_s) {
  return Seek(place, MeetingPlace(place, quarry, speed_m_s, horizon_s),
              speed_m_s);
}

Vector3 Evade(Vector3 place, const Quarry& hunter, double speed_m_s,
              double horizon_s) {
  return Flee(place, MeetingPlace(place, hunter, speed_m_s, horizon_s),
              speed_m_s);
}

WanderStep Wander(Vector3 heading, double angle_rad, double chance,
                  double speed_m_s, const Wandering& wandering) {
  const double angle = angle_rad + wandering.stray_rad * (2.0 * chance - 1.0);
  // To the left of the heading; z goes to x, as a turn about y does.
  const Vector3 aside = {heading.z, 0.0, -heading.x};
  const Vector3 on_circle =
      wandering.radius_m * (Cos(angle) * heading + Sin(angle) * aside);
  return {.velocity_m_s =
              Towards(wandering.distance_m * heading + on_circle, speed_m_s),
          .angle_rad = angle};
}

Vector3 Separate(Vector3 place, std::span<const Vector3> others,
                 double radius_m, double speed_m_s) {
  Vector3 sum;
  for (const Vector3& other : others) {
    const Vector3 away = place - other;
    const double distance = Length(away);
    if (distance >= radius_m) continue;
    sum = sum + Towards(away, speed_m_s * (1.0 - distance / radius_m));
  }
  return Length(sum) > speed_m_s ? Towards(sum, speed_m_s) : sum;
}

Vector3 AvoidObstacles(Vector3 place, Vector3 velocity_m_s, double radius_m,
                       std::span<const RoundObstacle> obstacles,
                       double horizon_s, double speed_m_s) {
  const RoundObstacle* first = nullptr;
  double first_s = horizon_s;
  for (const RoundObstacle& obstacle : obstacles) {
    const std::optional<double> touch = TouchTime(
        obstacle.centre - place, velocity_m_s, obstacle.radius_m + radius_m);
    if (!touch.has_value() || *touch >= first_s) continue;
    first = &obstacle;
    first_s = *touch;
  }
  if (first == nullptr) return {};
  const Vector3 ahead = Normalized(velocity_m_s);
  const Vector3 way = first->centre - place;
  Vector3 aside = Dot(way, ahead) * ahead - way;
  if (Length(aside) == 0.0) aside = Cross(ahead, Vector3{0.0, 1.0, 0.0});
  if (Length(aside) == 0.0) aside = {1.0, 0.0, 0.0};
  return Towards(aside, speed_m_s * (1.0 - first_s / horizon_s));
}

Vector3 LimitedChange(Vector3 velocity_m_s, Vector3 wanted_m_s,
                      double change_max_m_s) {
  const Vector3 change = wanted_m_s - velocity_m_s;
  const double length = Length(change);
  if (length <= change_max_m_s) return wanted_m_s;
  if (IsFinite(length)) {
    return velocity_m_s + Towards(change, change_max_m_s);
  }
  // The squares of any double made so much smaller are finite.
  constexpr double kScale = 0x1p-520;
  return velocity_m_s +
         Towards(kScale * wanted_m_s - kScale * velocity_m_s, change_max_m_s);
}

}  // namespace reprise::sim
