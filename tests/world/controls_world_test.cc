// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves on worlds made from data what controls are made of devices: the four
// states of a button, contexts that capture, what players bind anew, that the
// order in which players' frames arrive is nothing, what becomes of taps,
// motion and fingers when the game goes slower or faster than its ticks, and
// which rows no snapshot can have.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/input/input_frame.h"
#include "sim/state/table.h"
#include "sim/systems/controls/control_rows.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kArcade = R"(
events { name: "charged" }
events { name: "confirmed" }
events { name: "dashed" }
events { name: "fireball" }
events { name: "jumped" }
events { name: "landed" }
events { name: "punched" }
players {
  count: 3 commands_per_tick_max: 2
  actions { name: "button_a" button: 0 }
  actions { name: "button_b" button: 1 }
  actions { name: "space" key: KEY_SPACE }
  actions { name: "stick_x" axis: 0 }
  actions { name: "stick_y" axis: 1 }
  actions { name: "finger" touch {} }
  actions { name: "rebind" command {
    arguments { name: "binding" type: TYPE_NAME }
    arguments { name: "action" type: TYPE_NAME }
    arguments { name: "slot" minimum: -1 maximum: 9 } } }
  actions { name: "menu" command {} }
  actions { name: "resume" command {} }
}
controls {
  controls { name: "jump" pressed_event: "jumped" released_event: "landed" }
  controls { name: "punch" pressed_event: "punched" }
  controls { name: "move" kind: KIND_STICK }
  controls { name: "confirm" pressed_event: "confirmed" }
  controls { name: "charge" pressed_event: "charged" hold { control: "punch" for_s: 0.5 } }
  controls { name: "dash" pressed_event: "dashed" double_tap { control: "jump" within_s: 0.2 } }
  controls { name: "fireball" pressed_event: "fireball" sequence { stick: "move"
    steps { direction: DIRECTION_DOWN } steps { direction: DIRECTION_DOWN_RIGHT }
    steps { direction: DIRECTION_RIGHT press: "punch" } } }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "button_a" } }
    bindings { name: "jump_key" control: "jump" button { action: "space" } }
    bindings { name: "punch" control: "punch" button { action: "button_b" } }
    bindings { name: "move" control: "move" stick { action_x: "stick_x" action_y: "stick_y" dead_zone: 0.2 } }
    bindings { name: "move_finger" control: "move" touch_stick { } }
  }
  contexts { name: "menu" priority: 5 disabled: true captures: true
    enabled_by: "menu" disabled_by: "resume"
    bindings { name: "confirm" control: "confirm" button { action: "button_a" } }
  }
  rebind: "rebind"
}
)";

InputFrame Holding(uint32_t player, uint64_t buttons) {
  InputFrame frame = {.player = player};
  frame.device.buttons = buttons;
  return frame;
}

ControlRow RowOf(const Simulation& world, uint64_t player,
                 std::string_view control) {
  const Table& table =
      world.state().table(*world.state().Find("controls", "controls"));
  for (uint32_t row = 0; row < table.row_count(); ++row) {
    const auto& each = table.Get<ControlRow>(row);
    if (each.player == player && each.control == IdOf(control)) return each;
  }
  ADD_FAILURE() << control;
  return {};
}

// The types of events of a step that players cause, one after the other.
std::string StoryOf(Simulation& world) {
  std::string story;
  for (const Event& event : world.DrainEvents()) {
    EXPECT_TRUE(IsDeclared(world.description(), event))
        << world.IdName(event.type);
    if (!story.empty()) story += " ";
    story += world.IdName(event.type);
  }
  return story;
}

void Step(Simulation& world, const std::vector<InputFrame>& frames) {
  ASSERT_TRUE(world.Validate(frames).ok());
  world.Step(frames, nullptr);
}

std::string StepWith(Simulation& world, const std::vector<InputFrame>& frames) {
  Step(world, frames);
  return StoryOf(world);
}

TEST(WorldControlsTest, ButtonHasFourStates) {
  const auto world = WorldOf(Manifest({kArcade}));
  EXPECT_EQ(StepWith(*world, {}), "");
  EXPECT_EQ(RowOf(*world, 1, "jump").is_down, 0u);
  EXPECT_EQ(StepWith(*world, {Holding(1, 1)}), "jumped");
  EXPECT_EQ(RowOf(*world, 1, "jump").is_down, 1u);
  EXPECT_EQ(RowOf(*world, 1, "jump").was_down, 0u);
  EXPECT_EQ(StepWith(*world, {}), "");
  EXPECT_EQ(RowOf(*world, 1, "jump").was_down, 1u);
  EXPECT_EQ(StepWith(*world, {Holding(1, 0)}), "landed");
  EXPECT_EQ(RowOf(*world, 1, "jump").is_down, 0u);
  EXPECT_EQ(RowOf(*world, 1, "jump").was_down, 1u);
  EXPECT_EQ(RowOf(*world, 1, "jump").changed_at, 3u);
  EXPECT_EQ(StepWith(*world, {}), "");
  EXPECT_EQ(RowOf(*world, 1, "jump").was_down, 0u);
  EXPECT_EQ(RowOf(*world, 0, "jump").changed_at, 0u) << "another player";
}

TEST(WorldControlsTest, EitherBindingPressesAndTheLastOneReleases) {
  const auto world = WorldOf(Manifest({kArcade}));
  InputFrame both = Holding(0, 1);
  both.device.keys.Add(44);  // the space bar
  InputFrame key = Holding(0, 0);
  key.device.keys.Add(44);
  EXPECT_EQ(StepWith(*world, {key}), "jumped");
  EXPECT_EQ(StepWith(*world, {both}), "");
  EXPECT_EQ(StepWith(*world, {Holding(0, 1)}), "");
  EXPECT_EQ(StepWith(*world, {Holding(0, 0)}), "landed");
}

TEST(WorldControlsTest, PatternsAreInTicksOfThePacksRate) {
  for (const int rate : {30, 60, 120}) {
    const auto world =
        WorldOf(Manifest({fmt::format("tick_rate: {}\n", rate), kArcade}));
    EXPECT_EQ(StepWith(*world, {Holding(0, 2)}), "punched");
    for (int tick = 1; tick < rate / 2; ++tick) {
      EXPECT_EQ(StepWith(*world, {}), "") << rate << " " << tick;
    }
    EXPECT_EQ(StepWith(*world, {}), "charged") << rate;
    EXPECT_EQ(StepWith(*world, {Holding(0, 0)}), "");
    EXPECT_EQ(RowOf(*world, 0, "charge").is_down, 0u);
  }
}

TEST(WorldControlsTest, DoubleTapAndSequenceAreTold) {
  const auto world = WorldOf(Manifest({kArcade}));
  EXPECT_EQ(StepWith(*world, {Holding(2, 1)}), "jumped");
  EXPECT_EQ(StepWith(*world, {Holding(2, 0)}), "landed");
  const std::string second = StepWith(*world, {Holding(2, 1)});
  EXPECT_EQ(second, "dashed jumped");
  const auto stick = [](int16_t x, int16_t y, uint64_t buttons) {
    InputFrame frame = Holding(2, buttons);
    frame.device.axes = {x, y};
    return frame;
  };
  EXPECT_EQ(StepWith(*world, {stick(0, -kAxisMax, 0)}), "landed");
  EXPECT_EQ(StepWith(*world, {stick(kAxisMax, -kAxisMax, 0)}), "");
  EXPECT_EQ(StepWith(*world, {stick(kAxisMax, 0, 2)}), "fireball punched");
}

TEST(WorldControlsTest, StickIsConditionedAndTheFarthestOneCounts) {
  const auto world = WorldOf(Manifest({kArcade}));
  InputFrame frame = {.player = 0};
  frame.device.axes = {12611, 12611};
  Step(*world, {frame});
  // The radial dead zone of 0.2, as in conditioning_test.
  const double length = Sqrt(2.0) * 12611 / kAxisMax;
  const double wanted = (length - 0.2) / 0.8 / Sqrt(2.0);
  EXPECT_NEAR(RowOf(*world, 0, "move").x, wanted, 1e-12);
  EXPECT_NEAR(RowOf(*world, 0, "move").y, wanted, 1e-12);
  frame.device.touches = {{.id = 1, .x = 30000, .y = 30000}};
  Step(*world, {frame});
  frame.device.touches = {{.id = 1, .x = 60000, .y = 30000}};
  Step(*world, {frame});
  EXPECT_NEAR(RowOf(*world, 0, "move").x, 1.0, 1e-12);
  EXPECT_EQ(RowOf(*world, 0, "move").y, 0.0);
}

Command Named(std::string_view name) { return {.name = IdOf(name)}; }

TEST(WorldControlsTest, ContextTakesWhatItsBindingsUse) {
  const auto world = WorldOf(Manifest({kArcade}));
  InputFrame menu = {.player = 0};
  menu.commands = {Named("menu")};
  EXPECT_EQ(StepWith(*world, {menu}), "menu");
  // For the player who opened it, and the button that it uses, alone.
  EXPECT_EQ(StepWith(*world, {Holding(0, 3)}), "confirmed punched");
  EXPECT_EQ(StepWith(*world, {Holding(1, 1)}), "jumped");
  InputFrame resume = Holding(0, 1);
  resume.commands = {Named("resume")};
  EXPECT_EQ(StepWith(*world, {resume}), "resume");
  EXPECT_EQ(StepWith(*world, {}), "jumped") << "the button is still held";
}

// A game below a map below a dialogue, as their priorities say and not their
// names; a hint between them takes nothing.
constexpr std::string_view kStack = R"(
events { name: "a_game" } events { name: "b_game" }
events { name: "a_map" } events { name: "a_hint" }
events { name: "a_talk" } events { name: "b_talk" }
players {
  commands_per_tick_max: 4
  actions { name: "button_a" button: 0 }
  actions { name: "button_b" button: 1 }
  actions { name: "open_map" command {} } actions { name: "close_map" command {} }
  actions { name: "open_talk" command {} } actions { name: "close_talk" command {} }
  actions { name: "open_hint" command {} }
}
controls {
  controls { name: "game_a" pressed_event: "a_game" }
  controls { name: "game_b" pressed_event: "b_game" }
  controls { name: "map_a" pressed_event: "a_map" }
  controls { name: "hint_a" pressed_event: "a_hint" }
  controls { name: "talk_a" pressed_event: "a_talk" }
  controls { name: "talk_b" pressed_event: "b_talk" }
  contexts { name: "a" priority: -2
    bindings { name: "ga" control: "game_a" button { action: "button_a" } }
    bindings { name: "gb" control: "game_b" button { action: "button_b" } } }
  contexts { name: "b" priority: 7 captures: true disabled: true enabled_by: "open_talk" disabled_by: "close_talk"
    bindings { name: "ta" control: "talk_a" button { action: "button_a" } }
    bindings { name: "tb" control: "talk_b" button { action: "button_b" } } }
  contexts { name: "c" priority: 3 captures: true disabled: true enabled_by: "open_map" disabled_by: "close_map"
    bindings { name: "ma" control: "map_a" button { action: "button_a" } } }
  contexts { name: "d" priority: 5 disabled: true enabled_by: "open_hint"
    bindings { name: "ha" control: "hint_a" button { action: "button_a" } } }
}
)";

TEST(WorldControlsTest, ContextsTakeByTheirPriorities) {
  const auto world = WorldOf(Manifest({kStack}));
  // What is pressed says after the commands, which count from the next step on.
  const auto press_after = [&](const std::vector<std::string_view>& commands) {
    InputFrame frame = Holding(0, 0);
    for (const std::string_view each : commands) {
      frame.commands.push_back(Named(each));
    }
    StepWith(*world, {frame});
    return StepWith(*world, {Holding(0, 3)});
  };
  EXPECT_EQ(press_after({}), "a_game b_game");
  EXPECT_EQ(press_after({"open_map"}), "b_game a_map");
  EXPECT_EQ(press_after({"open_hint"}), "b_game a_hint a_map");
  EXPECT_EQ(press_after({"open_talk"}), "a_talk b_talk");
  EXPECT_EQ(press_after({"close_map"}), "a_talk b_talk");
  EXPECT_EQ(press_after({"close_talk"}), "a_game b_game a_hint");
  EXPECT_EQ(press_after({"open_map", "open_talk", "close_talk"}),
            "b_game a_hint a_map");
}

// A button that is held is whoever has it, from the step after the change on.
TEST(WorldControlsTest, AHeldButtonIsThatOfWhoeverHasIt) {
  const auto world = WorldOf(Manifest({kStack}));
  InputFrame open = Holding(0, 1);
  open.commands = {Named("open_map")};
  EXPECT_EQ(StepWith(*world, {open}), "open_map a_game");
  EXPECT_EQ(StepWith(*world, {}), "a_map");
  InputFrame close = Holding(0, 1);
  close.commands = {Named("close_map")};
  EXPECT_EQ(StepWith(*world, {close}), "close_map");
  EXPECT_EQ(StepWith(*world, {}), "a_game");
}

Command Rebind(const std::string& binding, const std::string& action,
               int64_t slot) {
  return {
      .name = IdOf("rebind"),
      .arguments = {InputValue(binding), InputValue(action), InputValue(slot)}};
}

TEST(WorldControlsTest, PlayersBindOtherActionsOfTheKind) {
  const auto world = WorldOf(Manifest({kArcade}));
  InputFrame frame = {.player = 1};
  frame.commands = {Rebind("jump", "button_b", 0),
                    Rebind("move", "stick_x", 1)};
  EXPECT_EQ(StepWith(*world, {frame}), "rebind rebind");
  // Bound from the next step on, in which it is heard of.
  EXPECT_EQ(StepWith(*world, {Holding(1, 2)}),
            "rebound rebound punched jumped");
  EXPECT_EQ(StepWith(*world, {Holding(0, 2)}), "punched") << "another player";
  for (const Command& refused :
       {Rebind("jump", "stick_x", 0), Rebind("move", "button_a", 0),
        Rebind("jump", "button_c", 0), Rebind("leap", "button_a", 0),
        Rebind("jump", "button_a", 1), Rebind("jump", "button_a", -1),
        Rebind("move_finger", "finger", 0)}) {
    InputFrame again = Holding(1, 2);
    again.commands = {refused};
    EXPECT_EQ(StepWith(*world, {again}), "rebind");
    EXPECT_EQ(StepWith(*world, {}), "rebind_refused");
  }
}

std::string ClockAt(int numerator, int denominator) {
  return fmt::format("clock {{ rate {{ numerator: {} denominator: {} }} }}\n",
                     numerator, denominator);
}

// What happens when `jump` is held at the ticks of `story` that say `d` and not
// held at the others.
std::string StoryAtRate(std::string_view pack, int numerator, int denominator,
                        std::string_view story) {
  const auto world = WorldOf(Manifest({ClockAt(numerator, denominator), pack}));
  std::string told;
  for (const char each : story) {
    const std::string now = StepWith(*world, {Holding(0, each == 'd' ? 1 : 0)});
    if (!told.empty() && !now.empty()) told += " ";
    told += now;
  }
  return told;
}

TEST(ControlRatesTest, TapIsOnePressAtAnyRate) {
  for (const auto& [numerator, denominator] :
       {std::pair(1, 4), std::pair(1, 2), std::pair(1, 1), std::pair(3, 2),
        std::pair(2, 1), std::pair(3, 1)}) {
    EXPECT_EQ(StoryAtRate(kArcade, numerator, denominator, "d..........."),
              "jumped landed")
        << numerator << "/" << denominator;
  }
}

// Windows are steps of the game: 12 of them in the pack's 0.2 s.
TEST(ControlRatesTest, DoubleTapsAreWithinStepsOfTheGame) {
  for (const auto& [numerator, denominator, story] :
       {std::tuple(1, 4, "jumped landed dashed jumped landed"),
        std::tuple(1, 2, "jumped landed dashed jumped landed"),
        std::tuple(1, 1, "jumped landed dashed jumped landed"),
        std::tuple(2, 1, "jumped landed jumped landed"),
        std::tuple(3, 1, "jumped landed jumped landed")}) {
    EXPECT_EQ(
        StoryAtRate(kArcade, numerator, denominator, "d.......d.........."),
        story)
        << numerator << "/" << denominator;
  }
  // Both pressed between two steps.
  EXPECT_EQ(StoryAtRate(kArcade, 1, 4, "d.dd................"),
            "jumped landed dashed jumped landed");
}

constexpr std::string_view kHands = R"(
events { name: "both" }
players {
  actions { name: "left" button: 0 }
  actions { name: "right" button: 1 }
  actions { name: "look" mouse_motion {} }
  actions { name: "finger" touch {} }
}
controls {
  controls { name: "left" } controls { name: "right" }
  controls { name: "both" pressed_event: "both" chord { controls: "left" controls: "right" within_s: 0.05 } }
  controls { name: "view" kind: KIND_STICK }
  controls { name: "move" kind: KIND_STICK }
  contexts { name: "play"
    bindings { name: "left" control: "left" button { action: "left" } }
    bindings { name: "right" control: "right" button { action: "right" } }
    bindings { name: "view" control: "view" mouse { counts: 30000 } }
    bindings { name: "move" control: "move" touch_stick { } } }
}
)";

// Three steps are the window.
TEST(ControlRatesTest, ChordsAreWithinStepsOfTheGame) {
  for (const auto& [numerator, denominator, apart, is_chord] :
       {std::tuple(1, 4, 3, true), std::tuple(1, 2, 4, true),
        std::tuple(1, 2, 8, false), std::tuple(1, 1, 3, true),
        std::tuple(1, 1, 4, false), std::tuple(2, 1, 1, true),
        std::tuple(2, 1, 2, false)}) {
    const auto world =
        WorldOf(Manifest({ClockAt(numerator, denominator), kHands}));
    std::string story;
    for (int tick = 0; tick < apart + 8; ++tick) {
      story += StepWith(*world, {Holding(0, tick < apart ? 1 : 3)});
    }
    EXPECT_EQ(story, is_chord ? "both" : "")
        << numerator << "/" << denominator << ", " << apart << " ticks apart";
  }
}

// In each step a control has what was moved since the step before: in ticks
// that make several steps the first one has it all.
TEST(ControlRatesTest, MotionIsThatSinceTheStepBefore) {
  const auto moved = [](int numerator, int denominator, int ticks) {
    const auto world =
        WorldOf(Manifest({ClockAt(numerator, denominator), kHands}));
    std::vector<int> values;
    InputFrame frame = {.player = 0};
    frame.activity.mouse_x = 300;
    for (int tick = 0; tick < ticks; ++tick) {
      StepWith(*world, {frame});
      const double x = RowOf(*world, 0, "view").x;
      values.push_back(static_cast<int>(x * 30000.0 + 0.5));
    }
    return values;
  };
  EXPECT_EQ(moved(1, 1, 3), (std::vector<int>{300, 300, 300}));
  EXPECT_EQ(moved(1, 3, 6), (std::vector<int>{0, 0, 900, 900, 900, 900}));
  EXPECT_EQ(moved(2, 1, 3), (std::vector<int>{0, 0, 0}));
  // One step, then two.
  EXPECT_EQ(moved(3, 2, 4), (std::vector<int>{300, 0, 300, 0}));
}

TEST(ControlRatesTest, FingerThatCameBetweenStepsMovesTheStick) {
  for (const auto& [numerator, denominator] :
       {std::pair(1, 4), std::pair(1, 2), std::pair(1, 1), std::pair(2, 1)}) {
    const auto world =
        WorldOf(Manifest({ClockAt(numerator, denominator), kHands}));
    InputFrame frame = {.player = 0};
    frame.device.touches = {{.id = 1, .x = 30000, .y = 30000}};
    for (int tick = 0; tick < 4; ++tick) StepWith(*world, {frame});
    frame.device.touches = {{.id = 1, .x = 60000, .y = 30000}};
    for (int tick = 0; tick < 4; ++tick) StepWith(*world, {frame});
    EXPECT_NEAR(RowOf(*world, 0, "move").x, 1.0, 1e-12)
        << numerator << "/" << denominator;
  }
}

// No control hears of anything in a pause; what was pressed in it is pressed
// behind it.
TEST(ControlRatesTest, ControlsStandStillInAPause) {
  const auto world = WorldOf(Manifest(
      {kArcade, "clock { action_pause: \"button_b\" paused: true }\n"}));
  EXPECT_EQ(StepWith(*world, {Holding(0, 1)}), "");
  EXPECT_EQ(StepWith(*world, {Holding(0, 0)}), "");
  InputFrame menu = {.player = 0};
  menu.commands = {Named("menu")};
  EXPECT_EQ(StepWith(*world, {menu}), "");
  EXPECT_EQ(RowOf(*world, 0, "jump").is_down, 0u);
  EXPECT_EQ(StepWith(*world, {Holding(0, 2)}), "menu punched jumped");
  EXPECT_EQ(StepWith(*world, {}), "landed");
}

// Frames of random devices, three players a tick.
std::vector<InputFrame> RandomFrames(std::minstd_rand& random) {
  std::vector<InputFrame> frames;
  for (uint32_t player = 0; player < 3; ++player) {
    if (random() % 3 == 0) continue;
    InputFrame frame = Holding(player, random() % 4);
    frame.device.axes = {static_cast<int16_t>(random() % 65535 - 32767),
                         static_cast<int16_t>(random() % 65535 - 32767)};
    if (random() % 2 == 0) {
      frame.device.touches = {{.id = static_cast<uint16_t>(random() % 2),
                               .x = static_cast<uint16_t>(random() % 65536),
                               .y = static_cast<uint16_t>(random() % 65536)}};
    }
    if (random() % 8 == 0) {
      frame.commands = {Named(random() % 2 == 0 ? "menu" : "resume")};
    } else if (random() % 8 == 0) {
      frame.commands = {
          Rebind("jump", random() % 2 == 0 ? "button_b" : "space", 0)};
    }
    frames.push_back(frame);
  }
  return frames;
}

TEST(WorldControlsTest, OrderOfArrivalIsNothing) {
  const auto one = WorldOf(Manifest({kArcade}));
  const auto other = WorldOf(Manifest({kArcade}));
  std::minstd_rand random(3);
  for (int tick = 0; tick < 500; ++tick) {
    std::vector<InputFrame> frames = RandomFrames(random);
    Step(*one, frames);
    std::ranges::shuffle(frames, random);
    Step(*other, frames);
    ASSERT_EQ(one->state().ComputeRootDigest(),
              other->state().ComputeRootDigest())
        << tick;
  }
}

TEST(WorldControlsTest, SnapshotsAtEveryTickGoOnAlike) {
  const auto run = WorldOf(Manifest({kArcade}));
  std::minstd_rand random(4);
  for (int tick = 0; tick < 300; ++tick) {
    const auto restored = WorldOf(Manifest({kArcade}));
    ASSERT_TRUE(restored->Restore(run->state()).ok());
    const std::vector<InputFrame> frames = RandomFrames(random);
    Step(*run, frames);
    Step(*restored, frames);
    ASSERT_EQ(run->state().ComputeRootDigest(),
              restored->state().ComputeRootDigest())
        << tick;
  }
}

}  // namespace
}  // namespace reprise::sim
