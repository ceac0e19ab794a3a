// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the manor can be won and lost, and that what it is there for
// happens on the way: gates that are never open both, chunks that come and go
// by each of the policies, a layer that the story switches on.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"
#include "sim/compiler/pack_compiler.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

// A stick that is held this way until a tick.
struct Walk {
  int until = 0;
  double x = 0.0;
  double z = 0.0;
};

// Into the pond.
const std::vector<Walk> kSwim = {{114, 0.0, 1.0}, {400}};
// To the key, to the porch, and into the corridor, where the guard comes.
const std::vector<Walk> kDawdle = {{20},  {119, 0.89443, 0.44721},
                                   {129}, {206, 0.81373, -0.58124},
                                   {212}, {300, 1.0, 0.0}};

class Manor {
 public:
  Manor() {
    auto world = CreateWorld(BatteryPack("manor"), /*seed=*/0);
    EXPECT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
  }

  // Until the game is decided, or the walk is over.
  void Play(std::span<const Walk> walks) {
    for (const Walk& walk : walks) {
      while (static_cast<int>(world_->tick()) < walk.until &&
             world_->outcome().status == Outcome::Status::kRunning) {
        InputFrame frame{.player = 0};
        frame.device.axes[0] = static_cast<int16_t>(walk.x * kAxisMax);
        frame.device.axes[1] = static_cast<int16_t>(walk.z * kAxisMax);
        Step(std::span(&frame, 1));
      }
    }
  }

  // Until the game is decided, or the track of this file is over.
  void PlayTrack(const std::string& path) {
    const auto track = replays::ReadInputTrack(path);
    ASSERT_TRUE(track.ok()) << track.status();
    auto next = track->ticks.begin();
    while (world_->tick() < track->tick_count &&
           world_->outcome().status == Outcome::Status::kRunning) {
      std::span<const InputFrame> frames;
      if (next != track->ticks.end() && next->tick == world_->tick()) {
        frames = (next++)->frames;
      }
      Step(frames);
    }
  }

  Outcome outcome() const { return world_->outcome(); }

  // How often an event was told, with a name among its arguments unless it is
  // empty.
  int Count(const std::string& type, const std::string& name = "") const {
    const auto found = told_.find({type, name});
    return found == told_.end() ? 0 : found->second;
  }

  bool IsThere(const std::string& object) const {
    for (const FrameObject& each : world_->ProduceFrame().objects) {
      if (each.name == object) return true;
    }
    return false;
  }

  // The most gates that were open, or closing, at a time.
  size_t open_gates_max() const { return open_gates_max_; }

 private:
  void Step(std::span<const InputFrame> frames) {
    world_->Step(frames, nullptr);
    for (const Event& event : world_->DrainEvents()) Note(event);
  }

  void Note(const Event& event) {
    const std::string type = world_->IdName(event.type);
    ++told_[{type, ""}];
    for (const EventArgument& argument : event.arguments) {
      if (argument.value.type != ScalarType::kId) continue;
      const std::string name = world_->IdName({argument.value.bits});
      ++told_[{type, name}];
      if (type == "door_opened") open_gates_.insert(name);
      if (type == "door_closed") open_gates_.erase(name);
    }
    open_gates_max_ = std::max(open_gates_max_, open_gates_.size());
  }

  std::unique_ptr<Simulation> world_;
  std::map<std::pair<std::string, std::string>, int> told_;
  std::set<std::string> open_gates_ = {"hall_gate"};
  size_t open_gates_max_ = 1;
};

TEST(ManorTest, IsWonByWhoRobsTheVault) {
  Manor manor;
  manor.PlayTrack("sim/packs/tracks/manor_theft.txtpb");
  EXPECT_EQ(manor.outcome(), (Outcome{Outcome::Status::kWon, "theft"}));
  EXPECT_EQ(manor.open_gates_max(), 1u);
  EXPECT_EQ(manor.Count("door_closed", "hall_gate"), 1);
  EXPECT_EQ(manor.Count("door_opened", "cellar_gate"), 1);
  EXPECT_EQ(manor.Count("chunk_activated", "cellar"), 1);
  EXPECT_EQ(manor.Count("chunk_activated", "crypt"), 1);
  EXPECT_EQ(manor.Count("chunk_deactivated", "garden"), 1);
  EXPECT_EQ(manor.Count("objective_complete", "pass_gates"), 1);
  EXPECT_EQ(manor.Count("caught"), 0);
  EXPECT_EQ(manor.Count("stage_changed", "destroyed"), 1);
  EXPECT_EQ(manor.Count("wake"), 1);
  // The garden keeps what is in it, but walls; the key is used up.
  EXPECT_TRUE(manor.IsThere("barrels_0"));
  EXPECT_TRUE(manor.IsThere("skulls_0"));
  EXPECT_TRUE(manor.IsThere("spirit_0"));
  EXPECT_FALSE(manor.IsThere("brass_key"));
}

TEST(ManorTest, IsLostByWhoStaysInThePond) {
  Manor manor;
  manor.Play(kSwim);
  EXPECT_EQ(manor.outcome(), (Outcome{Outcome::Status::kLost, "drowned"}));
  EXPECT_EQ(manor.Count("region_stayed", "pond"), 2);
}

TEST(ManorTest, IsLostByWhoIsTooLate) {
  Manor manor;
  manor.Play(kDawdle);
  manor.Play(std::vector<Walk>{{3700}});
  EXPECT_EQ(manor.Count("caught"), 1);
  EXPECT_EQ(manor.Count("objective_complete", "cross_hall"), 0);
  EXPECT_EQ(manor.outcome(), (Outcome{Outcome::Status::kLost, "theft"}));
}

TEST(ManorTest, IsLostByWhoIsCaughtThreeTimes) {
  Manor manor;
  manor.Play(kDawdle);
  for (int tick = 300; tick < 2400; tick += 700) {
    // Waits to be caught, goes back, and comes again.
    manor.Play(std::vector<Walk>{
        {tick + 600}, {tick + 640, -1.0, 0.0}, {tick + 700, 1.0, 0.0}});
  }
  EXPECT_EQ(manor.Count("caught"), 3);
  EXPECT_EQ(manor.outcome(),
            (Outcome{Outcome::Status::kLost, "caught_for_good"}));
}

TEST(ManorTest, NobodyPassesWithoutTheKey) {
  Manor manor;
  manor.Play(std::vector<Walk>{{20}, {480, 1.0, 0.0}});
  EXPECT_EQ(manor.Count("door_closed", "hall_gate"), 1);
  EXPECT_EQ(manor.Count("door_opened", "cellar_gate"), 0);
  EXPECT_EQ(manor.Count("chunk_activated", "cellar"), 0);
  EXPECT_EQ(manor.outcome().status, Outcome::Status::kRunning);
}

}  // namespace
}  // namespace reprise::sim
