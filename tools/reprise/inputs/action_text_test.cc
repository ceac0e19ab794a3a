// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what is written of an action of each kind is read back to the
// same, and that what is no such value is refused and changes nothing.

#include "tools/reprise/inputs/action_text.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/input/testing_grammar.h"

namespace reprise::tools {
namespace {

const sim::Action& ActionNamed(const sim::InputGrammar& grammar,
                               const std::string& name) {
  return *grammar.Find(sim::IdOf(name));
}

TEST(ActionTextTest, EachKindIsSetAndSaid) {
  const sim::InputGrammar grammar = sim::EveryInputGrammar();
  sim::InputFrame frame;
  for (const auto& [name, text, said] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"jump", "1", "held"},
           {"crouch", "1", "held"},
           {"fire", "1", "held"},
           {"lean", "-32767", "-32767"},
           {"aim", "1,65535", "1,65535"},
           {"look", "-32767,32767", "-32767,32767"},
           {"zoom", "1,-120", "1,-120"},
           {"tap", "0,5,6,7;65535,65535,0,65535",
            "0,5,6,7;65535,65535,0,65535"},
           {"tilt", "-1000000,9807,1,1000000,-2,3",
            "-1000000,9807,1,1000000,-2,3"},
           {"chat", "\xC3\xA9\n\"\xF0\x9F\x98\x80\"",
            "\"\xC3\xA9\\n\\\"\xF0\x9F\x98\x80\\\"\""}}) {
    const sim::Action& action = ActionNamed(grammar, name);
    EXPECT_TRUE(SetAction(action, text, frame).ok()) << name;
    EXPECT_EQ(FormatAction(action, frame), said);
  }
  sim::InputFrame every = sim::EveryInputFrame();
  every.commands.clear();
  EXPECT_EQ(frame, every);
}

TEST(ActionTextTest, EachKindComesToRest) {
  const sim::InputGrammar grammar = sim::EveryInputGrammar();
  sim::InputFrame frame = sim::EveryInputFrame();
  frame.commands.clear();
  for (const auto& [name, text, said] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"jump", "0", "released"},
           {"crouch", "0", "released"},
           {"fire", "0", "released"},
           {"lean", "0", "0"},
           {"aim", "0,0", "0,0"},
           {"look", "0,0", "0,0"},
           {"zoom", "0,0", "0,0"},
           {"tap", "", "none"},
           {"tilt", "0,0,0,0,0,0", "0,0,0,0,0,0"},
           {"chat", "", "\"\""}}) {
    const sim::Action& action = ActionNamed(grammar, name);
    EXPECT_TRUE(SetAction(action, text, frame).ok()) << name;
    EXPECT_EQ(FormatAction(action, frame), said);
  }
  EXPECT_EQ(frame, sim::InputFrame{});
}

TEST(ActionTextTest, OtherValuesAreRefusedAndChangeNothing) {
  const sim::InputGrammar grammar = sim::EveryInputGrammar();
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{
           {"jump", "2"},
           {"crouch", "held"},
           {"fire", "-1"},
           {"lean", "32768"},
           {"lean", "1.5"},
           {"lean", "1 "},
           {"lean", ""},
           {"lean", "1,2"},
           {"aim", "1"},
           {"aim", "1,2,3"},
           {"aim", "1,65536"},
           {"look", "1,-32768"},
           {"zoom", "1,x"},
           {"tap", "1,2,3"},
           {"tap", "1,2,3,4;5"},
           {"tilt", "1,2,3,4,5"},
           {"tilt", "1,2,3,4,5,1000001"},
           {"build", "3"}}) {
    sim::InputFrame frame = sim::EveryInputFrame();
    const absl::Status status =
        SetAction(ActionNamed(grammar, name), text, frame);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << name << "=" << text;
    EXPECT_EQ(frame, sim::EveryInputFrame()) << name << "=" << text;
  }
}

}  // namespace
}  // namespace reprise::tools
