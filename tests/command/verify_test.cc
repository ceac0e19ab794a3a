// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that `reprise verify` gives every replay of many its own result,
// whatever one of them does to its process, and tells people, programs and CI
// systems the same: with a simulation that crashes, hangs and takes memory when
// it is told to, under the program that people run.

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/container/byte_stream.h"
#include "replays/testing/forged_replay.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

constexpr char kReprise[] = "tests/command/reprise_unwell";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

std::vector<std::string> VerdictsOf(const Json& document) {
  std::vector<std::string> verdicts;
  for (const Json& file : document["files"]) {
    verdicts.push_back(file["verdict"]);
  }
  return verdicts;
}

// A replay of the tiny simulation with another value in its metadata.
std::string Forge(const std::string& key, const std::string& value) {
  const replays::Bytes bytes = replays::ForgedReplay(key, value).Finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Three replays of 600 ticks, in the order of their names; the second is the
// one that can have a mishap.
class VerifyTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string pack = TemporaryPath("tiny");
    RunCommand({"mkdir", "-p", pack});
    WriteFileBytes(pack + "/pack.txtpb",
                   "name: \"tiny\"\nstep: 0.1\ngoal: 9\n");
    for (const char* const seed : {"11", "13", "15"}) {
      const CommandResult result =
          RunCommand({kReprise, "run", pack, "--simulation", "unwell", "--seed",
                      seed, "--random-inputs", seed, "--ticks", "600",
                      "--record", Replay(seed)});
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
  }

  static std::string Replay(const std::string& seed) {
    return TemporaryPath("replay_" + seed + ".mcap");
  }

  static std::vector<std::string> Replays() {
    return {Replay("11"), Replay("13"), Replay("15")};
  }

  // Verifies all three, with these flags, in this environment.
  static CommandResult VerifyAll(
      std::vector<std::string> flags,
      const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words = {"env"};
    words.insert(words.end(), environment.begin(), environment.end());
    words.insert(words.end(), {kReprise, "verify"});
    const std::vector<std::string> replays = Replays();
    words.insert(words.end(), replays.begin(), replays.end());
    words.insert(words.end(), flags.begin(), flags.end());
    return RunCommand(words);
  }

  // The same as JSON.
  static Json VerifyAllToJson(std::vector<std::string> flags,
                              const std::vector<std::string>& environment = {},
                              int exit_code = 0) {
    flags.insert(flags.end(), {"--format", "json"});
    const CommandResult result = VerifyAll(std::move(flags), environment);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return Json::parse(result.out);
  }
};

TEST_F(VerifyTest, TableHasARowAReplayInTheOrderOfNames) {
  const CommandResult result = VerifyAll({"--jobs", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const size_t first = result.out.find(Replay("11"));
  const size_t last = result.out.find(Replay("15"));
  EXPECT_LT(first, last);
  EXPECT_NE(last, std::string::npos);
  EXPECT_THAT(result.out, AllOf(StartsWith("verified 600 of 600 ticks  "),
                                HasSubstr("\n3 replays: 3 verified, 0 not\n")));
}

TEST_F(VerifyTest, NumberOfJobsAndIsolationChangeNoResult) {
  const std::string alone = VerifyAll({"--jobs", "1"}).out;
  EXPECT_EQ(VerifyAll({"--jobs", "3"}).out, alone);
  EXPECT_EQ(VerifyAll({"--isolation", "process"}).out, alone);
  EXPECT_EQ(VerifyAll({"--isolation", "none"}).out, alone);
}

// Whatever a simulation does in its steps: none of them is made.
TEST_F(VerifyTest, InfoRunsNothing) {
  const auto info = [](const std::string& mishap) {
    return RunCommand({"timeout", "60", "env", "UNWELL=" + mishap, kReprise,
                       "info", Replay("11"), Replay("13"), "--format", "json"});
  };
  const CommandResult well = info("nothing");
  ASSERT_EQ(well.exit_code, 0) << well.err;
  EXPECT_THAT(well.out, HasSubstr("\"tick_count\": 600"));
  for (const char* const mishap :
       {"check", "signal", "exit", "hang", "second", "late"}) {
    const CommandResult result = info(mishap);
    EXPECT_EQ(result.exit_code, 0) << mishap << result.err;
    EXPECT_EQ(result.out, well.out) << mishap;
  }
  // It is what its steps do that is left out.
  EXPECT_NE(VerifyAll({}, {"UNWELL=check"}).exit_code, 0);
}

// Each replay waits for another one to be under way.
TEST_F(VerifyTest, JobsRunAtTheSameTime) {
  const std::string place = TemporaryPath("meeting_place");
  RunCommand({"mkdir", "-p", place});
  const Json together =
      VerifyAllToJson({"--jobs", "2", "--hang-timeout-seconds", "60"},
                      {"UNWELL=meet", "MEETING_PLACE=" + place});
  EXPECT_THAT(VerdictsOf(together),
              ElementsAre("verified", "verified", "verified"));

  RunCommand({"sh", "-c", "rm " + place + "/*"});
  const CommandResult alone = RunCommand(
      {"env", "UNWELL=meet", "MEETING_PLACE=" + place, kReprise, "verify",
       Replay("11"), "--jobs", "1", "--hang-timeout-seconds", "1"});
  EXPECT_EQ(alone.exit_code, 4);
}

TEST_F(VerifyTest, CrashIsTheResultOfOneReplay) {
  const CommandResult result = VerifyAll({}, {"UNWELL=check"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, AllOf(ContainsRegex("crashed +0 of 600 ticks"),
                                HasSubstr("this simulation is unwell"),
                                HasSubstr("after 256 of 600 ticks"),
                                HasSubstr("2 verified, 1 not (1 crashed)")));
  EXPECT_THAT(result.err,
              HasSubstr("reproduce: reprise verify " + Replay("13") + "\n"));
}

TEST_F(VerifyTest, CrashOnOneOfSeveralThreadsIsTheSameResult) {
  const Json result = VerifyAllToJson({"--threads", "2"}, {"UNWELL=check"}, 4);
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "crashed", "verified"));
}

TEST_F(VerifyTest, SignalIsNamed) {
  const Json result = VerifyAllToJson({}, {"UNWELL=signal"}, 4);
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "crashed", "verified"));
  EXPECT_EQ(result["files"][1]["exit_code"], 4);
  EXPECT_EQ(result["files"][1]["error"],
            "crashed, signal 9 (Killed), after 256 of 600 ticks");
}

TEST_F(VerifyTest, ProcessThatEndsWithoutAResultHasNotPassed) {
  const Json result = VerifyAllToJson({}, {"UNWELL=exit"}, 4);
  EXPECT_EQ(result["files"][1]["error"],
            "crashed, exit code 0 and no result, after 256 of 600 ticks");
}

TEST_F(VerifyTest, HangIsEndedAndIsTheResultOfOneReplay) {
  const Json result =
      VerifyAllToJson({"--hang-timeout-seconds", "2"}, {"UNWELL=hang"}, 4);
  EXPECT_THAT(VerdictsOf(result), ElementsAre("verified", "hung", "verified"));
  EXPECT_EQ(result["files"][1]["error"],
            "hung, no progress for 2 s, after 256 of 600 ticks");
}

TEST_F(VerifyTest, EndlessOutputIsAHangOfWhichTheEndIsKept) {
  const Json result =
      VerifyAllToJson({"--hang-timeout-seconds", "2"}, {"UNWELL=chatter"}, 4);
  EXPECT_THAT(VerdictsOf(result), ElementsAre("verified", "hung", "verified"));
  const std::string report = result["files"][1]["report"];
  EXPECT_THAT(report, HasSubstr("\nthis simulation is unwell\n"));
  EXPECT_LT(report.size(), 8192u);
}

TEST_F(VerifyTest, MemoryBeyondTheLimitIsTheResultOfOneReplay) {
  if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  const Json result =
      VerifyAllToJson({"--memory-max-mib", "256"}, {"UNWELL=memory"}, 4);
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "crashed", "verified"));
  EXPECT_EQ(result["files"][1]["error"],
            "crashed, out of memory, after 256 of 600 ticks");
}

// An empty folder in which processes leave their numbers.
std::string MakeMeetingPlace() {
  std::string place = TemporaryPath("census");
  RunCommand({"rm", "-rf", place});
  RunCommand({"mkdir", "-p", place});
  return place;
}

size_t CountFiles(const std::string& folder) {
  return static_cast<size_t>(
      std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST_F(VerifyTest, ProcessTakesOneReplayAfterAnother) {
  for (const auto& [isolation, processes] :
       {std::pair("worker", 1u), std::pair("process", 3u)}) {
    const std::string place = MakeMeetingPlace();
    VerifyAllToJson({"--jobs", "1", "--isolation", isolation},
                    {"UNWELL=census", "MEETING_PLACE=" + place});
    EXPECT_EQ(CountFiles(place), processes) << isolation;
  }
}

TEST_F(VerifyTest, CrashBehindOtherReplaysIsTriedOnceMoreAlone) {
  const Json result = VerifyAllToJson({"--jobs", "1"}, {"UNWELL=second"});
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "verified", "verified"));
}

TEST_F(VerifyTest, WhatIsWrongBehindOtherReplaysIsTriedOnceMoreAlone) {
  const Json result = VerifyAllToJson({"--jobs", "1"}, {"UNWELL=leftover"});
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "verified", "verified"));
}

TEST_F(VerifyTest, WhatIsWrongInAProcessOfItsOwnIsWrong) {
  const Json result =
      VerifyAllToJson({"--jobs", "1", "--outcome", "lost"}, {}, 1);
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("unexpected", "unexpected", "unexpected"));
}

TEST_F(VerifyTest, ProcessThatKeepsMemoryTakesNoOtherReplay) {
  if (kHasSanitizer) GTEST_SKIP() << "sanitizers take more than any limit";
  const std::string place = MakeMeetingPlace();
  const Json result =
      VerifyAllToJson({"--jobs", "1", "--memory-max-mib", "512"},
                      {"UNWELL=keep", "MEETING_PLACE=" + place});
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "verified", "verified"));
  EXPECT_EQ(CountFiles(place), 3u);
}

TEST_F(VerifyTest, CrashWhenAllIsDoneIsNoSuccess) {
  const Json result = VerifyAllToJson({"--jobs", "1"}, {"UNWELL=late"}, 4);
  EXPECT_THAT(VerdictsOf(result),
              ElementsAre("verified", "verified", "crashed"));
}

TEST_F(VerifyTest, TimeOfStepsIsToldAndPartOfTheWhole) {
  const Json result = VerifyAllToJson({});
  for (const Json& file : result["files"]) {
    EXPECT_GT(file["stepping_seconds"], 0.0);
    EXPECT_LT(file["stepping_seconds"], file["seconds"]);
  }
}

TEST_F(VerifyTest, ShardsShareOutAllReplaysOnce) {
  std::vector<std::string> files;
  for (const char* const shard : {"1/2", "2/2"}) {
    const Json result = VerifyAllToJson({"--shard", shard});
    for (const Json& file : result["files"]) files.push_back(file["file"]);
  }
  EXPECT_THAT(files, ElementsAre(Replay("11"), Replay("15"), Replay("13")));
}

TEST_F(VerifyTest, ShardsAreReadFromTheEnvironment) {
  const std::vector<std::vector<std::string>> environments = {
      {"TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=3"},
      {"CI_NODE_INDEX=2", "CI_NODE_TOTAL=3"},
      {"BUILDKITE_PARALLEL_JOB=1", "BUILDKITE_PARALLEL_JOB_COUNT=3"},
      {"SLURM_ARRAY_TASK_ID=7", "SLURM_ARRAY_TASK_MIN=5",
       "SLURM_ARRAY_TASK_STEP=2", "SLURM_ARRAY_TASK_COUNT=3"},
      {"JOB_COMPLETION_INDEX=1", "JOB_COMPLETIONS=3"}};
  for (const std::vector<std::string>& environment : environments) {
    const Json result = VerifyAllToJson({}, environment);
    ASSERT_EQ(result["files"].size(), 1u) << environment.front();
    EXPECT_EQ(result["files"][0]["file"], Replay("13")) << environment.front();
  }
}

// By which Bazel knows that a test heeds its shards.
TEST_F(VerifyTest, BazelsShardStatusFileIsMade) {
  const std::string path = TemporaryPath("shard_status");
  VerifyAllToJson({}, {"TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=3",
                       "TEST_SHARD_STATUS_FILE=" + path});
  EXPECT_EQ(RunCommand({"test", "-e", path}).exit_code, 0);
}

TEST_F(VerifyTest, ShardWithoutReplaysIsOne) {
  const CommandResult result = VerifyAll({"--shard", "4/4"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("note: shard 4 of 4 (--shard): 0 of 3 replays"),
                    HasSubstr("nothing was verified")));
  EXPECT_EQ(VerifyAll({"--shard", "4/4", "--allow-empty"}).exit_code, 0);
  EXPECT_EQ(VerifyAll({"--shard", "5/4"}).exit_code, 2);
}

TEST_F(VerifyTest, JunitHasACaseAReplayWithReportAndCommand) {
  const std::string path = TemporaryPath("junit.xml");
  VerifyAll({"--junit", path}, {"UNWELL=check"});
  EXPECT_THAT(
      ReadFileBytes(path),
      AllOf(StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
            HasSubstr("tests=\"3\" failures=\"0\" errors=\"1\""),
            HasSubstr("name=\"" + Replay("11") + "\""),
            HasSubstr("<error type=\"crashed\" message=\"crashed, "),
            HasSubstr("reproduce: reprise verify " + Replay("13") + "\n")));
}

TEST_F(VerifyTest, CommandOfAFailureGivesItAgain) {
  const CommandResult result = VerifyAll(
      {"--hang-timeout-seconds", "2", "--outcome", "lost", "--shard", "1/1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("reproduce: reprise verify " + Replay("11") +
                        " --outcome lost --hang-timeout-seconds 2"
                        "\n"));
  const CommandResult again =
      RunCommand({kReprise, "verify", Replay("11"), "--outcome", "lost",
                  "--hang-timeout-seconds", "2"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, HasSubstr("expected outcome lost, it is "));
  const Json document = VerifyAllToJson({"--outcome", "lost"}, {}, 1);
  EXPECT_EQ(document["files"][0]["reproduce"],
            "reprise verify " + Replay("11") + " --outcome lost");
}

// Of the line that was typed, what it took from the environment is a part.
TEST_F(VerifyTest, CommandOfAFailureSetsTheVariablesThatItUsed) {
  const std::string folder =
      std::filesystem::path(TemporaryPath("tiny")).parent_path().string();
  const std::vector<std::string> line = {
      kReprise, "verify", Replay("11"), "--pack", "tiny", "--outcome", "lost"};
  std::vector<std::string> words = {"env", "REPRISE_PACKS=" + folder};
  words.insert(words.end(), line.begin(), line.end());

  const CommandResult result = RunCommand(words);

  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("reproduce: REPRISE_PACKS=" + folder +
                                    " reprise verify " + Replay("11") +
                                    " --pack tiny --outcome lost\n"));
  // A pack that is named by its path needs no variable.
  words[6] = folder + "/tiny";
  EXPECT_THAT(RunCommand(words).err, Not(HasSubstr("REPRISE_PACKS")));
}

TEST_F(VerifyTest, CacheKnowsWhatPassedUnderTheSameKey) {
  const std::string cache = TemporaryPath("cache");
  RunCommand({"rm", "-rf", cache});
  VerifyAllToJson({"--cache", cache});
  const Json again = VerifyAllToJson({"--cache", cache});
  ASSERT_EQ(again["files"].size(), 3u);
  for (const Json& file : again["files"]) {
    EXPECT_EQ(file["is_cached"], true);
    EXPECT_EQ(file["ticks_verified"], 600);
  }
  // Another option is another key.
  const Json other =
      VerifyAllToJson({"--cache", cache, "--on-divergence", "resync"});
  EXPECT_EQ(other["files"][0]["is_cached"], false);
}

TEST_F(VerifyTest, CacheTellsEnginesAndPacksApart) {
  const std::string cache = TemporaryPath("cache_of_two");
  const std::string pack = TemporaryPath("marble");
  const std::string path = TemporaryPath("marble.mcap");
  RunCommand({"rm", "-rf", cache, pack});
  RunCommand({"cp", "-rL", "sim/packs/marble", pack});
  RunCommand({"chmod", "-R", "u+w", pack});
  RunCommand({kReprise, "run", pack, "--ticks", "30", "--record", path});
  const auto is_cached = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--cache", cache});
    const CommandResult result = RunCommand(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out.find("(cached)") != std::string::npos;
  };
  const std::vector<std::string> verify = {kReprise, "verify", path};
  const std::vector<std::string> on_pack = {kReprise, "verify", path, "--pack",
                                            pack};

  EXPECT_FALSE(is_cached(verify));
  EXPECT_TRUE(is_cached(verify));
  EXPECT_FALSE(is_cached({"tools/reprise/reprise", "verify", path}));
  EXPECT_FALSE(is_cached(on_pack));
  EXPECT_TRUE(is_cached(on_pack));
  const std::string manifest = pack + "/pack.txtpb";
  WriteFileBytes(manifest, ReadFileBytes(manifest) + "# Says nothing.\n");
  EXPECT_FALSE(is_cached(on_pack));
}

TEST_F(VerifyTest, CacheKnowsNothingThatFailed) {
  const std::string cache = TemporaryPath("failed_cache");
  RunCommand({"rm", "-rf", cache});
  VerifyAllToJson({"--cache", cache}, {"UNWELL=check"}, 4);
  const Json result = VerifyAllToJson({"--cache", cache}, {"UNWELL=check"}, 4);
  EXPECT_EQ(result["files"][0]["is_cached"], true);
  EXPECT_EQ(result["files"][1]["is_cached"], false);
}

TEST_F(VerifyTest, CachedReplayThatChangedIsVerifiedAgain) {
  const std::string cache = TemporaryPath("changed_cache");
  RunCommand({"rm", "-rf", cache});
  const std::string path = TemporaryPath("changing.mcap");
  const std::vector<std::string> verify = {kReprise, "verify", path, "--cache",
                                           cache};
  WriteFileBytes(path, ReadFileBytes(Replay("11")));
  RunCommand(verify);
  EXPECT_THAT(RunCommand(verify).out, HasSubstr("(cached)"));
  WriteFileBytes(path, ReadFileBytes(Replay("13")));
  EXPECT_THAT(RunCommand(verify).out,
              AllOf(HasSubstr("verified 600"), Not(HasSubstr("(cached)"))));
}

TEST_F(VerifyTest, DamagedCacheIsNoAnswer) {
  const std::string cache = TemporaryPath("damaged_cache");
  RunCommand({"rm", "-rf", cache});
  VerifyAllToJson({"--cache", cache});
  RunCommand(
      {"sh", "-c", "for file in " + cache + "/*; do echo '{' >$file; done"});
  const Json again = VerifyAllToJson({"--cache", cache});
  ASSERT_EQ(again["files"].size(), 3u);
  for (const Json& file : again["files"]) {
    EXPECT_EQ(file["is_cached"], false);
  }
}

TEST_F(VerifyTest, OtherRulesAreAWarning) {
  const CommandResult result =
      RunCommand({"env", "UNWELL=rules", kReprise, "verify", Replay("11")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, ContainsRegex("warning: .*recorded with rules "
                                        "revision [0-9]+, replayed with"));
}

TEST_F(VerifyTest, OtherBuildIsANote) {
  const std::string path = TemporaryPath("build.mcap");
  WriteFileBytes(path, Forge("build", "clang 99.0.0 optimised"));
  EXPECT_THAT(RunCommand({kReprise, "verify", path}).err,
              HasSubstr("note: " + path +
                        ": recorded with build clang 99.0.0 optimised, "
                        "replayed with "));
}

TEST_F(VerifyTest, OtherPlatformIsANote) {
  const std::string path = TemporaryPath("platform.mcap");
  WriteFileBytes(path, Forge("platform", "riscv64-linux"));
  const CommandResult result = RunCommand({kReprise, "verify", path});
  EXPECT_THAT(result.err, HasSubstr("note: " + path +
                                    ": recorded with platform riscv64-linux, "
                                    "replayed with "));
}

TEST_F(VerifyTest, UnknownFormatIsAnErrorWithItsRevision) {
  const std::string path = TemporaryPath("format.mcap");
  WriteFileBytes(path, Forge("format_revision", "99"));
  const CommandResult result = RunCommand({kReprise, "verify", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the replay is of format revision 99"));
}

TEST_F(VerifyTest, OtherPackIsANoteEvenOfARunThatCrashes) {
  const std::string pack = TemporaryPath("other");
  RunCommand({"mkdir", "-p", pack});
  WriteFileBytes(pack + "/pack.txtpb", "name: \"tiny\"\nstep: 0.1\ngoal: 8\n");
  const CommandResult result =
      RunCommand({"env", "UNWELL=check", kReprise, "verify", Replay("13"),
                  "--pack", pack, "--on-divergence", "continue"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, ContainsRegex("note: .*recorded with pack digest "
                                        "[0-9a-f]+, replayed with"));
}

TEST_F(VerifyTest, UnknownSimulationIsAnErrorWithItsName) {
  const CommandResult result =
      RunCommand({"tools/reprise/reprise", "verify", Replay("11")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no simulation 'unwell'"));
}

TEST_F(VerifyTest, OnlyATerminalGetsAProgressBar) {
  EXPECT_THAT(VerifyAll({}, {"UNWELL=slow"}).err, IsEmpty());
  const CommandResult terminal = RunCommand(
      {"script", "--quiet", "--return", "--command",
       std::string("UNWELL=slow ") + kReprise + " verify " + Replay("11"),
       "/dev/null"});
  EXPECT_EQ(terminal.exit_code, 0);
  EXPECT_THAT(terminal.out, AllOf(HasSubstr("/600 ticks, "),
                                  HasSubstr("verified 600 of 600 ticks")));
}

TEST_F(VerifyTest, RefusesFlagsThatMakeNoSense) {
  EXPECT_EQ(VerifyAll({"--jobs", "0"}).exit_code, 2);
  EXPECT_EQ(VerifyAll({"--jobs", "2", "--isolation", "none"}).exit_code, 2);
  EXPECT_EQ(VerifyAll({"--shard", "0/2"}).exit_code, 2);
  const CommandResult year =
      VerifyAll({"--hang-timeout-seconds", "18446744073709551615"});
  EXPECT_EQ(year.exit_code, 2);
  EXPECT_THAT(year.err, HasSubstr("is not 1 to 31536000, or 0 for no limit"));
  EXPECT_EQ(VerifyAll({"--outcome", "draw"}).exit_code, 2);
  const CommandResult result = VerifyAll({"--junit", "/nowhere/junit.xml"});
  EXPECT_EQ(result.exit_code, 5);
  // Before anything was run.
  EXPECT_THAT(result.out, IsEmpty());
  const CommandResult folder = VerifyAll({"--junit", TemporaryPath("")});
  EXPECT_EQ(folder.exit_code, 5);
  EXPECT_THAT(folder.out, IsEmpty());
  EXPECT_EQ(VerifyAll({"--cache", "/dev/null/cache"}).exit_code, 5);
}

// As bytes it would be 0, and each replay would crash.
TEST_F(VerifyTest, MemoryThatNoNumberOfBytesHoldsIsRefused) {
  const CommandResult result =
      VerifyAll({"--memory-max-mib", "9223372036854775808"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--memory-max-mib 9223372036854775808 is not 1 to "
                        "1073741824, or 0 for no limit"));
}

}  // namespace
}  // namespace reprise::tests
