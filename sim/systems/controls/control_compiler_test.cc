// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every mistake in controls is reported once, with its line and
// field, by manifests with one mistake each.

#include <string>
#include <string_view>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/compiler/testing_packs.h"

namespace reprise::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kPlayers = R"(events { name: "b" }
players { commands_per_tick_max: 1
  actions { name: "fire" button: 0 } actions { name: "key" key: KEY_A }
  actions { name: "x" axis: 0 } actions { name: "y" axis: 1 }
  actions { name: "bind" command { arguments { name: "binding" type: TYPE_NAME }
                                   arguments { name: "action" type: TYPE_NAME } } }
  actions { name: "shout" command {} } }
)";

// Without mistakes, but for what a test puts into it.
std::vector<std::string> ProblemsWith(std::string_view text) {
  const std::string controls =
      "controls {\n"
      "controls { name: \"shoot\" }\n"
      "controls { name: \"steer\" kind: KIND_AXIS }\n"
      "controls { name: \"move\" kind: KIND_STICK }\n"
      "contexts { name: \"play\"\n"
      "bindings { name: \"shoot\" control: \"shoot\" button { action: \"fire\" "
      "} }\n"
      "bindings { name: \"steer\" control: \"steer\" axis { action: \"x\" } }\n"
      "bindings { name: \"move\" control: \"move\" stick { action_x: \"x\" "
      "action_y: \"y\" } }\n"
      "}\n" +
      std::string(text) + "\n}\n";
  return Problems(Manifest({kPlayers, controls}));
}

TEST(ControlCompilerTest, ControlsWithoutMistakesCompile) {
  EXPECT_THAT(ProblemsWith(""), IsEmpty());
  EXPECT_THAT(ProblemsWith("rebind: \"bind\""), IsEmpty());
  EXPECT_THAT(
      ProblemsWith(
          "controls { name: \"combo\" sequence { stick: \"move\" steps { "
          "direction: DIRECTION_DOWN } steps { press: \"shoot\" } } }"),
      IsEmpty());
}

TEST(ControlCompilerTest, MistakesHaveTheirPlace) {
  struct Case {
    std::string_view text;
    std::string_view problem;
  };
  for (const auto& [text, problem] : {
           Case{"controls { name: \"shoot\" }",
                "controls.controls[3].name: there are two controls 'shoot'"},
           Case{"controls { name: \"idle\" }",
                "controls.controls[3].name: no binding is for 'idle'"},
           Case{"controls { name: \"a\" kind: KIND_AXIS pressed_event: \"b\" "
                "tap { control: \"shoot\" } }",
                "controls.controls[3].kind: what isn't a button"},
           Case{"controls { name: \"a\" hold { control: \"shoot\" } }",
                "controls.controls[3].hold.for_s: 0"},
           Case{"controls { name: \"a\" tap { control: \"shot\" } }",
                "controls.controls[3].tap.control: there is no button that is "
                "no pattern 'shot'; did you mean 'shoot'?"},
           Case{"controls { name: \"a\" chord { controls: \"shoot\" } }",
                "controls.controls[3].chord.controls: there are 1, not 2 to 4"},
           Case{"controls { name: \"a\" sequence { } }",
                "controls.controls[3].sequence.steps: there are 0, not 1 to 8"},
           Case{"controls { name: \"a\" sequence { steps { } } }",
                "controls.controls[3].sequence.steps[0].press: a step needs"},
           Case{"controls { name: \"a\" sequence { steps { direction: "
                "DIRECTION_UP } } }",
                "steps[0].direction: the sequence has no stick"},
           Case{"controls { name: \"a\" sequence { steps { press: \"shoot\" "
                "within_s: 1 } } }",
                "steps[0].within_s: there is no step before"},
           Case{"controls { name: \"a\" sequence { steps { press: \"shoot\" "
                "held_s: 1 } } }",
                "steps[0].held_s: only a direction without buttons is held"},
           Case{"contexts { name: \"play\" }",
                "controls.contexts[1].name: there are two contexts 'play'"},
           Case{"contexts { name: \"b\" bindings { name: \"shoot\" control: "
                "\"shoot\" button { action: \"key\" } } }",
                "there are two bindings 'shoot'"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"shoot\" } }",
                "controls.contexts[1].bindings[0].button: one of button, axis"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"shot\" button { action: \"fire\" } } }",
                "bindings[0].control: there is no control 'shot'; did you mean "
                "'shoot'?"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"shoot\" button { action: \"x\" } } }",
                "bindings[0].button.action: there is no button action 'x'"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"move\" button { action: \"fire\" } } }",
                "bindings[0].control: 'move' is a stick, which this source "
                "can't give"},
           Case{
               "contexts { name: \"b\" bindings { name: \"b\" control: "
               "\"steer\" axis { action: \"x\" dead_zone: 0.5 reach: 0.5 } } }",
               "bindings[0].axis.dead_zone: reaches to where the full value"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"steer\" axis { action: \"x\" threshold: 2 } } }",
                "bindings[0].axis.threshold: 2"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"move\" touch_stick { } } }",
                "needs a touch action among the players' actions"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"move\" mouse { } } }",
                "needs a mouse_motion action"},
           Case{"contexts { name: \"b\" bindings { name: \"b\" control: "
                "\"steer\" tilt { } } }",
                "needs a motion_sensor action"},
           Case{"controls { name: \"a\" pressed_event: \"c\" tap { control: "
                "\"shoot\" } }",
                "controls.controls[3].pressed_event: "},
           Case{"contexts { name: \"b\" enabled_by: \"c\" }",
                "controls.contexts[1].enabled_by: "},
           Case{"rebind: \"fire\"",
                "controls.rebind: there is no command action 'fire'"},
           Case{"rebind: \"shout\"",
                "controls.rebind: 'shout' needs the arguments `binding`"},
           Case{"strokes { name: \"o\" examples { points { } points { x: 1 } "
                "points { y: 1 } } examples { points { } points { x: 1 } "
                "points { y: 1 } } }",
                "controls.strokes: strokes: at least two kinds"},
           Case{"strokes { name: \"o\" examples { points { } points { y: 1 } "
                "points { x: 2 } } examples { points { } points { x: 1 } "
                "points { y: 1 } } }",
                "controls.strokes[0].examples[0].points[2].x: 2 is not in "
                "0..1"},
       }) {
    const std::vector<std::string> problems = ProblemsWith(text);
    ASSERT_FALSE(problems.empty()) << text;
    EXPECT_THAT(problems[0], HasSubstr(problem));
    EXPECT_THAT(problems[0], ::testing::ContainsRegex("^pack.txtpb:[0-9]+:"));
  }
}

TEST(ControlCompilerTest, CornersOfTouchesAreToldByTheirCoordinate) {
  EXPECT_THAT(
      ProblemsWith("contexts { name: \"b\" bindings { name: \"b\" control: "
                   "\"move\" touch_stick { from { x: 2 } to { x: 1 y: 7 } } } "
                   "}"),
      ::testing::IsSupersetOf({HasSubstr("touch_stick.from.x: 2 is not in"),
                               HasSubstr("touch_stick.to.y: 7 is not in")}));
}

TEST(ControlCompilerTest, PackWithoutControlsHasNoTableOfThem) {
  EXPECT_FALSE(WorldOf(Manifest({kPlayers}))
                   ->state()
                   .Find("controls", "controls")
                   .has_value());
}

}  // namespace
}  // namespace reprise::sim
