// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a script says stays said, however many others a world says
// meanwhile: in properties and lists, in what is told of its mistakes, and in
// events that wait; in a run that goes on from any tick, too.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kTypes = R"(
components {
  name: "says"
  properties { name: "title" type: TYPE_TEXT }
  properties { name: "nick" type: TYPE_NAME }
  properties { name: "list" type: TYPE_TEXT list_max: 3 }
  properties { name: "clock" type: TYPE_TEXT }
}
events { name: "told" arguments { name: "what" type: TYPE_TEXT } arguments { name: "at" type: TYPE_INTEGER } }
types { name: "first" components { component: "marker" } components { component: "says" } behaviours { file: "first.lua" } }
types { name: "talker" components { component: "marker" } components { component: "says" } behaviours { file: "talker.lua" } }
objects { name: "first" type: "first" }
objects { name: "talker" type: "talker" grid { count_x: 60 spacing { x: 1 } } }
)";

// Says something of its own in each tick, so that any 256 of one are gone in
// five.
constexpr std::string_view kTalk =
    "own.set('says.clock', own.serial() .. ' at ' .. world.tick())\n";

std::unique_ptr<Simulation> TalkingWorld(const std::string& first,
                                         const std::string& talker) {
  PackArchive pack = PackOf(Manifest({kMarker, kTypes}));
  EXPECT_TRUE(pack.Add("first.lua", first).ok());
  EXPECT_TRUE(pack.Add("talker.lua", talker).ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

std::string TextOf(const Simulation& world, std::string_view object,
                   std::string_view property) {
  const auto value = ValueOf(world, "components", "says", object, property);
  EXPECT_TRUE(value.has_value()) << object;
  return value.has_value() ? world.IdName(Id{value->bits}) : "";
}

// What was told of mistakes since the last look.
std::vector<std::string> MessagesOf(Simulation& world) {
  std::vector<std::string> messages;
  for (const Event& event : EventsOf(world, "script_failed")) {
    for (const EventArgument& argument : event.arguments) {
      if (argument.name != IdOf("message")) continue;
      messages.push_back(world.IdName(Id{argument.value.bits}));
    }
  }
  return messages;
}

std::string Update(std::string_view body) {
  return fmt::format("return {{ update = function()\n{}\nend }}\n",
                     std::string(body));
}

// Sets its texts once, and sees in each tick that they are what they were.
const std::string kNamed = Update(fmt::format(R"(
  local me = own.serial()
  if world.tick() == 0 then
    own.set('says.title', 'Lord ' .. me)
    own.set('says.nick', 'nick' .. me)
    own.append('says.list', 'one of ' .. me)
    own.append('says.list', 'two of ' .. me)
  end
  assert(own.get('says.title') == 'Lord ' .. me)
  assert(own.get('says.nick') == 'nick' .. me)
  assert(own.get('says.list', 2) == 'two of ' .. me)
  {}
)",
                                              std::string(kTalk)));

TEST(ScriptTextsWorldTest, PropertiesKeepTheirTexts) {
  const auto world = TalkingWorld(kNamed, kNamed);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 30);
  EXPECT_EQ(MessagesOf(*world), std::vector<std::string>{});
  EXPECT_EQ(TextOf(*world, "first", "title"), "Lord 1");
  EXPECT_EQ(TextOf(*world, "talker_0", "title"), "Lord 2");
  // Serials go by the names: talker_6 to talker_9 come behind it.
  EXPECT_EQ(TextOf(*world, "talker_59", "nick"), "nick57");
  EXPECT_EQ(TextOf(*world, "talker_59", "clock"), "57 at 29");
  // What nobody has any more is forgotten: 5 texts of each object, and up to
  // 512 others between two ticks.
  EXPECT_LE(RowCount(*world, "input", "input_texts"), 61u * 6 + 512);
}

TEST(ScriptTextsWorldTest, MessagesOfMistakesAreKnownAfterTheirTick) {
  const std::string many = Update(R"(
    for i = 1, 10 do
      own.set('says.clock', own.serial() .. ' at ' .. world.tick() .. i)
    end
  )");
  const auto world = TalkingWorld(
      Update("if world.tick() == 2 then error('what ' .. 'happened') end"),
      many);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 3);
  const std::vector<std::string> messages = MessagesOf(*world);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("what happened"), std::string::npos)
      << messages[0];
}

// More than there is room for, in one tick: who comes too late is told so.
TEST(ScriptTextsWorldTest, WhatHasNoRoomIsAMistake) {
  const auto world = TalkingWorld(Update(kTalk), Update(R"(
    if world.tick() ~= 1 then return end
    for i = 1, 4500 do own.set('says.clock', own.serial() .. ' says ' .. i) end
  )"));
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 2);
  const std::vector<std::string> messages = MessagesOf(*world);
  EXPECT_EQ(messages.size(), 3u);
  for (const std::string& message : messages) {
    EXPECT_NE(message.find("there is no room for one more"), std::string::npos)
        << message;
  }
  StepTimes(*world, 2);
  EXPECT_EQ(MessagesOf(*world), std::vector<std::string>{});
  EXPECT_LE(RowCount(*world, "input", "input_texts"), 61u + 512);
}

// The told wait for 6 ticks, in which all others say something.
const std::string kTell = fmt::format(R"(
return {{
  update = function()
    {}
    event.give('what', own.serial() .. ' told at ' .. world.tick())
    event.give('at', world.tick())
    event.post('told', own.handle(), 6)
  end,
  on = {{
    told = function()
      local at = event.get('at')
      assert(event.get('what') == own.serial() .. ' told at ' .. at)
      assert(world.tick() == at + 6)
      own.set('marker.hits', own.get('marker.hits') + 1)
    end
  }},
}}
)",
                                      std::string(kTalk));

TEST(ScriptTextsWorldTest, ArgumentsOfWaitingEventsAreKnown) {
  const auto world = TalkingWorld(kTell, kTell);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 20);
  EXPECT_EQ(MessagesOf(*world), std::vector<std::string>{});
  EXPECT_EQ(HitsOf(*world, "first"), 14);
  EXPECT_EQ(HitsOf(*world, "talker_59"), 14);
}

TEST(ScriptTextsWorldTest, GoesOnFromAnyTick) {
  constexpr int kTicks = 20;
  const auto world = TalkingWorld(kNamed, kTell);
  ASSERT_NE(world, nullptr);
  std::vector<State> states;
  for (int i = 0; i < kTicks; ++i) {
    states.push_back(world->state());
    StepTimes(*world, 1);
  }
  EXPECT_GT(RowCount(*world, "input", "input_texts"), 256u);
  const auto end = world->state().ComputeRootDigest();
  const auto other = TalkingWorld(kNamed, kTell);
  ASSERT_NE(other, nullptr);
  for (int i = 0; i < kTicks; ++i) {
    const absl::Status status = other->Restore(states[i]);
    ASSERT_TRUE(status.ok()) << status;
    StepTimes(*other, kTicks - i);
    EXPECT_EQ(other->state().ComputeRootDigest(), end) << "from " << i;
    EXPECT_EQ(MessagesOf(*other), std::vector<std::string>{});
    EXPECT_EQ(TextOf(*other, "first", "title"), "Lord 1");
  }
}

}  // namespace
}  // namespace reprise::sim
