// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what fingers give by bindings that follow them, and that nothing of a
// finger is left behind.

#include "sim/systems/controls/touch_bindings.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/base/tick.h"
#include "sim/geometry/vector2.h"
#include "sim/input/input_frame.h"
#include "sim/input/stroke_recognition.h"
#include "sim/state/row_schema.h"
#include "sim/state/table.h"

namespace reprise::sim {
namespace {

// The fingers on the view of player 1, each at a place in parts of its sides.
class TouchBindingsTest : public ::testing::Test {
 protected:
  void Put(uint16_t touch, double x, double y) {
    Lift(touch);
    touches_.push_back({.player = 1,
                        .touch = touch,
                        .phase = TouchPhase::kBegan,
                        .x = OnEdge(x),
                        .y = OnEdge(y)});
  }
  void Move(uint16_t touch, double x, double y) {
    for (TouchRow& row : touches_) {
      if (row.touch != touch) continue;
      row.x = OnEdge(x);
      row.y = OnEdge(y);
    }
  }
  void End(uint16_t touch) {
    for (TouchRow& row : touches_) {
      if (row.touch == touch) row.phase = TouchPhase::kEnded;
    }
  }

  // One step, behind which those that came are held, and those that ended gone.
  BindingValue Step(const BindingDefinition& binding) {
    const BindingValue value = FollowTouches(binding, classifier(), place());
    ++now_;
    std::erase_if(touches_, [](const TouchRow& row) {
      return row.phase == TouchPhase::kEnded;
    });
    for (TouchRow& row : touches_) row.phase = TouchPhase::kHeld;
    return value;
  }

  TouchPlace place() {
    return {.player = 1,
            .now = now_,
            .tick_s = 1.0 / 60.0,
            .touches = touches_,
            .fingers = fingers_,
            .strokes = strokes_};
  }
  const StrokeClassifier* classifier() const {
    return classifier_.has_value() ? &*classifier_ : nullptr;
  }

  static uint32_t OnEdge(double part) {
    return static_cast<uint32_t>(std::lround(part * kViewEdge));
  }
  void Lift(uint16_t touch) {
    std::erase_if(touches_,
                  [=](const TouchRow& row) { return row.touch == touch; });
  }

  Tick now_ = 100;
  std::vector<TouchRow> touches_;
  Table fingers_ = Table(RowSchema::Of<FingerRow>());
  Table strokes_ = Table(RowSchema::Of<StrokePointRow>());
  std::optional<StrokeClassifier> classifier_;
};

// Of a place on the view, which has 65,536 of them each way.
constexpr double kNear = 1e-3;

TEST_F(TouchBindingsTest, StickIsWhereTheFingerComesDown) {
  const BindingDefinition stick = {
      .name = IdOf("move"),
      .source = TouchStickSource{.from = {0.0, 0.0},
                                 .to = {0.5, 1.0},
                                 .radius = 0.2,
                                 .range = {.dead = 0.25}}};
  Put(7, 0.75, 0.5);  // beside its part of the view
  EXPECT_EQ(Step(stick).value, Vector2{});
  Put(9, 0.25, 0.5);
  EXPECT_EQ(Step(stick).value, Vector2{});
  Move(9, 0.25, 0.4);  // half of the way up, less a quarter
  const Vector2 up = Step(stick).value;
  EXPECT_NEAR(up.x, 0.0, kNear);
  EXPECT_NEAR(up.y, 1.0 / 3.0, kNear);
  Move(9, 0.28, 0.5);
  EXPECT_EQ(Step(stick).value, Vector2{}) << "in the dead zone";
  Move(9, 0.95, 0.5);  // far out, and of the view's part
  EXPECT_NEAR(Step(stick).value.x, 1.0, kNear);
  EXPECT_EQ(fingers_.row_count(), 1u);
  End(9);
  EXPECT_EQ(Step(stick).value, Vector2{});
  EXPECT_EQ(fingers_.row_count(), 0u);
}

TEST_F(TouchBindingsTest, SwipeIsFarStraightAndSoon) {
  const BindingDefinition swipe = {
      .name = IdOf("dash"),
      .source =
          SwipeSource{.direction = {1.0, 0.0}, .length = 0.2, .ticks = 10}};
  struct Case {
    const char* what;
    double x, y;
    int ticks;
    bool is_down;
  };
  for (const Case& each : {Case{"to the right", 0.5, 0.25, 5, true},
                           Case{"a little upwards", 0.5, 0.10, 5, true},
                           Case{"too steep", 0.5, 0.55, 5, false},
                           Case{"too short", 0.44, 0.25, 5, false},
                           Case{"too slow", 0.5, 0.25, 12, false},
                           Case{"the other way", 0.01, 0.25, 5, false}}) {
    Put(3, 0.25, 0.25);
    EXPECT_FALSE(Step(swipe).is_down) << each.what;
    for (int i = 1; i < each.ticks; ++i) {
      EXPECT_FALSE(Step(swipe).is_down) << each.what;
    }
    Move(3, each.x, each.y);
    End(3);
    EXPECT_EQ(Step(swipe).is_down, each.is_down) << each.what;
    EXPECT_EQ(fingers_.row_count(), 0u) << each.what;
  }
}

TEST_F(TouchBindingsTest, PinchIsAFactorOfTheDistance) {
  const BindingDefinition pinch = {.name = IdOf("zoom"),
                                   .source = PinchSource{}};
  Put(1, 0.4, 0.5);
  EXPECT_EQ(Step(pinch).value, Vector2{}) << "one finger";
  Put(2, 0.6, 0.5);
  EXPECT_NEAR(Step(pinch).value.x, 0.0, kNear);
  Move(2, 0.7, 0.5);
  EXPECT_NEAR(Step(pinch).value.x, 0.5, kNear);
  Move(1, 0.6, 0.5);
  EXPECT_NEAR(Step(pinch).value.x, -0.5, kNear);
  Move(1, 0.0, 0.0);
  Move(2, 1.0, 1.0);
  EXPECT_EQ(Step(pinch).value.x, 1.0) << "as far as there is";
  End(1);
  EXPECT_EQ(Step(pinch).value, Vector2{});
  EXPECT_EQ(fingers_.row_count(), 0u);
}

TEST_F(TouchBindingsTest, FingersInOnePlaceAreNoPinch) {
  const BindingDefinition pinch = {.name = IdOf("zoom"),
                                   .source = PinchSource{}};
  Put(1, 0.5, 0.5);
  Put(2, 0.5, 0.5);
  EXPECT_EQ(Step(pinch).value, Vector2{});
  EXPECT_EQ(fingers_.row_count(), 0u);
}

// Where a line across the view, and a corner, are after `part` of the way.
Vector2 OnLine(double part) { return {0.2 + 0.6 * part, 0.5}; }
Vector2 OnCorner(double part) {
  return part < 0.5 ? Vector2{0.2 + 0.6 * part, 0.2}
                    : Vector2{0.5, 0.2 + 0.6 * (part - 0.5)};
}

using Shape = Vector2 (*)(double);

StrokeFeatures DrawnAs(Shape shape, double size) {
  std::vector<StrokePoint> points;
  for (int i = 0; i <= 20; ++i) {
    const Vector2 point = shape(i / 20.0);
    points.push_back({.x = size * point.x, .y = point.y, .time_s = i / 60.0});
  }
  return FeaturesOf(points);
}

TEST_F(TouchBindingsTest, StrokeIsKnownWhenTheFingerIsLifted) {
  std::vector<StrokeClassifier::Example> examples;
  for (const double size : {0.9, 1.0, 1.1}) {
    examples.push_back({.kind = 0, .features = DrawnAs(OnLine, size)});
    examples.push_back({.kind = 1, .features = DrawnAs(OnCorner, size)});
  }
  classifier_ = *StrokeClassifier::Train(2, examples);
  const BindingDefinition corner = {.name = IdOf("turn"),
                                    .source = StrokeSource{.stroke = 1}};
  for (const Shape shape : {OnLine, OnCorner}) {
    Put(4, shape(0.0).x, shape(0.0).y);
    for (int i = 1; i <= 21; ++i) {
      EXPECT_FALSE(Step(corner).is_down);
      EXPECT_EQ(strokes_.row_count(), static_cast<uint32_t>(i));
      Move(4, shape(i / 20.0).x, shape(i / 20.0).y);
    }
    End(4);
    EXPECT_EQ(Step(corner).is_down, shape == OnCorner);
    EXPECT_EQ(strokes_.row_count(), 0u);
    EXPECT_EQ(fingers_.row_count(), 0u);
  }
}

TEST_F(TouchBindingsTest, StrokeWithoutEndKeepsBoundedPoints) {
  const BindingDefinition stroke = {.name = IdOf("turn"),
                                    .source = StrokeSource{.stroke = 1}};
  Put(4, 0.5, 0.5);
  for (int i = 0; i < 300; ++i) Step(stroke);
  EXPECT_EQ(strokes_.row_count(), kStrokePointsMax + 1);
  End(4);
  EXPECT_FALSE(Step(stroke).is_down);
  EXPECT_EQ(strokes_.row_count(), 0u);
}

TEST_F(TouchBindingsTest, ForgottenFingersLeaveNothing) {
  const BindingDefinition stroke = {.name = IdOf("turn"),
                                    .source = StrokeSource{.stroke = 1}};
  Put(4, 0.5, 0.5);
  Step(stroke);
  ForgetTouches(stroke, place());
  EXPECT_EQ(fingers_.row_count(), 0u);
  EXPECT_EQ(strokes_.row_count(), 0u);
  Step(stroke);
  EXPECT_EQ(fingers_.row_count(), 0u) << "the finger came down before";
}

}  // namespace
}  // namespace reprise::sim
