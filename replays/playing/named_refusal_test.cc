// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a refusal of inputs names what was given, by the pack that it was
// given to, and invents no names.

#include "replays/playing/named_refusal.h"

#include <cstdint>
#include <span>
#include <string>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"

namespace reprise::replays {
namespace {

using Kind = sim::Action::Kind;

sim::Action MakeAction(const std::string& name, Kind kind, uint32_t index) {
  sim::Action action;
  action.id = sim::IdOf(name);
  action.name = name;
  action.kind = kind;
  action.device_index = index;
  return action;
}

// Why a pack without any action refuses `frame`, in the names of one that has
// some.
std::string RefusalOf(const sim::InputFrame& frame) {
  sim::InputGrammar nothing;
  nothing.commands_per_tick_max = 1;
  sim::InputGrammar recorded;
  recorded.actions = {MakeAction("jump", Kind::kButton, 3),
                      MakeAction("roll", Kind::kAxis, 1),
                      MakeAction("map", Kind::kKey, 43),
                      MakeAction("fire", Kind::kMouseButton, 0),
                      MakeAction("fly", Kind::kCommand, 0)};
  return NameRefusal(
      std::string(sim::ValidateInputs(nothing, std::span(&frame, 1)).message()),
      recorded);
}

TEST(NamedRefusalTest, InputsOfEachKindAreNamed) {
  sim::InputFrame frame;
  frame.device.buttons = 1u << 3;
  EXPECT_EQ(RefusalOf(frame),
            "player 0: button 3 (jump) is held, which no action of the pack "
            "uses");
  frame = {};
  frame.device.axes[1] = 5;
  EXPECT_EQ(RefusalOf(frame),
            "player 0: axis 1 (roll) is not used by any action of the pack");
  frame = {};
  frame.device.keys.Add(43);
  EXPECT_EQ(RefusalOf(frame),
            "player 0: key 43 (map) is held, which no action of the pack uses");
  frame = {};
  frame.device.mouse.buttons = 1;
  EXPECT_EQ(RefusalOf(frame),
            "player 0: mouse button 0 (fire) is held, which no action of the "
            "pack uses");
  frame = {};
  frame.commands = {{.name = sim::IdOf("fly"), .arguments = {}}};
  EXPECT_EQ(RefusalOf(frame), "player 0: the pack declares no command 'fly'");
}

TEST(NamedRefusalTest, WhatHasNoNameStaysANumber) {
  sim::InputFrame frame;
  frame.device.buttons = 1u << 4;
  EXPECT_EQ(RefusalOf(frame),
            "player 0: button 4 is held, which no action of the pack uses");
  frame = {};
  frame.commands = {{.name = sim::IdOf("dig"), .arguments = {}}};
  EXPECT_EQ(RefusalOf(frame),
            fmt::format("player 0: the pack declares no command #{:016x}",
                        sim::IdOf("dig").value));
}

}  // namespace
}  // namespace reprise::replays
