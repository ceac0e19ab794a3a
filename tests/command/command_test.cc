// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what people and scripts see of the command: for good and for bad input
// of every verb that has no test of its own, what it prints and the code it
// exits with, by running the real program on a pack that ships and on replays
// recorded with it.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
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

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

using Json = nlohmann::json;

using CommandTest = MarbleReplayTest;

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
                                             {"describe"},
                                             {"cat"},
                                             {"assemble"},
                                             {"recover"},
                                             {"export"},
                                             {"serve"},
                                             {"token"},
                                             {"pack", "check"},
                                             {"pack", "explain"},
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

TEST_F(CommandTest, HelpThatCannotBeWrittenIsFive) {
  for (const std::string words :
       {"--help", "help verify", "verify --help", "--version"}) {
    const CommandResult result = RunCommand(
        {"sh", "-c", std::string(kReprise) + " " + words + " >/dev/full"});
    EXPECT_EQ(result.exit_code, 5) << words;
  }
}

TEST_F(CommandTest, EmptyFileIsNoTrack) {
  for (const std::string end : {"mcap", "jsonl", "txtpb", "csv"}) {
    const std::string path = TemporaryPath("empty." + end);
    WriteFileBytes(path, "");
    const CommandResult result = Reprise({"convert", path});
    EXPECT_EQ(result.exit_code, 2) << end;
    EXPECT_THAT(result.err, HasSubstr(path + ": empty file"));
    EXPECT_EQ(Reprise({"run", "marble", "--inputs", path}).exit_code, 2);
  }
}

TEST_F(CommandTest, EmptyNumberIsRefused) {
  for (const std::string flag : {"--speed", "--error"}) {
    const CommandResult result =
        Reprise({"export", replay(), "--format", "gltf", flag, ""});
    EXPECT_EQ(result.exit_code, 2) << flag;
  }
  EXPECT_EQ(Reprise({"bench", "marble", "--threshold", ""}).exit_code, 2);
}

TEST_F(CommandTest, ReportGoesToAnOpenDescriptor) {
  for (const std::string descriptor : {"77", "4294967297"}) {
    const CommandResult result =
        Reprise({"verify", replay(), "--report-to", descriptor});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("is no open descriptor"));
  }
}

TEST_F(CommandTest, CapsuleIsNotWrittenOver) {
  const std::string capsule = TemporaryPath("kept.capsule.mcap");
  ASSERT_EQ(
      Reprise({"diff", replay(), MakeChangedReplay(), "--capsule", capsule})
          .exit_code,
      1);
  const std::string before = ReadFileBytes(capsule);
  for (const CommandResult& result :
       {Reprise({"run", "--continue", capsule, "--ticks", "5"}),
        Reprise({"accept", capsule, "--reason", "why not"})}) {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("is a capsule of a failure"));
  }
  EXPECT_EQ(ReadFileBytes(capsule), before);
  // It is the other run, and verifies.
  const CommandResult verified = Reprise({"verify", capsule});
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
  EXPECT_THAT(verified.out, HasSubstr("a capsule of a failure behind tick"));
}

TEST_F(CommandTest, PackThatCannotBeWrittenIsFive) {
  EXPECT_EQ(Reprise({"pack", "build", "sim/packs/marble", "--output",
                     "/nowhere/marble.tar"})
                .exit_code,
            5);
}

TEST_F(CommandTest, TwoReportsNeedTwoFiles) {
  const std::string path = TemporaryPath("both.xml");
  const CommandResult result =
      Reprise({"verify", replay(), "--junit", path, "--sarif", path});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--junit and --sarif name one file"));
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
  EXPECT_EQ(Reprise({"verify", path}).exit_code, 1);
  const CommandResult result = Reprise({"verify", path, "--allow-partial"});
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
  EXPECT_THAT(result.out,
              ContainsRegex("first different state: tick [0-9]+, physics, "
                            "object .* ulp.*; last written by solver\n"));
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
  const CommandResult mistyped = Reprise({"inspect", replay(), "plaier"});
  EXPECT_EQ(mistyped.exit_code, 3);
  EXPECT_THAT(mistyped.err, HasSubstr("no row of the state is of 'plaier'; did "
                                      "you mean 'player'?"));
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

// What a frame shows, without what only the first one of a file tells.
std::vector<Json> FramesOf(const std::string& lines) {
  std::vector<Json> frames;
  for (const std::string& line : Lines(lines)) {
    Json& frame = frames.emplace_back(Json::parse(line));
    frame.erase("source");
    frame.erase("meshes");
    for (Json& object : frame["objects"]) {
      object.erase("shapes");
      object.erase("has_same_shapes");
    }
  }
  return frames;
}

TEST_F(CommandTest, ExportGoesBackwards) {
  const CommandResult forwards =
      Reprise({"export", replay(), "--from", "10", "--to", "50"});
  const CommandResult backwards =
      Reprise({"export", replay(), "--from", "10", "--to", "50", "--reverse"});
  ASSERT_EQ(backwards.exit_code, 0) << backwards.err;
  std::vector<Json> frames = FramesOf(backwards.out);
  std::reverse(frames.begin(), frames.end());
  ASSERT_EQ(frames.size(), 41u);
  EXPECT_TRUE(frames == FramesOf(forwards.out));
}

TEST_F(CommandTest, ExportAtASpeedWritesTheSameFrames) {
  const CommandResult plain = Reprise({"export", replay(), "--to", "30"});
  const CommandResult paced =
      Reprise({"export", replay(), "--to", "30", "--speed", "50"});
  EXPECT_EQ(paced.exit_code, 0) << paced.err;
  EXPECT_EQ(paced.out, plain.out);
  // Half a second of play.
  const auto begin = std::chrono::steady_clock::now();
  Reprise({"export", replay(), "--to", "30", "--speed", "2"});
  EXPECT_GE(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(250));
  EXPECT_EQ(Reprise({"export", replay(), "--speed", "fast"}).exit_code, 2);
  EXPECT_EQ(Reprise({"export", replay(), "--speed", "0"}).exit_code, 2);
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

TEST_F(CommandTest, PackCheckWarnsOfWhatIsHardlyMeant) {
  const std::string pack = MakeChangedPack(
      "noisy", "types {", "events { name: \"unheard\" }\ntypes {");
  const CommandResult result = Reprise({"pack", "check", pack});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr(pack + "/pack.txtpb:"),
                    HasSubstr("events[0].name: warning: nobody sends or hears "
                              "of 'unheard'"),
                    HasSubstr(": ok, ")));
  EXPECT_EQ(Reprise({"pack", "check", pack, "--warnings-as-errors"}).exit_code,
            1);
  const Json check =
      Json::parse(Reprise({"pack", "check", pack, "--format", "json"}).out);
  EXPECT_TRUE(check["packs"][0]["is_ok"]);
  EXPECT_EQ(check["packs"][0]["warnings"][0]["field"], "events[0].name");
}

// What runs old packs lets it through; who checks one is its author.
TEST_F(CommandTest, PackCheckRefusesEventsThatNobodyDeclares) {
  const std::string pack = MakeChangedPack(
      "silent", "types {",
      "connections { name: \"c\" event: \"region_enterd\" send: \"wake\" "
      "}\ntypes {");
  const CommandResult result = Reprise({"pack", "check", pack});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.out,
              HasSubstr("connections[0].event: there is no event "
                        "'region_enterd'; did you mean 'region_entered'?"));
  EXPECT_EQ(Reprise({"run", pack, "--ticks", "3"}).exit_code, 0);
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
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--digest-stride", "0"}).exit_code,
      2);
  EXPECT_EQ(Reprise({"serve", "--store", store, "--http-address", "0.0.0.0:0"})
                .exit_code,
            2);
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--log-format", "xml"}).exit_code, 2);
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--tenant-memory-max", "1073741825"})
          .exit_code,
      2);
  EXPECT_EQ(Reprise({"serve", "--store", store, "--audit-log", "nowhere/audit"})
                .exit_code,
            5);
}

// The largest number overflows what times are measured in: it meant none.
TEST_F(CommandTest, ServeRefusesWhatIsBeyondAFlagsRangeAndSaysIt) {
  for (const auto& [flag, max] :
       {std::pair("--drain-timeout", uint64_t{31536000}),
        std::pair("--idle-timeout", uint64_t{31536000}),
        std::pair("--operation-timeout", uint64_t{31536000}),
        std::pair("--connection-age-max", uint64_t{31536000}),
        std::pair("--pack-upload-max", uint64_t{256}),
        std::pair("--tenant-packs-max", uint64_t{32768})}) {
    const auto serve = [flag = flag](const std::string& value) {
      return Reprise(
          {"serve", "--store", "stored", flag, value, "--print-config"});
    };
    EXPECT_EQ(serve(std::to_string(max)).exit_code, 0) << flag;
    for (const std::string& value :
         {std::to_string(max + 1), std::string("18446744073709551615")}) {
      const CommandResult refused = serve(value);
      EXPECT_EQ(refused.exit_code, 2) << flag;
      EXPECT_THAT(refused.err,
                  HasSubstr(std::string("flag ") + flag + " takes up to " +
                            std::to_string(max)));
    }
  }
}

TEST_F(CommandTest, ServeNamesTheFileThatItCannotUse) {
  const std::string store = TemporaryPath("store");
  const std::string bad = TemporaryPath("bad");
  WriteFileBytes(bad, "nonsense\n");

  const CommandResult tokens =
      Reprise({"serve", "--store", store, "--tokens", bad});
  EXPECT_EQ(tokens.exit_code, 2);
  EXPECT_THAT(tokens.err, HasSubstr(bad + ":1: a token's line is"));
  const CommandResult certificate = Reprise(
      {"serve", "--store", store, "--tls-certificate", bad, "--tls-key", bad});
  EXPECT_EQ(certificate.exit_code, 2);
  EXPECT_THAT(certificate.err, HasSubstr(bad + ": there is no certificate"));
  EXPECT_EQ(
      Reprise({"serve", "--store", store, "--tokens", "nowhere"}).exit_code, 3);
}

TEST_F(CommandTest, ServeTakesItsConfigurationFromAFileLast) {
  const std::string file = TemporaryPath("serve.env");
  WriteFileBytes(file,
                 "# comment\nREPRISE_SERVE_STORE=stored\n"
                 "REPRISE_SERVE_WORKERS=3\nREPRISE_SERVE_SESSIONS_MAX=5\n"
                 "REPRISE_SERVE_IDLE_TIMEOUT=7\n");
  const CommandResult result = RunCommand(
      {"env", "REPRISE_SERVE_SESSIONS_MAX=6", "REPRISE_SERVE_CONFIG=" + file,
       kReprise, "serve", "--workers", "4", "--print-config"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* const line :
       {"STORE=stored", "WORKERS=4", "SESSIONS_MAX=6", "IDLE_TIMEOUT=7"}) {
    EXPECT_THAT(result.out,
                HasSubstr(std::string("REPRISE_SERVE_") + line + "\n"));
  }

  EXPECT_EQ(Reprise({"serve", "--config", "nowhere"}).exit_code, 3);
  WriteFileBytes(file, "REPRISE_SERVE_WORKER=3\n");
  const CommandResult bad = Reprise({"serve", "--config", file});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr(file + ":1: no flag is meant by"));

  // Neither names another file nor has the server not serve.
  for (const char* const line : {"CONFIG=other", "PRINT_CONFIG=1"}) {
    WriteFileBytes(file, std::string("\nREPRISE_SERVE_") + line + "\n");
    const CommandResult circular = Reprise({"serve", "--config", file});
    EXPECT_EQ(circular.exit_code, 2);
    EXPECT_THAT(circular.err, HasSubstr(file + ":2: no flag is meant by"));
  }
}

TEST_F(CommandTest, TokensAreAddedToAFileThatOthersCannotRead) {
  const std::string file = TemporaryPath("tokens");
  std::filesystem::remove(file);
  const CommandResult first = Reprise({"token", "ci", "--add-to", file});
  const CommandResult second = Reprise({"token", "ann", "--scopes", "observe",
                                        "--tenant", "red", "--add-to", file});

  ASSERT_EQ(first.exit_code, 0) << first.err;
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(first.out, MatchesRegex("reprise_[0-9a-f]{64}\n"));
  EXPECT_NE(first.out, second.out);
  EXPECT_THAT(ReadFileBytes(file),
              MatchesRegex("ci [0-9a-f]{64} play\nann [0-9a-f]{64} observe "
                           "red\n"));
  EXPECT_EQ(
      std::filesystem::status(file).permissions(),
      std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(Reprise({"token", "ci", "--add-to", file}).exit_code, 2);
  EXPECT_EQ(Reprise({"token", "b", "--scopes", "root"}).exit_code, 2);
  EXPECT_EQ(Reprise({"token", "B"}).exit_code, 2);
  EXPECT_THAT(Reprise({"token", "b"}).out,
              MatchesRegex("reprise_[0-9a-f]{64}\nb [0-9a-f]{64} play\n"));
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
