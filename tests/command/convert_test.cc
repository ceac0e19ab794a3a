// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// `reprise convert` gives the inputs of every golden back from CSV and JSON
// lines as `reprise cat` prints them, `run` plays both forms to the recorded
// digest, and mistakes name file, line and field.

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

std::vector<std::string> Goldens() {
  std::vector<std::string> packs;
  for (const auto& entry :
       std::filesystem::directory_iterator("tests/golden")) {
    if (entry.path().extension() == ".mcap") {
      packs.push_back(entry.path().stem());
    }
  }
  return packs;
}

class ConvertGoldenTest : public testing::TestWithParam<std::string> {
 protected:
  static std::string Golden() { return "tests/golden/" + GetParam() + ".mcap"; }

  // The golden's inputs in a file whose name ends so.
  static std::string Convert(const std::string& extension) {
    const std::string path = TemporaryPath(GetParam() + extension);
    const CommandResult result =
        Reprise({"convert", Golden(), "--output", path});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }
};

INSTANTIATE_TEST_SUITE_P(Packs, ConvertGoldenTest, testing::ValuesIn(Goldens()),
                         [](const auto& pack) { return pack.param; });

TEST_P(ConvertGoldenTest, BothFormsGiveTheTextOfTheReplay) {
  const std::string text = Reprise({"cat", Golden()}).out;
  EXPECT_EQ(Reprise({"convert", Convert(".csv")}).out, text);
  EXPECT_EQ(Reprise({"convert", Convert(".jsonl")}).out, text);
  EXPECT_EQ(Reprise({"convert", Golden()}).out, text);
}

class ConvertTest : public testing::Test {
 protected:
  static std::string FileWith(const std::string& name,
                              const std::string& text) {
    const std::string path = TemporaryPath(name);
    WriteFileBytes(path, text);
    return path;
  }

  // Converting `text` ends with 2 and says `told` behind the name of the file.
  static void ExpectRefused(const std::string& name, const std::string& text,
                            const std::string& told) {
    const std::string path = FileWith(name, text);
    const CommandResult result = Reprise({"convert", path});
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr(path + told));
  }
};

TEST_F(ConvertTest, BothFormsAreInputsOfARun) {
  const auto digest = [](const std::string& inputs) {
    const CommandResult result =
        Reprise({"run", "sim/packs/marble", "--seed", "0", "--inputs", inputs,
                 "--ticks", "300", "--format", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out)["digest"];
  };
  const Json expected = digest("tests/golden/marble.mcap");
  for (const char* const name : {"played.csv", "played.jsonl"}) {
    const std::string path = TemporaryPath(name);
    Reprise({"convert", "tests/golden/marble.mcap", "--output", path});
    EXPECT_EQ(digest(path), expected) << name;
  }
}

TEST_F(ConvertTest, AnotherGamesRowsBecomeATrack) {
  const std::string path =
      FileWith("other.csv", "tick,axis_1\n20,13250\n40,0\n");
  EXPECT_EQ(Reprise({"convert", path, "--pack", "marble", "--ticks", "90"}).out,
            "pack: \"marble\"\n"
            "tick_count: 90\n"
            "ticks { tick: 20 frames { device { axes: [0, 13250] } } }\n"
            "ticks { tick: 40 frames { } }\n");
  EXPECT_EQ(Reprise({"convert", path, "--to", "jsonl"}).out,
            "{\"tick_count\":41}\n"
            "{\"tick\":20,\"frames\":[{\"player\":0,\"device\":{\"axes\":[0,"
            "13250]}}]}\n"
            "{\"tick\":40,\"frames\":[{\"player\":0}]}\n");
}

TEST_F(ConvertTest, MistakesHaveFileLineAndField) {
  ExpectRefused("far.csv", "tick,axis_1\n20,40000\n",
                ":2: axis_1: '40000' is not -32767 to 32767");
  ExpectRefused("name.csv", "tick,axis1\n",
                ":1: there is no column 'axis1'; did you mean 'axis_1'?");
  ExpectRefused("quote.csv", "tick,text\n1,\"a\n", ":2: column 3: the quotes");
  ExpectRefused("far.jsonl",
                "{\"tick\":20,\"frames\":[{\"device\":{\"mouse\":{\"x\":70000}}"
                "}]}\n",
                ":1: player 0: the mouse's x is 70000, outside 0..65535");
  ExpectRefused("name.jsonl", "{}\n{\"tick\":1,\"frame\":[]}\n", ":2: ");
  ExpectRefused("track.txtpb", "ticks { tick: 5 }\n", ":1:");
}

TEST_F(ConvertTest, FlagsThatContradictTheFileAreTold) {
  const std::string path = FileWith("short.csv", "tick\n20\n");
  const CommandResult cut = Reprise({"convert", path, "--ticks", "20"});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("--ticks 20: " + path +
                                 " has inputs of tick "
                                 "20"));
  EXPECT_EQ(
      Reprise({"convert", path, "--output", "no/such/folder/a.csv"}).exit_code,
      5);
  EXPECT_EQ(Reprise({"convert", "nowhere.csv"}).exit_code, 3);
  EXPECT_EQ(Reprise({"convert", path, "--from", "jsonl"}).exit_code, 2);
}

}  // namespace
}  // namespace reprise::tests
