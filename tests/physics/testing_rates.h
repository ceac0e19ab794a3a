// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The rates at which the same experiments are made, and what they share.

#ifndef REPRISE_TESTS_PHYSICS_TESTING_RATES_H_
#define REPRISE_TESTS_PHYSICS_TESTING_RATES_H_

#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "sim/base/math.h"
#include "sim/physics/testing/testing_world.h"
#include "tests/physics/experiment.h"

namespace reprise::sim {

// By the rate of ticks, Hz.
class RateTest : public testing::TestWithParam<uint32_t> {
 protected:
  static double tick_s() { return 1.0 / GetParam(); }
  static uint32_t Ticks(double seconds) {
    return static_cast<uint32_t>(seconds * GetParam() + 0.5);
  }

  // A floor as object 1, its top at a height of 0, in a gravity that a slope of
  // `angle_rad` would have, down in the direction `heading_rad` of x and z.
  static PhysicsDefinition MakeSlope(double angle_rad, double heading_rad) {
    PhysicsDefinition definition = MakeFloor();
    definition.tick_s = tick_s();
    const double along = kGravity * Sin(angle_rad);
    definition.gravity_m_s2 = {along * Cos(heading_rad),
                               -kGravity * Cos(angle_rad),
                               along * Sin(heading_rad)};
    return definition;
  }
  static PhysicsDefinition MakeLevel() { return MakeSlope(0.0, 0.0); }
};

inline std::string RateName(const testing::TestParamInfo<uint32_t>& info) {
  return std::to_string(info.param) + "Hz";
}

}  // namespace reprise::sim

#define REPRISE_AT_ALL_RATES(test)                                             \
  INSTANTIATE_TEST_SUITE_P(Rates, test, testing::Values(30u, 60u, 120u, 240u), \
                           [](const testing::TestParamInfo<uint32_t>& info) {  \
                             return ::reprise::sim::RateName(info);            \
                           })

#endif  // REPRISE_TESTS_PHYSICS_TESTING_RATES_H_
