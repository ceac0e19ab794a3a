// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Worlds whose objects a player steers, for tests: the actions and the ground
// under them, and a stick that is held.

#ifndef REPRISE_TESTS_WORLD_TESTING_STEERING_H_
#define REPRISE_TESTS_WORLD_TESTING_STEERING_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "sim/simulation.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {

inline constexpr std::string_view kSteeredGround = R"(
players {
  actions { name: "x" axis: 0 }
  actions { name: "z" axis: 1 }
  actions { name: "jump" button: 3 }
}
types { name: "ground" body { motion: MOTION_FIXED shapes { plane { normal { y: 1 } } } } }
objects { name: "ground" type: "ground" }
)";

// A scalar of an object's body.
inline double BodyOf(const Simulation& world, std::string_view object,
                     std::string_view scalar) {
  const auto value = ValueOf(world, "physics", "bodies", object, scalar);
  EXPECT_TRUE(value.has_value()) << object;
  return value.has_value() ? value->AsNumber() : 0.0;
}

// Steps with a device held in one way.
inline void Hold(Simulation& world, int ticks, int16_t x, int16_t z,
                 bool button) {
  InputFrame frame;
  frame.device.axes[0] = x;
  frame.device.axes[1] = z;
  frame.device.buttons = button ? 1u << 3 : 0;
  for (int i = 0; i < ticks; ++i) {
    world.Step(std::span(&frame, 1), nullptr);
  }
}

}  // namespace reprise::sim

#endif  // REPRISE_TESTS_WORLD_TESTING_STEERING_H_
