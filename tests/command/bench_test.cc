// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise bench` measures the run that `reprise run` makes, its shares add up,
// and its gate holds and fails by figures that the tests put into baselines:
// none of them depends on how fast the machine is.

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;

// Valgrind can't run what the sanitizers instrument.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kCanCount = false;
#else
constexpr bool kCanCount = true;
#endif

class BenchTest : public testing::Test {
 protected:
  // Of 60 ticks, twice.
  static CommandResult Bench(std::vector<std::string> flags,
                             const std::string& environment = "A=a") {
    std::vector<std::string> words = {"env",   environment,        kReprise,
                                      "bench", "sim/packs/marble", "--ticks",
                                      "60",    "--repeat",         "2"};
    words.insert(words.end(), flags.begin(), flags.end());
    return RunCommand(words);
  }

  static Json BenchToJson(std::vector<std::string> flags) {
    flags.insert(flags.end(), {"--format", "json"});
    const CommandResult result = Bench(std::move(flags));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out);
  }

  // A baseline with another value of `key`.
  static std::string BaselineWith(const std::string& key, const Json& value) {
    Json baseline = BenchToJson({});
    baseline[key] = value;
    const std::string path = TemporaryPath("baseline_" + key + ".json");
    WriteFileBytes(path, baseline.dump());
    return path;
  }
};

TEST_F(BenchTest, RunIsThatOfRunAndSharesAddUp) {
  const Json bench = BenchToJson({"--random-inputs", "3"});
  const Json run =
      Json::parse(Reprise({"run", "sim/packs/marble", "--ticks", "60",
                           "--random-inputs", "3", "--format", "json"})
                      .out);
  EXPECT_EQ(bench["digest"], run["digest"]);
  EXPECT_EQ(bench["pack_digest"], run["pack_digest"]);
  EXPECT_EQ(bench["inputs"], "random 3");
  EXPECT_GT(bench["ticks_per_second"], 0);
  EXPECT_GT(bench["ratio"], 0);
  double sum = bench["outside_share"];
  std::vector<std::string> parts;
  for (const Json& phase : bench["phases"]) {
    sum += phase["share"].get<double>();
    for (const Json& part : phase["parts"]) {
      parts.push_back(phase["name"].get<std::string>() + "/" +
                      part["name"].get<std::string>());
    }
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_THAT(parts, AllOf(testing::Contains("physics/solver"),
                           testing::Contains("pre_physics/rollers")))
      << bench.dump(2);
}

TEST_F(BenchTest, InputsAndBotsAreThoseOfRun) {
  const CommandResult track =
      Reprise({"bench", "sim/packs/marble", "--inputs",
               "sim/packs/tracks/marble_course.txtpb", "--repeat", "1"});
  EXPECT_EQ(track.exit_code, 0) << track.err;
  EXPECT_THAT(track.out, AllOf(HasSubstr("ticks     870, 1 times"),
                               HasSubstr("inputs    marble_course.txtpb")));
  const std::vector<std::string> bots = {
      "sim/packs/pong", "--bots", "--ticks", "120", "--format", "json"};
  std::vector<std::string> bench = {"bench", "--repeat", "1"};
  bench.insert(bench.end(), bots.begin(), bots.end());
  std::vector<std::string> run = {"run"};
  run.insert(run.end(), bots.begin(), bots.end());
  const Json measured = Json::parse(Reprise(bench).out);
  EXPECT_EQ(measured["digest"], Json::parse(Reprise(run).out)["digest"]);
  EXPECT_THAT(measured["inputs"].get<std::string>(), HasSubstr("bots 0:"));
}

TEST_F(BenchTest, ABaselineIsWrittenAndHolds) {
  const std::string path = TemporaryPath("written.json");
  const CommandResult written =
      Bench({"--baseline", path, "--update-baseline", "--measure", "ratio"});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("baseline  written to " + path));
  const CommandResult held = Bench({"--baseline", path, "--threshold", "1000"});
  EXPECT_EQ(held.exit_code, 0) << held.out << held.err;
  EXPECT_THAT(held.out, AllOf(HasSubstr("baseline  ratio of a tick "),
                              HasSubstr("at most +1000 %: holds"),
                              HasSubstr("the baseline has none")));
}

TEST_F(BenchTest, ATickThatIsTooSlowFails) {
  const std::string fast = BaselineWith("ratio", 1e-9);
  const CommandResult result = Bench({"--baseline", fast});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("at most +25 %: too slow"));
  const Json json =
      Json::parse(Bench({"--baseline", fast, "--format", "json"}).out);
  EXPECT_EQ(json["comparison"]["passed"], false);
  EXPECT_EQ(json["comparison"]["measure"], "ratio");
  EXPECT_EQ(Bench({"--baseline", BaselineWith("ratio", 1e9)}).exit_code, 0);
}

TEST_F(BenchTest, ChangesBesideTheFiguresAreTold) {
  const CommandResult pack = Bench(
      {"--baseline", BaselineWith("pack_digest", "00"), "--threshold", "1000"});
  EXPECT_THAT(pack.err, HasSubstr("the pack has changed since the baseline"));
  const CommandResult build = Bench(
      {"--baseline", BaselineWith("build", "tcc"), "--threshold", "1000"});
  EXPECT_THAT(build.err, HasSubstr("the baseline is of tcc, and this build"));
}

TEST_F(BenchTest, MistakesAreTold) {
  const auto expect = [](std::vector<std::string> flags, int exit_code,
                         const std::string& told) {
    const CommandResult result = Bench(std::move(flags));
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(told));
  };
  expect({"--baseline", "nowhere.json"}, 3, "--update-baseline writes it");
  expect({"--baseline", "sim/packs/marble/pack.txtpb"}, 2, "it is no baseline");
  expect({"--baseline", BaselineWith("tick_count", 61)}, 2,
         "tick_count: the baseline is of 61, and this run of 60");
  expect({"--baseline", BaselineWith("ratio", nullptr)}, 2,
         "ratio is no number above 0");
  expect({"--baseline", BaselineWith("seed", "1"), "--threshold", "-1"}, 2,
         "--threshold takes per cent");
  expect({"--threshold", "5"}, 2, "--threshold needs --baseline");
  expect({"--update-baseline"}, 2, "--update-baseline needs --baseline");
  expect({"--repeat", "0"}, 2, "--repeat 0 is not 1 to 1000");
  expect({"--ticks", "0"}, 2, "there are no ticks to measure");
  expect({"--baseline", "no/such/folder/b.json", "--update-baseline",
          "--measure", "ratio"},
         5, "no/such/folder/b.json: can't be written");
}

TEST_F(BenchTest, WithoutValgrindThatIsSaid) {
  const CommandResult counted = Bench({"--instructions"}, "PATH=/nowhere");
  EXPECT_EQ(counted.exit_code, 0) << counted.err;
  EXPECT_THAT(counted.out,
              HasSubstr("no instructions: valgrind is not in $PATH"));
  // A gate by instructions that can't be counted doesn't pass.
  const std::string path = BaselineWith("instructions", 1e9);
  EXPECT_EQ(
      Bench({"--baseline", path, "--measure", "instructions"}, "PATH=/nowhere")
          .exit_code,
      5);
  const CommandResult ratio =
      Bench({"--baseline", path, "--threshold", "1000"}, "PATH=/nowhere");
  EXPECT_EQ(ratio.exit_code, 0) << ratio.err;
  EXPECT_THAT(ratio.out, HasSubstr("no instructions to compare: valgrind is "
                                   "not in $PATH"));
}

TEST_F(BenchTest, InstructionsAreTheSameAgainAndGateTheRun) {
  if (!kCanCount) GTEST_SKIP() << "valgrind doesn't run instrumented programs";
  if (RunCommand({"valgrind", "--version"}).exit_code != 0) {
    GTEST_SKIP() << "valgrind isn't there";
  }
  const std::string path = TemporaryPath("counted.json");
  const CommandResult written =
      Bench({"--baseline", path, "--update-baseline"});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  Json baseline = Json::parse(ReadFileBytes(path));
  EXPECT_GT(baseline["instructions"], 1000);
  const CommandResult held = Bench({"--baseline", path, "--threshold", "0.5"});
  EXPECT_EQ(held.exit_code, 0) << held.out << held.err;
  EXPECT_THAT(held.out, HasSubstr("baseline  instructions of a tick "));
  baseline["instructions"] = baseline["instructions"].get<double>() * 0.97;
  WriteFileBytes(path, baseline.dump());
  const CommandResult failed = Bench({"--baseline", path});
  EXPECT_EQ(failed.exit_code, 1) << failed.out << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("+3.1 %, at most +2 %: too slow"));
}

}  // namespace
}  // namespace reprise::tests
