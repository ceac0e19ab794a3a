// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the belfry goes as its scripts' states say: bells are rung in
// turn, ravens fly up and come back to where they came from, no script fails
// whatever the player does, and a snapshot of every single tick, in the middle
// of any step, goes on as the game did.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/geometry/vector3.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state_codec.h"
#include "tests/packs/battery_packs.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

std::unique_ptr<Simulation> Belfry() {
  auto world = CreateWorld(BatteryPack("belfry"), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return *std::move(world);
}

TEST(BelfryTest, BellsRingInTurnAndRavensFly) {
  const auto world = Belfry();
  std::vector<std::string> struck;
  int startled = 0;
  for (int tick = 0; tick < 2400; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      if (event.type == IdOf("struck")) {
        struck.push_back(world->ObjectName(event.object));
      }
      if (event.type == IdOf("startled")) ++startled;
      EXPECT_NE(event.type, IdOf("script_failed"));
      EXPECT_NE(event.type, IdOf("property_refused"));
    }
  }
  // Each is struck twice before the next.
  ASSERT_GE(struck.size(), 12u);
  const std::vector<std::string> round = {"bell_1", "bell_1", "bell_2",
                                          "bell_2", "bell_3", "bell_3"};
  for (size_t i = 0; i < struck.size(); ++i) {
    EXPECT_EQ(struck[i], round[i % round.size()]) << i;
  }
  EXPECT_GT(startled, 10);
}

// A raven is told what is right below it a little after it asked, and settles
// when that is no bell.
TEST(BelfryTest, RavensLookDownBeforeTheySettle) {
  const auto world = Belfry();
  int bells = 0;
  int clear = 0;
  for (int tick = 0; tick < 2400; ++tick) {
    world->Step({}, nullptr);
    for (const Event& event : world->DrainEvents()) {
      if (event.type != IdOf("looked_down")) continue;
      const auto hit = std::ranges::find(event.arguments, IdOf("object"),
                                         &EventArgument::name);
      if (hit == event.arguments.end()) {
        ++clear;
        continue;
      }
      ++bells;
      EXPECT_TRUE(
          world->ObjectName(ObjectId{hit->value.bits}).starts_with("bell_"));
    }
  }
  EXPECT_GT(bells, 0);
  EXPECT_GT(clear, 10);
}

// All ravens by their names, as they are now.
struct Raven {
  std::string state;
  Vector3 place;
  Vector3 perch;
};

std::map<std::string, Raven> RavensOf(const Simulation& world) {
  std::map<std::string, Raven> ravens;
  const Table& table =
      world.state().table(*world.state().Find("components", "raven"));
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const std::string name = world.ObjectName(ObjectId{
        ReadScalar(table.schema(), table.Row(row), {.field = 0}).bits});
    const auto vector = [&](std::string_view room, std::string_view of,
                            std::string_view field) {
      const auto scalar = [&](std::string_view part) {
        const auto value = ValueOf(world, room, of, name,
                                   std::string(field) + std::string(part));
        EXPECT_TRUE(value.has_value()) << name;
        return value.has_value() ? value->AsNumber() : 0.0;
      };
      return Vector3{scalar(".x"), scalar(".y"), scalar(".z")};
    };
    const auto state = ValueOf(world, "components", "script", name, "state");
    EXPECT_TRUE(state.has_value()) << name;
    ravens[name] = {
        .state = state.has_value() ? world.IdName(Id{state->bits}) : "",
        .place = vector("world", "places", "position"),
        .perch = vector("components", "raven", "perch")};
  }
  return ravens;
}

TEST(BelfryTest, RavensFlyNoFasterThanTheyCanAndSettleWhereTheyCameFrom) {
  // The fastest is the flight up, 7 m/s, of which every second tick makes two
  // sixtieths.
  constexpr double kStepMaxM = 7.0 * 2.0 / 60.0 + 1e-9;
  const auto world = Belfry();
  std::map<std::string, Raven> before = RavensOf(*world);
  ASSERT_EQ(before.size(), 7u);
  int settled = 0;
  for (int tick = 0; tick < 3600; ++tick) {
    world->Step({}, nullptr);
    std::map<std::string, Raven> now = RavensOf(*world);
    for (const auto& [name, raven] : now) {
      const Raven& old = before[name];
      EXPECT_LE(Length(raven.place - old.place), kStepMaxM)
          << name << ", " << tick;
      if (raven.state != "perched") continue;
      EXPECT_EQ(raven.place, raven.perch) << name << ", " << tick;
      if (old.state == "settling") ++settled;
    }
    before = std::move(now);
  }
  EXPECT_GT(settled, 20);
}

TEST(BelfryTest, NoScriptFailsWhateverThePlayerDoes) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const auto world = Belfry();
    RandomInputSource inputs(world->info().inputs, seed);
    for (int tick = 0; tick < 1200; ++tick) {
      world->Step(inputs.Next(), nullptr);
      for (const Event& event : world->DrainEvents()) {
        ASSERT_NE(event.type, IdOf("script_failed")) << seed << ", " << tick;
      }
    }
  }
}

// A player who gives the ravens another source at two ticks.
std::vector<InputFrame> ReloadsAt(int tick) {
  if (tick != 200 && tick != 350) return {};
  std::string source(*BatteryPack("belfry").Find("scripts/raven.lua"));
  if (tick == 200) {
    // They dare to come back at once, and more slowly.
    const std::string_view wait = "{ wait = 60 },";
    source.replace(source.find(wait), wait.size(), "");
    const std::string_view speed = "speed = 5";
    source.replace(source.find(speed), speed.size(), "speed = 2");
  }
  return {{.player = 0,
           .commands = {{.name = IdOf("reload"),
                         .arguments = {"scripts/raven.lua", source}}}}};
}

TEST(BelfryTest, SnapshotOfEveryTickGoesOnAsTheGameDid) {
  const auto world = Belfry();
  const auto other = Belfry();
  RandomInputSource inputs(world->info().inputs, 7);
  for (int tick = 0; tick < 600; ++tick) {
    const std::string bytes = EncodeState(world->state());
    const auto state =
        DecodeState(std::as_bytes(std::span(bytes)), other->state());
    ASSERT_TRUE(state.ok()) << state.status();
    ASSERT_TRUE(other->Restore(*state).ok()) << tick;
    std::vector<InputFrame> frames = inputs.Next();
    if (const auto reload = ReloadsAt(tick); !reload.empty()) frames = reload;
    world->Step(frames, nullptr);
    other->Step(frames, nullptr);
    for (const Event& event : world->DrainEvents()) {
      ASSERT_NE(event.type, IdOf("script_reload_refused")) << tick;
      ASSERT_NE(event.type, IdOf("script_failed")) << tick;
    }
    ASSERT_EQ(other->state().ComputeRootDigest(),
              world->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
