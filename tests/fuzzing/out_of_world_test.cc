// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a body which leaves the world is told of at the tick at which it
// does, as closed forms have it, with its name and field.

#include <cmath>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/fuzzing/checks/run_check.h"
#include "replays/fuzzing/checks/run_watch.h"
#include "replays/fuzzing/feedback/fuzz_rules.h"
#include "replays/fuzzing/fuzz_campaign.h"
#include "sim/base/tick.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::tests {
namespace {

using testing::StartsWith;

constexpr double kGravity = 10.0;  // m/s^2
constexpr double kTicksPerSecond = 60.0;

// A ball falls from rest past a shelf that never moves.
std::unique_ptr<sim::Simulation> OpenFall(const std::string& radius) {
  sim::PackArchive pack;
  EXPECT_TRUE(pack.Add(std::string(sim::kPackManifestPath),
                       R"(name: "fall"
physics { gravity { y: -10 } }
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.2 } } } }
types { name: "shelf" body { motion: MOTION_FIXED shapes { box { half_extents { x: 1 y: 1 z: 1 } } } } }
objects { name: "ball" type: "ball" }
objects { name: "shelf" type: "shelf" position { x: 9 } }
fuzzing { world_radius_m: )" +
                           radius + " }\n")
                  .ok());
  auto start = sim::CreateWorld(pack, /*seed=*/1);
  EXPECT_TRUE(start.ok()) << start.status();
  return *std::move(start);
}

absl::StatusOr<replays::RunFailure> Fall(const std::string& radius,
                                         sim::Tick ticks) {
  const auto start = OpenFall(radius);
  const auto rules =
      replays::FuzzRules::Create(start->description().fuzzing, *start);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return replays::FindFailure(*start, *rules,
                              {.ticks = {}, .tick_count = ticks});
}

TEST(OutOfWorldTest, BallThatFallsOutIsToldAtTheTickOfTheClosedForm) {
  for (const double radius : {10.0, 45.0}) {
    const auto failure = Fall(std::to_string(radius), 600);
    ASSERT_TRUE(failure.ok()) << failure.status();
    EXPECT_EQ(failure->signature, "out of the world physics.bodies.position.y");
    EXPECT_THAT(failure->message,
                StartsWith("ball: physics.bodies.position.y"));
    // s = g t^2 / 2; a step's parts make it a hundredth of a second at most
    // sooner.
    const double seconds = std::sqrt(2.0 * radius / kGravity);
    EXPECT_NEAR(static_cast<double>(failure->tick), seconds * kTicksPerSecond,
                1.6);
  }
}

TEST(OutOfWorldTest, BallWithinTheWorldIsNotTold) {
  EXPECT_EQ(Fall("10", 60).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Fall("100000", 600).status().code(), absl::StatusCode::kNotFound);
}

TEST(OutOfWorldTest, SearchFindsIt) {
  const auto start = OpenFall("10");
  auto rules = replays::FuzzRules::Create(start->description().fuzzing, *start);
  ASSERT_TRUE(rules.ok()) << rules.status();
  const auto campaign =
      *replays::FuzzCampaign::Create(*start, *std::move(rules), {.seed = 1});
  campaign->RunRound(replays::FuzzCampaign::kRoundTicks);
  EXPECT_TRUE(campaign->failures().contains(
      "out of the world physics.bodies.position.y"));
}

}  // namespace
}  // namespace reprise::tests
