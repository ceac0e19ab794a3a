// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves, on a world made from data, where inputs of each kind get to: what is
// held, and what is done at one tick, into rows that a behaviour reads; text
// and commands into events with arguments of every type. What a pack doesn't
// declare takes no table. At whatever rate the game goes, each press, finger,
// motion, text and command is found by one step.

#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/geometry/quaternion.h"
#include "sim/state/state.h"
#include "sim/world/definition/behaviour.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/updates/update_context.h"
#include "tests/world/testing_inputs.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kObjects = R"(
components { name: "felt"
  properties { name: "key" type: TYPE_BOOLEAN }
  properties { name: "moved" type: TYPE_INTEGER }
  properties { name: "touches" type: TYPE_INTEGER }
  properties { name: "upwards" type: TYPE_INTEGER }
  properties { name: "heard" type: TYPE_INTEGER }
}
types { name: "feeler" components { component: "felt" }
        behaviours { behaviour: "testing_feel" }
        interests { event: "chat" } }
components { name: "counted"
  properties { name: "steps" type: TYPE_INTEGER }
  properties { name: "presses" type: TYPE_INTEGER }
  properties { name: "down" type: TYPE_INTEGER }
  properties { name: "moved" type: TYPE_INTEGER }
  properties { name: "wheel" type: TYPE_INTEGER }
  properties { name: "began" type: TYPE_INTEGER }
  properties { name: "ended" type: TYPE_INTEGER }
  properties { name: "texts" type: TYPE_INTEGER }
  properties { name: "plans" type: TYPE_INTEGER }
}
types { name: "counter" components { component: "counted" }
        behaviours { behaviour: "testing_count" }
        interests { event: "chat" } interests { event: "plan" } }
objects { name: "counter" type: "counter" }
types { name: "ball" body { motion: MOTION_DYNAMIC mass_kg: 1 shapes { sphere { radius: 0.5 } } }
        roller { action_x: "push_x" action_z: "push_z" force_n: 9 action_jump: "pause" jump_impulse_ns: 2 } }
types { name: "floor" body { motion: MOTION_FIXED shapes { box { half_extents { x: 50 y: 1 z: 50 } } } } }
objects { name: "feeler" type: "feeler" }
objects { name: "ball" type: "ball" position { y: 0.5 } }
objects { name: "floor" type: "floor" position { y: -1 } }
)";

// Writes down what player 1 holds and does, and how long what it said is.
class Feel final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status =
        binder.Property("felt", "key", PropertyType::kBool, key_);
    for (const auto& [name, property] :
         {std::pair("moved", &moved_), std::pair("touches", &touches_),
          std::pair("upwards", &upwards_), std::pair("heard", &heard_)}) {
      if (status.ok()) {
        status = binder.Property("felt", name, PropertyType::kInt, *property);
      }
    }
    return status;
  }

  void UpdateBeforePhysics(UpdateContext& context) const override {
    constexpr uint32_t kEscape = 41;
    context.SetBool(0, key_, context.keyboard(1).keys.Has(kEscape));
    context.SetInt(0, moved_, context.mouse(1).moved_x);
    context.SetInt(0, touches_,
                   static_cast<int64_t>(context.Touches(1).size()));
    context.SetInt(0, upwards_, context.motion_sensor(1).acceleration[1]);
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    const std::string text =
        context.TextOf(*event.arguments.GetId(IdOf("text")));
    context.SetInt(0, heard_, static_cast<int64_t>(text.size()));
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true, .on_event = true};
  }

 private:
  PropertyRef key_;
  PropertyRef moved_;
  PropertyRef touches_;
  PropertyRef upwards_;
  PropertyRef heard_;
};
REPRISE_REGISTER_BEHAVIOUR(testing_feel, "testing_feel", Feel);

// Adds up what steps find of player 1: presses of `jump` (and in how many steps
// it is down), the mouse's motion, fingers, texts and commands.
class Count final : public Behaviour {
 public:
  absl::Status Bind(const BehaviourBinder& binder) override {
    absl::Status status;
    for (const auto& [name, property] :
         {std::pair("steps", &steps_), std::pair("presses", &presses_),
          std::pair("down", &down_), std::pair("moved", &moved_),
          std::pair("wheel", &wheel_), std::pair("began", &began_),
          std::pair("ended", &ended_), std::pair("texts", &texts_),
          std::pair("plans", &plans_)}) {
      if (!status.ok()) break;
      status = binder.Property("counted", name, PropertyType::kInt, *property);
    }
    return status;
  }

  void UpdateBeforePhysics(UpdateContext& context) const override {
    const auto add = [&](const PropertyRef& property, int64_t count) {
      context.SetInt(0, property, context.Int(0, property) + count);
    };
    constexpr uint64_t kJump = 1 << 3;
    const DeviceRow& device = context.device(1);
    add(steps_, 1);
    add(down_, (device.buttons & kJump) != 0 ? 1 : 0);
    add(presses_,
        (device.buttons & ~device.buttons_before & kJump) != 0 ? 1 : 0);
    add(moved_, context.mouse(1).moved_x);
    add(wheel_, context.mouse(1).wheel_y);
    for (const TouchRow& touch : context.Touches(1)) {
      add(began_, touch.phase == TouchPhase::kBegan ? 1 : 0);
      add(ended_, touch.phase == TouchPhase::kEnded ? 1 : 0);
    }
  }
  bool OnEvent(UpdateContext& context, const WorldEvent& event) const override {
    const PropertyRef& count = event.type == IdOf("chat") ? texts_ : plans_;
    context.SetInt(0, count, context.Int(0, count) + 1);
    return true;
  }
  Hooks hooks() const override {
    return {.before_physics = true, .on_event = true};
  }

 private:
  PropertyRef steps_;
  PropertyRef presses_;
  PropertyRef down_;
  PropertyRef moved_;
  PropertyRef wheel_;
  PropertyRef began_;
  PropertyRef ended_;
  PropertyRef texts_;
  PropertyRef plans_;
};
REPRISE_REGISTER_BEHAVIOUR(testing_count, "testing_count", Count);

class WorldInputsTest : public testing::Test {
 protected:
  // A tick in which player 1 gives `frame`, or nobody anything.
  void Give(InputFrame frame) {
    frame.player = 1;
    const absl::Status status = world_->Validate(std::span(&frame, 1));
    ASSERT_TRUE(status.ok()) << status;
    world_->Step(std::span(&frame, 1), nullptr);
  }
  void Wait() { world_->Step({}, nullptr); }

  const Table& Rows(std::string_view table) const {
    return world_->state().table(*world_->state().Find("input", table));
  }
  const MouseRow& Mouse() const { return Rows("mice").Get<MouseRow>(1); }

  int64_t Felt(std::string_view property) const {
    return static_cast<int64_t>(
        ValueOf(*world_, "components", "felt", "feeler", property)->bits);
  }
  int64_t Counted(std::string_view property) const {
    return static_cast<int64_t>(
        ValueOf(*world_, "components", "counted", "counter", property)->bits);
  }

  // Has the game go at another rate, from tick 0 on.
  void Begin(int numerator, int denominator) {
    std::string inputs(kEveryInput);
    const std::string clock = "clock {";
    inputs.insert(inputs.find(clock) + clock.size(),
                  fmt::format(" rate {{ numerator: {} denominator: {} }}",
                              numerator, denominator));
    world_ = WorldOf(Manifest({inputs, kObjects}));
  }

  // The arguments of the one event of a type, as a person reads them.
  std::map<std::string, std::string> ArgumentsOf(std::string_view type) {
    std::map<std::string, std::string> arguments;
    const std::vector<Event> events = EventsOf(*world_, type);
    EXPECT_EQ(events.size(), 1u);
    for (const Event& event : events) {
      for (const EventArgument& argument : event.arguments) {
        arguments[world_->IdName(argument.name)] =
            FormatFieldValue(argument.value, NamesOf(*world_));
      }
    }
    return arguments;
  }

  std::unique_ptr<Simulation> world_ =
      WorldOf(Manifest({kEveryInput, kObjects}));
};

using Arguments = std::map<std::string, std::string>;

TEST_F(WorldInputsTest, KeyIsAButtonLikeAnyOther) {
  InputFrame press;
  press.device.keys.Add(41);
  Give(press);
  EXPECT_EQ(Felt("key"), 0);  // its press pauses the game
  InputFrame step = press;
  step.device.mouse.buttons = 1 << 1;
  Give(step);  // and this button makes one step
  EXPECT_EQ(Felt("key"), 1);
  EXPECT_FALSE(Rows("keyboards").Get<KeyboardRow>(1).keys_before.Has(41))
      << "no step before has found the press";
  Give({});
  EXPECT_EQ(Felt("key"), 1);
  EXPECT_TRUE(Rows("keyboards").Get<KeyboardRow>(1).keys.Has(41))
      << "as the last step found it";
  EXPECT_FALSE(Rows("keyboards").Get<KeyboardRow>(2).keys.Has(41))
      << "what waits of player 1";
  Give(step);  // on again: by then it was let go and pressed
  EXPECT_FALSE(Rows("keyboards").Get<KeyboardRow>(1).keys.Has(41));
}

TEST_F(WorldInputsTest, KeyHasARollerJump) {
  for (int tick = 0; tick < 30; ++tick) Wait();  // it comes to lie
  InputFrame press{.player = 0};
  press.device.keys.Add(41);
  press.device.mouse.buttons = 1 << 1;  // the game steps, paused as it is
  world_->DrainEvents();
  world_->Step(std::span(&press, 1), nullptr);
  EXPECT_EQ(EventsOf(*world_, "jumped").size(), 1u);
}

TEST_F(WorldInputsTest, MouseHoldsItsPlaceAndMovesForOneTick) {
  InputFrame frame;
  frame.device.mouse = {.buttons = 1 << 1, .x = 65535, .y = 7};
  frame.activity = {.mouse_x = -3, .mouse_y = 4, .wheel_x = 5, .wheel_y = -120};
  Give(frame);
  EXPECT_EQ(Felt("moved"), -3);
  EXPECT_EQ(Mouse(), (MouseRow{.player = 1,
                               .buttons = 1 << 1,
                               .buttons_before = 0,
                               .x = 65535,
                               .y = 7,
                               .moved_x = -3,
                               .moved_y = 4,
                               .wheel_x = 5,
                               .wheel_y = -120}));
  Wait();
  EXPECT_EQ(Felt("moved"), 0);
  EXPECT_EQ(Mouse(), (MouseRow{.player = 1,
                               .buttons = 1 << 1,
                               .buttons_before = 1 << 1,
                               .x = 65535,
                               .y = 7}));
}

TEST_F(WorldInputsTest, TouchBeginsIsHeldAndEnds) {
  InputFrame two;
  two.device.touches = {{.id = 3, .x = 1, .y = 2, .pressure = 9}, {.id = 8}};
  InputFrame one;
  one.device.touches = {{.id = 3, .x = 5, .y = 6, .pressure = 7}};
  const auto touches = [this] {
    std::vector<std::pair<uint64_t, TouchPhase>> rows;
    for (uint32_t row = 0; row < Rows("touches").row_count(); ++row) {
      const auto& touch = Rows("touches").Get<TouchRow>(row);
      EXPECT_EQ(touch.player, 1u);
      rows.emplace_back(touch.touch, touch.phase);
    }
    return rows;
  };
  using Touches = std::vector<std::pair<uint64_t, TouchPhase>>;

  Give(two);
  EXPECT_EQ(touches(),
            (Touches{{3, TouchPhase::kBegan}, {8, TouchPhase::kBegan}}));
  EXPECT_EQ(Felt("touches"), 2);
  Wait();
  EXPECT_EQ(touches(),
            (Touches{{3, TouchPhase::kHeld}, {8, TouchPhase::kHeld}}));
  Give(one);
  EXPECT_EQ(touches(),
            (Touches{{3, TouchPhase::kHeld}, {8, TouchPhase::kEnded}}));
  EXPECT_EQ(Rows("touches").Get<TouchRow>(0).x, 5u);
  Give(two);
  EXPECT_EQ(touches(),
            (Touches{{3, TouchPhase::kHeld}, {8, TouchPhase::kBegan}}));
  Give({});
  EXPECT_EQ(touches(),
            (Touches{{3, TouchPhase::kEnded}, {8, TouchPhase::kEnded}}));
  Wait();
  EXPECT_EQ(touches(), Touches());
}

TEST_F(WorldInputsTest, MotionSensorIsHeld) {
  InputFrame frame;
  frame.device.motion_sensor = {.acceleration_mm_s2 = {1, 9807, -3},
                                .angular_velocity_mrad_s = {4, 5, -6}};
  Give(frame);
  Wait();
  EXPECT_EQ(Felt("upwards"), 9807);
  EXPECT_EQ(Rows("motion_sensors").Get<MotionSensorRow>(1),
            (MotionSensorRow{.player = 1,
                             .acceleration = {1, 9807, -3},
                             .angular_velocity = {4, 5, -6}}));
}

TEST_F(WorldInputsTest, TextIsAnEventOfItsTick) {
  InputFrame frame;
  frame.activity.text = "h\xC3\xA9llo";
  Give(frame);
  EXPECT_EQ(ArgumentsOf("chat"),
            (Arguments{{"player", "1"}, {"text", "h\xC3\xA9llo"}}));
  EXPECT_EQ(Felt("heard"), 6);
  Wait();
  EXPECT_TRUE(EventsOf(*world_, "chat").empty());
}

TEST_F(WorldInputsTest, CommandIsAnEventWithArgumentsOfEachType) {
  InputFrame frame;
  frame.commands = {
      {.name = IdOf("order"),
       .arguments = {true, -5, 0.25, "ball", "red", "mad", "go on"}}};
  Give(frame);
  EXPECT_EQ(ArgumentsOf("order"), (Arguments{{"player", "1"},
                                             {"loud", "true"},
                                             {"count", "-5"},
                                             {"share", "0.25"},
                                             {"who", "ball"},
                                             {"word", "red"},
                                             {"mood", "mad"},
                                             {"speech", "go on"}}));
}

TEST_F(WorldInputsTest, WhatIsMissingIsNoneAndAWholeNumberANumber) {
  InputFrame frame;
  frame.commands = {{.name = IdOf("order"),
                     .arguments = {false, 0, -1, "ghost", "", "calm", ""}}};
  Give(frame);
  const Arguments arguments = ArgumentsOf("order");
  EXPECT_EQ(arguments.at("share"), "-1");
  EXPECT_EQ(arguments.at("who"), "none");
  EXPECT_EQ(arguments.at("word"), "none");
  EXPECT_EQ(arguments.at("speech"), "none");
}

TEST_F(WorldInputsTest, VectorsAndRotationsAreNumbersByName) {
  InputFrame frame;
  frame.commands = {{.name = IdOf("place"),
                     .arguments = {Vector3{1.5, -0.0, 3}, Turns{{0, 90, 0}}}}};
  Give(frame);
  const Quaternion turn = FromTurns({0, 90, 0});
  EXPECT_EQ(ArgumentsOf("place"),
            (Arguments{{"player", "1"},
                       {"at_x", "1.5"},
                       {"at_y", "0"},
                       {"at_z", "3"},
                       {"turn_x", "0"},
                       {"turn_y", fmt::format("{}", turn.y)},
                       {"turn_z", "0"},
                       {"turn_w", fmt::format("{}", turn.w)}}));
}

TEST_F(WorldInputsTest, ListIsItsLengthAndTheValuesThatAreThere) {
  InputFrame frame;
  frame.commands = {
      {.name = IdOf("plan"),
       .arguments = {std::vector<SingleValue>{Vector2{1, 2}, Vector2{3, 4}}}}};
  Give(frame);
  EXPECT_EQ(ArgumentsOf("plan"), (Arguments{{"player", "1"},
                                            {"path_count", "2"},
                                            {"path_0_x", "1"},
                                            {"path_0_y", "2"},
                                            {"path_1_x", "3"},
                                            {"path_1_y", "4"}}));
}

TEST_F(WorldInputsTest, OrderOfFramesIsNothing) {
  const auto other = world_->Fork();
  std::vector<InputFrame> frames(2);
  frames[1].player = 1;
  frames[0].activity.text = "first";
  frames[1].activity.text = "second";
  world_->Step(frames, nullptr);
  std::swap(frames[0], frames[1]);
  other->Step(frames, nullptr);
  EXPECT_EQ(world_->state().ComputeRootDigest(),
            other->state().ComputeRootDigest());
}

// What a player does, a letter a tick: `d` and `u` hold the button or not, `t`
// and `l` a finger, `m` moves the mouse by 3 and its wheel by -2, `s` says
// something, `c` gives a command, `p` presses the button that pauses, and `.`
// is no frame. All but `.` let go of what they don't name.
class WorldRatesTest : public WorldInputsTest {
 protected:
  void Play(std::string_view story) {
    for (const char each : story) {
      InputFrame frame;
      frame.device.buttons = each == 'd' ? 1 << 3 : 0;
      if (each == 'p') frame.device.keys.Add(41);
      if (each == 't') frame.device.touches = {{.id = 2, .x = 9}};
      if (each == 'm') frame.activity = {.mouse_x = 3, .wheel_y = -2};
      if (each == 's') frame.activity.text = "hi";
      if (each == 'c') {
        frame.commands = {
            {.name = IdOf("plan"),
             .arguments = {std::vector<SingleValue>{Vector2{1, 2}}}}};
      }
      if (each == '.') {
        Wait();
      } else {
        Give(frame);
      }
    }
  }
};

struct Rate {
  int numerator;
  int denominator;
};
constexpr Rate kRates[] = {{1, 4}, {1, 3}, {1, 2}, {1, 1},
                           {3, 2}, {2, 1}, {3, 1}, {8, 1}};

TEST_F(WorldRatesTest, EachThingIsFoundOnce) {
  for (const Rate& rate : kRates) {
    SCOPED_TRACE(fmt::format("rate {}/{}", rate.numerator, rate.denominator));
    Begin(rate.numerator, rate.denominator);
    Play("du......mmm.....tl......sc......dddd........");
    EXPECT_EQ(Counted("steps"), 44 * rate.numerator / rate.denominator);
    EXPECT_EQ(Counted("presses"), 2);
    EXPECT_EQ(Counted("moved"), 9);
    EXPECT_EQ(Counted("wheel"), -6);
    EXPECT_EQ(Counted("began"), 1);
    EXPECT_EQ(Counted("ended"), 1);
    EXPECT_EQ(Counted("texts"), 1);
    EXPECT_EQ(Counted("plans"), 1);
  }
}

TEST_F(WorldRatesTest, TapBetweenStepsIsDownForOne) {
  for (const auto& [rate, story, down] :
       {std::tuple(Rate{1, 4}, "du..........", 1),
        std::tuple(Rate{1, 4}, "dddu........", 1),
        std::tuple(Rate{1, 4}, "dddddddu....", 1),
        std::tuple(Rate{1, 4}, "ddddddddu...", 2),
        std::tuple(Rate{1, 2}, "du..", 1), std::tuple(Rate{1, 1}, "du..", 1),
        std::tuple(Rate{2, 1}, "du..", 2), std::tuple(Rate{3, 1}, "du..", 3)}) {
    Begin(rate.numerator, rate.denominator);
    Play(story);
    EXPECT_EQ(Counted("presses"), 1) << story;
    EXPECT_EQ(Counted("down"), down) << story;
    EXPECT_EQ(Rows("devices").row_count(), 2u) << story << ": nothing waits";
  }
}

TEST_F(WorldRatesTest, TwoTapsBetweenStepsAreTwoPresses) {
  Begin(1, 4);
  Play("dud..............");
  EXPECT_EQ(Counted("presses"), 2);
  Begin(1, 4);
  Play("...d");  // the step finds it down
  Play("ud..........");
  EXPECT_EQ(Counted("presses"), 2) << "let go and pressed again";
}

TEST_F(WorldRatesTest, WhatIsDoneInAPauseIsFoundBehindIt) {
  for (const Rate& rate : {Rate{1, 2}, Rate{1, 1}, Rate{2, 1}, Rate{3, 1}}) {
    SCOPED_TRACE(fmt::format("rate {}/{}", rate.numerator, rate.denominator));
    Begin(rate.numerator, rate.denominator);
    Play("pdutlmmscmu.");
    EXPECT_EQ(Counted("steps"), 0);
    for (const char* const what :
         {"presses", "moved", "wheel", "began", "texts", "plans"}) {
      EXPECT_EQ(Counted(what), 0) << what;
    }
    Play("p............");
    EXPECT_EQ(Counted("presses"), 1);
    EXPECT_EQ(Counted("moved"), 9);
    EXPECT_EQ(Counted("wheel"), -6);
    EXPECT_EQ(Counted("began"), 1);
    EXPECT_EQ(Counted("ended"), 1);
    EXPECT_EQ(Counted("texts"), 1);
    EXPECT_EQ(Counted("plans"), 1);
  }
}

// The button that pauses goes by ticks: held, it is pressed once, whatever
// steps have found.
TEST_F(WorldRatesTest, PauseIsPressedOnceHoweverLongItIsHeld) {
  Play("....pppp");
  EXPECT_EQ(Counted("steps"), 4);
  Play("uuuup...");
  EXPECT_EQ(Counted("steps"), 8);
}

TEST_F(WorldRatesTest, StepsFindAsMuchAsIsGivenAtRandomRates) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::minstd_rand random(seed);
    const int numerator = static_cast<int>(random() % 12) + 1;
    SCOPED_TRACE(fmt::format("rate {}/4, seed {}", numerator, seed));
    Begin(numerator, 4);
    int64_t presses = 0;
    int64_t moved = 0;
    int64_t fingers = 0;
    // Ten ticks make two steps at least, which find both changes.
    for (int i = 0; i < 60; ++i) {
      InputFrame frame;
      frame.device.buttons = random() % 2 == 0 ? 1 << 3 : 0;
      if (random() % 2 == 0) frame.device.touches = {{.id = 4}};
      presses += frame.device.buttons != 0 ? 1 : 0;
      fingers += static_cast<int64_t>(frame.device.touches.size());
      for (uint32_t tick = random() % 3 + 1; tick > 0; --tick) {
        frame.activity.mouse_x = static_cast<int16_t>(random() % 99 - 49);
        moved += frame.activity.mouse_x;
        Give(frame);
      }
      Give({});
      for (int tick = 0; tick < 8; ++tick) Wait();
    }
    for (int tick = 0; tick < 12; ++tick) Wait();
    EXPECT_EQ(Counted("presses"), presses);
    EXPECT_EQ(Counted("moved"), moved);
    EXPECT_EQ(Counted("began"), fingers);
    EXPECT_EQ(Counted("ended"), fingers);
  }
}

TEST_F(WorldRatesTest, WhatWaitsIsInSnapshots) {
  constexpr std::string_view kStory = "dumtlsc.d.u.mm..........";
  for (size_t tick = 0; tick <= kStory.size(); ++tick) {
    Begin(1, 4);
    Play(kStory.substr(0, tick));
    // A world that has played something else.
    const State snapshot = world_->state();
    Begin(1, 4);
    Play("mmdddt");
    const absl::Status status = world_->Restore(snapshot);
    ASSERT_TRUE(status.ok()) << status;
    Play(kStory.substr(tick));
    EXPECT_EQ(Counted("presses"), 2) << tick;
    EXPECT_EQ(Counted("moved"), 9) << tick;
    EXPECT_EQ(Counted("began"), 1) << tick;
    EXPECT_EQ(Counted("ended"), 1) << tick;
    EXPECT_EQ(Counted("texts"), 1) << tick;
  }
}

TEST(WorldInputTablesTest, WhatIsNotDeclaredTakesNoTable) {
  const auto plain = WorldOf(Manifest(
      {"players { actions { name: \"jump\" button: 0 } actions { name: \"hit\" "
       "command { arguments { name: \"who\" type: TYPE_REFERENCE } } } }\n"}));
  for (const char* const table :
       {"keyboards", "mice", "touches", "motion_sensors", "input_texts"}) {
    EXPECT_FALSE(plain->state().Find("input", table).has_value()) << table;
  }
  EXPECT_TRUE(plain->state().Find("input", "devices").has_value());
}

}  // namespace
}  // namespace reprise::sim
