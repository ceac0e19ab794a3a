// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/geometry/collisions/impacts.h"

#include <cstddef>
#include <optional>

#include "sim/base/check.h"
#include "sim/geometry/interpolation.h"
#include "sim/geometry/collisions/sweeps.h"

namespace reprise::sim {
namespace {

// Below this part of their speeds, two things neither approach nor part: what
// rounding leaves after an impact that took all of the speed along the normal.
constexpr double kStillness = 1e-12;

struct Impact {
  double t;
  size_t a;
  size_t b;
  Vector3 normal;
};

template <typename Vector>
Vector BouncedOff(Vector velocity, Vector normal, double restitution) {
  const double speed = Dot(velocity, normal);
  if (speed >= 0.0) return velocity;
  return velocity - normal * ((1.0 + restitution) * speed);
}

bool Approach(const MovingSphere& a, const MovingSphere& b, Vector3 normal) {
  const double speeds = Length(a.velocity) + Length(b.velocity);
  return Dot(a.velocity - b.velocity, normal) < -kStillness * speeds;
}

std::optional<Impact> FirstImpact(std::span<const MovingSphere> spheres,
                                  double dt) {
  std::optional<Impact> first;
  for (size_t i = 0; i < spheres.size(); ++i) {
    for (size_t j = i + 1; j < spheres.size(); ++j) {
      const MovingSphere& a = spheres[i];
      const MovingSphere& b = spheres[j];
      if (a.inverse_mass == 0.0 && b.inverse_mass == 0.0) continue;
      const std::optional<Hit> hit =
          Sweep(a.sphere, a.velocity * dt, b.sphere, b.velocity * dt);
      if (!hit.has_value() || !Approach(a, b, hit->normal)) continue;
      if (first.has_value() && first->t <= hit->t) continue;
      first = Impact{.t = hit->t, .a = i, .b = j, .normal = hit->normal};
    }
  }
  return first;
}

void Move(std::span<MovingSphere> spheres, double dt) {
  for (MovingSphere& moving : spheres) {
    moving.sphere.center = moving.sphere.center + moving.velocity * dt;
  }
}

}  // namespace

Vector3 ContactPoint(const Sphere& a, const Sphere& b) {
  const double radii = a.radius + b.radius;
  if (radii == 0.0) return a.center;
  return Lerp(a.center, b.center, a.radius / radii);
}

Vector3 Bounced(Vector3 velocity, Vector3 normal, double restitution) {
  return BouncedOff(velocity, normal, restitution);
}

Vector2 Bounced(Vector2 velocity, Vector2 normal, double restitution) {
  return BouncedOff(velocity, normal, restitution);
}

Vector3 Slid(Vector3 velocity, Vector3 normal) {
  return BouncedOff(velocity, normal, 0.0);
}

Vector2 Slid(Vector2 velocity, Vector2 normal) {
  return BouncedOff(velocity, normal, 0.0);
}

ImpactVelocities VelocitiesAfterImpact(Vector3 velocity_a,
                                       double inverse_mass_a,
                                       Vector3 velocity_b,
                                       double inverse_mass_b, Vector3 normal,
                                       double restitution) {
  const double speed = Dot(velocity_a - velocity_b, normal);
  const double inverse_masses = inverse_mass_a + inverse_mass_b;
  if (speed >= 0.0 || inverse_masses == 0.0) return {velocity_a, velocity_b};
  const double impulse = -(1.0 + restitution) * speed / inverse_masses;
  return {.a = velocity_a + normal * (impulse * inverse_mass_a),
          .b = velocity_b - normal * (impulse * inverse_mass_b)};
}

uint32_t AdvanceBouncing(std::span<MovingSphere> spheres, double dt,
                         double restitution, uint32_t impacts_max) {
  CHECK(dt >= 0.0, "{} s", dt);
  CHECK(restitution >= 0.0, "{}", restitution);
  double left = dt;
  uint32_t impacts = 0;
  while (impacts < impacts_max) {
    const std::optional<Impact> impact = FirstImpact(spheres, left);
    if (!impact.has_value()) break;
    Move(spheres, left * impact->t);
    left = left * (1.0 - impact->t);
    MovingSphere& a = spheres[impact->a];
    MovingSphere& b = spheres[impact->b];
    const ImpactVelocities after =
        VelocitiesAfterImpact(a.velocity, a.inverse_mass, b.velocity,
                              b.inverse_mass, impact->normal, restitution);
    a.velocity = after.a;
    b.velocity = after.b;
    ++impacts;
  }
  Move(spheres, left);
  return impacts;
}

}  // namespace reprise::sim
