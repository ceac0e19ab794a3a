// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what each source gives for what a device reports: tables of vectors,
// worked out by hand from the rules in docs/controls.md, dead zone and reach of
// axes and sticks, and the accelerometer of a device that lies and leans (x to
// the right of its face, y up along it, z out of it: upright at rest gravity is
// on y, on its side on x).

#include "sim/systems/controls/device_bindings.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/geometry/vector2.h"
#include "sim/input/input_frame.h"
#include "sim/input/input_grammar.h"
#include "sim/state/state.h"
#include "sim/systems/controls/control_definition.h"
#include "sim/systems/controls/device_values.h"
#include "sim/world/inputs/input_rows.h"
#include "sim/world/inputs/input_tables.h"

namespace reprise::sim {
namespace {

constexpr double kNear = 1e-4;  // an axis has 32767 steps
constexpr int32_t kGravityMmS2 = 9807;

Action ActionOf(std::string_view name, Action::Kind kind, uint32_t index = 0) {
  return {.name = std::string(name),
          .id = IdOf(name),
          .kind = kind,
          .device_index = index};
}

InputGrammar Grammar() {
  InputGrammar grammar;
  grammar.player_count = 2;
  grammar.actions = {ActionOf("a", Action::Kind::kButton, 0),
                     ActionOf("b", Action::Kind::kButton, 63),
                     ActionOf("key", Action::Kind::kKey, 44),
                     ActionOf("click", Action::Kind::kMouseButton, 2),
                     ActionOf("x", Action::Kind::kAxis, 0),
                     ActionOf("y", Action::Kind::kAxis, 7),
                     ActionOf("look", Action::Kind::kMouseMotion),
                     ActionOf("lean", Action::Kind::kMotionSensor)};
  return grammar;
}

std::array<Id, kBindingSlots> Slots(
    const std::vector<std::string_view>& names) {
  std::array<Id, kBindingSlots> slots = {};
  for (size_t i = 0; i < names.size(); ++i) slots[i] = IdOf(names[i]);
  return slots;
}

int16_t OnAxis(double value) {
  return static_cast<int16_t>(ToInt64(Floor(value * kAxisMax + 0.5)).value());
}

// What player 1's devices report; those of player 0 rest.
class DeviceBindingsTest : public ::testing::Test {
 protected:
  DeviceBindingsTest() { InitializeInputs(grammar_, tables_, state_); }

  DeviceRow& device() {
    return state_.mutable_table(tables_.devices).Mutable<DeviceRow>(1);
  }
  KeyboardRow& keyboard() {
    return state_.mutable_table(*tables_.keyboards).Mutable<KeyboardRow>(1);
  }
  MouseRow& mouse() {
    return state_.mutable_table(*tables_.mice).Mutable<MouseRow>(1);
  }
  MotionSensorRow& sensor() {
    return state_.mutable_table(*tables_.motion_sensors)
        .Mutable<MotionSensorRow>(1);
  }
  void Push(double x, double y) {
    device().axes[0] = OnAxis(x);
    device().axes[7] = OnAxis(y);
  }

  Vector2 Read(const BindingSource& source,
               const std::vector<std::string_view>& names,
               const std::vector<std::string_view>& captured = {}) {
    DeviceValues devices(grammar_, tables_, state_);
    devices.Begin(1);
    for (const std::string_view each : captured) devices.Capture(IdOf(each));
    const Vector2 value = ReadDevices(source, Slots(names), devices);
    // Nobody else's device is read.
    DeviceValues others(grammar_, tables_, state_);
    others.Begin(0);
    EXPECT_EQ(ReadDevices(source, Slots(names), others), (Vector2{}));
    return value;
  }

  InputGrammar grammar_ = Grammar();
  State state_;
  InputTables tables_ = AddInputTables(grammar_, false, state_);
};

TEST_F(DeviceBindingsTest, AButtonIsDownWhereverItIs) {
  for (const std::string_view name : {"a", "b", "key", "click"}) {
    EXPECT_EQ(Read(ButtonSource{}, {name}), (Vector2{0, 0})) << name;
  }
  device().buttons = 1 | uint64_t{1} << 63;
  keyboard().keys.Add(44);
  mouse().buttons = 1 << 2;
  for (const std::string_view name : {"a", "b", "key", "click"}) {
    EXPECT_EQ(Read(ButtonSource{}, {name}), (Vector2{1, 0})) << name;
    EXPECT_EQ(Read(ButtonSource{}, {name}, {name}), (Vector2{0, 0})) << name;
  }
}

TEST_F(DeviceBindingsTest, AnAxisIsDeadUpToItsZoneAndWholeFromItsReach) {
  struct Vector {
    double pushed;
    double value;
  };
  const AxisSource source{.range = {.dead = 0.25, .reach = 0.75}};
  for (const Vector& each : std::vector<Vector>{{0.0, 0.0},
                                                {0.25, 0.0},
                                                {-0.24, 0.0},
                                                {0.5, 0.5},
                                                {-0.5, -0.5},
                                                {0.625, 0.75},
                                                {0.75, 1.0},
                                                {1.0, 1.0},
                                                {-1.0, -1.0}}) {
    Push(each.pushed, 0);
    EXPECT_NEAR(Read(source, {"x"}).x, each.value, kNear) << each.pushed;
    AxisSource inverted = source;
    inverted.is_inverted = true;
    EXPECT_NEAR(Read(inverted, {"x"}).x, -each.value, kNear) << each.pushed;
    EXPECT_EQ(Read(source, {"x"}, {"x"}), (Vector2{0, 0}));
  }
}

TEST_F(DeviceBindingsTest, APairOfButtonsIsAnAxis) {
  for (const auto& [buttons, value] :
       {std::pair(uint64_t{0}, 0.0), std::pair(uint64_t{1}, -1.0),
        std::pair(uint64_t{1} << 63, 1.0),
        std::pair(uint64_t{1} | uint64_t{1} << 63, 0.0)}) {
    device().buttons = buttons;
    EXPECT_EQ(Read(ButtonPairSource{}, {"a", "b"}), (Vector2{value, 0}));
  }
}

TEST_F(DeviceBindingsTest, ASticksDeadZoneIsRound) {
  struct Vector {
    Vector2 pushed;
    Vector2 value;
  };
  // By its length: (0.3, 0.4) is 0.5 long, half of the way from 0.25 to 0.75;
  // (0.2, 0.2) is 0.28 long, (0.24, 0) dead though its fellow isn't at rest.
  const StickSource source{.range = {.dead = 0.25, .reach = 0.75}};
  for (const Vector& each :
       std::vector<Vector>{{{0, 0}, {0, 0}},
                           {{0.24, 0}, {0, 0}},
                           {{0.17, 0.17}, {0, 0}},
                           {{0.3, 0.4}, {0.3, 0.4}},
                           {{0.45, 0.6}, {0.6, 0.8}},
                           {{-0.6, 0.8}, {-0.6, 0.8}},
                           {{1, 1}, {Sqrt(0.5), Sqrt(0.5)}},
                           {{-1, 0}, {-1, 0}}}) {
    Push(each.pushed.x, each.pushed.y);
    const Vector2 value = Read(source, {"x", "y"});
    EXPECT_NEAR(value.x, each.value.x, 2 * kNear) << each.pushed.x;
    EXPECT_NEAR(value.y, each.value.y, 2 * kNear) << each.pushed.y;
    EXPECT_LE(Length(value), 1.0 + 1e-12);
    StickSource inverted = source;
    inverted.is_inverted_y = true;
    EXPECT_EQ(Read(inverted, {"x", "y"}), (Vector2{value.x, -value.y}));
  }
}

TEST_F(DeviceBindingsTest, FourButtonsAreAStickOfLengthOne) {
  const auto stick = [&](bool left, bool right, bool down, bool up) {
    device().buttons = (left ? 1 : 0) | (right ? uint64_t{1} << 63 : 0);
    keyboard() = {.player = 1};
    if (down) keyboard().keys.Add(44);
    mouse().buttons = up ? 1 << 2 : 0;
    return Read(ButtonStickSource{}, {"a", "b", "key", "click"});
  };
  EXPECT_EQ(stick(false, false, false, false), (Vector2{0, 0}));
  EXPECT_EQ(stick(true, false, false, false), (Vector2{-1, 0}));
  EXPECT_EQ(stick(false, true, false, false), (Vector2{1, 0}));
  EXPECT_EQ(stick(false, false, true, false), (Vector2{0, -1}));
  EXPECT_EQ(stick(false, false, false, true), (Vector2{0, 1}));
  EXPECT_EQ(stick(true, true, true, true), (Vector2{0, 0}));
  const Vector2 corner = stick(false, true, false, true);
  EXPECT_NEAR(corner.x, Sqrt(0.5), 1e-12);
  EXPECT_NEAR(corner.y, Sqrt(0.5), 1e-12);
}

TEST_F(DeviceBindingsTest, AMouseIsAStickByItsCountsWithUpAbove) {
  const auto moved = [&](int32_t x, int32_t y) {
    mouse().moved_x = x;
    mouse().moved_y = y;
    return Read(MouseSource{.counts = 100}, {"look"});
  };
  EXPECT_EQ(moved(0, 0), (Vector2{0, 0}));
  EXPECT_EQ(moved(50, 0), (Vector2{0.5, 0}));
  EXPECT_EQ(moved(0, 50), (Vector2{0, -0.5}));
  EXPECT_EQ(moved(-100, 0), (Vector2{-1, 0}));
  // Faster is no more than all.
  EXPECT_EQ(moved(32767, 0), (Vector2{1, 0}));
  EXPECT_EQ(Read(MouseSource{.counts = 100}, {"look"}, {"look"}),
            (Vector2{0, 0}));
}

TEST_F(DeviceBindingsTest, AnAccelerometerIsTheTiltOfItsAxis) {
  struct Vector {
    std::string_view how;
    std::array<int32_t, 3> acceleration;
    std::array<double, 3> tilts;  // of x, y and z, whole at 90 degrees
  };
  const double half = 0.5;  // sine of 30 degrees
  for (const Vector& each : std::vector<Vector>{
           {"falls", {0, 0, 0}, {0, 0, 0}},
           {"stands upright", {0, kGravityMmS2, 0}, {0, 1, 0}},
           {"lies on its right side", {kGravityMmS2, 0, 0}, {1, 0, 0}},
           {"lies on its left side", {-kGravityMmS2, 0, 0}, {-1, 0, 0}},
           {"lies on its back", {0, 0, kGravityMmS2}, {0, 0, 1}},
           {"leans by 30 degrees",
            {kGravityMmS2 / 2, 8493, 0},
            {half, 0.866, 0}},
           {"is shaken", {100'000, -100'000, 0}, {1, -1, 0}}}) {
    sensor().acceleration = each.acceleration;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const TiltSource source{.axis = axis, .full_mm_s2 = kGravityMmS2};
      const Vector2 value = Read(source, {"lean"});
      EXPECT_NEAR(value.x, each.tilts[axis], 1e-3) << each.how << ", " << axis;
      EXPECT_EQ(value.y, 0.0);
    }
  }
  // Whole at 30 degrees: twice as much.
  sensor().acceleration = {kGravityMmS2 / 4, 0, 0};
  EXPECT_NEAR(
      Read(TiltSource{.axis = 0, .full_mm_s2 = kGravityMmS2 / 2.0}, {"lean"}).x,
      half, 1e-3);
  EXPECT_EQ(Read(TiltSource{.axis = 0, .full_mm_s2 = 1.0}, {"lean"}, {"lean"}),
            (Vector2{0, 0}));
}

}  // namespace
}  // namespace reprise::sim
