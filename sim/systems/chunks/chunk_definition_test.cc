// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that each mistake in a plan of chunks is refused by name.

#include "sim/systems/chunks/chunk_definition.h"

#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/geometry/volume.h"

namespace reprise::sim {
namespace {

constexpr Id kHub = IdOf("hub");
constexpr Id kTower = IdOf("tower");
constexpr Id kLamp = IdOf("lamp");

ChunkPlan TwoChunks() {
  ChunkPlan plan;
  plan.chunks = {{.name = kHub, .objects = {{.name = kLamp}}},
                 {.name = kTower}};
  plan.load_regions = {
      {.region = {.name = IdOf("yard"), .volume = SphereVolume{{}, 1.0}},
       .chunks = {kHub, kTower}}};
  return plan;
}

absl::Status Validate(const ChunkPlan& plan) {
  NameTable names;
  for (const char* name : {"hub", "tower", "lamp", "yard", "moat", "night"}) {
    EXPECT_TRUE(names.Add(name).ok());
  }
  return ValidateChunkPlan(plan, {}, names);
}

TEST(ValidateChunkPlanTest, AcceptsWhatIsWhole) {
  EXPECT_TRUE(Validate(TwoChunks()).ok());
  EXPECT_TRUE(Validate({}).ok());
}

TEST(ValidateChunkPlanTest, RefusesAChunkTwice) {
  ChunkPlan plan = TwoChunks();
  plan.chunks[1].name = kHub;
  EXPECT_EQ(Validate(plan),
            absl::InvalidArgumentError("chunk \"hub\": defined twice"));
}

TEST(ValidateChunkPlanTest, RefusesAnObjectInTwoChunks) {
  ChunkPlan plan = TwoChunks();
  plan.chunks[1].objects = {{.name = kLamp}};
  EXPECT_EQ(Validate(plan), absl::InvalidArgumentError(
                                "object of a chunk \"lamp\": defined twice"));
}

TEST(ValidateChunkPlanTest, RefusesUnknownChunksAndLayers) {
  ChunkPlan plan = TwoChunks();
  plan.load_regions[0].chunks.push_back(IdOf("moat"));
  EXPECT_EQ(Validate(plan), absl::InvalidArgumentError(
                                "load region \"yard\": no chunk \"moat\""));
  plan = TwoChunks();
  plan.chunks[1].layer = IdOf("night");
  EXPECT_EQ(Validate(plan),
            absl::InvalidArgumentError("chunk \"tower\": no layer \"night\""));
  plan = TwoChunks();
  plan.chunks[0].objects[0].layer = IdOf("night");
  EXPECT_EQ(Validate(plan),
            absl::InvalidArgumentError(
                "chunk \"hub\": object \"lamp\": no layer \"night\""));
}

TEST(ValidateChunkPlanTest, RefusesARegionThatIsNoPlace) {
  ChunkPlan plan = TwoChunks();
  plan.load_regions[0].region.volume = SphereVolume{{}, -1.0};
  EXPECT_EQ(Validate(plan).code(), absl::StatusCode::kInvalidArgument);
}

TEST(ValidateChunkPlanTest, RefusesMoreAtTheStartThanThereMayBe) {
  ChunkPlan plan = TwoChunks();
  plan.chunks[0].is_active_at_start = true;
  plan.chunks[1].is_active_at_start = true;
  plan.present_chunks_max = 1;
  EXPECT_EQ(Validate(plan),
            absl::InvalidArgumentError(
                "chunks: 2 of them are active at the start, at most 1"));
}

TEST(ValidateChunkPlanTest, RefusesDelaysThatNoRunReaches) {
  ChunkPlan plan = TwoChunks();
  plan.deactivation_delay = kTickMax + 1;
  EXPECT_EQ(Validate(plan).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace reprise::sim
