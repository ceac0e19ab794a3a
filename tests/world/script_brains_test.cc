// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a script may leave to a brain in which state its object is:
// machines within each other and their history are the brain's, and the script
// does what its state says, by asking for it, by hearing of each change, or by
// states of its own that the brain's effects set.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

// A miner who digs or hauls by day and sleeps by night: told 1 it hauls, 0 is
// night, 9 is day, on which it goes on as it was.
constexpr std::string_view kMiner = R"(
components {
  name: "log"
  properties { name: "text" type: TYPE_TEXT }
  properties { name: "last" type: TYPE_TEXT }
  properties { name: "to" type: TYPE_NAME }
  properties { name: "changes" type: TYPE_INTEGER }
}
players {
  actions { name: "tell" command { arguments { name: "what" minimum: 0 maximum: 9 } } }
  commands_per_tick_max: 1
}
connections { name: "tell" event: "tell" target: "miner" send: "told" pass { from: "what" } }
events { name: "told" arguments { name: "what" type: TYPE_INTEGER } }
types {
  name: "miner" brain: "miner" components { component: "log" }
  behaviours { file: "main.lua" }
}
objects { name: "miner" type: "miner" }
brains {
  name: "miner"
  root { machine {
    states {
      name: "day"
      transitions { to: "night" on: "told" if: "what == 0" }
      machine {
        history: HISTORY_DEEP
        states { name: "work" machine {
          states { name: "dig" enter { set { object: "self" property: "script.state" to: "'digging'" } } transitions { to: "haul" on: "told" if: "what == 1" } }
          states { name: "haul" enter { set { object: "self" property: "script.state" to: "'hauling'" } } }
        } }
      }
    }
    states {
      name: "night"
      enter { set { object: "self" property: "script.state" to: "'asleep'" } }
      transitions { to: "day" on: "told" if: "what == 9" }
    }
  } }
}
)";

std::unique_ptr<Simulation> MinerWith(std::string_view script) {
  PackArchive pack = PackOf(Manifest({kMiner}));
  EXPECT_TRUE(pack.Add("main.lua", std::string(script)).ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

void Tell(Simulation& world, int64_t what) {
  InputFrame frame;
  frame.commands.push_back({.name = IdOf("tell"), .arguments = {what}});
  world.Step(std::vector{frame}, nullptr);
  StepTimes(world, 3);
}

// From the morning over haulage and a night to the next day.
void LiveADay(Simulation& world) {
  StepTimes(world, 3);
  Tell(world, 1);
  Tell(world, 0);
  Tell(world, 9);
}

uint64_t LogOf(const Simulation& world, std::string_view property) {
  return ValueOf(world, "components", "log", "miner", property)->bits;
}

TEST(ScriptBrainsTest, ScriptsAskWhichStateABrainIsIn) {
  const auto world = MinerWith(R"(
local letters = { dig = "d", haul = "h", night = "n" }
return {
  initial = "digging",
  states = { digging = {}, hauling = {}, asleep = {} },
  update = function()
    local letter = letters[own.get("brain.state")]
    if letter and letter ~= own.get("log.last") then
      own.set("log.last", letter)
      own.set("log.text", own.get("log.text") .. letter)
    end
  end,
  on = {
    brain_changed = function()
      own.set("log.changes", own.get("log.changes") + 1)
      own.set("log.to", event.get("to"))
    end,
  },
})");
  ASSERT_NE(world, nullptr);
  LiveADay(*world);
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  EXPECT_EQ(world->IdName(Id{LogOf(*world, "text")}), "dhnh");
  // From dig to haul, to the night and back to the day.
  EXPECT_EQ(LogOf(*world, "changes"), 3u);
  EXPECT_EQ(LogOf(*world, "to"), IdOf("day").value);
}

// d, h and z when a state is entered, x when it is left.
TEST(ScriptBrainsTest, BrainsLeadScriptsFromStateToState) {
  const auto world = MinerWith(R"(
local function notes(text)
  return function() own.set("log.text", own.get("log.text") .. text) end
end
return {
  initial = "idle",
  update = function() end,
  states = {
    idle = {},
    digging = { enter = notes("d"), exit = notes("x") },
    hauling = { enter = notes("h"), exit = notes("x") },
    asleep = { enter = notes("z"), exit = notes("x") },
  },
})");
  ASSERT_NE(world, nullptr);
  LiveADay(*world);
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  EXPECT_EQ(world->IdName(Id{LogOf(*world, "text")}), "dxhxzxh");
}

}  // namespace
}  // namespace reprise::sim
