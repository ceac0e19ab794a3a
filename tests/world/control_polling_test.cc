// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what behaviours find when they ask for controls, in C++ and in Lua: a
// table of all states of a button, step by step, and the values of an axis and
// a stick.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "sim/systems/controls/control_system.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/acting_behaviour.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPoll = R"(
events { name: "jumped" }
events { name: "landed" }
components {
  name: "poll"
  properties { name: "is_down" type: TYPE_BOOLEAN }
  properties { name: "went_down" type: TYPE_BOOLEAN }
  properties { name: "went_up" type: TYPE_BOOLEAN }
  properties { name: "steps" type: TYPE_INTEGER minimum: -1 default { integer: -1 } }
  properties { name: "lean" type: TYPE_NUMBER }
  properties { name: "move" type: TYPE_VECTOR3 }
  properties { name: "other" type: TYPE_BOOLEAN }
}
players {
  count: 2
  actions { name: "south" button: 0 }
  actions { name: "east" button: 1 }
  actions { name: "x" axis: 0 }
  actions { name: "y" axis: 1 }
}
types { name: "native" behaviours { behaviour: "testing_act" } }
types { name: "scripted" components { component: "poll" } behaviours { file: "poll.lua" } }
objects { name: "native" type: "native" }
objects { name: "scripted" type: "scripted" }
)";

constexpr std::string_view kControls = R"(
controls {
  controls { name: "jump" pressed_event: "jumped" released_event: "landed" }
  controls { name: "lean" kind: KIND_AXIS }
  controls { name: "move" kind: KIND_STICK }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "south" } }
    bindings { name: "jump_too" control: "jump" button { action: "east" } }
    bindings { name: "lean" control: "lean" axis { action: "x" } }
    bindings { name: "move" control: "move" stick { action_x: "x" action_y: "y" } }
  }
}
)";

constexpr char kScript[] = R"(
return { update = function()
  own.set('poll.is_down', player.is_down(1, 'jump'))
  own.set('poll.went_down', player.went_down(1, 'jump'))
  own.set('poll.went_up', player.went_up(1, 'jump'))
  own.set('poll.steps', player.steps(1, 'jump'))
  own.set('poll.lean', player.value(1, 'lean').x)
  own.set('poll.move', player.value(1, 'move'))
  own.set('poll.other', player.is_down(0, 'jump') or player.went_down(0, 'jump')
    or player.went_up(0, 'jump') or player.steps(0, 'jump') ~= world.tick())
end }
)";

// A state as both sides say it: "down pressed 0".
std::string TextOf(bool is_down, bool is_pressed, bool is_released,
                   uint64_t steps) {
  return fmt::format("{}{}{} {}", is_down ? "down" : "up",
                     is_pressed ? " pressed" : "",
                     is_released ? " released" : "", steps);
}

class ControlPollingTest : public testing::Test {
 protected:
  void TearDown() override { TheActs() = {}; }

  void MakeWorld(std::string_view controls,
                 const std::string& script = kScript) {
    PackArchive pack = PackOf(Manifest({kPoll, controls}));
    ASSERT_TRUE(pack.Add("poll.lua", script).ok());
    auto world = CreateWorld(pack, 1);
    ASSERT_TRUE(world.ok()) << world.status();
    world_ = *std::move(world);
    TheActs().before_physics = [this](UpdateContext& context, uint32_t) {
      const WorldParts& parts = context.parts();
      jump_ = ControlOf(parts, 1, IdOf("jump"));
      lean_ = ControlOf(parts, 1, IdOf("lean"));
      move_ = ControlOf(parts, 1, IdOf("move"));
      other_ = ControlOf(parts, 0, IdOf("jump"));
      nobody_ = ControlOf(parts, 2, IdOf("jump"));
      nothing_ = ControlOf(parts, 1, IdOf("dance"));
    };
  }

  void Step(uint64_t buttons, int16_t x = 0, int16_t y = 0) {
    InputFrame frame{.player = 1};
    frame.device.buttons = buttons;
    frame.device.axes[0] = x;
    frame.device.axes[1] = y;
    const std::vector<InputFrame> frames = {frame};
    ASSERT_TRUE(world_->Validate(frames).ok());
    world_->Step(frames, nullptr);
    EXPECT_TRUE(EventsOf(*world_, "script_failed").empty());
  }

  FieldValue Poll(std::string_view property) {
    const auto value =
        ValueOf(*world_, "components", "poll", "scripted", property);
    EXPECT_TRUE(value.has_value()) << property;
    return value.value_or(FieldValue{});
  }

  std::string NativeText() const {
    return TextOf(jump_->is_down, jump_->is_pressed, jump_->is_released,
                  jump_->steps);
  }
  std::string ScriptText() {
    return TextOf(Poll("is_down").bits != 0, Poll("went_down").bits != 0,
                  Poll("went_up").bits != 0, Poll("steps").bits);
  }

  std::unique_ptr<Simulation> world_;
  std::optional<ControlState> jump_;
  std::optional<ControlState> lean_;
  std::optional<ControlState> move_;
  std::optional<ControlState> other_;
  std::optional<ControlState> nobody_;
  std::optional<ControlState> nothing_;
};

TEST_F(ControlPollingTest, ButtonHasFourStatesAndAnAge) {
  MakeWorld(kControls);
  struct Row {
    bool is_held;
    std::string_view expected;
  };
  uint64_t step = 0;
  for (const Row& row : std::vector<Row>{{false, "up 0"},
                                         {false, "up 1"},
                                         {true, "down pressed 0"},
                                         {true, "down 1"},
                                         {true, "down 2"},
                                         {false, "up released 0"},
                                         {false, "up 1"},
                                         {true, "down pressed 0"},
                                         {false, "up released 0"},
                                         {true, "down pressed 0"},
                                         {true, "down 1"}}) {
    Step(row.is_held ? 1 : 0);
    ASSERT_TRUE(jump_.has_value());
    EXPECT_EQ(NativeText(), row.expected) << step;
    EXPECT_EQ(ScriptText(), row.expected) << step;
    // Nobody presses the other player's.
    ASSERT_TRUE(other_.has_value());
    EXPECT_EQ(TextOf(other_->is_down, other_->is_pressed, other_->is_released,
                     other_->steps),
              fmt::format("up {}", step));
    EXPECT_EQ(Poll("other").bits, 0u) << step;
    ++step;
  }
}

// What is pressed twice at once is pressed, and let go of, once.
TEST_F(ControlPollingTest, TwoBindingsInOneTickAreOnePress) {
  MakeWorld(kControls);
  Step(0);
  constexpr uint64_t kBoth = 3;
  for (const auto& [buttons, jumped, landed] :
       {std::tuple(kBoth, 1u, 0u), std::tuple(uint64_t{2}, 0u, 0u),
        std::tuple(kBoth, 0u, 0u), std::tuple(uint64_t{0}, 0u, 1u)}) {
    world_->DrainEvents();
    InputFrame frame{.player = 1};
    frame.device.buttons = buttons;
    world_->Step(std::vector{frame}, nullptr);
    uint32_t jumps = 0;
    uint32_t landings = 0;
    for (const Event& event : world_->DrainEvents()) {
      if (event.type == IdOf("jumped")) ++jumps;
      if (event.type == IdOf("landed")) ++landings;
    }
    EXPECT_EQ(jumps, jumped) << buttons;
    EXPECT_EQ(landings, landed) << buttons;
  }
}

TEST_F(ControlPollingTest, AxesAndSticksHaveValues) {
  MakeWorld(kControls);
  Step(0, kAxisMax, 0);
  EXPECT_EQ(lean_->value, (Vector2{1.0, 0.0}));
  EXPECT_EQ(move_->value, (Vector2{1.0, 0.0}));
  EXPECT_EQ(Poll("lean").AsNumber(), 1.0);
  EXPECT_EQ(Poll("move.x").AsNumber(), 1.0);
  Step(0, -16384, 16384);
  // The part of an axis, and of a stick that is no farther out than 1.
  constexpr double kHalf = 16384.0 / 32767.0;
  EXPECT_DOUBLE_EQ(lean_->value.x, -kHalf);
  EXPECT_NEAR(move_->value.x, -kHalf, 1e-12);
  EXPECT_NEAR(move_->value.y, kHalf, 1e-12);
  EXPECT_EQ(Poll("lean").AsNumber(), lean_->value.x);
  EXPECT_EQ(Poll("move.x").AsNumber(), move_->value.x);
  EXPECT_EQ(Poll("move.y").AsNumber(), move_->value.y);
  EXPECT_EQ(Poll("move.z").AsNumber(), 0.0);
  EXPECT_FALSE(lean_->is_down);
  Step(0);
  EXPECT_EQ(move_->value, Vector2{});
}

TEST_F(ControlPollingTest, WhatThereIsNotIsNothing) {
  MakeWorld(kControls);
  Step(1);
  EXPECT_TRUE(jump_.has_value());
  EXPECT_FALSE(nobody_.has_value());
  EXPECT_FALSE(nothing_.has_value());
}

TEST_F(ControlPollingTest, PackWithoutControlsHasNone) {
  MakeWorld("",
            "return { update = function() local name = 'jump' player.steps(1, "
            "name) end }");
  const std::vector<InputFrame> frames = {{.player = 1}};
  world_->Step(frames, nullptr);
  EXPECT_FALSE(jump_.has_value());
  // The script asks for what isn't there.
  EXPECT_EQ(EventsOf(*world_, "script_failed").size(), 1u);
}

}  // namespace
}  // namespace reprise::sim
