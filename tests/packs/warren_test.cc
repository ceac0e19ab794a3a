// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the warren's animals get where they want to, while searches are
// under way in most ticks, and that a snapshot of every single tick goes on as
// the game did.

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state_codec.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> Warren() {
  auto world = CreateWorld(BatteryPack("warren"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

uint32_t RowCount(const Simulation& world, std::string_view table) {
  return world.state()
      .table(*world.state().Find("navigation", table))
      .row_count();
}

TEST(WarrenTest, EveryKindOfSpaceIsCrossed) {
  const auto world = Warren();
  std::set<std::string> arrived;
  int slides_shut = 0;
  for (int tick = 0; tick < 2400; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      if (event.type == IdOf("change_link")) ++slides_shut;
      if (event.type != IdOf("path_arrived")) continue;
      arrived.insert(world->ObjectName(event.object));
    }
  }
  for (const char* const animal :
       {"bee", "crab", "fox", "grouse", "hare_0", "hen", "mole", "rabbit_0",
        "sheep_0", "stoat"}) {
    EXPECT_TRUE(arrived.contains(animal)) << animal;
  }
  // Every three seconds, and opened again.
  EXPECT_GE(slides_shut, 24);
}

TEST(WarrenTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  constexpr int kTicks = 400;
  const auto world = Warren();
  const auto other = Warren();
  RandomInputSource inputs(world->info().inputs, 7);
  int under_way = 0;
  int changed = 0;
  for (int tick = 0; tick < kTicks; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    under_way += RowCount(*world, "reached_nodes") > 0 ? 1 : 0;
    changed += RowCount(*world, "changed_cells") > 0 ? 1 : 0;
    const std::vector<InputFrame> frames = inputs.Next();
    world->Step(frames, nullptr);
    other->Step(frames, nullptr);
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
  EXPECT_GT(under_way, kTicks / 4);
  EXPECT_GT(changed, kTicks / 4);
}

}  // namespace
}  // namespace reprise::sim
