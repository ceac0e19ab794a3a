// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people and scripts see of the command: for good and for bad input
// of every verb, what it prints and the code it exits with, by running the real
// program on a pack that ships and on replays recorded with it.

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kManifest[] = "sim/packs/marble/pack.txtpb";

CommandResult Reprise(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), kReprise);
  return RunCommand(arguments);
}

// The lines of `text` without their ends.
std::vector<std::string> Lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// What the line that starts with `label` goes on with.
std::string ValueOf(const std::string& text, const std::string& label) {
  for (const std::string& line : Lines(text)) {
    if (!line.starts_with(label + " ")) continue;
    return line.substr(line.find_first_not_of(' ', label.size()));
  }
  return "";
}

// A pack like marble, with `find` in its manifest replaced.
std::string MakeChangedPack(const std::string& name, const std::string& find,
                            const std::string& replacement) {
  const std::string folder = TemporaryPath(name);
  RunCommand({"mkdir", "-p", folder});
  std::string manifest = ReadFileBytes(kManifest);
  const size_t place = manifest.find(find);
  EXPECT_NE(place, std::string::npos);
  manifest.replace(place, find.size(), replacement);
  WriteFileBytes(folder + "/pack.txtpb", manifest);
  return folder;
}

// Every test works on a replay of 240 ticks of random inputs.
class CommandTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    replay_ = new std::string(TemporaryPath("random.mcap"));
    const CommandResult result = Reprise(
        {"run", "marble", "--random-inputs", "3", "--seed", "11", "--ticks",
         "240", "--keyframe-stride", "60", "--record", *replay_});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  static void TearDownTestSuite() { delete replay_; }

  static const std::string& replay() { return *replay_; }

  // A replay of the same inputs with one of them changed.
  static std::string MakeChangedReplay() {
    const std::string path = TemporaryPath("changed.mcap");
    const CommandResult result =
        Reprise({"run", "--inputs", replay(), "--change-input",
                 "100:0:roll_x=-32001", "--record", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }

  static std::string* replay_;
};

std::string* CommandTest::replay_ = nullptr;

// Files that are no replays: the path and the exit code.
class BadReplayTest
    : public testing::TestWithParam<std::pair<std::string, int>> {
 protected:
  static std::string MakeFile(const std::string& kind) {
    const std::string path = TemporaryPath(kind + ".mcap");
    if (kind == "empty") WriteFileBytes(path, "");
    if (kind == "text") WriteFileBytes(path, "these are no records\n");
    if (kind == "magic") WriteFileBytes(path, "\x89MCAP0\r\n");
    return path;
  }
};

TEST_P(BadReplayTest, EveryVerbThatReadsReplaysRefusesIt) {
  const std::string path = MakeFile(GetParam().first);
  for (const char* const verb :
       {"verify", "info", "diff", "export", "cat", "recover"}) {
    std::vector<std::string> arguments = {verb, path};
    if (std::string(verb) == "diff") arguments.push_back(path);
    const CommandResult result = Reprise(arguments);
    EXPECT_EQ(result.exit_code, GetParam().second) << verb << result.err;
    EXPECT_THAT(result.err, HasSubstr(path)) << verb;
    EXPECT_THAT(result.err, HasSubstr("reproduce: reprise ")) << verb;
    EXPECT_THAT(result.out, IsEmpty()) << verb;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, BadReplayTest,
    testing::Values(std::pair("missing", 3), std::pair("empty", 2),
                    std::pair("text", 2), std::pair("magic", 2)),
    [](const auto& parameter) { return parameter.param.first; });

TEST_F(CommandTest, EveryVerbHasHelpWithExamples) {
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"verify"},
                                             {"info"},
                                             {"diff"},
                                             {"inspect"},
                                             {"cat"},
                                             {"assemble"},
                                             {"recover"},
                                             {"export"},
                                             {"serve"},
                                             {"pack", "check"},
                                             {"pack", "list"}}) {
    std::vector<std::string> arguments = verb;
    arguments.push_back("--help");
    const CommandResult result = Reprise(arguments);
    EXPECT_EQ(result.exit_code, 0) << verb.back();
    EXPECT_THAT(result.out, AllOf(HasSubstr("Usage: reprise "),
                                  HasSubstr("\nExamples:\n  # ")))
        << verb.back();
  }
}

TEST_F(CommandTest, VersionNamesTheSimulations) {
  const CommandResult result = Reprise({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(ValueOf(result.out, "simulations"), "world");
}

TEST_F(CommandTest, WrongCommandLinesAreTwo) {
  EXPECT_EQ(Reprise({}).exit_code, 2);
  EXPECT_EQ(Reprise({"verfy"}).exit_code, 2);
  EXPECT_EQ(Reprise({"verify"}).exit_code, 2);
  EXPECT_EQ(Reprise({"verify", "--sed", "1", replay()}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "marble", "--ticks", "many"}).exit_code, 2);
  EXPECT_EQ(Reprise({"info", replay(), "--format", "xml"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"run", "marble", "--ticks", "1", "--record", TemporaryPath("")})
          .exit_code,
      2);
}

TEST_F(CommandTest, ReplayInPlaceOfAPackIsTold) {
  const CommandResult run = Reprise({"run", replay()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("is a replay and no pack"));
  EXPECT_EQ(Reprise({"verify", replay(), "--pack", replay()}).exit_code, 2);
}

TEST_F(CommandTest, FullOutputIsFive) {
  const CommandResult result =
      RunCommand({"sh", "-c",
                  std::string(kReprise) + " info " + replay() + " >/dev/full"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("standard output can't be written"));
}

TEST_F(CommandTest, RunPrintsDigestsOfAllTicks) {
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "20", "--digests"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_GE(lines.size(), 21u);
  EXPECT_THAT(lines[0], StartsWith("0 "));
  EXPECT_EQ(lines[20], "20 " + ValueOf(result.out, "digest"));
}

TEST_F(CommandTest, RecordingChangesNothing) {
  const CommandResult result =
      Reprise({"run", "marble", "--random-inputs", "3", "--seed", "11",
               "--ticks", "240", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json run = Json::parse(result.out);
  const Json info =
      Json::parse(Reprise({"info", replay(), "--format", "json"}).out);
  EXPECT_EQ(run["schema_version"], 1);
  EXPECT_EQ(run["tick_count"], 240);
  EXPECT_EQ(run["digest"], info["digest"]);
  EXPECT_EQ(run["event_count"], info["event_count"]);
}

TEST_F(CommandTest, RunTakesPackSeedAndInputsFromAReplay) {
  const CommandResult original = Reprise({"verify", replay()});
  const CommandResult again = Reprise({"run", "--inputs", replay()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(original.out,
              HasSubstr("digest " + ValueOf(again.out, "digest") + "\n"));
}

TEST_F(CommandTest, FailedExpectationIsOne) {
  const std::vector<std::string> run = {"run", "marble", "--ticks", "5"};
  std::vector<std::string> holds = run;
  holds.insert(holds.end(),
               {"--expect", "outcome == running", "--expect", "tick <= 5"});
  EXPECT_EQ(Reprise(holds).exit_code, 0);
  std::vector<std::string> fails = run;
  fails.insert(fails.end(), {"--expect", "outcome == won"});
  const CommandResult result = Reprise(fails);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("expected outcome == won; tick 5, running"),
                    HasSubstr("reproduce: reprise run marble --ticks 5 "
                              "--expect 'outcome == won'\n")));
}

TEST_F(CommandTest, LostGameIsOneUnlessItIsExpected) {
  std::vector<std::string> run = {"run", "marble", "--random-inputs", "1"};
  const CommandResult lost = Reprise(run);
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.out, HasSubstr("outcome   lost: the marble fell off"));
  EXPECT_THAT(lost.err, HasSubstr("the game is lost"));
  run.insert(run.end(), {"--expect", "outcome == lost"});
  EXPECT_EQ(Reprise(run).exit_code, 0);
}

TEST_F(CommandTest, RunRefusesBadInput) {
  EXPECT_EQ(Reprise({"run"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "marbel"}).exit_code, 3);
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", "nowhere"}).exit_code, 3);
  EXPECT_EQ(Reprise({"run", "marble", "--expect", "score > 3"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"run", "marble", "--inputs", replay(), "--random-inputs", "1"})
          .exit_code,
      2);
  EXPECT_EQ(
      Reprise({"run", "--inputs", replay(), "--record", replay()}).exit_code,
      2);
  EXPECT_EQ(
      Reprise({"run", "--inputs", replay(), "--change-input", "100:0:fly=1"})
          .exit_code,
      2);
}

TEST_F(CommandTest, RunRefusesInputChangesThatItWouldNotReach) {
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"--random-inputs", "1", "--ticks", "100"},
        {"--ticks", "100"},
        {"--inputs", replay(), "--ticks", "100"}}) {
    std::vector<std::string> run = {"run", "marble", "--change-input",
                                    "100:0:roll_x=1"};
    run.insert(run.end(), inputs.begin(), inputs.end());
    const CommandResult result = Reprise(run);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("the run ends at tick 100"));
  }
  EXPECT_THAT(Reprise({"run", "marble", "--random-inputs", "1",
                       "--change-input", "3600:0:roll_x=1"})
                  .err,
              HasSubstr("the run ends at tick 3600"));
}

TEST_F(CommandTest, RunRefusesTracksThatThePackDoesNot) {
  const std::string track = TemporaryPath("track.txtpb");
  WriteFileBytes(track, "tick_count: 3 ticks { tick: 1 frames { player: 9 } }");
  const CommandResult result = Reprise({"run", "marble", "--inputs", track});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("tick 1: "));
  WriteFileBytes(track, "tick_count: 3 nonsense: 4");
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", track}).exit_code, 2);
}

TEST_F(CommandTest, UnwritableRecordingFails) {
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "5", "--record", "/dev/full"});
  EXPECT_EQ(result.exit_code, 5) << result.err;
}

TEST_F(CommandTest, VerifySaysHowManyTicksAndWhichDigest) {
  const CommandResult result = Reprise({"verify", replay()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              StartsWith(replay() + ": verified 240 of 240 ticks, digest "));
}

TEST_F(CommandTest, VerifyNamesWhatDiverged) {
  const std::string pack =
      MakeChangedPack("heavy", "mass_kg: 2\n", "mass_kg: 2.5\n");
  const CommandResult result = Reprise({"verify", replay(), "--pack", pack});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("diverged"), HasSubstr("player ")));
  EXPECT_THAT(result.err, HasSubstr("reproduce: reprise verify "));
}

TEST_F(CommandTest, VerifyOfNothingIsOne) {
  const std::string path = TemporaryPath("nothing.mcap");
  ASSERT_EQ(
      Reprise({"run", "marble", "--ticks", "0", "--record", path}).exit_code,
      0);
  const CommandResult result = Reprise({"verify", path});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("nothing to verify, 0 of 0 ticks"));
}

TEST_F(CommandTest, VerifyOfSeveralFilesEndsWithTheWorst) {
  const std::string missing = TemporaryPath("missing.mcap");
  const CommandResult result = Reprise({"verify", missing, replay()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("verified 240 of 240 ticks"));
  EXPECT_THAT(result.out,
              HasSubstr("2 replays: 1 verified, 1 not (1 missing)"));
  EXPECT_THAT(result.err, HasSubstr("reproduce: reprise verify " + missing));
}

TEST_F(CommandTest, VerifyForBisectTellsUntestableFromBad) {
  EXPECT_EQ(Reprise({"verify", "--bisect", "nowhere.mcap"}).exit_code, 125);
  EXPECT_EQ(Reprise({"verify", "--bisect", replay()}).exit_code, 0);
}

TEST_F(CommandTest, VerifyOfACutOffFileCoversWhatIsLeft) {
  const std::string path = TemporaryPath("cut.mcap");
  const std::string bytes = ReadFileBytes(replay());
  WriteFileBytes(path, bytes.substr(0, bytes.size() * 3 / 4));
  const CommandResult result = Reprise({"verify", path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr(": verified "), Not(HasSubstr("verified 240"))));
  EXPECT_THAT(result.err, HasSubstr("warning: " + path));
}

TEST_F(CommandTest, InfoNamesPackSeedAndTicks) {
  const CommandResult result = Reprise({"info", replay(), "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json info = Json::parse(result.out);
  EXPECT_EQ(info["pack"], "marble");
  EXPECT_EQ(info["seed"], "11");
  EXPECT_EQ(info["tick_count"], 240);
  EXPECT_EQ(info["is_complete"], true);
  EXPECT_EQ(info["keyframe_count"], 5);
  EXPECT_EQ(ValueOf(Reprise({"info", replay()}).out, "seed"), "11");
}

TEST_F(CommandTest, DiffOfEqualRunsIsZero) {
  const CommandResult result = Reprise({"diff", replay(), replay()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("equal: 240 ticks"));
}

TEST_F(CommandTest, DiffNamesInputTickPhaseObjectFieldAndValues) {
  const CommandResult result =
      Reprise({"diff", replay(), MakeChangedReplay(), "--format", "json"});
  ASSERT_EQ(result.exit_code, 1) << result.err;
  const Json diff = Json::parse(result.out);
  const Json& input = diff["first_input_difference"];
  EXPECT_EQ(input["tick"], 100);
  EXPECT_EQ(input["inputs"][0]["action"], "roll_x");
  EXPECT_EQ(input["inputs"][0]["actual"], "-32001");
  const Json& divergence = diff["divergence"];
  EXPECT_EQ(divergence["is_exact"], true);
  EXPECT_EQ(divergence["last_equal_tick"], 100);
  EXPECT_NE(divergence["phase"], "");
  const Json& field = divergence["fields"][0];
  EXPECT_NE(field["object"], "");
  EXPECT_NE(field["field"], "");
  EXPECT_NE(field["expected"], field["actual"]);
}

TEST_F(CommandTest, DiffPrintsBothValues) {
  const CommandResult result = Reprise({"diff", replay(), MakeChangedReplay()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("first different input: tick 100\n"),
                                HasSubstr(" | -32001\n"),
                                HasSubstr("first different state: tick 100, "),
                                HasSubstr("\nby tick 101:\n")));
}

TEST_F(CommandTest, DiffOfOneReplayOnTwoPacks) {
  const std::string pack =
      MakeChangedPack("light", "mass_kg: 2\n", "mass_kg: 1.5\n");
  const CommandResult result = Reprise({"diff", replay(), "--pack", pack});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("first different input")));
  EXPECT_EQ(Reprise({"diff", replay()}).exit_code, 2);
  EXPECT_EQ(Reprise({"diff", replay(), replay(), "--pack", pack}).exit_code, 2);
}

TEST_F(CommandTest, InspectShowsAnObjectAtATick) {
  const CommandResult result =
      Reprise({"inspect", replay(), "player", "--tick", "130"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("tick 130, digest "));
  EXPECT_THAT(result.out, AllOf(HasSubstr("\n    player\n"), HasSubstr(" m\n"),
                                Not(HasSubstr("crate_0"))));
}

TEST_F(CommandTest, InspectGivesTheSameDigestFromAnyKeyframe) {
  const CommandResult run = Reprise(
      {"run", "--inputs", replay(), "--ticks", "130", "--format", "json"});
  const CommandResult inspect =
      Reprise({"inspect", replay(), "--tick", "130", "--format", "json"});
  ASSERT_EQ(inspect.exit_code, 0) << inspect.err;
  const Json state = Json::parse(inspect.out);
  EXPECT_EQ(state["digest"], Json::parse(run.out)["digest"]);
  EXPECT_FALSE(state["rooms"].empty());
}

TEST_F(CommandTest, InspectOfAPackIsItsStart) {
  const CommandResult result = Reprise({"inspect", "marble", "crate_3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("tick 0, digest "));
}

TEST_F(CommandTest, InspectRefusesWhatIsNotThere) {
  EXPECT_EQ(Reprise({"inspect", replay(), "--tick", "241"}).exit_code, 2);
  EXPECT_EQ(Reprise({"inspect", replay(), "dragon"}).exit_code, 3);
  EXPECT_EQ(Reprise({"inspect", "nowhere"}).exit_code, 3);
}

TEST_F(CommandTest, ExportWritesAFrameALine) {
  const CommandResult result = Reprise(
      {"export", replay(), "--from", "10", "--to", "50", "--every", "20"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3u);
  const Json frame = Json::parse(lines[1]);
  EXPECT_EQ(frame["tick"], "30");
  EXPECT_EQ(frame["time_ns"], "500000000");
  EXPECT_TRUE(frame["objects"][0]["position"].contains("x"));
}

TEST_F(CommandTest, ExportTellsTheTrianglesOfHullsAndSurfacesOnce) {
  const std::string path = TemporaryPath("terrain.mcap");
  ASSERT_EQ(
      Reprise({"run", "terrain", "--ticks", "20", "--record", path}).exit_code,
      0);
  const CommandResult result = Reprise({"export", path, "--every", "10"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_EQ(lines.size(), 3u);
  const Json first = Json::parse(lines[0]);
  std::map<std::string, int> kinds;
  for (const Json& object : first["objects"]) {
    for (const Json& shape : object["shapes"]) {
      const std::string kind = shape["kind"];
      ++kinds[kind];
      if (kind != "KIND_HULL" && kind != "KIND_MESH") continue;
      const Json& mesh = first["meshes"][shape["mesh"].get<size_t>()];
      EXPECT_EQ(mesh["mesh"], shape["mesh"]);
      EXPECT_GT(mesh["triangles"].size(), 0u);
    }
  }
  EXPECT_GT(kinds["KIND_CONE"], 0);
  EXPECT_GT(kinds["KIND_HULL"], 0);
  EXPECT_GT(kinds["KIND_MESH"], 1);
  EXPECT_TRUE(Json::parse(lines[1])["meshes"].empty());
}

TEST_F(CommandTest, ExportRefusesRangesOutsideTheReplay) {
  EXPECT_EQ(Reprise({"export", replay(), "--to", "241"}).exit_code, 2);
  EXPECT_EQ(Reprise({"export", replay(), "--from", "9", "--to", "8"}).exit_code,
            2);
  EXPECT_EQ(Reprise({"export", replay(), "--every", "0"}).exit_code, 2);
  EXPECT_EQ(Reprise({"export", replay(), "--output", replay()}).exit_code, 2);
  EXPECT_EQ(Reprise({"export", replay(), "--output", "/dev/full"}).exit_code,
            5);
}

TEST_F(CommandTest, ExportGoesBackwards) {
  const CommandResult forwards =
      Reprise({"export", replay(), "--from", "10", "--to", "50"});
  const CommandResult backwards =
      Reprise({"export", replay(), "--from", "10", "--to", "50", "--reverse"});
  ASSERT_EQ(backwards.exit_code, 0) << backwards.err;
  std::vector<std::string> lines = Lines(backwards.out);
  std::reverse(lines.begin(), lines.end());
  EXPECT_EQ(lines, Lines(forwards.out));
}

TEST_F(CommandTest, ExportAtASpeedWritesTheSameFrames) {
  const CommandResult plain = Reprise({"export", replay(), "--to", "30"});
  const CommandResult paced =
      Reprise({"export", replay(), "--to", "30", "--speed", "50"});
  EXPECT_EQ(paced.exit_code, 0) << paced.err;
  EXPECT_EQ(paced.out, plain.out);
  EXPECT_EQ(Reprise({"export", replay(), "--speed", "fast"}).exit_code, 2);
  EXPECT_EQ(Reprise({"export", replay(), "--speed", "0"}).exit_code, 2);
}

TEST_F(CommandTest, BranchSharesItsParentsPastAndGoesItsOwnWay) {
  const std::string branch = TemporaryPath("branch.mcap");
  const CommandResult run =
      Reprise({"run", "--from", replay(), "--at", "100", "--change-input",
               "150:0:roll_x=-32001", "--record", branch});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json info =
      Json::parse(Reprise({"info", branch, "--format", "json"}).out);
  EXPECT_EQ(info["tick_count"], 240);
  EXPECT_EQ(info["branches"][0]["parent"], "random.mcap");
  EXPECT_EQ(info["branches"][0]["tick"], 100);
  EXPECT_EQ(Reprise({"verify", branch}).exit_code, 0);
  const Json diff =
      Json::parse(Reprise({"diff", replay(), branch, "--format", "json"}).out);
  EXPECT_EQ(diff["first_input_difference"]["tick"], 150);
}

TEST_F(CommandTest, BranchTakesNewInputsAndNeedsNoRecording) {
  const std::vector<std::string> run = {"run",  "--from",  replay(),
                                        "--at", "130",     "--random-inputs",
                                        "9",    "--ticks", "200"};
  const CommandResult unrecorded = Reprise(run);
  ASSERT_EQ(unrecorded.exit_code, 0) << unrecorded.err;
  EXPECT_EQ(ValueOf(unrecorded.out, "ticks"), "200");
  std::vector<std::string> recording = run;
  recording.insert(recording.end(), {"--record", TemporaryPath("new.mcap")});
  EXPECT_EQ(ValueOf(Reprise(recording).out, "digest"),
            ValueOf(unrecorded.out, "digest"));
}

TEST_F(CommandTest, BranchWithoutNewInputsArrivesWhereItsParentDid) {
  const CommandResult run =
      Reprise({"run", "--from", replay(), "--at", "77", "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json info =
      Json::parse(Reprise({"info", replay(), "--format", "json"}).out);
  EXPECT_EQ(Json::parse(run.out)["digest"], info["digest"]);
}

TEST_F(CommandTest, BranchRefusesWhatItsParentDecides) {
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--at", "241"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--seed", "1"}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "marble", "--at", "1"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"run", "--from", replay(), "--record", replay()}).exit_code, 2);
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--at", "100", "--change-input",
                     "99:0:roll_x=1"})
                .exit_code,
            2);
  EXPECT_EQ(Reprise({"run", "--from", "nowhere.mcap"}).exit_code, 3);
}

TEST_F(CommandTest, RecordingThatWasCutOffIsContinuedToTheSameFile) {
  const std::string path = TemporaryPath("continued.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole.substr(0, whole.size() * 3 / 4));
  const CommandResult run =
      Reprise({"run", "--continue", path, "--inputs", replay(), "--fsync"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ReadFileBytes(path), whole);
}

TEST_F(CommandTest, FinishedRecordingIsContinuedToTheSameFile) {
  const std::string path = TemporaryPath("finished.mcap");
  const CommandResult start =
      Reprise({"run", "--inputs", replay(), "--ticks", "100",
               "--keyframe-stride", "60", "--record", path});
  ASSERT_EQ(start.exit_code, 0) << start.err;
  const CommandResult run =
      Reprise({"run", "--continue", path, "--inputs", replay()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ValueOf(run.out, "from"), "tick 100");
  EXPECT_EQ(ReadFileBytes(path), ReadFileBytes(replay()));
}

TEST_F(CommandTest, RecordingIsNeverShortened) {
  const std::string path = TemporaryPath("kept.mcap");
  const std::string short_track = TemporaryPath("short.txtpb");
  WriteFileBytes(short_track, "tick_count: 60");
  const std::string whole = ReadFileBytes(replay());
  // Finished, and cut off behind its last tick.
  for (const std::string& bytes : {whole, whole.substr(0, whole.size() - 1)}) {
    WriteFileBytes(path, bytes);
    for (const char* const ticks : {"0", "239", "240"}) {
      const CommandResult run =
          Reprise({"run", "--continue", path, "--ticks", ticks});
      EXPECT_EQ(run.exit_code, 2) << ticks;
      EXPECT_THAT(run.err, HasSubstr(std::string("--ticks ") + ticks + ": " +
                                     path + " has 240 ticks already"));
    }
    EXPECT_THAT(
        Reprise({"run", "--continue", path, "--inputs", short_track}).err,
        HasSubstr(short_track + " ends at tick 60: " + path +
                  " has 240 ticks already"));
    EXPECT_EQ(ReadFileBytes(path), bytes);
  }
  const CommandResult run =
      Reprise({"run", "--continue", path, "--expect", "tick >= 240"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 0);
  const CommandResult branch =
      Reprise({"run", "--from", replay(), "--at", "100", "--ticks", "99"});
  EXPECT_EQ(branch.exit_code, 2);
  EXPECT_THAT(branch.err, HasSubstr("the branch starts at tick 100"));
}

TEST_F(CommandTest, ReplacedRecordingIsTold) {
  const std::string path = TemporaryPath("replaced.mcap");
  std::remove(path.c_str());
  const std::vector<std::string> run = {"run", "marble",   "--ticks",
                                        "5",   "--record", path};
  EXPECT_THAT(Reprise(run).err, Not(HasSubstr("replaced")));
  EXPECT_THAT(Reprise(run).err,
              HasSubstr("replaced the " + path + " that was there"));
  EXPECT_THAT(Reprise({"run", "--continue", path, "--ticks", "9"}).err,
              Not(HasSubstr("replaced")));
}

TEST_F(CommandTest, RecordingStaysAsItIsWhereTheRunIsRefused) {
  const std::string path = TemporaryPath("refused.mcap");
  const std::string whole = ReadFileBytes(replay());
  WriteFileBytes(path, whole);
  EXPECT_EQ(Reprise({"run", "--continue", path, "--expect", "outcom == won"})
                .exit_code,
            2);
  EXPECT_EQ(Reprise({"run", "--continue", path, "--change-input", "0:0:x=1"})
                .exit_code,
            2);
  EXPECT_EQ(ReadFileBytes(path), whole);
}

// Commands for a shell about a recording without an end.
class KilledRecordingTest : public CommandTest {
 protected:
  KilledRecordingTest()
      : path_(TemporaryPath("killed.mcap")), partial_(path_ + ".partial") {
    for (const std::string& file :
         {path_, partial_, TemporaryPath("killed.recovered.mcap")}) {
      std::remove(file.c_str());
    }
  }

  // Starts it, and goes on as soon as its file has a few keyframes.
  std::string Begin() const {
    return std::string(kReprise) +
           " run marble --random-inputs 5 --ticks 100000000 "
           "--keyframe-stride 60 --record " +
           path_ + " >/dev/null 2>&1 & recorder=$!; until [ \"$(stat -c %s " +
           partial_ + " 2>/dev/null || echo 0)\" -gt 60000 ]; do :; done; ";
  }

  // Leaves what a killed recorder does.
  void Kill() const {
    const CommandResult killed = RunCommand(
        {"sh", "-c", Begin() + "kill -KILL $recorder; wait $recorder"});
    ASSERT_EQ(killed.exit_code, 128 + SIGKILL);
  }

  int TickCountOf(const std::string& path) const {
    return Json::parse(Reprise({"info", path, "--format", "json"}).out)
        .at("tick_count");
  }

  const std::string path_;
  const std::string partial_;
};

TEST_F(KilledRecordingTest, NeverLooksFinished) {
  WriteFileBytes(path_, ReadFileBytes(replay()));
  Kill();
  EXPECT_EQ(ReadFileBytes(path_), ReadFileBytes(replay()));
  std::remove(path_.c_str());
  const CommandResult verified = Reprise({"verify", path_});
  EXPECT_EQ(verified.exit_code, 3);
  EXPECT_THAT(verified.err, HasSubstr("what isn't finished is in " + partial_));
}

TEST_F(KilledRecordingTest, CanBeVerifiedAndContinued) {
  Kill();
  const CommandResult verified = Reprise({"verify", partial_});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  const int ticks = TickCountOf(partial_);
  EXPECT_GT(ticks, 0);
  const CommandResult continued =
      Reprise({"run", "--continue", path_, "--random-inputs", "5", "--ticks",
               std::to_string(ticks + 100)});
  ASSERT_EQ(continued.exit_code, 0) << continued.err;
  EXPECT_EQ(ValueOf(continued.out, "recorded"), path_);
  EXPECT_THAT(Reprise({"verify", path_}).out,
              HasSubstr("verified " + std::to_string(ticks + 100) + " of "));
  EXPECT_EQ(Reprise({"info", partial_}).exit_code, 3);
}

TEST_F(KilledRecordingTest, CanBeRecoveredByEitherName) {
  Kill();
  const CommandResult result = Reprise({"recover", path_});
  const std::string recovered = TemporaryPath("killed.recovered.mcap");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" ticks in " + recovered));
  EXPECT_EQ(TickCountOf(recovered), TickCountOf(partial_));
  EXPECT_EQ(Reprise({"recover", partial_}).exit_code, 2);
}

TEST_F(KilledRecordingTest, IsNotOverwrittenByWhatIsMadeOfIt) {
  Kill();
  const std::string recording = ReadFileBytes(partial_);
  for (const std::string& name : {path_, partial_}) {
    const CommandResult result = Reprise({"recover", name, "--output", path_});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("would overwrite " + partial_));
  }
  const std::string text = TemporaryPath("killed.txtpb");
  WriteFileBytes(text, Reprise({"cat", partial_}).out);
  const CommandResult assembled =
      Reprise({"assemble", text, "--pack", partial_, "--output", path_});
  EXPECT_EQ(assembled.exit_code, 2);
  EXPECT_THAT(assembled.err, HasSubstr("would overwrite " + partial_));
  EXPECT_EQ(ReadFileBytes(partial_), recording);
}

TEST_F(KilledRecordingTest, IsNotSavedUnderTheNameOfAFolder) {
  Kill();
  const std::string folder = TemporaryPath("");
  EXPECT_THAT(Reprise({"recover", partial_, "--output", folder}).err,
              HasSubstr("is a folder"));
  EXPECT_THAT(Reprise({"assemble", partial_, "--output", folder}).err,
              HasSubstr("is a folder"));
}

TEST_F(KilledRecordingTest, IsFollowedRatherThanTheReplayThatItReplaces) {
  WriteFileBytes(path_, ReadFileBytes(replay()));
  const std::string followed = TemporaryPath("replacing.txtpb");
  std::remove(followed.c_str());
  const CommandResult result =
      RunCommand({"sh", "-c",
                  Begin() + kReprise + " cat --follow " + path_ + " >" +
                      followed + " & follower=$!; until [ -s " + followed +
                      " ]; do :; done; kill -KILL $recorder; wait $follower"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr(partial_ + ": nobody writes to it"));
}

TEST_F(KilledRecordingTest, FollowerSaysThatItsRecorderIsGone) {
  const std::string followed = TemporaryPath("followed.txtpb");
  const CommandResult result =
      RunCommand({"sh", "-c",
                  Begin() + kReprise + " cat --follow " + path_ + " >" +
                      followed + " & follower=$!; until [ -s " + followed +
                      " ]; do :; done; kill -KILL $recorder; wait $follower"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr(partial_ + ": nobody writes to it any more, and it "
                                   "isn't finished: "));
  std::vector<std::string> text = Lines(ReadFileBytes(followed));
  std::vector<std::string> whole = Lines(Reprise({"cat", partial_}).out);
  std::sort(text.begin(), text.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(text, whole);
}

TEST_F(KilledRecordingTest, HasOneRecorderAtATime) {
  const CommandResult result = RunCommand(
      {"sh", "-c",
       Begin() + kReprise + " run marble --ticks 9 --record " + path_ +
           "; echo $?; " + kReprise + " run --continue " + path_ +
           "; echo $?; kill -KILL $recorder; wait $recorder"});
  EXPECT_EQ(result.out, "5\n5\n");
  EXPECT_THAT(result.err,
              HasSubstr(partial_ + ": somebody else is writing to this file"));
  EXPECT_EQ(Reprise({"verify", partial_}).exit_code, 0);
}

TEST_F(KilledRecordingTest, BrokenOffRunSaysWhereItsRecordingIs) {
  const std::string track = TemporaryPath("refused.txtpb");
  WriteFileBytes(track,
                 "tick_count: 50 ticks { tick: 9 frames { player: 3 } }");
  const CommandResult result =
      Reprise({"run", "marble", "--inputs", track, "--record", path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("what was recorded until then is in " + partial_));
  EXPECT_EQ(Reprise({"info", path_}).exit_code, 3);
}

TEST_F(KilledRecordingTest, IsNotWrittenOver) {
  Kill();
  const std::string left = ReadFileBytes(partial_);
  const CommandResult result =
      Reprise({"run", "marble", "--ticks", "10", "--record", path_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(partial_ + " is there"));
  EXPECT_EQ(Reprise({"run", "--from", replay(), "--record", path_}).exit_code,
            2);
  EXPECT_EQ(ReadFileBytes(partial_), left);
}

TEST_F(KilledRecordingTest, FinishedOneIsNotContinuedOverAnotherOne) {
  Kill();
  WriteFileBytes(path_, ReadFileBytes(replay()));
  EXPECT_EQ(Reprise({"run", "--continue", path_}).exit_code, 2);
  EXPECT_EQ(ReadFileBytes(path_), ReadFileBytes(replay()));
  EXPECT_EQ(Reprise({"run", "marble", "--inputs", partial_, "--record", path_})
                .exit_code,
            2);
}

TEST_F(CommandTest, RecoverSavesWhatIsLeftAndSaysWhatIsLost) {
  const std::string path = TemporaryPath("damaged.mcap");
  std::string bytes = ReadFileBytes(replay());
  bytes[bytes.size() * 3 / 5] ^= 1;
  WriteFileBytes(path, bytes);
  const std::string output = TemporaryPath("damaged.recovered.mcap");
  std::remove(output.c_str());
  const CommandResult result = Reprise({"recover", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("lost: chunk "), HasSubstr("offset "),
                                HasSubstr(" of 240 ticks in " + output)));
  EXPECT_EQ(Reprise({"verify", output}).exit_code, 0);
  // Nothing is overwritten.
  EXPECT_EQ(Reprise({"recover", path}).exit_code, 2);
}

TEST_F(CommandTest, RecoverLeavesNoFileWhereNothingIsLeft) {
  const std::string path = TemporaryPath("nothing.mcap");
  // The pack is whole; the first chunk isn't.
  WriteFileBytes(path, ReadFileBytes(replay()).substr(0, 10000));
  const CommandResult result = Reprise({"recover", path});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("not one tick is left, and nothing was saved"));
  EXPECT_EQ(
      Reprise({"info", TemporaryPath("nothing.recovered.mcap")}).exit_code, 3);
}

TEST_F(CommandTest, CatAndAssembleGiveTheSameReplay) {
  const std::string text = TemporaryPath("text.txtpb");
  const std::string again = TemporaryPath("again.mcap");
  const CommandResult cat = Reprise({"cat", replay()});
  ASSERT_EQ(cat.exit_code, 0) << cat.err;
  WriteFileBytes(text, cat.out);
  const CommandResult result =
      Reprise({"assemble", text, "--output", again, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ReadFileBytes(again), ReadFileBytes(replay()));
  const Json info =
      Json::parse(Reprise({"info", replay(), "--format", "json"}).out);
  EXPECT_EQ(Json::parse(result.out)["digest"], info["digest"]);
}

TEST_F(CommandTest, OneInputChangedInTheTextIsOneChangedLine) {
  const std::string path = TemporaryPath("changed.txtpb");
  const std::string changed = TemporaryPath("changed_text.mcap");
  std::string text = Reprise({"cat", replay()}).out;
  const std::vector<std::string> before = Lines(text);
  // The last digit of the last axis that anybody moved.
  char& digit = text[text.rfind(']') - 1];
  digit = digit == '1' ? '2' : '1';
  WriteFileBytes(path, text);
  ASSERT_EQ(Reprise({"assemble", path, "--output", changed}).exit_code, 0);
  const std::vector<std::string> after = Lines(Reprise({"cat", changed}).out);
  ASSERT_EQ(before.size(), after.size());
  int different = 0;
  for (size_t i = 0; i < before.size(); ++i) different += before[i] != after[i];
  EXPECT_EQ(different, 1);
  EXPECT_EQ(Reprise({"diff", replay(), changed}).exit_code, 1);
}

TEST_F(CommandTest, CatFollowsARecordingToItsEnd) {
  const std::string path = TemporaryPath("followed.mcap");
  std::remove(path.c_str());
  const CommandResult result = RunCommand(
      {"sh", "-c",
       std::string(kReprise) +
           " run marble --random-inputs 5 --ticks 3000 --keyframe-stride 60 "
           "--record " +
           path + " >/dev/null 2>&1 & until [ -e " + path +
           ".partial ] || [ -e " + path + " ]; do :; done; " + kReprise +
           " cat --follow " + path});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> followed = Lines(result.out);
  std::vector<std::string> whole = Lines(Reprise({"cat", path}).out);
  // Followed, the number of ticks is known last.
  std::sort(followed.begin(), followed.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(followed, whole);
}

TEST_F(CommandTest, AssembleRefusesWhatIsNoReplaysText) {
  const std::string text = TemporaryPath("text.txtpb");
  const std::string output = TemporaryPath("out.mcap");
  WriteFileBytes(text, "pack: \"marble\" tick_count: 3");
  EXPECT_EQ(Reprise({"assemble", text, "--output", output}).exit_code, 2);
  WriteFileBytes(text, "pack: \"marble\" run { seed: 1 } tick_count: 3");
  EXPECT_EQ(Reprise({"assemble", text}).exit_code, 2);
  EXPECT_EQ(Reprise({"assemble", text, "--output", text}).exit_code, 2);
  EXPECT_EQ(Reprise({"assemble", text, "--output", output}).exit_code, 0);
  WriteFileBytes(text,
                 "pack: \"marble\" tick_count: 3 run { pack_digest: "
                 "\"00112233445566778899aabbccddeeff\" }");
  EXPECT_EQ(Reprise({"assemble", text, "--output", output}).exit_code, 2);
  EXPECT_EQ(Reprise({"assemble", text, "--pack", replay(), "--output", output})
                .exit_code,
            0);
}

TEST_F(CommandTest, VerifyOnThreadsSaysTheSame) {
  const CommandResult serial = Reprise({"verify", replay()});
  EXPECT_EQ(Reprise({"verify", replay(), "--threads", "4"}).out, serial.out);
  EXPECT_EQ(Reprise({"verify", replay(), "--threads", "0"}).exit_code, 2);
}

TEST_F(CommandTest, VerifyGoesOnBehindADifference) {
  const std::string pack =
      MakeChangedPack("heavier", "mass_kg: 2\n", "mass_kg: 2.5\n");
  const CommandResult result =
      Reprise({"verify", replay(), "--pack", pack, "--on-divergence", "resync",
               "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json file = Json::parse(result.out)["files"][0];
  EXPECT_FALSE(file["later_divergences"].empty());
  EXPECT_GT(file["digests_different"], 0);
  EXPECT_EQ(Reprise({"verify", replay(), "--on-divergence", "hope"}).exit_code,
            2);
}

TEST_F(CommandTest, VerifyOnAChangedPackSaysHowToSeeMore) {
  const std::string pack =
      MakeChangedPack("heavier", "mass_kg: 2\n", "mass_kg: 2.5\n");
  const CommandResult result = Reprise({"verify", replay(), "--pack", pack});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("`reprise diff " + replay() + " --pack " +
                                    pack + "` compares both packs"));
}

TEST_F(CommandTest, ReplayWithoutItsPackIsPlayedOnOneThatIsNamed) {
  const std::string path = TemporaryPath("packless.mcap");
  ASSERT_EQ(Reprise({"run", "marble", "--ticks", "50", "--pack-bytes-max", "1",
                     "--record", path})
                .exit_code,
            0);
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 3);
  EXPECT_EQ(Reprise({"verify", path, "--pack", "marble"}).exit_code, 0);
  EXPECT_EQ(Reprise({"inspect", path, "player", "--tick", "20"}).exit_code, 3);
  EXPECT_EQ(
      Reprise({"inspect", path, "player", "--tick", "20", "--pack", "marble"})
          .exit_code,
      0);
}

TEST_F(CommandTest, PackCheckPassesWhatShips) {
  const CommandResult result = Reprise({"pack", "check", "marble"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, StartsWith("marble: ok, "));
}

TEST_F(CommandTest, PackCheckNamesFileLineAndField) {
  const std::string pack = MakeChangedPack(
      "broken", "type: \"marble\" position", "type: \"marvel\" position");
  const CommandResult result = Reprise({"pack", "check", pack});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, StartsWith(pack + "/pack.txtpb:"));
  EXPECT_THAT(result.out, HasSubstr("objects[0].type: "));
  const Json check =
      Json::parse(Reprise({"pack", "check", pack, "--format", "json"}).out);
  EXPECT_GT(check["packs"][0]["problems"][0]["line"], 1);
}

TEST_F(CommandTest, PackCheckOfNothingIsThree) {
  EXPECT_EQ(Reprise({"pack", "check", "nowhere"}).exit_code, 3);
}

TEST_F(CommandTest, PackListNamesPacksWithTheirTitles) {
  const CommandResult result = Reprise({"pack", "list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(ValueOf(result.out, "marble"), "");
  EXPECT_EQ(Reprise({"pack", "list", "nowhere"}).exit_code, 3);
}

TEST_F(CommandTest, ServeRefusesBadOptions) {
  const std::string store = TemporaryPath("store");
  EXPECT_EQ(Reprise({"serve"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--listen", "0.0.0.0:0"}).exit_code,
      2);
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--packs", "nowhere"}).exit_code, 3);
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--workers", "4294967296"}).exit_code,
      2);
}

TEST_F(CommandTest, ServeEndsWellOnASignal) {
  const std::string address = TemporaryPath("address");
  // The shell says which process the server is before it becomes it.
  const std::string command =
      std::string("echo $$; exec ") + kReprise + " serve --listen 127.0.0.1:0" +
      " --store " + TemporaryPath("store") + " --print-address " + address;
  FILE* const server = popen(command.c_str(), "r");
  ASSERT_NE(server, nullptr);
  char line[256] = "";
  ASSERT_NE(fgets(line, sizeof(line), server), nullptr);
  const pid_t process = std::atoi(line);
  ASSERT_GT(process, 0);
  ASSERT_NE(fgets(line, sizeof(line), server), nullptr);
  EXPECT_THAT(line, StartsWith("listening on 127.0.0.1:"));
  kill(process, SIGTERM);
  EXPECT_EQ(pclose(server), 0);
  EXPECT_EQ("listening on " + ReadFileBytes(address), line);
}

}  // namespace
}  // namespace reprise::tests
