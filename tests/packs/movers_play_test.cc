// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the packs of characters and vehicles can be played: the docker
// walks up the stairs to the office, the car drives through cones, over the
// ramp and the bridge to the finish.

#include <memory>
#include <span>
#include <string>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

// Plays a pack with the first axis held all the way, until it is decided.
Outcome Play(const std::string& name, int ticks_max) {
  const auto world = CreateWorld(BatteryPack(name), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  InputFrame frame;
  frame.device.axes[0] = kAxisMax;
  for (int i = 0; i < ticks_max; ++i) {
    (*world)->Step(std::span(&frame, 1), nullptr);
    if ((*world)->outcome().status != Outcome::Status::kRunning) break;
  }
  return (*world)->outcome();
}

TEST(MoversPlayTest, DockerReachesTheOffice) {
  const Outcome outcome = Play("harbour", 240);
  EXPECT_EQ(outcome.status, Outcome::Status::kWon);
  EXPECT_EQ(outcome.reason, "signed_in");
}

TEST(MoversPlayTest, CarReachesTheFinish) {
  const Outcome outcome = Play("rally", 900);
  EXPECT_EQ(outcome.status, Outcome::Status::kWon);
  EXPECT_EQ(outcome.reason, "finished");
}

}  // namespace
}  // namespace reprise::sim
