// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that replays which earlier builds recorded keep opening, seeking
// behind their later keyframes, whose states are shown as they were recorded,
// and, as long as the rules are theirs, verifying on the packs inside them,
// whose inputs are played under any; and that nobody made them again.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "replays/format/replay_reader.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"
#include "sim/world/rules_revision.h"
#include "tests/command/command_runner.h"

namespace reprise::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using Json = nlohmann::json;

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

// Files of this folder don't say what their tables are, which are others now:
// whatever is asked of them is played from tick 0 on.
constexpr char kWithoutSchemas[] = "format_2";

// Of these the tables are those of now, so that each file seeks by its
// keyframes. Who changes a table leaves those that were recorded since.
constexpr std::array<std::string_view, 2> kOfTheTablesOfNow = {"rules_10",
                                                               "rules_11"};

// What `inspect` says where it couldn't take a keyframe.
constexpr char kPlayedFromTheStart[] = "played from tick 0";

std::string FolderOf(const std::string& file) {
  return fs::path(file).parent_path().filename().string();
}

bool HasTheTablesOfNow(const std::string& file) {
  return std::ranges::count(kOfTheTablesOfNow, FolderOf(file)) > 0;
}

// Keyframes stand at multiples of it, as in README.md.
sim::Tick KeyframeStrideOf(const std::string& file) {
  const std::string pack = fs::path(file).stem().string();
  if (pack == "pile") return 60;
  return pack == "sleepers" ? 240 : 160;
}

// The digests of the states that the later keyframes of a file keep, by their
// ticks, as the file has them.
std::map<sim::Tick, sim::Digest> LaterKeyframes(const std::string& file) {
  std::map<sim::Tick, sim::Digest> roots;
  const auto replay = replays::ReplayReader::OpenFile(file);
  EXPECT_TRUE(replay.ok()) << replay.status();
  if (!replay.ok()) return roots;
  const auto keyframes = (*replay)->ReadKeyframes(1);
  while (true) {
    const auto keyframe = keyframes->Next();
    EXPECT_TRUE(keyframe.ok()) << keyframe.status();
    if (!keyframe.ok() || !keyframe->has_value()) break;
    roots.try_emplace((*keyframe)->tick);
  }
  const auto digests = (*replay)->ReadDigests();
  while (true) {
    const auto entry = digests->Next();
    EXPECT_TRUE(entry.ok()) << entry.status();
    if (!entry.ok() || !entry->has_value()) break;
    const auto root = roots.find((*entry)->tick);
    if (root != roots.end()) root->second = (*entry)->root;
  }
  return roots;
}

CommandResult Inspect(const std::string& file, sim::Tick tick) {
  return RunCommand({kReprise, "inspect", file, "--tick", std::to_string(tick),
                     "--format", "json"});
}

// What `info` says of a file of other rules: whether it seeks by keyframes.
bool SeeksByKeyframes(const std::string& file) {
  const CommandResult info =
      RunCommand({kReprise, "info", file, "--format", "json"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  const Json document = Json::parse(info.out, nullptr, false);
  return !document.is_discarded() && document["age"].is_object() &&
         document["age"]["seeks"] == true;
}

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

TEST_P(RecordedTest, KeyframesStandWhereTheyWereRecorded) {
  const sim::Tick stride = KeyframeStrideOf(GetParam());
  const std::map<sim::Tick, sim::Digest> keyframes = LaterKeyframes(GetParam());
  ASSERT_THAT(keyframes, SizeIs(stride == 160 ? 3 : 2));
  sim::Tick expected = 0;
  for (const auto& [tick, root] : keyframes) {
    EXPECT_EQ(tick, expected += stride);
    EXPECT_NE(root, sim::Digest{}) << tick;
  }
}

TEST_P(RecordedTest, KeyframesAreShownAsTheyWereRecorded) {
  for (const auto& [tick, root] : LaterKeyframes(GetParam())) {
    const CommandResult result = Inspect(GetParam(), tick);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json document = Json::parse(result.out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << result.out;
    EXPECT_EQ(document["tick"], tick);
    EXPECT_FALSE(document["rooms"].empty()) << tick;
    if (FolderOf(GetParam()) == kWithoutSchemas) {
      // Not by mistake: it was this keyframe that couldn't be taken.
      EXPECT_THAT(result.err,
                  HasSubstr(fmt::format("the keyframe of tick {}: ", tick)));
      EXPECT_THAT(result.err, HasSubstr(kPlayedFromTheStart));
    } else {
      EXPECT_EQ(document["digest"], sim::FormatDigest(root)) << result.err;
      EXPECT_THAT(result.err, Not(HasSubstr(kPlayedFromTheStart)));
    }
  }
}

TEST_P(RecordedTest, SeeksBehindItsKeyframes) {
  // Farther than any way that is played without looking for a keyframe.
  constexpr sim::Tick kBehind = 40;
  const std::map<sim::Tick, sim::Digest> keyframes = LaterKeyframes(GetParam());
  ASSERT_FALSE(keyframes.empty());
  for (const auto& [tick, root] : keyframes) {
    if (tick == keyframes.rbegin()->first) break;  // The run ends there.
    const CommandResult result = Inspect(GetParam(), tick + kBehind);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    if (HasTheTablesOfNow(GetParam())) {
      EXPECT_THAT(result.err, Not(HasSubstr(kPlayedFromTheStart)));
    } else if (result.err.find(kPlayedFromTheStart) != std::string::npos) {
      EXPECT_THAT(result.err,
                  HasSubstr(fmt::format("the keyframe of tick {}: ", tick)));
    }
  }
}

// `info` looks at the last keyframe, so that is where it is held to its word.
TEST_P(RecordedTest, InfoSaysTheTruthAboutSeeking) {
  if (HasTheRulesOfNow(GetParam())) return;
  const bool seeks = SeeksByKeyframes(GetParam());
  const bool has_tables_of_now = HasTheTablesOfNow(GetParam());
  if (has_tables_of_now || FolderOf(GetParam()) == kWithoutSchemas) {
    EXPECT_EQ(seeks, has_tables_of_now);
  }

  const std::map<sim::Tick, sim::Digest> keyframes = LaterKeyframes(GetParam());
  ASSERT_FALSE(keyframes.empty());
  // Only a run's state shows what the next tick changes, never a recorded one;
  // there is no next tick here, but the way to this one has been told.
  const CommandResult result =
      RunCommand({kReprise, "inspect", GetParam(), "--tick",
                  std::to_string(keyframes.rbegin()->first), "--changes"});
  EXPECT_THAT(result.err, HasSubstr("the replay ends at tick"));
  EXPECT_EQ(result.err.find(kPlayedFromTheStart) == std::string::npos, seeks)
      << result.err;
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

// Only a file of the rules of now verifies whole, whatever they changed.
TEST(RecordedFilesTest, EveryPackWasRecordedUnderTheRulesOfNow) {
  std::set<std::string> packs;
  std::set<std::string> packs_of_now;
  for (const std::string& file : Recorded()) {
    packs.insert(fs::path(file).stem().string());
    if (HasTheRulesOfNow(file)) {
      packs_of_now.insert(fs::path(file).stem().string());
    }
  }
  EXPECT_EQ(packs_of_now, packs)
      << "record them: tests/recorded/record.sh PROGRAM rules_"
      << sim::kWorldRulesRevision;
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
