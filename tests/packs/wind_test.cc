// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the wind of docs/examples/wind blows as physics says: drag that
// grows with the square of the speed takes a body from rest to u - u / (1 + k u
// t), with k = air density * drag coefficient * area / (2 mass).

#include <cmath>
#include <memory>
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"

namespace reprise::sim {
namespace {

constexpr double kAirDensity = 1.225;
constexpr double kDragCoefficient = 1.28;

struct Case {
  double tick_rate = 60;
  double wind_m_s = 10.0;
  double area_m2 = 1.0;
  double mass_kg = 10.0;
};

class WindTest : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(RatesMassesAndSizes, WindTest,
                         ::testing::Values(Case{60, 10.0, 1.0, 10.0},
                                           Case{240, 10.0, 1.0, 10.0},
                                           Case{60, 40.0, 0.5, 200.0},
                                           Case{1000, 40.0, 20.0, 3000.0}));

TEST_P(WindTest, TakesABodyAlongAsItsDragSays) {
  const Case& is = GetParam();
  PackArchive pack;
  ASSERT_TRUE(
      pack.Add(std::string(kPackManifestPath),
               fmt::format(R"(
name: "kite" tick_rate: {} physics {{ gravity {{}} }}
systems {{ [reprise/wind.Wind] {{ velocity_x: {} }} }}
types {{
  name: "kite"
  body {{ motion: MOTION_DYNAMIC mass_kg: {} shapes {{ sphere {{ radius: 0.5 }} }} }}
  systems {{ [reprise/wind.Sail] {{ area_m2: {} }} }}
}}
objects {{ name: "kite" type: "kite" }}
)",
                           is.tick_rate, is.wind_m_s, is.mass_kg, is.area_m2))
          .ok());
  auto world = CreateWorld(pack, /*seed=*/1);
  ASSERT_TRUE(world.ok()) << world.status();
  const int ticks = static_cast<int>(2.0 * is.tick_rate);
  for (int tick = 0; tick < ticks; ++tick) (*world)->Step({}, nullptr);
  const State& state = (*world)->state();
  const TableIndex bodies = *state.Find("physics", "bodies");
  const auto field = *state.table(bodies).schema().Find("linear_velocity.x");
  const double velocity =
      ReadScalar(state, {.table = bodies, .row = 0, .scalar = field})
          .AsDouble();
  const double k =
      kAirDensity * kDragCoefficient * is.area_m2 / (2.0 * is.mass_kg);
  const double exact =
      is.wind_m_s - is.wind_m_s / (1.0 + k * is.wind_m_s * 2.0);
  // Euler's method is of first order: its error is about half a tick's change
  // at the start, when the drag is greatest.
  const double tolerance = 0.5 * k * is.wind_m_s * is.wind_m_s / is.tick_rate;
  EXPECT_NEAR(velocity, exact, tolerance);
  EXPECT_GT(velocity, 0.05 * is.wind_m_s);
}

}  // namespace
}  // namespace reprise::sim
