// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sim/systems/controls/pattern_compiler.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "sim/base/id.h"
#include "sim/input/conditioning.h"
#include "sim/systems/controls/binding_compiler.h"

namespace reprise::sim {
namespace {

constexpr int kChordMax = 4;
constexpr double kTapS = 0.2;
constexpr double kDoubleTapS = 0.3;
constexpr double kChordS = 0.1;
constexpr double kStepS = 0.25;

class PatternCompiler {
 public:
  PatternCompiler(const v1::Controls& controls,
                  const ControlsDefinition& definition, TickRate rate)
      : controls_(controls), definition_(definition), rate_(rate) {}

  HoldPattern Compile(const v1::HoldPattern& hold,
                      const MessageChecker& place) const {
    return {
        .control = FindButton("control", hold.control(), place),
        .ticks = CompileWindow("for_s", place.Positive("for_s", hold.for_s()),
                               1.0, rate_, place)};
  }

  TapPattern Compile(const v1::TapPattern& tap,
                     const MessageChecker& place) const {
    return {.control = FindButton("control", tap.control(), place),
            .ticks =
                CompileWindow("within_s", tap.within_s(), kTapS, rate_, place)};
  }

  DoubleTapPattern Compile(const v1::DoubleTapPattern& tap,
                           const MessageChecker& place) const {
    return {.control = FindButton("control", tap.control(), place),
            .ticks = CompileWindow("within_s", tap.within_s(), kDoubleTapS,
                                   rate_, place)};
  }

  ChordPattern Compile(const v1::ChordPattern& chord,
                       const MessageChecker& place) const {
    ChordPattern compiled;
    compiled.ticks =
        CompileWindow("within_s", chord.within_s(), kChordS, rate_, place);
    if (chord.controls_size() < 2 || chord.controls_size() > kChordMax) {
      place.Problem("controls", fmt::format("there are {}, not 2 to {}",
                                            chord.controls_size(), kChordMax));
    }
    for (const std::string& name : chord.controls()) {
      compiled.controls.push_back(FindButton("controls", name, place));
    }
    return compiled;
  }

  SequencePattern Compile(const v1::SequencePattern& sequence,
                          const MessageChecker& place) const {
    SequencePattern compiled;
    if (!sequence.stick().empty()) {
      compiled.stick =
          FindPart("stick", sequence.stick(), ControlKind::kStick, place);
    }
    if (sequence.steps().empty() ||
        sequence.steps_size() > static_cast<int>(kSequenceStepsMax)) {
      place.Problem("steps",
                    fmt::format("there are {}, not 1 to {}",
                                sequence.steps_size(), kSequenceStepsMax));
      return compiled;
    }
    for (int i = 0; i < sequence.steps_size(); ++i) {
      const MessageChecker at = place.In(sequence.steps(i), "steps", i);
      if (i == 0 && sequence.steps(i).within_s() != 0.0) {
        at.Problem("within_s", "there is no step before");
      }
      compiled.steps.push_back(
          CompileStep(sequence.steps(i), !sequence.stick().empty(), at));
    }
    return compiled;
  }

 private:
  SequenceStep CompileStep(const v1::SequenceStep& step, bool has_stick,
                           const MessageChecker& place) const {
    SequenceStep compiled;
    compiled.ticks =
        CompileWindow("within_s", step.within_s(), kStepS, rate_, place);
    if (step.direction() != v1::SequenceStep::DIRECTION_UNSPECIFIED) {
      // Neutral is the first of both.
      compiled.direction = static_cast<StickDirection>(step.direction() - 1);
      if (!has_stick) {
        place.Problem("direction", "the sequence has no stick");
      }
    }
    if (step.press_size() > kChordMax) {
      place.Problem("press", fmt::format("there are {}, not up to {}",
                                         step.press_size(), kChordMax));
    }
    for (const std::string& name : step.press()) {
      compiled.press.push_back(FindButton("press", name, place));
    }
    if (!compiled.direction.has_value() && compiled.press.empty()) {
      place.Problem("press", "a step needs a direction or buttons");
    }
    if (step.held_s() != 0.0) {
      if (!compiled.press.empty() || !compiled.direction.has_value()) {
        place.Problem("held_s", "only a direction without buttons is held");
      }
      compiled.held_ticks =
          CompileWindow("held_s", step.held_s(), kStepS, rate_, place);
    }
    return compiled;
  }

  uint32_t FindButton(std::string_view field, const std::string& name,
                      const MessageChecker& place) const {
    return FindPart(field, name, ControlKind::kButton, place);
  }

  // The index of a control of this kind that is no pattern; 0 after reporting
  // that there is none.
  uint32_t FindPart(std::string_view field, const std::string& name,
                    ControlKind kind, const MessageChecker& place) const {
    std::vector<std::string> known;
    for (const v1::Control& control : controls_.controls()) {
      if (control.pattern_case() == v1::Control::PATTERN_NOT_SET &&
          KindOf(control.kind()) == kind) {
        known.push_back(control.name());
      }
    }
    if (std::ranges::find(known, name) == known.end()) {
      place.NoSuch(field,
                   kind == ControlKind::kStick
                       ? "stick control that is no pattern"
                       : "button that is no pattern",
                   name, known);
      return 0;
    }
    return definition_.FindControl(IdOf(name));
  }

  const v1::Controls& controls_;
  const ControlsDefinition& definition_;
  TickRate rate_;
};

}  // namespace

ControlKind KindOf(v1::Control::Kind kind) {
  switch (kind) {
    case v1::Control::KIND_AXIS:
      return ControlKind::kAxis;
    case v1::Control::KIND_STICK:
      return ControlKind::kStick;
    default:
      return ControlKind::kButton;
  }
}

ControlPattern CompilePattern(const v1::Control& control,
                              const MessageChecker& checker,
                              const v1::Controls& controls,
                              const ControlsDefinition& definition,
                              TickRate rate) {
  const PatternCompiler compiler(controls, definition, rate);
  switch (control.pattern_case()) {
    case v1::Control::kHold:
      return compiler.Compile(control.hold(),
                              checker.In(control.hold(), "hold"));
    case v1::Control::kTap:
      return compiler.Compile(control.tap(), checker.In(control.tap(), "tap"));
    case v1::Control::kDoubleTap:
      return compiler.Compile(control.double_tap(),
                              checker.In(control.double_tap(), "double_tap"));
    case v1::Control::kChord:
      return compiler.Compile(control.chord(),
                              checker.In(control.chord(), "chord"));
    case v1::Control::kSequence:
      return compiler.Compile(control.sequence(),
                              checker.In(control.sequence(), "sequence"));
    case v1::Control::PATTERN_NOT_SET:
      break;
  }
  return {};
}

}  // namespace reprise::sim
