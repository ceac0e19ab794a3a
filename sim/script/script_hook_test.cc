// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that hooks see each call of a function of ours, before and after it,
// and that what they do, mistakes and all, changes neither the call nor what
// comes of it.

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/script/functions/script_api.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

// What hooks have noted.
struct NotingWorld : TestingWorld {
  std::vector<std::string> notes;
};

absl::Status Note(ScriptCall& call) {
  call.context<NotingWorld>().notes.emplace_back(call.string(0));
  return absl::OkStatus();
}

// The functions of tests, and `note(text)`, which hooks may call.
std::shared_ptr<const ScriptApi> NotingApi() {
  auto api = std::make_shared<ScriptApi>(*TestingApi());
  const absl::Status status =
      api->Add({.name = "note",
                .help = "Notes a text.",
                .parameters = {{.name = "text",
                                .type = ScriptType::kString,
                                .help = "what is noted"}},
                .native = Note});
  CHECK(status.ok(), "{}", status.ToString());
  api->LetHooksCall("note");
  api->LetHooksCall("height");
  return api;
}

// A script that calls functions, beside one that looks on.
std::vector<ScriptFile> Files(std::string body, std::string hooks) {
  return {{"a.lua", "return {main = function()\n" + std::move(body) + "\nend}"},
          {"watch.lua", "return {" + std::move(hooks) + "}"}};
}

struct Result {
  std::string text;  // of main, or of its error
  std::vector<std::string> notes;
  double height = 0;
};

Result RunWatched(std::string body, std::string hooks) {
  const auto machine =
      LoadFiles(Files(std::move(body), std::move(hooks)), {}, NotingApi());
  EXPECT_TRUE(machine.ok()) << machine.status();
  if (!machine.ok()) return {};
  NotingWorld world;
  Result result;
  result.text = CallText(**machine, "main", {}, &world);
  result.notes = world.notes;
  result.height = world.position.y;
  return result;
}

std::string LoadMistake(std::string hooks) {
  const auto machine =
      LoadFiles(Files("return 1", std::move(hooks)), {}, NotingApi());
  EXPECT_FALSE(machine.ok());
  return std::string(machine.status().message());
}

using Notes = std::vector<std::string>;

TEST(ScriptHookTest, HooksSeeArgumentsAndResults) {
  const Result result = RunWatched(
      "world.push(vector(0, 1, 0), 3)\nreturn text_times('ab')",
      "before = {['world.push'] = function(direction, distance)\n"
      "note('push by ' .. distance .. ' at ' .. height()) end,\n"
      "text_times = function(text, count) note(text .. tostring(count)) end},\n"
      "after = {['world.push'] = function(result, direction, distance)\n"
      "note(tostring(result) .. ' then ' .. height()) end,\n"
      "text_times = function(result, text) note(text .. '>' .. result) end}");
  EXPECT_EQ(result.text, "abab");
  EXPECT_EQ(result.notes,
            (Notes{"push by 3.0 at 0.0", "nil then 3.0", "abnil", "ab>abab"}));
}

TEST(ScriptHookTest, HooksChangeNeitherArgumentsNorResults) {
  const Result result = RunWatched(
      "local text = 'ab'\nworld.push(vector(0, 1, 0), 3)\n"
      "return text_times(text) .. text",
      "before = {text_times = function(text) text = 'no'; return 'no' end,\n"
      "['world.push'] = function(d, m) d, m = nil, 0; return vector(9, 9, 9) "
      "end},\n"
      "after = {text_times = function(r) r = 'no'; return 'no' end}");
  EXPECT_EQ(result.text, "ababab");
  EXPECT_EQ(result.height, 3.0);
}

TEST(ScriptHookTest, AFailedCallHasNoResultToSee) {
  const Result result =
      RunWatched("world.push(vector(0, 1, 0), 300)",
                 "before = {['world.push'] = function() note('before') end},\n"
                 "after = {['world.push'] = function() note('after') end}");
  // Arguments that are wrong are no call.
  EXPECT_EQ(result.notes, Notes{});
  EXPECT_NE(result.text.find("a.lua:2: world.push: 'distance' is 300"),
            std::string::npos)
      << result.text;
}

TEST(ScriptHookTest, AHookMayNotChangeAnything) {
  const Result result = RunWatched(
      "return text_times('ab')",
      "before = {text_times = function() world.push(vector(0, 1, 0), 3) end}");
  EXPECT_EQ(result.text,
            "watch.lua:1: world.push: not in a hook, which only looks on");
  EXPECT_EQ(result.height, 0.0);
}

TEST(ScriptHookTest, AMistakeIsToldWhenTheCallIsDone) {
  // It can neither be caught nor keep anything from being done.
  const Result result = RunWatched(
      "pcall(world.push, vector(0, 1, 0), 3)\nnote('went on')\nreturn 1",
      "before = {['world.push'] = function() error('first') end},\n"
      "after = {['world.push'] = function()\nerror('second') end}");
  EXPECT_EQ(result.text, "watch.lua:1: first");
  EXPECT_EQ(result.notes, Notes{"went on"});
  EXPECT_EQ(result.height, 3.0);
}

TEST(ScriptHookTest, TheCallsOwnMistakeComesFirst) {
  EXPECT_EQ(RunWatched("text_times('a')\nerror('own')",
                       "before = {text_times = function() error('hook') end}")
                .text,
            "a.lua:3: own");
}

TEST(ScriptHookTest, AHookThatHooksItselfIsTold) {
  EXPECT_EQ(RunWatched("note('x')\nreturn 1",
                       "after = {note = function() note('y') end}")
                .text,
            "watch.lua:1: note: its own hook calls it");
  // Not even by way of another one's, and it ends after the first round.
  const Result result =
      RunWatched("note('x')\nreturn 1",
                 "before = {note = function() text_times('a') end,\n"
                 "text_times = function() note('y') end}");
  EXPECT_EQ(result.text, "watch.lua:2: note: its own hook calls it");
  EXPECT_EQ(result.notes, Notes{"x"});
}

TEST(ScriptHookTest, HooksOfSeveralFilesComeInTheirOrder) {
  const auto machine = LoadFiles(
      {{"a.lua", "return {main = function() text_times('a') end}"},
       {"c.lua", "return {before = {text_times = function() note('c') end}}"},
       {"b.lua", "return {before = {text_times = function() note('b') end}}"}},
      {}, NotingApi());
  ASSERT_TRUE(machine.ok()) << machine.status();
  NotingWorld world;
  CallText(**machine, "main", {}, &world);
  EXPECT_EQ(world.notes, (Notes{"b", "c"}));
}

TEST(ScriptHookTest, BudgetsEndWhatIsWatched) {
  const auto machine = LoadFiles(
      Files("pcall(world.push, vector(0, 1, 0), 3)\nreturn 1",
            "before = {['world.push'] = function() while true do end end}"),
      {.call_instructions = 1000}, NotingApi());
  ASSERT_TRUE(machine.ok()) << machine.status();
  NotingWorld world;
  EXPECT_EQ(CallText(**machine, "main", {}, &world),
            "watch.lua:1: the budget of instructions is used up");
  EXPECT_EQ(world.position.y, 0.0);
  // The next call is as if nothing had been.
  EXPECT_EQ(CallText(**machine, "main", {}, &world),
            "watch.lua:1: the budget of instructions is used up");
}

TEST(ScriptHookTest, HooksCantWaitInACoroutine) {
  EXPECT_EQ(
      RunWatched("local f = coroutine.wrap(function() note('x') end)\nf()\n"
                 "return 1",
                 "before = {note = function() coroutine.yield() end}")
          .text,
      "watch.lua:1: attempt to yield across a C-call boundary");
}

// What hooks are given by way of ScriptApi::set_watching.
void Elsewhere(void* context, absl::FunctionRef<void(void*)> run) {
  NotingWorld other;
  other.position.y = 7;
  run(&other);
  static_cast<NotingWorld*>(context)->notes = other.notes;
}

TEST(ScriptHookTest, HooksWorkOnAContextOfTheirOwn) {
  auto api = std::make_shared<ScriptApi>(*NotingApi());
  api->set_watching(Elsewhere);
  const auto machine = LoadFiles(
      Files("text_times('a')\nreturn height()",
            "before = {text_times = function() note('' .. height()) end}"),
      {}, api);
  ASSERT_TRUE(machine.ok()) << machine.status();
  NotingWorld world;
  EXPECT_EQ(CallText(**machine, "main", {}, &world), "0");
  EXPECT_EQ(world.notes, Notes{"7.0"});
}

TEST(ScriptHookTest, MistakesInDeclarationsHaveAPlace) {
  EXPECT_EQ(LoadMistake("before = {\n['world.pusch'] = function() end}"),
            "watch.lua:2: before: there is no function 'world.pusch'; did you "
            "mean 'world.push'? There are height, note, text_times, "
            "world.follow, world.position and world.push");
  EXPECT_EQ(LoadMistake("after = {height = 3}"),
            "watch.lua: after: 'height' is no function");
  EXPECT_NE(LoadMistake("after = {function() end}").find("no function ''"),
            std::string::npos);
}

}  // namespace
}  // namespace reprise::sim
