// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that whoever looks on is told each time that a line begins, with the
// values of what is in scope there, and that looking changes nothing: not even
// the instruction at which a budget ends.

#include "sim/script/script_watcher.h"

#include <memory>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "sim/script/functions/testing_api.h"
#include "sim/script/testing_scripts.h"

namespace reprise::sim {
namespace {

// Keeps what it is told of one line, or of all.
class Notes final : public ScriptWatcher {
 public:
  explicit Notes(int line) : line_(line) {}

  bool Wants(const ScriptLine& line) override {
    return line_ == 0 || line.line == line_;
  }
  std::string NameOf(Handle handle, void* /*context*/) override {
    return fmt::format("#{}", handle.index);
  }
  void OnLine(const ScriptVisit& visit, void* /*context*/) override {
    std::string text = fmt::format("{} {}:", visit.line.line, visit.function);
    for (const ScriptLocal& local : visit.locals) {
      text += fmt::format(" {}={}", local.name, local.value);
    }
    told.push_back(text);
  }

  std::vector<std::string> told;

 private:
  int line_;
};

// What is told of a line while `main` of the script runs.
std::vector<std::string> ToldOf(const std::string& source, int line,
                                std::vector<ScriptValue> arguments = {}) {
  const auto machine = LoadFiles({{"a.lua", source}}, {}, TestingApi());
  EXPECT_TRUE(machine.ok()) << machine.status();
  if (!machine.ok()) return {};
  Notes notes(line);
  (*machine)->Watch(&notes);
  CallText(**machine, "main", std::move(arguments));
  return notes.told;
}

TEST(ScriptWatcherTest, LocalsHaveTheValuesBeforeTheLine) {
  const std::string source =
      "return {main = function(count)\n"
      "local sum = 0\n"
      "for i = 1, count do\n"
      "sum = sum + i\n"
      "end\n"
      "local after = 1\n"
      "return sum\n"
      "end}";
  EXPECT_EQ(
      ToldOf(source, 4, {int64_t{3}}),
      (std::vector<std::string>{"4 function of line 1: count=3 sum=0 i=1",
                                "4 function of line 1: count=3 sum=1 i=2",
                                "4 function of line 1: count=3 sum=3 i=3"}));
  EXPECT_EQ(ToldOf(source, 7, {int64_t{0}}),
            (std::vector<std::string>{
                "7 function of line 1: count=0 sum=0 after=1"}));
}

TEST(ScriptWatcherTest, EachTypeHasItsText) {
  const std::vector<std::string> told = ToldOf(
      "return {main = function(object)\n"
      "local n, b, i, d = nil, true, -7, 2.0\n"
      "local s, v = 'a\"b\\n\\xff', vector(1, 2.5, -3)\n"
      "local t = {1, 2, {3}, x = 's', [9] = print}\n"
      "local f, nan = function() end, 0/0\n"
      "return 1\n"
      "end}",
      6, {Handle{.index = 4, .generation = 1}});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0],
            "6 function of line 1: object=#4 n=nil b=true i=-7 d=2.0 "
            "s=\"a\\\"b\\x0a\\xff\" v=(1.0, 2.5, -3.0) "
            "t={1, 2, {...}, x = \"s\"} f=function nan=nan");
}

TEST(ScriptWatcherTest, LongValuesAreCut) {
  const std::vector<std::string> told = ToldOf(
      "return {main = function()\n"
      "local s, t = ('x'):rep(101), {}\n"
      "for i = 1, 9 do t[i] = i end\n"
      "return 1\n"
      "end}",
      4);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0], "4 function of line 1: s=\"" + std::string(100, 'x') +
                         "\"... t={1, 2, 3, 4, 5, 6, 7, 8, ...}");
}

TEST(ScriptWatcherTest, FunctionsWithinFunctionsAndCoroutinesAreFollowed) {
  const std::vector<std::string> told = ToldOf(
      "local function twice(x)\n"
      "return 2 * x\n"
      "end\n"
      "return {main = function()\n"
      "local f = coroutine.wrap(function(y) coroutine.yield(twice(y)) end)\n"
      "return f(4) + twice(5)\n"
      "end}",
      2);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].substr(told[0].find(':')), ": x=4");
  EXPECT_EQ(told[1].substr(told[1].find(':')), ": x=5");
}

TEST(ScriptWatcherTest, ALineThatACallReturnsToGoesOn) {
  EXPECT_EQ(ToldOf("local function one()\nreturn 1\nend\n"
                   "return {main = function()\n"
                   "return one() + one()\nend}",
                   5)
                .size(),
            1u);
}

TEST(ScriptWatcherTest, LookingChangesNothing) {
  const std::string source =
      "return {main = function(n)\n"
      "local t, s = {}, ''\n"
      "for i = 1, n do t[i] = {i}; s = s .. i end\n"
      "for k, v in pairs(t) do s = s .. k; t[k] = nil end\n"
      "return s\nend}";
  for (const int64_t limit : {200, 301, 402, 503, 1000000}) {
    const ScriptLimits limits = {.call_instructions = limit};
    const auto plain = LoadText(source, limits);
    const auto watched = LoadText(source, limits);
    ASSERT_TRUE(plain.ok() && watched.ok());
    Notes notes(0);
    (*watched)->Watch(&notes);
    EXPECT_EQ(CallText(**plain, "main", {int64_t{30}}),
              CallText(**watched, "main", {int64_t{30}}));
    EXPECT_EQ((*plain)->usage(), (*watched)->usage());
    EXPECT_FALSE(notes.told.empty());
    (*watched)->Watch(nullptr);
  }
}

}  // namespace
}  // namespace reprise::sim
