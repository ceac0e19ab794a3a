// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that replays which earlier builds recorded keep opening, seeking and,
// as long as the rules are theirs, verifying on the packs inside them, whose
// inputs are played under any; and that nobody made them again.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/world/rules_revision.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char kReprise[] = "tools/reprise/reprise";
constexpr char kFolder[] = "tests/recorded";

// All that are kept, of every revision of the format.
std::vector<std::string> Recorded() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".mcap") files.push_back(entry.path());
  }
  std::ranges::sort(files);  // a total order: paths differ
  return files;
}

// Stands behind the first keyframe that isn't of tick 0, in each of them.
constexpr char kTickBehindKeyframe[] = "100";

// Whether the replay was recorded under the rules of this build.
bool HasTheRulesOfNow(const std::string& file) {
  const CommandResult result = RunCommand(
      {"/bin/sh", "-c",
       std::string(kReprise) + " info --format json " + file +
           " | grep -o '\"rules_revision\": *[0-9]*' | grep -o '[0-9]*$'"});
  return result.out == std::to_string(sim::kWorldRulesRevision) + "\n";
}

class RecordedTest : public testing::TestWithParam<std::string> {};

TEST_P(RecordedTest, Opens) {
  const CommandResult result = RunCommand({kReprise, "info", GetParam()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("keyframes"));
}

// Of earlier rules it says what can no longer be done, and of none else.
TEST_P(RecordedTest, InfoSaysWhatItCantDo) {
  const CommandResult result = RunCommand({kReprise, "info", GetParam()});
  const bool is_of_now = HasTheRulesOfNow(GetParam());
  const std::string rules =
      "\ntoday       rules " + std::to_string(sim::kWorldRulesRevision) + ": ";
  EXPECT_EQ(result.out.find(rules) == std::string::npos, is_of_now)
      << result.out;
  const bool says_if_it_seeks =
      result.out.find("\n            seeks by ") != std::string::npos ||
      result.out.find("\n            its pack can't be loaded") !=
          std::string::npos;
  EXPECT_EQ(says_if_it_seeks, !is_of_now) << result.out;
}

TEST_P(RecordedTest, Seeks) {
  const CommandResult result = RunCommand(
      {kReprise, "inspect", GetParam(), "--tick", kTickBehindKeyframe});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("bodies"));
}

TEST_P(RecordedTest, VerifiesOnThePackInsideOrSaysThatTheRulesAreOthers) {
  const CommandResult result =
      RunCommand({kReprise, "verify", GetParam(), "--threads", "2"});
  if (HasTheRulesOfNow(GetParam())) {
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return;
  }
  // Not a fault of the file. What the rules that changed don't touch verifies
  // all the same, whole; anything else is nothing that was compared.
  const bool is_verified = result.out.find(": verified ") != std::string::npos;
  EXPECT_EQ(result.exit_code, is_verified ? 0 : 1) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("rules"));
}

TEST_P(RecordedTest, ItsInputsArePlayedOnThePackInside) {
  const CommandResult result =
      RunCommand({kReprise, "run", "--inputs", GetParam()});
  // A game may be lost under other rules.
  EXPECT_LE(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("ticks"));
}

INSTANTIATE_TEST_SUITE_P(Files, RecordedTest, testing::ValuesIn(Recorded()),
                         [](const auto& file) {
                           const fs::path path = file.param;
                           return path.parent_path().filename().string() + "_" +
                                  path.stem().string();
                         });

TEST(RecordedFilesTest, AreThoseThatWereRecorded) {
  const CommandResult result = RunCommand(
      {"/bin/sh", "-c",
       "cd tests/recorded && sha256sum --check --strict sha256.txt"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(RecordedFilesTest, EachIsPinned) {
  const std::string pins = ReadFileBytes(std::string(kFolder) + "/sha256.txt");
  ASSERT_FALSE(Recorded().empty());
  for (const std::string& file : Recorded()) {
    EXPECT_THAT(pins,
                HasSubstr(fs::path(file).lexically_relative(kFolder).string()));
  }
}

}  // namespace
}  // namespace reprise::tests
