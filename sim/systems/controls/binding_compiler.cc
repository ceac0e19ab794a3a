// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/binding_compiler.h"

#include <algorithm>
#include <variant>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/base/math.h"
#include "sim/compiler/checking/device_actions.h"
#include "sim/compiler/checking/event_compiler.h"
#include "sim/geometry/vector2.h"
#include "sim/input/conditioning.h"
#include "sim/input/input_frame.h"

namespace reprise::sim {
namespace {

constexpr double kStandardGravityMmS2 = 9806.65;
constexpr double kRadiansPerDegree = 0.017453292519943295;

double OrElse(double value, double fallback) {
  return value == 0.0 ? fallback : value;
}

class SourceCompiler {
 public:
  // `field` is that of the binding which has the source, and `checker` that of
  // the source itself.
  SourceCompiler(std::string_view field, const MessageChecker& binding,
                 const MessageChecker& checker, const BindingPlace& place,
                 BindingDefinition& compiled)
      : field_(field),
        binding_(binding),
        checker_(checker),
        place_(place),
        compiled_(compiled) {}

  void Compile(const v1::ButtonSource& message) {
    AddButton("action", message.action());
    compiled_.source = ButtonSource{};
  }

  void Compile(const v1::AxisSource& message) {
    AddAxis("action", message.action());
    compiled_.source =
        AxisSource{.range = Range(message.dead_zone(), message.reach()),
                   .is_inverted = message.inverted(),
                   .factor = Factor(message.smoothing_s()),
                   .threshold = checker_.Positive(
                       "threshold", OrElse(message.threshold(), 0.5), 1.0)};
  }

  void Compile(const v1::ButtonPairSource& message) {
    AddButton("negative", message.negative());
    AddButton("positive", message.positive());
    compiled_.source = ButtonPairSource{};
  }

  void Compile(const v1::StickSource& message) {
    AddAxis("action_x", message.action_x());
    AddAxis("action_y", message.action_y());
    compiled_.source =
        StickSource{.range = Range(message.dead_zone(), message.reach()),
                    .is_inverted_y = message.inverted_y(),
                    .factor = Factor(message.smoothing_s())};
  }

  void Compile(const v1::ButtonStickSource& message) {
    AddButton("left", message.left());
    AddButton("right", message.right());
    AddButton("down", message.down());
    AddButton("up", message.up());
    compiled_.source = ButtonStickSource{};
  }

  void Compile(const v1::TouchStickSource& message) {
    AddDevice(Action::Kind::kTouch, "a touch action");
    Vector2 from = Corner("from", message.from());
    Vector2 to = Corner("to", message.to());
    if (!message.has_from() && !message.has_to()) to = {1.0, 1.0};
    if (from.x >= to.x || from.y >= to.y) {
      checker_.Problem("to", "is not behind `from` both ways");
    }
    compiled_.source =
        TouchStickSource{.from = from,
                         .to = to,
                         .radius = checker_.Positive(
                             "radius", OrElse(message.radius(), 0.1), 1.0),
                         .range = Range(message.dead_zone(), 1.0)};
  }

  void Compile(const v1::MouseSource& message) {
    AddDevice(Action::Kind::kMouseMotion, "a mouse_motion action");
    const uint32_t counts = message.counts() == 0 ? 64 : message.counts();
    compiled_.source =
        MouseSource{.counts = static_cast<double>(checker_.Count(
                        "counts", counts, 1, uint32_t{kAxisMax}))};
  }

  void Compile(const v1::TiltSource& message) {
    AddDevice(Action::Kind::kMotionSensor, "a motion_sensor action");
    const double degrees = checker_.Positive(
        "full_degrees", OrElse(message.full_degrees(), 45.0), 90.0);
    compiled_.source = TiltSource{
        .axis = message.axis() == v1::TiltSource::AXIS_Y   ? 1u
                : message.axis() == v1::TiltSource::AXIS_Z ? 2u
                                                           : 0u,
        .full_mm_s2 = kStandardGravityMmS2 * Sin(degrees * kRadiansPerDegree)};
  }

  void Compile(const v1::SwipeSource& message) {
    AddDevice(Action::Kind::kTouch, "a touch action");
    SwipeSource source = {.length = checker_.Positive(
                              "length", OrElse(message.length(), 0.15), 1.0),
                          .ticks = CompileWindow("within_s", message.within_s(),
                                                 0.5, place_.rate, checker_)};
    switch (message.direction()) {
      case v1::SwipeSource::DIRECTION_LEFT:
        source.direction = {-1.0, 0.0};
        break;
      case v1::SwipeSource::DIRECTION_RIGHT:
        source.direction = {1.0, 0.0};
        break;
      case v1::SwipeSource::DIRECTION_UP:
        source.direction = {0.0, -1.0};
        break;
      case v1::SwipeSource::DIRECTION_DOWN:
        source.direction = {0.0, 1.0};
        break;
      default:
        checker_.Problem("direction", "is missing");
    }
    compiled_.source = source;
  }

  void Compile(const v1::PinchSource& /*message*/) {
    AddDevice(Action::Kind::kTouch, "a touch action");
    compiled_.source = PinchSource{};
  }

  void Compile(const v1::StrokeSource& message) {
    AddDevice(Action::Kind::kTouch, "a touch action");
    const auto found = std::ranges::find(place_.strokes, message.stroke());
    if (found == place_.strokes.end()) {
      checker_.NoSuch("stroke", "stroke", message.stroke(), place_.strokes);
      return;
    }
    compiled_.source = StrokeSource{
        .stroke = static_cast<uint32_t>(found - place_.strokes.begin())};
  }

 private:
  void Add(const std::string& action) {
    compiled_.actions[compiled_.slot_count++] = IdOf(action);
  }
  void AddButton(std::string_view field, const std::string& action) {
    FindButton(field, action, checker_, place_.inputs);
    Add(action);
  }
  void AddAxis(std::string_view field, const std::string& action) {
    FindAxis(field, action, checker_, place_.inputs);
    Add(action);
  }

  // The pack's action of a device of which there is but one.
  void AddDevice(Action::Kind kind, std::string_view what) {
    const auto found =
        std::ranges::find(place_.inputs.actions, kind, &Action::kind);
    if (found == place_.inputs.actions.end()) {
      binding_.Problem(field_,
                       fmt::format("needs {} among the players' actions",
                                   std::string(what)));
      return;
    }
    Add(found->name);
  }

  AxisRange Range(double dead_zone, double reach) const {
    AxisRange range;
    range.reach = checker_.Positive("reach", OrElse(reach, 1.0), 1.0);
    range.dead = checker_.Number("dead_zone", dead_zone, 0.0, 1.0);
    if (range.dead >= range.reach) {
      checker_.Problem("dead_zone", "reaches to where the full value is");
    }
    return range;
  }

  double Factor(double smoothing_s) const {
    const double seconds =
        checker_.Number("smoothing_s", smoothing_s, 0.0, 60.0);
    if (seconds == 0.0) return 1.0;
    return SmoothingFactor(seconds * place_.rate.ticks_per_second);
  }

  Vector2 Corner(std::string_view field, const v1::Vector2& corner) const {
    const MessageChecker place = checker_.In(corner, field);
    return {place.Number("x", corner.x(), 0.0, 1.0),
            place.Number("y", corner.y(), 0.0, 1.0)};
  }

  std::string_view field_;
  const MessageChecker& binding_;
  const MessageChecker& checker_;
  const BindingPlace& place_;
  BindingDefinition& compiled_;
};

}  // namespace

bool CompileSource(const v1::Binding& message, const MessageChecker& checker,
                   const BindingPlace& place, BindingDefinition& compiled) {
  const auto compile = [&](std::string_view field, const auto& source) {
    const MessageChecker inside = checker.In(source, field);
    SourceCompiler(field, checker, inside, place, compiled).Compile(source);
    return true;
  };
  switch (message.source_case()) {
    case v1::Binding::kButton:
      return compile("button", message.button());
    case v1::Binding::kAxis:
      return compile("axis", message.axis());
    case v1::Binding::kButtons:
      return compile("buttons", message.buttons());
    case v1::Binding::kStick:
      return compile("stick", message.stick());
    case v1::Binding::kButtonStick:
      return compile("button_stick", message.button_stick());
    case v1::Binding::kTouchStick:
      return compile("touch_stick", message.touch_stick());
    case v1::Binding::kMouse:
      return compile("mouse", message.mouse());
    case v1::Binding::kTilt:
      return compile("tilt", message.tilt());
    case v1::Binding::kSwipe:
      return compile("swipe", message.swipe());
    case v1::Binding::kPinch:
      return compile("pinch", message.pinch());
    case v1::Binding::kStroke:
      return compile("stroke", message.stroke());
    case v1::Binding::SOURCE_NOT_SET:
      checker.Problem(
          "button",
          "one of button, axis, buttons, stick, button_stick, "
          "touch_stick, mouse, tilt, swipe, pinch, stroke is needed");
      return false;
  }
  return false;
}

bool GivesKind(const BindingSource& source, ControlKind kind) {
  if (std::holds_alternative<AxisSource>(source)) {
    return kind != ControlKind::kStick;
  }
  if (std::holds_alternative<ButtonPairSource>(source) ||
      std::holds_alternative<TiltSource>(source) ||
      std::holds_alternative<PinchSource>(source)) {
    return kind == ControlKind::kAxis;
  }
  if (std::holds_alternative<StickSource>(source) ||
      std::holds_alternative<ButtonStickSource>(source) ||
      std::holds_alternative<TouchStickSource>(source) ||
      std::holds_alternative<MouseSource>(source)) {
    return kind == ControlKind::kStick;
  }
  return kind == ControlKind::kButton;
}

Tick CompileWindow(std::string_view field, double seconds, double fallback_s,
                   TickRate rate, const MessageChecker& checker) {
  const double wanted = OrElse(seconds, fallback_s);
  return std::max<Tick>(1, CompileSeconds(field, wanted, rate, checker));
}

}  // namespace reprise::sim
