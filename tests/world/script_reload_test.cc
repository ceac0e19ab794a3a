// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a script can be replaced while a game runs: from that tick on the
// new source counts, in every object and in every world that is restored from a
// later state; and that one which can't take the script's place changes nothing
// and is told of.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "sim/input/random_input_source.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
players {
  count: 2
  commands_per_tick_max: 2
  actions { name: "reload" script_reload {} }
  actions { name: "go" button: 0 }
}
events { name: "poke" }
types {
  name: "counter"
  components { component: "marker" }
  behaviours { file: "counter.lua" modules: "lib.lua" }
}
types {
  name: "gate"
  components { component: "marker" }
  behaviours { file: "gate.lua" }
}
types {
  name: "quiet"
  components { component: "marker" }
  behaviours { file: "quiet.lua" }
}
objects { name: "one" type: "counter" }
objects { name: "two" type: "counter" }
objects { name: "gate" type: "gate" }
objects { name: "quiet" type: "quiet" }
)";

constexpr std::string_view kCounter = R"(local step = require("lib")
return { parameters = { more = 0 }, update = function()
  own.set("marker.hits", own.get("marker.hits") + step + parameter.get("more"))
end })";

constexpr std::string_view kGate = R"(return {
  initial = "shut",
  states = {
    shut = { steps = { { wait = 4 }, { wait = 4 } }, next = "open" },
    open = { enter = function() own.set("marker.hits", 100) end },
  },
})";

std::unique_ptr<Simulation> MakeWorld() {
  PackArchive pack = PackOf(Manifest({kMarker, kPack}));
  EXPECT_TRUE(pack.Add("lib.lua", "return 1").ok());
  EXPECT_TRUE(pack.Add("counter.lua", std::string(kCounter)).ok());
  EXPECT_TRUE(pack.Add("gate.lua", std::string(kGate)).ok());
  EXPECT_TRUE(pack.Add("quiet.lua", "return { spawn = function() end }").ok());
  auto world = CreateWorld(pack, 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

InputFrame Reload(std::string file, std::string source, uint32_t player = 0) {
  return {.player = player,
          .commands = {{.name = IdOf("reload"),
                        .arguments = {std::move(file), std::move(source)}}}};
}

void Step(Simulation& world, const InputFrame& frame) {
  ASSERT_TRUE(world.Validate(std::span(&frame, 1)).ok())
      << world.Validate(std::span(&frame, 1));
  world.Step(std::span(&frame, 1), nullptr);
}

std::string MessageOf(Simulation& world) {
  const std::vector<Event> events = EventsOf(world, "script_reload_refused");
  if (events.size() != 1) return fmt::format("{} refusals", events.size());
  for (const EventArgument& argument : events[0].arguments) {
    if (argument.name == IdOf("message")) {
      return world.IdName(Id{argument.value.bits});
    }
  }
  return "no message";
}

TEST(ScriptReloadTest, TheNewSourceCountsFromItsTickOn) {
  const auto world = MakeWorld();
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "one"), 3);
  Step(*world, Reload("lib.lua", "return 10"));
  EXPECT_EQ(HitsOf(*world, "one"), 13);
  EXPECT_EQ(HitsOf(*world, "two"), 13);
  const std::vector<Event> told = EventsOf(*world, "script_reloaded");
  ASSERT_EQ(told.size(), 1u);
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "one"), 23);
}

TEST(ScriptReloadTest, FunctionsThatWerentThereAreCalled) {
  const auto world = MakeWorld();
  StepTimes(*world, 1);
  Step(*world, Reload("quiet.lua", R"(return {
    update = function() own.set("marker.hits", own.get("marker.hits") + 1) end,
    after_physics = function() event.post("poke", own.handle()) end,
    on = { poke = function()
      own.set("marker.hits", own.get("marker.hits") + 100)
    end },
  })"));
  StepTimes(*world, 2);
  // Three updates; what was posted behind two of them has come.
  EXPECT_EQ(HitsOf(*world, "quiet"), 303);
}

// Every state from before the first reload to behind the last, taken by a world
// at its start and by one that has reloaded otherwise, goes on alike.
TEST(ScriptReloadTest, EveryStateIsRestoredWithItsSources) {
  const std::string grown =
      std::string(kGate) + "\n" + std::string(600, '-') + " a comment";
  const auto frame_at = [&](Tick tick) -> std::vector<InputFrame> {
    if (tick == 3) return {Reload("lib.lua", "return 2")};
    if (tick == 6) return {Reload("gate.lua", grown, 1)};
    if (tick == 9) return {Reload("lib.lua", "return 3 +")};  // refused
    if (tick == 12) {
      return {Reload("lib.lua", "return 5", 1),
              Reload("counter.lua", "return { update = function() end }")};
    }
    if (tick == 15) return {Reload("counter.lua", std::string(kCounter))};
    return {};
  };
  const auto world = MakeWorld();
  std::vector<State> states;
  for (Tick tick = 0; tick < 24; ++tick) {
    states.push_back(world->state());
    world->Step(frame_at(tick), nullptr);
  }
  const auto other = MakeWorld();
  Step(*other, Reload("counter.lua", "return { spawn = function() end }"));
  for (Tick from = 0; from < 24; ++from) {
    for (Simulation* const restored :
         {MakeWorld().release(), other->Fork().release()}) {
      const std::unique_ptr<Simulation> owner(restored);
      const absl::Status status = restored->Restore(states[from]);
      ASSERT_TRUE(status.ok()) << from << ": " << status;
      for (Tick tick = from; tick < 24; ++tick) {
        ASSERT_EQ(restored->state().ComputeRootDigest(),
                  states[tick].ComputeRootDigest())
            << from << ", " << tick;
        restored->Step(frame_at(tick), nullptr);
      }
      ASSERT_EQ(restored->state().ComputeRootDigest(),
                world->state().ComputeRootDigest())
          << from;
    }
  }
}

TEST(ScriptReloadTest, WhatCantTakeTheScriptsPlaceChangesNothing) {
  const struct {
    const char* file;
    const char* source;
    const char* message;
  } cases[] = {
      {"nobody.lua", "return {}", "no such script"},
      {"lib.lua", "return 1 +", "lib.lua:1:"},
      {"lib.lua", "local a = nil\nreturn a.b", "lib.lua:2:"},
      {"counter.lua", "return {}", "returns no table"},
      {"counter.lua", "return { update = 3 }", "'update' is no function"},
      {"counter.lua", "return { queries = true, update = function() end }",
       "'queries' is new"},
      {"counter.lua",
       "return { parameters = { less = 1 }, update = function() end }",
       "'less' is new"},
      {"counter.lua",
       "return { parameters = { more = true }, update = function() end }",
       "'more' has another type"},
      {"counter.lua", "return { initial = 'a', states = { a = {} } }", "none"},
      {"gate.lua", "return { update = function() end }", "has some"},
      {"gate.lua", "return { initial = 'b', states = { a = {} } }", "gate.lua"},
      {"lib.lua", "while true do end", "instructions"},
      {"lib.lua", "local t = {} while true do t[#t + 1] = {} end", "bytes"},
      {"lib.lua", "local t = 'x' while true do t = t .. t end", "bytes"},
      {"lib.lua", "local function f() return 1 + f() end\nreturn f()",
       "lib.lua:1: stack overflow"},
      {"lib.lua", "string.rep('x', 1 << 30)", "bytes"},
  };
  for (const auto& each : cases) {
    const auto world = MakeWorld();
    const auto twin = MakeWorld();
    StepTimes(*world, 2);
    StepTimes(*twin, 2);
    world->DrainEvents();
    Step(*world, Reload(each.file, each.source));
    StepTimes(*twin, 1);
    const std::string message = MessageOf(*world);
    EXPECT_NE(message.find(each.message), std::string::npos)
        << each.source << ": " << message;
    StepTimes(*world, 20);
    StepTimes(*twin, 20);
    EXPECT_EQ(HitsOf(*world, "one"), HitsOf(*twin, "one")) << each.source;
    EXPECT_EQ(HitsOf(*world, "gate"), HitsOf(*twin, "gate")) << each.source;
    // All but what tells of the refusal is as if nobody had tried.
    for (const State::Room& room : world->state().rooms()) {
      if (room.name == "events" || room.name == "input") continue;
      EXPECT_EQ(world->state().ComputeRoomDigest(room),
                twin->state().ComputeRoomDigest(room))
          << each.source << ": " << room.name;
    }
    EXPECT_EQ(RowCount(*world, "script_reloads", "script_sources"), 0u);
  }
}

TEST(ScriptReloadTest, ObjectsStayAtTheirSteps) {
  const auto world = MakeWorld();
  StepTimes(*world, 6);  // in the second wait
  Step(*world, Reload("gate.lua", R"(return {
    initial = "shut",
    states = {
      shut = { steps = { { wait = 4 }, { wait = 4 } }, next = "open" },
      open = { enter = function() own.set("marker.hits", 7) end },
    },
  })"));
  StepTimes(*world, 4);
  EXPECT_EQ(HitsOf(*world, "gate"), 7);
}

TEST(ScriptReloadTest, AStateThatIsGoneIsLeftForTheInitialOne) {
  const auto world = MakeWorld();
  StepTimes(*world, 12);
  EXPECT_EQ(HitsOf(*world, "gate"), 100);
  Step(*world, Reload("gate.lua", R"(return {
    initial = "wide",
    states = {
      wide = { enter = function() own.set("marker.hits", 5) end,
               steps = { { call = function() own.set("marker.hits", 6) end } } },
    },
  })"));
  EXPECT_TRUE(EventsOf(*world, "script_failed").empty());
  EXPECT_EQ(HitsOf(*world, "gate"), 6);
  const auto value = ValueOf(*world, "components", "script", "gate", "state");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(world->IdName(Id{value->bits}), "wide");
}

TEST(ScriptReloadTest, AStepOfAnotherKindBeginsAnew) {
  const auto world = MakeWorld();
  StepTimes(*world, 6);
  Step(*world, Reload("gate.lua", R"(return {
    initial = "shut",
    states = {
      shut = { steps = { { wait = 4 }, { call = function()
                 own.set("marker.hits", own.get("marker.hits") + 1) end } } },
    },
  })"));
  StepTimes(*world, 3);
  EXPECT_EQ(HitsOf(*world, "gate"), 1);
}

TEST(ScriptReloadTest, SourcesThatWereNeverTakenAreRefusedAsASnapshot) {
  const auto world = MakeWorld();
  Step(*world, Reload("lib.lua", "return 2"));
  State forged = world->state();
  const TableIndex table = *forged.Find("script_reloads", "script_sources");
  const ScalarPath path = *forged.table(table).schema().Find("bytes[0]");
  // "return 2" with another first letter.
  const FieldAddress address{.table = table, .row = 0, .scalar = path};
  FieldValue value = ReadScalar(forged.table(table).schema(),
                                forged.table(table).Row(0), path);
  value.bits ^= 1;
  ASSERT_TRUE(WriteScalar(forged, address, value).ok());
  const Digest before = world->state().ComputeRootDigest();
  EXPECT_EQ(world->Restore(forged).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(world->state().ComputeRootDigest(), before);
}

// A snapshot may be in a state that only the next source has.
TEST(ScriptReloadTest, AStateThatTheSourceBeforeLackedBeginsItsSteps) {
  const auto world = MakeWorld();
  const auto set = [&world](std::string_view field, FieldValue value) {
    const TableIndex table = *world->state().Find("components", "script");
    const FieldAddress address{
        .table = table,
        .row = 0,
        .scalar = *world->state().table(table).schema().Find(field)};
    return world->Inject(address, value);
  };
  ASSERT_TRUE(set("entered", FieldValue::OfId(IdOf("wide"))).ok());
  ASSERT_TRUE(set("state", FieldValue::OfId(IdOf("wide"))).ok());
  ASSERT_TRUE(set("is_begun", {ScalarType::kUint64, 1}).ok());
  Step(*world, Reload("gate.lua", R"(return {
    initial = "wide",
    states = {
      wide = { steps = { { call = function() own.set("marker.hits", 6) end } } },
    },
  })"));
  StepTimes(*world, 2);
  EXPECT_EQ(HitsOf(*world, "gate"), 6);
}

TEST(ScriptReloadTest, NobodyDrawsAReloadAtRandom) {
  const auto world = MakeWorld();
  RandomInputSource source(world->info().inputs, 1);
  for (Tick tick = 0; tick < 1000; ++tick) {
    for (const InputFrame& frame : source.Next()) {
      EXPECT_TRUE(frame.commands.empty());
    }
  }
}

TEST(ScriptReloadTest, ItIsNoEvent) {
  const auto world = MakeWorld();
  for (const EventDescription& event : world->description().events) {
    EXPECT_NE(event.name, "reload");
  }
}

TEST(ScriptReloadTest, APackThatHasNoneIsTold) {
  PackReport report;
  CompilePack(PackOf(Manifest({R"(
    players { actions { name: "reload" script_reload {} } }
  )"})),
              1, report);
  ASSERT_EQ(report.problems().size(), 1u);
  EXPECT_NE(FormatProblem(report.problems()[0])
                .find("no type of the pack has a script"),
            std::string::npos)
      << FormatProblem(report.problems()[0]);
}

}  // namespace
}  // namespace reprise::sim
