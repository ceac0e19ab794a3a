// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What people ask of scripts: which lines ran (`--script-coverage` of run and
// test) and with what (`inspect --trace`). The pack is small enough to count by
// hand, and nothing that is asked changes a run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kManifest[] = R"(name: "counting"
components { name: "count" properties { name: "of" type: TYPE_INTEGER } }
types {
  name: "counter"
  components { component: "count" }
  behaviours { file: "counter.lua" }
}
objects { name: "one" type: "counter" }
objects { name: "two" type: "counter" }
)";

constexpr char kScript[] = R"(-- Doubles up to 8 and begins again.
local M = {}

local function twice(n)
  return 2 * n
end

function M.spawn()
  own.set("count.of", 1)
end

function M.update()
  local n = own.get("count.of")
  if n < 8 then
    own.set("count.of", twice(n))
  else
    own.set("count.of", 1)
  end
end

function M.destroyed()
  log.info("gone")
end

return M
)";

// In 5 ticks an object counts 1 2 4 8 1 2: the condition holds of 1, 2, 4 and
// 1, and not of 8. There are two objects. What is left is loading, which makes
// functions at their ends and names them where they begin.
constexpr char kFiveTicks[] =
    "BRDA:14,0,0,8\n"
    "BRDA:14,0,1,2\n"
    "BRF:2\n"
    "BRH:2\n"
    "DA:2,1\n"
    "DA:5,8\n"
    "DA:6,1\n"
    "DA:8,1\n"
    "DA:9,2\n"
    "DA:10,3\n"
    "DA:12,1\n"
    "DA:13,10\n"
    "DA:14,10\n"
    "DA:15,8\n"
    "DA:17,2\n"
    "DA:19,11\n"
    "DA:21,1\n"
    "DA:22,0\n"
    "DA:23,1\n"
    "DA:25,1\n"
    "LF:16\n"
    "LH:15\n"
    "end_of_record\n";

class ScriptToolsTest : public testing::Test {
 protected:
  void SetUp() override {
    pack_ = TemporaryPath("counting");
    fs::remove_all(pack_);
    fs::create_directories(fs::path(pack_) / "tests");
    WriteFileBytes(pack_ + "/pack.txtpb", kManifest);
    WriteFileBytes(pack_ + "/counter.lua", kScript);
  }

  static CommandResult Reprise(std::vector<std::string> words) {
    words.insert(words.begin(), "tools/reprise/reprise");
    return RunCommand(words);
  }

  // Records 5 ticks.
  std::string Recorded() {
    const std::string path = TemporaryPath("counting.mcap");
    const CommandResult result =
        Reprise({"run", pack_, "--ticks", "5", "--record", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }

  std::string pack_;
};

TEST_F(ScriptToolsTest, RunCountsEachLineAndBranch) {
  const std::string path = TemporaryPath("run.info");
  const CommandResult plain = Reprise({"run", pack_, "--ticks", "5"});
  const CommandResult counted =
      Reprise({"run", pack_, "--ticks", "5", "--script-coverage", path});
  EXPECT_EQ(counted.exit_code, 0) << counted.err;
  EXPECT_EQ(counted.out, plain.out) << "a run that is counted differs";
  EXPECT_EQ(ReadFileBytes(path),
            "TN:\nSF:" + pack_ + "/counter.lua\n" + kFiveTicks);
}

TEST_F(ScriptToolsTest, ScenariosAreSummed) {
  WriteFileBytes(pack_ + "/tests/count.txtpb",
                 "scenarios { name: \"a\" ticks: 3 expect { that: "
                 "\"one.count.of == 8\" } }\n"
                 "scenarios { name: \"b\" ticks: 2 expect { that: "
                 "\"one.count.of == 4\" } }\n");
  const std::string path = TemporaryPath("test.info");
  const CommandResult result =
      Reprise({"test", pack_, "--script-coverage", path});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const std::string text = ReadFileBytes(path);
  // 3 and 2 updates of two objects, and two worlds of two objects each.
  EXPECT_THAT(text, HasSubstr("SF:" + pack_ + "/counter.lua\n"));
  EXPECT_THAT(text, HasSubstr("\nDA:9,4\n"));
  EXPECT_THAT(text, HasSubstr("\nDA:13,10\n"));
  EXPECT_THAT(text, HasSubstr("\nDA:17,0\n"));
  EXPECT_THAT(text, HasSubstr("\nBRDA:14,0,0,10\nBRDA:14,0,1,0\n"));
}

TEST_F(ScriptToolsTest, BotsAreCountedToo) {
  const std::string path = TemporaryPath("bots.info");
  const CommandResult result =
      Reprise({"run", "sim/packs/pong", "--bots", "--ticks", "60",
               "--script-coverage", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string text = ReadFileBytes(path);
  EXPECT_THAT(text, HasSubstr("SF:sim/packs/pong/scripts/ball.lua\n"));
  EXPECT_THAT(text, HasSubstr("SF:sim/packs/pong/bots/"));
}

TEST_F(ScriptToolsTest, ABranchIsCountedFromWhereItLeaves) {
  const std::string path = TemporaryPath("branch.info");
  const CommandResult result =
      Reprise({"run", "--from", Recorded(), "--at", "4", "--ticks", "6",
               "--script-coverage", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string text = ReadFileBytes(path);
  EXPECT_THAT(text, HasSubstr("SF:counting/counter.lua\n"));
  EXPECT_THAT(text, HasSubstr("\nDA:9,0\n"));
  EXPECT_THAT(text, HasSubstr("\nDA:13,4\n"));
}

TEST_F(ScriptToolsTest, CoverageOfNothingIsRefused) {
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "5", "--script-coverage",
               TemporaryPath("nothing.info")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("nothing in marble that would run has a script"));
  EXPECT_NE(Reprise({"run", pack_, "--ticks", "5", "--script-coverage",
                     "no/such/folder.info"})
                .exit_code,
            0);
}

TEST_F(ScriptToolsTest, TheProfileBeginsWithTheCostliestLine) {
  const std::string path = TemporaryPath("profile.txt");
  const CommandResult result =
      Reprise({"run", pack_, "--ticks", "5", "--script-profile", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string text = ReadFileBytes(path);
  EXPECT_TRUE(text.starts_with("instructions   share        runs  line\n"))
      << text;
  // The line that reads, the same in any run of 5 ticks of two objects.
  EXPECT_THAT(text, HasSubstr("  10  " + pack_ + "/counter.lua:13\n"));
}

TEST_F(ScriptToolsTest, AReloadIsAnInputOfTheRecording) {
  WriteFileBytes(pack_ + "/pack.txtpb",
                 std::string(kManifest) +
                     "players { actions { name: \"reload\" script_reload {} } "
                     "commands_per_tick_max: 1 }\n");
  std::string source = kScript;
  source.replace(source.find("n < 8"), 5, "n < 2");
  const std::string other = TemporaryPath("other.lua");
  WriteFileBytes(other, source);
  const std::string path = TemporaryPath("reloaded.mcap");
  const CommandResult run =
      Reprise({"run", pack_, "--random-inputs", "1", "--ticks", "40",
               "--keyframe-stride", "5", "--change-input",
               "20:0:reload=counter.lua,@" + other, "--record", path,
               "--expect", "one.count.of <= 2"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  const CommandResult verify = Reprise({"verify", path, "--threads", "2"});
  EXPECT_EQ(verify.exit_code, 0) << verify.out << verify.err;
  // Who wrote last is told by its line, of the source that counts then.
  const CommandResult query =
      Reprise({"query", path, "--watch", "one.count.of"});
  EXPECT_THAT(query.out, HasSubstr("tick 1: 1 -> 2, by script counter.lua:15"));
  EXPECT_THAT(query.out,
              HasSubstr("tick 22: 2 -> 1, by script counter.lua:17"));
}

TEST_F(ScriptToolsTest, DiffNamesTheLineThatWroteLast) {
  const std::string first = TemporaryPath("first.mcap");
  ASSERT_EQ(
      Reprise({"run", pack_, "--ticks", "9", "--record", first}).exit_code, 0);
  // A line more, and the other branch for 2: from 2 one goes on to 4 by line
  // 15, the other back to 1 by line 18.
  std::string source = "-- Doubles up to 2.\n" + std::string(kScript);
  source.replace(source.find("n < 8"), 5, "n < 2");
  WriteFileBytes(pack_ + "/counter.lua", source);
  const std::string second = TemporaryPath("second.mcap");
  ASSERT_EQ(
      Reprise({"run", pack_, "--ticks", "9", "--record", second}).exit_code, 0);
  const CommandResult diff = Reprise({"diff", first, second});
  EXPECT_THAT(diff.out,
              HasSubstr("first different state: tick 1, pre_physics, object "
                        "one, count.of: 4 | 1; last written by script "
                        "counter.lua:15 | script counter.lua:18"))
      << diff.err;
}

TEST_F(ScriptToolsTest, TraceShowsTicksObjectsAndValues) {
  const CommandResult result =
      Reprise({"inspect", Recorded(), "--trace", "counter.lua:14"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "tick 0, one, function of line 12: n = 1\n"
            "tick 0, two, function of line 12: n = 1\n"
            "tick 1, one, function of line 12: n = 2\n"
            "tick 1, two, function of line 12: n = 2\n"
            "tick 2, one, function of line 12: n = 4\n"
            "tick 2, two, function of line 12: n = 4\n"
            "tick 3, one, function of line 12: n = 8\n"
            "tick 3, two, function of line 12: n = 8\n"
            "tick 4, one, function of line 12: n = 1\n"
            "tick 4, two, function of line 12: n = 1\n"
            "10 times in ticks 0 to 4\n");
}

TEST_F(ScriptToolsTest, TraceOfAnObjectInSomeTicks) {
  const std::string replay = Recorded();
  EXPECT_EQ(Reprise({"inspect", replay, "two", "--trace", "counter.lua:5",
                     "--from", "2", "--to", "4"})
                .out,
            "tick 2, two, function 'twice': n = 4\n"
            "tick 4, two, function 'twice': n = 1\n"
            "2 times in ticks 2 to 4\n");
  EXPECT_EQ(Reprise({"inspect", replay, "two", "--trace", "counter.lua:17",
                     "--tick", "3"})
                .out,
            "tick 3, two, function of line 12: n = 8\n"
            "1 times in ticks 3 to 3\n");
}

TEST_F(ScriptToolsTest, TraceShowsWhatRunsWhileTheWorldIsMade) {
  EXPECT_EQ(Reprise({"inspect", Recorded(), "--trace", "counter.lua:9"}).out,
            "start, one, function of line 8\n"
            "start, two, function of line 8\n"
            "2 times in ticks 0 to 4\n");
}

TEST_F(ScriptToolsTest, TraceIsBounded) {
  const std::string path = TemporaryPath("long.mcap");
  ASSERT_EQ(
      Reprise({"run", pack_, "--ticks", "600", "--record", path}).exit_code, 0);
  const CommandResult result = Reprise(
      {"inspect", path, "--trace", "counter.lua:13", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("only the first 1000 are shown"));
  const Json trace = Json::parse(result.out);
  EXPECT_EQ(trace["count"], 1200);
  EXPECT_EQ(trace["visits"].size(), 1000u);
  EXPECT_EQ(trace["visits"][2]["tick"], 1);
  EXPECT_EQ(trace["visits"][3]["object"], "two");
}

TEST_F(ScriptToolsTest, TraceAsJsonHasEachVariable) {
  const CommandResult result =
      Reprise({"inspect", Recorded(), "one", "--trace", "counter.lua:15",
               "--tick", "1", "--format", "json"});
  const Json trace = Json::parse(result.out);
  EXPECT_EQ(trace["trace"], "counter.lua:15");
  EXPECT_EQ(trace["visits"][0]["locals"],
            Json::parse(R"([{"name": "n", "value": "2"}])"));
}

TEST_F(ScriptToolsTest, TraceRefusesWhatIsNoCode) {
  const std::string replay = Recorded();
  const auto refused = [&](const std::string& place, int exit_code,
                           const std::string& told,
                           const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"inspect", replay, "--trace", place};
    words.insert(words.end(), more.begin(), more.end());
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, exit_code) << place;
    EXPECT_THAT(result.err, HasSubstr(told));
  };
  refused("counter.lua:1", 2, "counter.lua:1 has no code; line 2 has");
  refused("counter.lua:999", 2, "counter.lua:999 has no code; line 25 has");
  refused("conter.lua:3", 3,
          "there is no script 'conter.lua'; did you mean 'counter.lua'?");
  for (const char* const place : {"counter.lua", ":3", "counter.lua:0", "a:b",
                                  "counter.lua:99999999999"}) {
    refused(place, 2, "is no FILE:LINE");
  }
  refused("counter.lua:13", 2, "ends at tick 5", {"--from", "5"});
  refused("counter.lua:13", 2, "ends at tick 5", {"--tick", "9"});
  refused("counter.lua:13", 2, "is behind", {"--from", "3", "--to", "2"});
  refused("counter.lua:13", 2, "without --changes", {"--changes"});
  EXPECT_EQ(Reprise({"inspect", replay, "--from", "1"}).exit_code, 2);
  EXPECT_EQ(Reprise({"inspect", pack_, "--trace", "counter.lua:13"}).exit_code,
            2);
}

}  // namespace
}  // namespace reprise::tests
