// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a command is what was typed, and that what can't be one is told
// by argument.

#include "tools/reprise/inputs/command_text.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace reprise::tools {
namespace {

using sim::PropertyType;

sim::Action CommandOf(std::vector<sim::ActionArgument> arguments) {
  return {.name = "do",
          .id = sim::IdOf("do"),
          .kind = sim::Action::Kind::kCommand,
          .arguments = std::move(arguments)};
}

TEST(CommandTextTest, EachTypeIsReadAsItIsTyped) {
  const sim::Action action =
      CommandOf({{.name = "flag", .type = PropertyType::kBool},
                 {.name = "count", .type = PropertyType::kInt},
                 {.name = "part", .type = PropertyType::kDouble},
                 {.name = "who", .type = PropertyType::kName},
                 {.name = "say", .type = PropertyType::kText}});
  const auto command = ParseCommand(action, "true,-3,0.5,anna,well met");
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->name, sim::IdOf("do"));
  EXPECT_EQ(command->arguments,
            (std::vector<sim::InputValue>{true, -3, 0.5, "anna", "well met"}));
}

TEST(CommandTextTest, OneWithoutArgumentsHasNoText) {
  const auto command = ParseCommand(CommandOf({}), "");
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_TRUE(command->arguments.empty());
}

TEST(CommandTextTest, ATextCanBeAFile) {
  const std::string path = testing::TempDir() + "/source.lua";
  std::ofstream(path) << "a, b\nc";
  const auto command =
      ParseCommand(CommandOf({{.name = "file", .type = PropertyType::kText},
                              {.name = "source", .type = PropertyType::kText}}),
                   "a.lua,@" + path);
  ASSERT_TRUE(command.ok()) << command.status();
  EXPECT_EQ(command->arguments,
            (std::vector<sim::InputValue>{"a.lua", "a, b\nc"}));
}

TEST(CommandTextTest, WhatCantBeOneIsToldByArgument) {
  const auto message = [](sim::ActionArgument argument, const char* text) {
    argument.name = "it";
    return std::string(
        ParseCommand(CommandOf({argument}), text).status().message());
  };
  EXPECT_EQ(message({.type = PropertyType::kInt}, "1.5"),
            "it: '1.5' is no whole number");
  EXPECT_EQ(message({.type = PropertyType::kDouble}, ""),
            "it: '' is no number");
  EXPECT_EQ(message({.type = PropertyType::kBool}, "1"),
            "it: '1' is neither true nor false");
  EXPECT_EQ(message({.type = PropertyType::kVector3}, "1"),
            "it: there is no text for vectors and rotations");
  EXPECT_EQ(message({.type = PropertyType::kInt, .capacity = 2}, "1"),
            "it: there is no text for a list");
  EXPECT_EQ(message({.type = PropertyType::kInt}, "1,2"),
            "the command has 1 arguments, and the value 2");
  const std::string missing =
      message({.type = PropertyType::kText}, "@/nowhere/at/all");
  EXPECT_NE(missing.find("@/nowhere/at/all"), std::string::npos) << missing;
}

}  // namespace
}  // namespace reprise::tools
