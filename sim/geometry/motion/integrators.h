// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// From one tick's position and velocity to the next one's, by four methods that
// trade exactness for evaluations of the acceleration. Vectors are Vector3,
// Vector2 or double; `dt` is the pack's one constant, in seconds.
//
//   explicit Euler       order 1, 1 evaluation; gains energy: for comparison
//   semi-implicit Euler  order 1, 1 evaluation; stable: the usual choice
//   velocity Verlet      order 2, 1 evaluation a step, one before the first
//   Runge-Kutta          order 4, 4 evaluations

#ifndef REPRISE_SIM_GEOMETRY_MOTION_INTEGRATORS_H_
#define REPRISE_SIM_GEOMETRY_MOTION_INTEGRATORS_H_

namespace reprise::sim {

template <typename Vector>
struct MovingPoint {
  Vector position = {};
  Vector velocity = {};

  friend bool operator==(const MovingPoint&, const MovingPoint&) = default;
};

// `acceleration(position, velocity)` gives m/s^2 and draws no random numbers:
// how often a method calls it is its own affair.

// The position by the old velocity.
template <typename Vector, typename Acceleration>
MovingPoint<Vector> StepExplicitEuler(const MovingPoint<Vector>& point,
                                      double dt, Acceleration&& acceleration) {
  const Vector a = acceleration(point.position, point.velocity);
  return {point.position + point.velocity * dt, point.velocity + a * dt};
}

// The position by the new velocity.
template <typename Vector, typename Acceleration>
MovingPoint<Vector> StepSemiImplicitEuler(const MovingPoint<Vector>& point,
                                          double dt,
                                          Acceleration&& acceleration) {
  const Vector a = acceleration(point.position, point.velocity);
  const Vector velocity = point.velocity + a * dt;
  return {point.position + velocity * dt, velocity};
}

// What Verlet's method carries from step to step. The acceleration is that of
// the point as it is: StartVerlet sees to it, because a point that starts with
// none lags by half a step for ever.
template <typename Vector>
struct VerletPoint {
  MovingPoint<Vector> point;
  Vector acceleration = {};
};

template <typename Vector, typename Acceleration>
VerletPoint<Vector> StartVerlet(const MovingPoint<Vector>& point,
                                Acceleration&& acceleration) {
  return {point, acceleration(point.position, point.velocity)};
}

// The position by the velocity at half of the step. The new acceleration is
// taken at the new position, and sees the velocity at half of the step.
template <typename Vector, typename Acceleration>
VerletPoint<Vector> StepVerlet(const VerletPoint<Vector>& verlet, double dt,
                               Acceleration&& acceleration) {
  const double half = 0.5 * dt;
  const Vector middle = verlet.point.velocity + verlet.acceleration * half;
  const Vector position = verlet.point.position + middle * dt;
  const Vector a = acceleration(position, middle);
  return {{position, middle + a * half}, a};
}

// The classic method with the weights 1, 2, 2, 1.
template <typename Vector, typename Acceleration>
MovingPoint<Vector> StepRungeKutta4(const MovingPoint<Vector>& point, double dt,
                                    Acceleration&& acceleration) {
  const double half = 0.5 * dt;
  const Vector v1 = point.velocity;
  const Vector a1 = acceleration(point.position, v1);
  const Vector v2 = point.velocity + a1 * half;
  const Vector a2 = acceleration(point.position + v1 * half, v2);
  const Vector v3 = point.velocity + a2 * half;
  const Vector a3 = acceleration(point.position + v2 * half, v3);
  const Vector v4 = point.velocity + a3 * dt;
  const Vector a4 = acceleration(point.position + v3 * dt, v4);
  const double sixth = dt / 6.0;
  return {point.position + (v1 + (v2 + v3) * 2.0 + v4) * sixth,
          point.velocity + (a1 + (a2 + a3) * 2.0 + a4) * sixth};
}

}  // namespace reprise::sim

#endif  // REPRISE_SIM_GEOMETRY_MOTION_INTEGRATORS_H_
