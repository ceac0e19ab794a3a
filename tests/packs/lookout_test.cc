// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the lookout does what it is in the battery for: its behaviours
// query, read others, wait for rays, draw numbers, send, listen, fail, keep
// time and hurry the game; and that a game that begins paused waits for its
// players.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "sim/physics/definition/physics_rows.h"
#include "sim/state/field_value.h"
#include "sim/world/components/sorted_rows.h"
#include "tests/packs/battery_packs.h"
#include "tests/packs/game_ticks.h"

namespace reprise::sim {
namespace {

class LookoutTest : public ::testing::Test {
 protected:
  LookoutTest() {
    auto world = CreateWorld(BatteryPack("lookout"), /*seed=*/1);
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
    players_.emplace(world_->info().inputs, /*seed=*/34);
  }

  // Plays with random inputs, and counts what is told.
  void Play(int ticks) {
    for (int tick = 0; tick < ticks; ++tick) {
      world_->Step(players_->Next(), nullptr);
      for (const Event& event : world_->DrainEvents()) {
        ++told_[world_->IdName(event.type)];
      }
    }
  }

  const Table& TableOf(std::string_view room, std::string_view name) const {
    return world_->state().table(*world_->state().Find(room, name));
  }

  // A property of an object of the pack.
  int64_t ValueOf(std::string_view object, std::string_view component,
                  std::string_view property) const {
    const Table& table = TableOf("components", component);
    const ScalarPath owner = *table.schema().Find("object");
    for (uint32_t row = 0; row < table.row_count(); ++row) {
      const ObjectId id{ReadScalar(table.schema(), table.Row(row), owner).bits};
      if (world_->ObjectName(id) != object) continue;
      return static_cast<int64_t>(
          ReadScalar(table.schema(), table.Row(row),
                     *table.schema().Find(std::string(property)))
              .bits);
    }
    ADD_FAILURE() << "no " << object << "." << component;
    return 0;
  }

  std::unique_ptr<Simulation> world_;
  std::optional<RandomInputSource> players_;
  std::map<std::string, int> told_;
};

TEST_F(LookoutTest, BehavioursAskForAllThereIs) {
  Play(900);
  for (const char* const expected :
       {"alarm", "lookout_probed", "lookout_rally", "lookout_relieved",
        "lookout_sighted", "lookout_bell", "object_failed", "object_destroyed",
        "object_spawned", "read_refused", "spawn_refused", "attach_refused"}) {
    EXPECT_GT(told_[expected], 0) << expected;
  }
  for (const char* const sentry : {"east", "west"}) {
    EXPECT_GT(ValueOf(sentry, "watch", "sighted"), 0) << sentry;
    EXPECT_GT(ValueOf(sentry, "watch", "answered"), 0) << sentry;
    EXPECT_LE(ValueOf(sentry, "watch", "answered"),
              ValueOf(sentry, "watch", "asked"))
        << sentry;
  }
  EXPECT_GT(TableOf("world", "random_streams").row_count(), 4u);
  EXPECT_GT(TableOf("world", "ray_requests").row_count(), 0u);
  EXPECT_EQ(TableOf("time", "timelines").row_count(), 1u);
}

// Who comes after another knows its news of this tick; who doesn't, those of
// the last alone, and is told.
TEST_F(LookoutTest, RunnersKnowWhatIsKnownWhen) {
  Play(600);
  int64_t differences = 0;
  for (int tick = 0; tick < 60; ++tick) {
    const int64_t before = ValueOf("west", "watch", "sighted");
    Play(1);
    const int64_t now = ValueOf("west", "watch", "sighted");
    EXPECT_EQ(ValueOf("herald", "errand", "news"), now);
    EXPECT_EQ(ValueOf("laggard", "errand", "news"), 0);
    differences += now - before;
  }
  EXPECT_GT(differences, 0);
  EXPECT_GT(ValueOf("laggard", "errand", "heard"), 0);
}

// The pack's rule for what it doesn't say, and the raiders' own.
TEST_F(LookoutTest, CratesSleepSoonAndRaidersNever) {
  const Table& bodies = TableOf("physics", "bodies");
  int crates_asleep = 0;
  int raiders = 0;
  for (int tick = 0; tick < 200; ++tick) {
    Play(1);
    for (uint32_t i = 0; i < bodies.row_count(); ++i) {
      const auto& row = bodies.Get<BodyRow>(i);
      const bool is_asleep = row.activation == Activation::kAsleep;
      const std::string name(world_->ObjectName(row.object));
      // Rested for half a second, not for two: 50 ticks are 75 steps, of 1.5 s.
      if (name.starts_with("crates") && tick < 50) crates_asleep += is_asleep;
      if (name.find("raider") == std::string::npos) continue;
      ++raiders;
      EXPECT_FALSE(is_asleep) << name << " at " << tick;
      EXPECT_EQ(row.slow_time, 0.0) << name << " at " << tick;
    }
  }
  EXPECT_GT(crates_asleep, 0);
  EXPECT_GT(raiders, 0);
}

// Random streams and requests of what is gone are gone.
TEST_F(LookoutTest, NothingIsLeftOfThoseThatWent) {
  Play(1500);
  EXPECT_GT(told_["object_destroyed"], 0);
  const Table& objects = TableOf("world", "objects");
  const Table& streams = TableOf("world", "random_streams");
  const ScalarPath owner = *streams.schema().Find("object");
  for (uint32_t row = 0; row < streams.row_count(); ++row) {
    const uint64_t serial =
        ReadScalar(streams.schema(), streams.Row(row), owner).bits;
    EXPECT_TRUE(FindRow(objects, std::array{serial}).has_value()) << serial;
  }
}

TEST(LookoutClockTest, GameThatBeginsPausedWaitsForItsPlayers) {
  std::string manifest(*BatteryPack("lookout").Find(kPackManifestPath));
  const std::string clock = "clock { ";
  const size_t place = manifest.find(clock);
  ASSERT_NE(place, std::string::npos);
  manifest.insert(place + clock.size(),
                  R"(paused: true action_pause: "hold" action_step: "inch" )");
  PackArchive pack;
  ASSERT_TRUE(pack.Add(std::string(kPackManifestPath), manifest).ok());
  auto world = CreateWorld(pack, /*seed=*/1);
  ASSERT_TRUE(world.ok()) << world.status();
  const auto step = [&](uint64_t buttons) {
    InputFrame frame{.player = 0};
    frame.device.buttons = buttons;
    (*world)->Step(std::span(&frame, 1), nullptr);
  };
  constexpr uint64_t kHold = 1 << 2;
  constexpr uint64_t kInch = 1 << 3;
  for (int tick = 0; tick < 20; ++tick) step(0);
  EXPECT_EQ(GameTicksOf(**world), 0u);
  step(kInch);
  EXPECT_EQ(GameTicksOf(**world), 1u);
  step(0);
  EXPECT_EQ(GameTicksOf(**world), 1u);
  for (int tick = 0; tick < 20; ++tick) step(kHold);
  // Three steps in two ticks.
  EXPECT_GE(GameTicksOf(**world), 30u);
  EXPECT_LE(GameTicksOf(**world), 31u);
}

}  // namespace
}  // namespace reprise::sim
