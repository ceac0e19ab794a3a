// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the four integrators on a jump, whose closed forms are known, and on a
// spring, whose errors and energies are known for each method; and that two
// well-known mistakes in Verlet's method would show.

#include "sim/geometry/motion/integrators.h"

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/geometry/testing_geometry.h"
#include "sim/geometry/vector3.h"

namespace reprise::sim {
namespace {

using Point = MovingPoint<double>;

constexpr Point kJump = {.position = 0.0, .velocity = 10.0};
constexpr Point kSpring = {.position = 1.0, .velocity = 0.0};

double Gravity(double, double) { return -10.0; }
double Spring(double position, double) { return -position; }

struct Jump {
  double apex = 0.0;
  double end = 0.0;
};

// Two seconds of a jump.
template <typename Step>
Jump JumpBy(int rate, Step&& step) {
  Jump jump;
  Point point = kJump;
  for (int i = 0; i < 2 * rate; ++i) {
    point = step(point, 1.0 / rate);
    if (point.position > jump.apex) jump.apex = point.position;
  }
  jump.end = point.position;
  return jump;
}

// From a stateless step, one that keeps Verlet's acceleration.
auto VerletFrom(VerletPoint<double> start,
                double (*acceleration)(double, double)) {
  return [verlet = start, acceleration](const Point&, double dt) mutable {
    verlet = StepVerlet(verlet, dt, acceleration);
    return verlet.point;
  };
}

constexpr auto kExplicit = [](const Point& p, double dt) {
  return StepExplicitEuler(p, dt, Gravity);
};
constexpr auto kSemiImplicit = [](const Point& p, double dt) {
  return StepSemiImplicitEuler(p, dt, Gravity);
};

void ExpectJump(const Jump& jump, double apex, double end) {
  EXPECT_NEAR(jump.apex, apex, 5e-6);
  EXPECT_NEAR(jump.end, end, 5e-6);
}

TEST(IntegratorsTest, ExplicitEulerJumpsTooHigh) {
  ExpectJump(JumpBy(10, kExplicit), 5.5, 1.0);
  ExpectJump(JumpBy(30, kExplicit), 5.16667, 0.33333);
  ExpectJump(JumpBy(60, kExplicit), 5.08333, 0.16667);
}

TEST(IntegratorsTest, SemiImplicitEulerJumpsTooLow) {
  ExpectJump(JumpBy(10, kSemiImplicit), 4.5, -1.0);
  ExpectJump(JumpBy(30, kSemiImplicit), 4.83333, -0.33333);
  ExpectJump(JumpBy(60, kSemiImplicit), 4.91667, -0.16667);
}

TEST(IntegratorsTest, VerletAndRungeKuttaJumpExactly) {
  for (const int rate : {10, 30, 60}) {
    ExpectJump(JumpBy(rate, VerletFrom(StartVerlet(kJump, Gravity), Gravity)),
               5.0, 0.0);
    ExpectJump(
        JumpBy(rate, [](const Point& p,
                        double dt) { return StepRungeKutta4(p, dt, Gravity); }),
        5.0, 0.0);
  }
}

TEST(IntegratorsTest, VerletWithoutItsFirstAccelerationIsNoBetterThanEuler) {
  const VerletPoint<double> wrong = {kJump, 0.0};
  ExpectJump(JumpBy(10, VerletFrom(wrong, Gravity)), 5.5, 1.0);
  ExpectJump(JumpBy(30, VerletFrom(wrong, Gravity)), 5.16667, 0.33333);
  ExpectJump(JumpBy(60, VerletFrom(wrong, Gravity)), 5.08333, 0.16667);
}

// What is known of a method on x'' = -x from x = 1.
struct SpringResult {
  double coarse_error;  // at t = 1, steps of 0.1
  double fine_error;    // at t = 1, steps of 0.05
  double energy;        // x^2 + v^2 at t = 100, steps of 0.1: 1 if exact
};

template <typename MakeStep>
SpringResult SpringBy(MakeStep&& make_step) {
  const auto after = [&](int steps, double dt) {
    auto step = make_step();
    Point point = kSpring;
    for (int i = 0; i < steps; ++i) point = step(point, dt);
    return point;
  };
  const Point late = after(1000, 0.1);
  return {
      .coarse_error = Abs(after(10, 0.1).position - Cos(1.0)),
      .fine_error = Abs(after(20, 0.05).position - Cos(1.0)),
      .energy = late.position * late.position + late.velocity * late.velocity};
}

void ExpectSpring(const SpringResult& actual, const SpringResult& expected) {
  // As many digits as the published ones.
  EXPECT_NEAR(actual.coarse_error, expected.coarse_error,
              expected.coarse_error * 2e-3);
  EXPECT_NEAR(actual.fine_error, expected.fine_error,
              expected.fine_error * 2e-3);
  EXPECT_NEAR(actual.energy, expected.energy, expected.energy * 5e-5);
}

TEST(IntegratorsTest, ExplicitEulerGainsEnergyWithoutEnd) {
  ExpectSpring(SpringBy([] {
                 return [](const Point& p, double dt) {
                   return StepExplicitEuler(p, dt, Spring);
                 };
               }),
               {0.030488, 0.014378, 20959.0});
}

TEST(IntegratorsTest, SemiImplicitEulerKeepsItsEnergyNearly) {
  ExpectSpring(SpringBy([] {
                 return [](const Point& p, double dt) {
                   return StepSemiImplicitEuler(p, dt, Spring);
                 };
               }),
               {0.042489, 0.021132, 1.0426});
}

TEST(IntegratorsTest, VerletIsOfSecondOrder) {
  ExpectSpring(
      SpringBy([] { return VerletFrom(StartVerlet(kSpring, Spring), Spring); }),
      {3.5105e-4, 8.7681e-5, 0.99945});
}

TEST(IntegratorsTest, RungeKuttaIsOfFourthOrder) {
  ExpectSpring(SpringBy([] {
                 return [](const Point& p, double dt) {
                   return StepRungeKutta4(p, dt, Spring);
                 };
               }),
               {6.61e-7, 4.26e-8, 0.999986});
}

TEST(IntegratorsTest, VerletWithTheForceOfTheOldPlaceExplodes) {
  // As printed in a well-known book: a negative control of the test above.
  const auto as_printed = [] {
    return [acceleration = Spring(kSpring.position, 0.0)](const Point& p,
                                                          double dt) mutable {
      const double middle = p.velocity + acceleration * 0.5 * dt;
      acceleration = Spring(p.position, 0.0);
      return Point{p.position + middle * dt, middle + acceleration * 0.5 * dt};
    };
  };
  ExpectSpring(SpringBy(as_printed), {0.013637, 0.007179, 21960.0});
}

TEST(IntegratorsTest, VectorsMoveLikeTheirComponents) {
  const auto spring = [](Vector3 position, Vector3) { return -position; };
  MovingPoint<Vector3> vector = {{1.0, 2.0, 0.0}, {0.0, 0.0, 3.0}};
  Point x = kSpring;
  for (int i = 0; i < 100; ++i) {
    vector = StepRungeKutta4(vector, 0.1, spring);
    x = StepRungeKutta4(x, 0.1, Spring);
  }
  EXPECT_EQ(vector.position.x, x.position);
  EXPECT_EQ(vector.velocity.x, x.velocity);
  EXPECT_EQ(vector.position.y, 2.0 * x.position);
}

}  // namespace
}  // namespace reprise::sim
