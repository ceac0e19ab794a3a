// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that scripts send what is declared and nothing else, that what they
// send wrongly ends in a sentence with its line and never in the process, that
// mistakes are told of whatever waits, and with the object that made them, and
// that nothing a script fills takes long.

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/input/input_frame.h"
#include "sim/state/field_value.h"
#include "sim/state/state.h"
#include "tests/world/testing_worlds.h"

namespace reprise::sim {
namespace {

constexpr std::string_view kPack = R"(
components {
  name: "all"
  properties { name: "whole" type: TYPE_INTEGER maximum: 1000000 }
  properties { name: "number" type: TYPE_NUMBER }
  properties { name: "text" type: TYPE_TEXT }
  properties { name: "friend" type: TYPE_REFERENCE }
  properties { name: "list" type: TYPE_INTEGER list_max: 4 }
}
events { name: "ring" arguments { name: "timer" type: TYPE_NAME } }
events { name: "tick" arguments { name: "timer" type: TYPE_NUMBER } }
events {
  name: "hit"
  arguments { name: "loud" type: TYPE_NUMBER optional: true }
  arguments { name: "count" type: TYPE_INTEGER optional: true }
  arguments { name: "who" type: TYPE_REFERENCE optional: true }
  arguments { name: "yes" type: TYPE_BOOLEAN optional: true }
  arguments { name: "how" type: TYPE_NAME optional: true }
}
players {
  count: 2
  actions { name: "south" button: 0 }
  actions { name: "space" key: KEY_SPACE }
  actions { name: "click" mouse_button: 1 }
  actions { name: "lean" axis: 0 }
  actions { name: "shout" command { arguments { name: "volume" maximum: 9 } } }
  commands_per_tick_max: 1
}
controls {
  controls { name: "jump" }
  contexts { name: "play"
    bindings { name: "jump" control: "jump" button { action: "south" } } }
}
types { name: "scripted" components { component: "marker" } components { component: "all" } behaviours { file: "main.lua" } }
types { name: "quiet" components { component: "marker" } components { component: "all" } timers { name: "t" event: "ring" delay_s: 9 } }
objects { name: "one" type: "scripted" }
objects { name: "two" type: "quiet" }
)";

PackArchive PackWith(std::string script, std::string_view more = "") {
  PackArchive pack = PackOf(Manifest({kMarker, kPack, more}));
  EXPECT_TRUE(pack.Add("main.lua", std::move(script)).ok());
  return pack;
}

std::unique_ptr<Simulation> WorldWith(std::string script,
                                      std::string_view more = "") {
  auto world = CreateWorld(PackWith(std::move(script), more), 1);
  EXPECT_TRUE(world.ok()) << world.status();
  return world.ok() ? *std::move(world) : nullptr;
}

// A world whose one script does `body` in line 2 of each update.
std::unique_ptr<Simulation> WorldDoing(std::string_view body,
                                       std::string_view more = "") {
  return WorldWith(
      fmt::format("return {{ queries = true, marks_timelines = true, update = "
                  "function()\n{}\nend }}",
                  body),
      more);
}

std::string ArgumentOf(const Simulation& world, const Event& event,
                       std::string_view name) {
  for (const EventArgument& argument : event.arguments) {
    if (argument.name == IdOf(name)) {
      return FormatFieldValue(argument.value, NamesOf(world));
    }
  }
  return "";
}

// "one, line 2: ..." of the only mistake since the last look.
std::string MistakeOf(Simulation& world) {
  const std::vector<Event> events = EventsOf(world, "script_failed");
  EXPECT_EQ(events.size(), 1u);
  if (events.empty()) return "";
  return fmt::format("{}, line {}: {}", world.ObjectName(events[0].object),
                     ArgumentOf(world, events[0], "line"),
                     ArgumentOf(world, events[0], "message"));
}

// The mistake of `body`.
std::string MistakeIn(std::string_view body) {
  const auto world = WorldDoing(body);
  if (world == nullptr) return "no world";
  StepTimes(*world, 1);
  return MistakeOf(*world);
}

TEST(ScriptEventsWorldTest, WhatIsNotDeclaredIsRefusedWithItsLine) {
  // Names are put together, since the pack's check finds those that aren't.
  for (const auto& [body, mistake] :
       {std::pair(
            "event.give('loud', true) event.post('hit')",
            "event.post: the argument 'loud' of 'hit' is of the type number, "
            "not boolean"),
        std::pair(
            "event.give('loud', 'x') event.send('hit', own.handle())",
            "event.send: the argument 'loud' of 'hit' is of the type number, "
            "not name"),
        std::pair("event.give('count', 1.5) event.post('hit')",
                  "event.post: the argument 'count' of 'hit' is of the type "
                  "integer, not number"),
        std::pair("event.give('yes', 1) event.post('hit')",
                  "event.post: the argument 'yes' of 'hit' is of the type "
                  "boolean, not integer"),
        std::pair("event.give('who', 'one') event.post('hit')",
                  "event.post: the argument 'who' of 'hit' is of the type "
                  "reference, not name"),
        std::pair(
            "event.give('how', own.handle()) event.post('hit')",
            "event.post: the argument 'how' of 'hit' is of the type name, "
            "not reference"),
        std::pair("event.give('lod', 1) event.post('hit')",
                  "event.post: the event 'hit' has no argument 'lod'; did you "
                  "mean 'loud'?"),
        std::pair("event.post('hi' .. 'tt')",
                  "event.post: there is no event 'hitt'; did you mean 'hit'?"),
        std::pair("event.post('script' .. '_failed')",
                  "event.post: 'script_failed' is for the world alone to send"),
        std::pair("event.send('object' .. '_failed', own.handle())",
                  "event.send: 'object_failed' is for the world alone to send"),
        std::pair("timer.start('a', 'rin' .. 'gg', 1)",
                  "timer.start: there is no event 'ringg'; did you mean "
                  "'ring'?"),
        std::pair("timer.start('a', 'game' .. '_won', 1)",
                  "timer.start: 'game_won' is for the world alone to send"),
        std::pair("timer.start('a', 'tick', 1)",
                  "timer.start: the argument 'timer' of 'tick' is declared to "
                  "be of the type number, not name"),
        std::pair("timeline.mark(1, 'game' .. '_won')",
                  "timeline.mark: 'game_won' is for the world alone to send"),
        std::pair("query.request_ray(vector(), vector(1, 0, 0), 1, "
                  "'game' .. '_won')",
                  "query.request_ray: 'game_won' is for the world alone to "
                  "send")}) {
    EXPECT_EQ(MistakeIn(body), fmt::format("one, line 2: {}", mistake)) << body;
  }
}

TEST(ScriptEventsWorldTest, WhatFitsBecomesWhatIsDeclared) {
  const auto world = WorldDoing(R"(
    event.give('loud', 3)
    event.give('count', 4.0)
    event.give('who', own.handle())
    event.give('yes', true)
    event.give('how', 'now')
    event.post('hit', own.handle())
    event.give('volume', 2)
    event.post('shout'))");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  std::vector<Event> events = world->DrainEvents();
  std::erase_if(events, [](const Event& event) {
    return event.type != IdOf("hit") && event.type != IdOf("shout");
  });
  ASSERT_EQ(events.size(), 2u);
  for (const EventArgument& argument : events[0].arguments) {
    const std::string name = world->IdName(argument.name);
    EXPECT_EQ(argument.value.type, name == "loud"    ? ScalarType::kDouble
                                   : name == "count" ? ScalarType::kInt64
                                   : name == "who"   ? ScalarType::kHandle
                                   : name == "yes"   ? ScalarType::kBool
                                                     : ScalarType::kId)
        << name;
  }
  EXPECT_EQ(events[1].type, IdOf("shout"));
}

TEST(ScriptEventsWorldTest, WhatARefusedEventWasGivenGoesToNoOther) {
  const auto world = WorldDoing(
      "event.give('loud', 1) pcall(event.post, 'hti') event.post('hit')");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 2);
  const std::vector<Event> events = EventsOf(*world, "hit");
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(ArgumentOf(*world, events[0], "loud"), "");
}

// The pack says nothing of its events, as packs could before there was a way
// to.
TEST(ScriptEventsWorldTest, WhereNoEventIsDeclaredAnyMayBeSent) {
  PackArchive pack = PackOf(Manifest({R"(
types { name: "scripted" behaviours { file: "main.lua" } }
objects { name: "one" type: "scripted" }
)"}));
  ASSERT_TRUE(pack.Add("main.lua", R"(return { update = function()
    event.give('much', true) event.post('anything', own.handle())
    timer.start('t', 'anything', 1)
  end })")
                  .ok());
  auto world = CreateWorld(pack, 1);
  ASSERT_TRUE(world.ok()) << world.status();
  StepTimes(**world, 2);
  int heard = 0;
  for (const Event& event : (*world)->DrainEvents()) {
    EXPECT_NE(event.type, IdOf("script_failed"));
    if (event.type == IdOf("anything")) ++heard;
  }
  EXPECT_GE(heard, 2);
}

TEST(ScriptEventsWorldTest, TheCheckFindsForgeriesAndTimersThatClash) {
  const auto problems_of = [](const PackArchive& pack) {
    PackReport report(PackPolicy{.is_author = true});
    CompilePack(pack, 1, report);
    std::string lines;
    for (const PackProblem& problem : report.problems()) {
      lines += FormatProblem(problem) + "\n";
    }
    return lines;
  };
  const std::string forged = problems_of(
      PackWith("return { update = function()\nevent.post('script_failed')\n"
               "end }"));
  EXPECT_NE(forged.find("main.lua:2: 'script_failed' is for the world alone to "
                        "send"),
            std::string::npos)
      << forged;
  const std::string clash =
      "it gives 'tick' the argument 'timer' of the type "
      "name, but the event is declared to have one of "
      "the type number";
  const std::string idle = "return { update = function() end }";
  const std::string effect = problems_of(PackWith(idle, R"(
connections { name: "c" event: "ring" then { start_timer { object: "two" timer { name: "x" event: "tick" delay_s: 1 } } } }
)"));
  EXPECT_NE(effect.find(clash), std::string::npos) << effect;
  const std::string type = problems_of(PackWith(
      idle,
      R"(types { name: "late" timers { name: "x" event: "tick" delay_s: 1 } })"));
  EXPECT_NE(type.find(clash), std::string::npos) << type;
}

std::vector<std::string> WarningsOf(const PackArchive& pack) {
  PackReport report;
  CompilePack(pack, 1, report);
  EXPECT_TRUE(report.ok()) << report.ToStatus();
  std::vector<std::string> lines;
  for (const PackProblem& warning : report.warnings()) {
    lines.push_back(FormatProblem(warning));
  }
  return lines;
}

TEST(ScriptEventsWorldTest, EventsThatNoScriptOfATypeHandlesAreWarnedOf) {
  const auto warnings = [](std::string_view script, std::string_view wants) {
    PackArchive pack =
        PackWith("return { update = function() event.post('hit') end }",
                 fmt::format("types {{ name: \"eager\" behaviours {{ file: "
                             "\"eager.lua\" }} {} }}",
                             wants));
    EXPECT_TRUE(pack.Add("eager.lua", std::string(script)).ok());
    std::string unheard;
    for (const std::string& line : WarningsOf(pack)) {
      if (line.find("no script of 'eager'") != std::string::npos) {
        unheard += line + "\n";
      }
    }
    return unheard;
  };
  constexpr std::string_view kIdle = "return { update = function() end }";
  constexpr std::string_view kHears =
      "return { on = { hit = function() end, ring = function() end } }";
  constexpr std::string_view kInState =
      "return { initial = 'a', states = { a = { on = { hit = function() end, "
      "ring = false } } } }";
  constexpr std::string_view kInterest = "interests { event: \"hit\" }";
  constexpr std::string_view kTimer =
      "timers { name: \"x\" event: \"ring\" delay_s: 1 }";
  EXPECT_NE(warnings(kIdle, kInterest).find("has on.hit"), std::string::npos);
  EXPECT_NE(warnings(kIdle, kTimer).find("has on.ring"), std::string::npos);
  for (const std::string_view wants : {kInterest, kTimer}) {
    EXPECT_EQ(warnings(kHears, wants), "");
    EXPECT_EQ(warnings(kInState, wants), "");
  }
  // What every object understands, and what a connection hears of.
  EXPECT_EQ(
      warnings(kIdle, "timers { name: \"x\" event: \"destroy\" delay_s: 1 }"),
      "");
  EXPECT_EQ(warnings(kIdle,
                     "timers { name: \"x\" event: \"ring\" delay_s: 1 } } "
                     "connections { name: \"c\" event: \"ring\" then { "
                     "destroy { object: \"sender\" } }"),
            "");
}

TEST(ScriptEventsWorldTest, MistypedKeysOfAScriptAreFound) {
  const auto problems = [](std::string_view script) {
    PackReport report(PackPolicy{.is_author = true});
    CompilePack(PackWith(std::string(script)), 1, report);
    std::string lines;
    for (const PackProblem& problem : report.problems()) {
      lines += FormatProblem(problem) + "\n";
    }
    return lines;
  };
  EXPECT_NE(problems("return { spawn = function() end,\nupdat = function() end "
                     "}")
                .find("main.lua:2: nobody reads 'updat'; did you mean "
                      "'update'?"),
            std::string::npos);
  EXPECT_NE(problems("return { spawn = function() end,\nOn = {} }")
                .find("main.lua:2: nobody reads 'On'; did you mean 'on'?"),
            std::string::npos);
  // A function of its own is called as it likes, and as a step calls it.
  EXPECT_EQ(
      problems("return { update = function() end, aim = function() end }"), "");
  EXPECT_EQ(problems("local M = {}\nfunction M.spawns() end\nfunction "
                     "M.update() M.spawns() end\nreturn M"),
            "");
}

// What ended the process: the event waits in a snapshot, or an engine's code
// sends it; conditions, effects and participants read it.
TEST(ScriptEventsWorldTest, NoReaderIsStoppedByAnArgumentOfAnotherType) {
  constexpr std::string_view kReaders = R"pb(
    types {
      name: "sender"
      timers { name: "t" event: "ring" delay_s: 0.05 }
    }
    objects { name: "sender" type: "sender" }
    connections {
      name: "a"
      event: "hit"
      if: "loud > 3"
      then { add { object: "two" property: "all.whole" amount: "1" } }
    }
    connections {
      name: "b"
      event: "hit"
      if: "yes"
      then { set { object: "two" property: "all.number" to: "loud" } }
    }
    connections {
      name: "c"
      event: "hit"
      if: "who.all.whole >= 0"
      then { set { object: "who" property: "all.whole" to: "count" } }
    }
    connections {
      name: "d"
      event: "hit"
      then { set { object: "two" property: "all.friend" to: "who" } }
    }
    connections {
      name: "e"
      event: "hit"
      if: "how == 'now' and not (yes and loud < 0)"
      then {
        add { object: "two" property: "all.number" amount: "loud * count" }
      }
    }
    connections {
      name: "f"
      event: "hit"
      target_participant: "who"
      send: "hit"
      delay_s: 0.05
      pass { from: "loud" to: "loud" }
      pass { from: "how" to: "how" }
    }
    connections {
      name: "g"
      event: "hit"
      if: "sender == 'one' or target != 'two'"
      then { set { object: "two" property: "all.text" to: "how" } }
    }
  )pb";
  constexpr std::string_view kNames[] = {"loud", "count", "who", "yes", "how"};
  constexpr ScalarType kTypes[] = {ScalarType::kBool,   ScalarType::kInt64,
                                   ScalarType::kUint64, ScalarType::kDouble,
                                   ScalarType::kId,     ScalarType::kObject,
                                   ScalarType::kHandle};
  // An event that waits gets arguments of every type in a snapshot.
  constexpr std::string_view kSends =
      "for i = 1, 5 do event.give(({'loud', 'count', 'who', 'yes', 'how'})[i],"
      " ({1.5, 2, own.handle(), true, 'now'})[i]) end event.post('hit', nil, "
      "2)";
  const auto world = WorldDoing(kSends, kReaders);
  const auto sending = WorldDoing(kSends, kReaders);
  ASSERT_NE(world, nullptr);
  ASSERT_NE(sending, nullptr);
  StepTimes(*sending, 1);
  const std::optional<TableIndex> queued =
      sending->state().Find("events", "queued_events");
  ASSERT_TRUE(queued.has_value());
  int tried = 0;
  for (uint32_t row = 0; row < sending->state().table(*queued).row_count();
       ++row) {
    for (size_t name = 0; name < std::size(kNames); ++name) {
      for (const ScalarType type : kTypes) {
        State damaged = sending->state();
        Table& table = damaged.mutable_table(*queued);
        const std::optional<uint32_t> at = [&]() -> std::optional<uint32_t> {
          for (uint32_t i = 0; i < 8; ++i) {
            const auto path = table.schema().Find(fmt::format("names[{}]", i));
            if (!path.has_value()) return std::nullopt;
            if (ReadScalar(table.schema(), table.Row(row), *path).bits ==
                IdOf(kNames[name]).value) {
              return i;
            }
          }
          return std::nullopt;
        }();
        if (!at.has_value()) continue;
        const auto write = [&](std::string_view field, FieldValue value) {
          const auto path =
              table.schema().Find(fmt::format("{}[{}]", field, *at));
          ASSERT_TRUE(path.has_value());
          ASSERT_TRUE(
              WriteScalar(damaged,
                          {.table = *queued, .row = row, .scalar = *path},
                          value)
                  .ok());
        };
        write("types", {ScalarType::kInt16, static_cast<uint64_t>(type)});
        write("values", {ScalarType::kUint64, 1});
        if (!world->Restore(damaged).ok()) continue;
        ++tried;
        StepTimes(*world, 8);
      }
    }
  }
  EXPECT_GE(tried, 30);
}

TEST(ScriptEventsWorldTest, MistakesAreToldOfThoughTheQueueIsFull) {
  const auto world = WorldDoing("while true do event.post('hit', nil, 5) end",
                                "limits { queued_events_max: 64 }");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  const std::vector<Event> events = world->DrainEvents();
  int failed = 0;
  int inert = 0;
  for (const Event& event : events) {
    failed += event.type == IdOf("script_failed") ? 1 : 0;
    inert += event.type == IdOf("object_failed") ? 1 : 0;
  }
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(inert, 1);
}

// Both mistakes of one that goes wait behind a full queue over the end of the
// tick: a snapshot of then is as good as any.
TEST(ScriptEventsWorldTest, WhatWaitsBehindAFullQueueIsRestored) {
  constexpr std::string_view kScript =
      "return { update = function() for i = 1, 100 do event.post('hit', nil, "
      "5) end world.destroy() end, destroyed = function() error('no') end }";
  constexpr std::string_view kLimits = "limits { queued_events_max: 64 }";
  const auto world = WorldWith(std::string(kScript), kLimits);
  const auto other = WorldWith(std::string(kScript), kLimits);
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  EXPECT_EQ(RowCount(*world, "events", "queued_events"), 66u);
  ASSERT_TRUE(other->Restore(world->state()).ok());
  StepTimes(*world, 8);
  StepTimes(*other, 8);
  EXPECT_EQ(world->state().ComputeRootDigest(),
            other->state().ComputeRootDigest());
}

TEST(ScriptEventsWorldTest, AMistakeOnTheWayOutIsTheObjects) {
  const auto world = WorldWith(
      "return { update = function() world.destroy() end,\n"
      "destroyed = function() own.set('all.whole', -1.5) end }");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 3);
  const std::vector<Event> events = world->DrainEvents();
  int count = 0;
  for (const Event& event : events) {
    if (event.type != IdOf("script_failed") &&
        event.type != IdOf("object_failed")) {
      continue;
    }
    ++count;
    EXPECT_EQ(event.object, ObjectId{1}) << world->IdName(event.type);
    EXPECT_EQ(event.tick, 0u);
  }
  EXPECT_EQ(count, 2);
}

TEST(ScriptEventsWorldTest, AMistakeOnTheWayOutCountsOnce) {
  const auto world = WorldWith(
      "return { update = function() world.destroy() end,\n"
      "destroyed = function() error('on the way out') end }",
      R"(
objectives {
  name: "two"
  condition { event { event: "script_failed" count: 2 } }
  decides: DECISION_LOST
}
)");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 10);
  EXPECT_EQ(EventsOf(*world, "script_failed").size(), 1u);
  EXPECT_EQ(world->outcome().status, Outcome::Status::kRunning);
}

// One mistake, of that line and that object, wherever a script is called; the
// world runs on, in every run alike, and from a snapshot.
TEST(ScriptEventsWorldTest, AMistakeInAnyHandlerStopsItsObjectAlone) {
  for (const std::string_view script : {
           "spawn = function()\nerror('no') end",
           "update = function()\nerror('no') end",
           "after_physics = function()\nerror('no') end",
           "spawn = function() event.post('hit', own.handle()) end, on = { hit "
           "= function()\nerror('no') end }",
           "update = function() world.destroy() end, destroyed = "
           "function()\nerror('no') end",
           "initial = 'a', states = { a = { enter = function()\nerror('no') "
           "end } }",
           "initial = 'a', states = { a = { exit = function()\nerror('no') "
           "end, "
           "update = function() state.go_to('b') end }, b = {} }",
           "initial = 'a', states = { a = { update = function()\nerror('no') "
           "end } }",
           "initial = 'a', states = { a = { after_physics = "
           "function()\nerror('no') end } }",
           "spawn = function() event.post('hit', own.handle()) end, initial = "
           "'a', states = { a = { on = { hit = function()\nerror('no') end } } "
           "}",
           "initial = 'a', states = { a = { steps = { { wait = 1 } }, finished "
           "= function()\nerror('no') end } }",
           "initial = 'a', states = { a = { steps = { { call = "
           "function()\nerror('no') end } } } }",
           "initial = 'a', states = { a = { steps = { { wait_until = "
           "function()\nerror('no') end } } } }",
           "initial = 'a', states = { a = { steps = { { wait = "
           "function()\nerror('no') end } } } }",
           "initial = 'a', states = { a = { steps = { { move_to = "
           "function()\nerror('no') end, speed = 1 } } } }",
           "initial = 'a', states = { a = { steps = { { move_to = vector(1, 0, "
           "0), speed = function()\nerror('no') end } } } }",
           "initial = 'a', states = { a = { steps = { { play = 'x', ticks = "
           "function()\nerror('no') end } } } }",
           "update = function() own.set('all.whole', 1) end, before = { "
           "['own.set'] = function()\nerror('no') end }",
           "update = function() own.set('all.whole', 1) end, after = { "
           "['own.set'] = function()\nerror('no') end }",
           "update = function() pcall(error, 'no')\nlocal f = "
           "coroutine.wrap(function() error('no') end) f() end",
       }) {
    const std::string source = fmt::format("return {{ {} }}", script);
    constexpr std::string_view kOther =
        "connections { name: \"c\" event: \"ring\" then { add { object: "
        "\"two\" property: \"all.whole\" amount: \"1\" } } }";
    const auto world = WorldWith(source, kOther);
    const auto again = WorldWith(source, kOther);
    ASSERT_NE(world, nullptr) << script;
    for (int tick = 0; tick < 12; ++tick) {
      ASSERT_TRUE(again->Restore(world->state()).ok()) << script;
      StepTimes(*world, 1);
      StepTimes(*again, 1);
      ASSERT_EQ(world->state().ComputeRootDigest(),
                again->state().ComputeRootDigest())
          << script;
    }
    const std::string mistake = MistakeOf(*world);
    EXPECT_TRUE(mistake.starts_with("one, line 2: ")) << script << mistake;
    EXPECT_TRUE(mistake.ends_with("no")) << script << mistake;
  }
}

TEST(ScriptEventsWorldTest, TextsThatCanNotBeKeptAreRefused) {
  EXPECT_EQ(MistakeIn("own.set('all.text', ('x'):rep(257))"),
            "one, line 2: own.set: 'all.text': a string of 257 bytes is given; "
            "at most 256 are kept");
  EXPECT_EQ(MistakeIn("own.set('all.text', '\\xff')"),
            "one, line 2: own.set: 'all.text': a string is given that is no "
            "UTF-8, which can't be kept");
  EXPECT_EQ(MistakeIn("event.give('how', ('x'):rep(257))"),
            "one, line 2: event.give: a string of 257 bytes is given; at most "
            "256 are kept");
  const auto world = WorldDoing(
      "own.set('all.text', ('x'):rep(256)) assert(#own.get('all.text') == "
      "256) own.set('marker.hits', 1)");
  ASSERT_NE(world, nullptr);
  StepTimes(*world, 1);
  EXPECT_EQ(HitsOf(*world, "one"), 1);
}

TEST(ScriptEventsWorldTest, PlayersAndActionsAreNamedInMistakes) {
  for (const auto& [body, mistake] :
       {std::pair("player.axis(0, 'sou' .. 'th')",
                  "player.axis: the action 'south' is no axis: it is a button, "
                  "which player.holds and player.presses tell of"),
        std::pair("player.holds(0, 'le' .. 'an')",
                  "player.holds: the action 'lean' is no button: it is an "
                  "axis, which player.axis tells of"),
        std::pair("player.holds(0, 'sho' .. 'ut')",
                  "player.holds: the action 'shout' is no button: it is one "
                  "that becomes an event, which `on` hears of"),
        std::pair("player.holds(0, 'sout')",
                  "player.holds: the pack has no button 'sout'; did you mean "
                  "'south'?"),
        std::pair("player.holds(2, 'south')",
                  "player.holds: there is no player 2: the pack has 2, from 0 "
                  "on"),
        std::pair("player.value(2, 'jump')",
                  "player.value: there is no player 2: the pack has 2, from 0 "
                  "on"),
        std::pair("player.value(0, 'jum')",
                  "player.value: there is no control 'jum'; did you mean "
                  "'jump'?")}) {
    const std::string told = MistakeIn(body);
    EXPECT_TRUE(told.starts_with(fmt::format("one, line 2: {}", mistake)))
        << told;
  }
}

TEST(ScriptEventsWorldTest, ButtonsOfAllDevicesAreAsked) {
  const auto world = WorldDoing(R"(
    local n = 0
    for i, name in ipairs { 'south', 'space', 'click' } do
      if player.holds(1, name) then n = n + 1 end
      if player.presses(1, name) then n = n + 10 end
      if player.holds(0, name) then n = n + 100 end
      if player.releases(1, name) then n = n + 1000 end
    end
    own.set('all.whole', n))");
  ASSERT_NE(world, nullptr);
  InputFrame held{.player = 1};
  held.device.buttons = 1;
  held.device.keys.Add(44);
  held.device.mouse.buttons = 2;
  const auto number = [&] {
    return ValueOf(*world, "components", "all", "one", "whole")->bits;
  };
  world->Step(std::vector{held}, nullptr);
  EXPECT_EQ(number(), 33u);
  world->Step(std::vector{held}, nullptr);
  EXPECT_EQ(number(), 3u);
  world->Step(std::vector{InputFrame{.player = 1}}, nullptr);
  EXPECT_EQ(number(), 3000u);
  world->Step(std::vector{InputFrame{.player = 1}}, nullptr);
  EXPECT_EQ(number(), 0u);
}

// Each would fill a table, or look through what it has filled, for as long as
// the budget of one call lets it: what it did is bounded, and so is its time.
TEST(ScriptEventsWorldTest, WhatGrowsCostsWhatItTakes) {
  struct Growth {
    std::string_view body;
    std::string_view room;
    std::string_view table;
    uint32_t rows_max;
  };
  for (const Growth& each : std::vector<Growth>{
           {"local i = 0 while true do i = i + 1 timer.start('t' .. i, 'ring', "
            "100) end",
            "time", "timers", 8000},
           {"local i = 0 while true do i = i + 1 timeline.start('t' .. i, 100) "
            "end",
            "time", "timelines", 8000},
           {"local i = 0 while true do i = i + 1 event.listen('e' .. i) end",
            "events", "interests", 8000},
           {"local i = 0 while true do i = i + 1 world.random('s' .. i) end",
            "world", "random_streams", 8000},
           {"while true do world.spawn('quiet', vector()) end", "world",
            "objects", 20002},
           {"while true do local h = world.spawn('quiet', vector()) if h then "
            "world.destroy(h) end end",
            "world", "objects", 2},
           {"local i = 0 while true do i = i + 1 own.set('all.text', 't' .. i) "
            "end",
            "world", "objects", 2},
           {"while true do world.give('all.whole', 1) end", "world", "objects",
            2}}) {
    const auto world = WorldDoing(each.body);
    ASSERT_NE(world, nullptr);
    StepTimes(*world, 1);
    EXPECT_NE(MistakeOf(*world).find("the budget of instructions is used up"),
              std::string::npos)
        << each.body;
    EXPECT_LE(RowCount(*world, each.room, each.table), each.rows_max)
        << each.body;
  }
  EXPECT_EQ(MistakeIn("for i = 1, 5 do world.give('all.list', i) end"),
            "one, line 2: world.give: 'all.list' holds at most 4 values");
}

}  // namespace
}  // namespace reprise::sim
