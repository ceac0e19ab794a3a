// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every export can be held against its replay: one that is as it
// was made is right; one that was changed, cut off, or made of another replay
// or pack is not.

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/command/command_runner.h"
#include "tests/command/marble_replay.h"

namespace reprise::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Json = nlohmann::json;

struct Format {
  std::string name;  // of a test
  std::string extension;
  std::vector<std::string> words;  // of the verb, without the replay
  std::string summary;             // what is right of ticks 3 to 120, by 20
};

// Ticks 3, 23, 43, 63, 83 and 103. Those that hold animations name two states.
const std::vector<Format> kFormats = {
    {"Poses", "csv", {"export", "--format", "csv"}, "6 states"},
    {"Wide",
     "csv",
     {"export", "--format", "csv", "--fields", "outcome"},
     "6 states"},
    {"Long",
     "csv",
     {"export", "--format", "csv", "--fields", "outcome", "--long"},
     "6 states"},
    {"JsonLines", "jsonl", {"export", "--format", "jsonl"}, "6 states"},
    {"Mcap", "mcap", {"export", "--format", "mcap"}, "6 states"},
    {"Gltf", "glb", {"export", "--format", "gltf"}, "2 states"},
    {"Usd", "usda", {"export", "--format", "usda"}, "2 states"},
    {"Page", "html", {"view"}, "6 states"},
};

class VerifyExportTest : public MarbleReplayTest {
 protected:
  // What the verb of the format makes of a replay.
  static std::string Make(const Format& format, const std::string& of,
                          const std::vector<std::string>& flags = {}) {
    const std::string path =
        TemporaryPath(format.name + "." + format.extension);
    std::vector<std::string> words = format.words;
    words.insert(words.begin() + 1, of);
    for (const std::string word :
         {"--from", "3", "--to", "120", "--every", "20", "--output"}) {
      words.push_back(word);
    }
    words.push_back(path);
    words.insert(words.end(), flags.begin(), flags.end());
    const CommandResult result = Reprise(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }

  static CommandResult Verify(const std::string& file,
                              std::vector<std::string> words) {
    words.insert(words.begin(), {"verify", "--export", file});
    return Reprise(words);
  }

  // Writes it with one text in place of another, everywhere.
  static std::string Changed(const std::string& path, const std::string& from,
                             const std::string& to) {
    std::string bytes = ReadFileBytes(path);
    size_t count = 0;
    for (size_t at = bytes.find(from); at != std::string::npos;
         at = bytes.find(from, at + to.size())) {
      bytes.replace(at, from.size(), to);
      ++count;
    }
    EXPECT_GT(count, 0u) << from;
    const std::string changed = TemporaryPath("changed");
    WriteFileBytes(changed, bytes);
    return changed;
  }
};

class EveryExportTest : public VerifyExportTest,
                        public testing::WithParamInterface<Format> {};

TEST_P(EveryExportTest, IsRightAsItWasMade) {
  const std::string file = Make(GetParam(), replay());
  const CommandResult result = Verify(file, {replay()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, file + ": right: " + GetParam().summary + " of " +
                            replay() + ", ticks 3 to 103\n");
}

TEST_P(EveryExportTest, OfAnotherReplayIsNot) {
  const CommandResult result =
      Verify(Make(GetParam(), replay()), {MakeChangedReplay()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("not of this replay"));
}

// Played on another pack, the same inputs lead to other states; the export says
// which they were.
TEST_P(EveryExportTest, OfAnotherPackIsRightOnThatPackOnly) {
  const std::string pack =
      MakeChangedPack("heavier", "mass_kg: 2\n", "mass_kg: 2.5\n");
  const std::string file = Make(GetParam(), replay(), {"--pack", pack});
  EXPECT_EQ(Verify(file, {replay(), "--pack", pack}).exit_code, 0);
  const CommandResult own = Verify(file, {replay()});
  EXPECT_EQ(own.exit_code, 1);
  EXPECT_THAT(own.out, HasSubstr("differs at tick"));
}

TEST_P(EveryExportTest, CutOffAnywhereIsNeverRight) {
  const std::string bytes = ReadFileBytes(Make(GetParam(), replay()));
  const std::string cut = TemporaryPath("cut");
  for (size_t i = 1; i < 8; ++i) {
    const size_t size = bytes.size() * i / 8;
    WriteFileBytes(cut, bytes.substr(0, size));
    const CommandResult result = Verify(cut, {replay()});
    if (result.exit_code == 0) {
      EXPECT_THAT(result.out, testing::Not(HasSubstr(GetParam().summary)))
          << size;
    } else {
      EXPECT_EQ(result.exit_code, 2) << size << result.err;
      EXPECT_THAT(result.err, HasSubstr(cut));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryExportTest, testing::ValuesIn(kFormats),
                         [](const testing::TestParamInfo<Format>& tested) {
                           return tested.param.name;
                         });

TEST_F(VerifyExportTest, AChangedDigestIsNamedByItsTick) {
  const std::string file = Make(kFormats[0], replay());
  const Json inspected = Json::parse(
      Reprise({"inspect", replay(), "--tick", "43", "--format", "json"}).out);
  const std::string state = inspected["digest"];
  const std::string other = "0123456789abcdef";
  const CommandResult result = Verify(Changed(file, state, other), {replay()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("differs at tick 43"),
                                HasSubstr(state), HasSubstr(other)));
}

TEST_F(VerifyExportTest, ATickThatTheReplayDoesNotHaveIsAnError) {
  const std::string file = Make(kFormats[0], replay());
  const CommandResult result =
      Verify(Changed(file, "\n103,", "\n99999,"), {replay()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("99999"), HasSubstr(replay())));
}

TEST_F(VerifyExportTest, APageOfTwoRunsTakesBoth) {
  const std::string other = MakeChangedReplay();
  const std::string page = TemporaryPath("two.html");
  ASSERT_EQ(Reprise({"view", replay(), other, "--to", "60", "--output", page})
                .exit_code,
            0);
  const CommandResult both = Verify(page, {other, replay()});
  EXPECT_EQ(both.exit_code, 0) << both.err;
  EXPECT_EQ(Lines(both.out).size(), 2u);
  EXPECT_EQ(Verify(page, {replay()}).exit_code, 1);

  const CommandResult json = Verify(page, {replay(), "--format", "json"});
  const Json document = Json::parse(json.out);
  EXPECT_EQ(document["passed"], false);
  ASSERT_EQ(document["runs"].size(), 2u);
  EXPECT_EQ(document["runs"][0]["passed"], true);
  EXPECT_EQ(document["runs"][0]["replay"], replay());
  EXPECT_EQ(document["runs"][1]["passed"], false);
}

TEST_F(VerifyExportTest, WhatIsNoExportIsNamed) {
  const std::string note = TemporaryPath("note.txt");
  WriteFileBytes(note, "\x1b[31mnot an export\n");
  const CommandResult result = Verify(note, {replay()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr(note), HasSubstr("not an export")));
  EXPECT_THAT(result.err, testing::Not(HasSubstr("\x1b")));
  EXPECT_EQ(Verify(replay(), {replay()}).exit_code, 2);
  EXPECT_EQ(Verify(TemporaryPath("none.csv"), {replay()}).exit_code, 3);
}

TEST_F(VerifyExportTest, FlagsThatAreNotOfItAreRefused) {
  const std::string file = Make(kFormats[0], replay());
  const std::string folder = TemporaryPath("nothing");
  const std::vector<std::vector<std::string>> all = {
      {"--outcome", "lost"},       {"--packs", "sim/packs"},
      {"--junit", folder},         {"--sarif", folder},
      {"--markdown", folder},      {"--github"},
      {"--capsule", folder},       {"--view", folder},
      {"--cache", folder},         {"--shard", "1/2"},
      {"--allow-partial"},         {"--allow-empty"},
      {"--threads", "2"},          {"--jobs", "2"},
      {"--on-divergence", "stop"}, {"--isolation", "none"},
      {"--memory-max-mib", "1"},   {"--hang-timeout-seconds", "1"}};
  for (std::vector<std::string> words : all) {
    const std::string flag = words[0];
    words.push_back(replay());
    const CommandResult result = Verify(file, words);
    EXPECT_EQ(result.exit_code, 2) << flag;
    EXPECT_THAT(result.err, HasSubstr(flag + " isn't of --export"));
    EXPECT_TRUE(ReadFileBytes(folder).empty()) << flag;
  }
}

}  // namespace
}  // namespace reprise::tests
