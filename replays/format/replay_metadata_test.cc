// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that metadata survives the way through strings, that a missing or
// malformed entry is named, and that a newer format is told from a damaged one.

#include "replays/format/replay_metadata.h"

#include <map>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/engine.h"
#include "replays/testing/tiny_recording.h"

namespace reprise::replays {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ReplayMetadata Recorded() {
  ReplayMetadata metadata = DescribeRun(*MakeTiny());
  metadata.digest_stride = 10;
  return metadata;
}

void ExpectRefused(const std::string& key, const std::string& value,
                   absl::StatusCode code) {
  std::map<std::string, std::string> entries = EncodeReplayMetadata(Recorded());
  entries[key] = value;

  const absl::Status status = DecodeReplayMetadata(entries).status();

  EXPECT_EQ(status.code(), code) << key << ": " << status;
}

TEST(ReplayMetadataTest, NamesThePluginThatItsSimulationIsOf) {
  SetPluginFinder("tiny", [] { return std::string("libtiny.so 0123"); });
  ReplayMetadata recorded = Recorded();
  EXPECT_EQ(recorded.plugin, "libtiny.so 0123");
  EXPECT_EQ(EncodeReplayMetadata(recorded).at("plugin"), "libtiny.so 0123");
  EXPECT_EQ(DecodeReplayMetadata(EncodeReplayMetadata(recorded))->plugin,
            "libtiny.so 0123");

  recorded.plugin = "libtiny.so 4567";
  EXPECT_THAT(CompareWithRun(recorded, *MakeTiny()).notes,
              testing::ElementsAre(
                  "recorded with plug-in libtiny.so 4567, replayed with "
                  "libtiny.so 0123"));
  // Who says nothing may be any.
  recorded.plugin.clear();
  EXPECT_THAT(CompareWithRun(recorded, *MakeTiny()).notes, testing::IsEmpty());
  EXPECT_FALSE(EncodeReplayMetadata(recorded).contains("plugin"));
  SetPluginFinder("tiny", [] { return std::string(); });
}

TEST(ReplayMetadataTest, ComesBackAsItWas) {
  const absl::StatusOr<ReplayMetadata> metadata =
      DecodeReplayMetadata(EncodeReplayMetadata(Recorded()));

  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(*metadata, Recorded());
}

TEST(ReplayMetadataTest, UnknownEntryIsSkipped) {
  std::map<std::string, std::string> entries = EncodeReplayMetadata(Recorded());
  entries["weather"] = "rain";

  EXPECT_EQ(*DecodeReplayMetadata(entries), Recorded());
}

TEST(ReplayMetadataTest, EachMissingEntryIsNamed) {
  for (const auto& [key, value] : EncodeReplayMetadata(Recorded())) {
    if (key == "batch_ticks" || key == "keyframe_bytes_per_tick") continue;
    std::map<std::string, std::string> entries =
        EncodeReplayMetadata(Recorded());
    entries.erase(key);

    const absl::Status status = DecodeReplayMetadata(entries).status();

    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << key;
    EXPECT_THAT(std::string(status.message()), HasSubstr("\"" + key + "\""));
  }
}

TEST(ReplayMetadataTest, EntriesThatCameLaterMayBeMissing) {
  std::map<std::string, std::string> entries = EncodeReplayMetadata(Recorded());
  entries.erase("batch_ticks");
  entries.erase("keyframe_bytes_per_tick");

  const ReplayMetadata metadata = *DecodeReplayMetadata(entries);

  EXPECT_EQ(metadata.batch_ticks, kBatchTicksDefault);
  EXPECT_EQ(metadata.keyframe_bytes_per_tick, 0u);
}

TEST(ReplayMetadataTest, BranchReadsAsWrittenOrIsRefused) {
  const ReplayBranch branch = {
      .parent = "game.mcap", .tick = 600, .chain = {0x1234}};
  EXPECT_EQ(*DecodeReplayBranch(EncodeReplayBranch(branch)), branch);
  for (const auto& [key, value] : EncodeReplayBranch(branch)) {
    std::map<std::string, std::string> entries = EncodeReplayBranch(branch);
    entries.erase(key);
    EXPECT_EQ(DecodeReplayBranch(entries).status().code(),
              absl::StatusCode::kDataLoss)
        << key;
  }
}

TEST(ReplayMetadataTest, NewerFormatIsUnimplementedWhateverElseItHas) {
  EXPECT_EQ(DecodeReplayMetadata({{"format_revision", "99"}}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(ReplayMetadataTest, MalformedNumbersAreDataLoss) {
  ExpectRefused("seed", "-1", absl::StatusCode::kDataLoss);
  ExpectRefused("seed", "18446744073709551616", absl::StatusCode::kDataLoss);
  ExpectRefused("seed", " 7", absl::StatusCode::kDataLoss);
  ExpectRefused("seed", "", absl::StatusCode::kDataLoss);
  ExpectRefused("pack_digest", "12", absl::StatusCode::kDataLoss);
  ExpectRefused("math_fingerprint", "xyz", absl::StatusCode::kDataLoss);
}

TEST(ReplayMetadataTest, NumbersOutOfRangeAreDataLoss) {
  ExpectRefused("tick_rate", "0", absl::StatusCode::kDataLoss);
  ExpectRefused("tick_rate", "1001", absl::StatusCode::kDataLoss);
  ExpectRefused("digest_stride", "0", absl::StatusCode::kDataLoss);
  ExpectRefused("format_revision", "0", absl::StatusCode::kDataLoss);
}

TEST(ReplayMetadataTest, SameBuildAndPackLeaveNothingToRemark) {
  const ReplayRemarks remarks = CompareWithRun(Recorded(), *MakeTiny());

  EXPECT_THAT(remarks.notes, IsEmpty());
  EXPECT_THAT(remarks.warnings, IsEmpty());
}

TEST(ReplayMetadataTest, AnotherBuildIsANote) {
  ReplayMetadata recorded = Recorded();
  recorded.build = "gcc 3.4.6 unoptimised";

  const ReplayRemarks remarks = CompareWithRun(recorded, *MakeTiny());

  ASSERT_THAT(remarks.notes, SizeIs(1));
  EXPECT_THAT(remarks.notes[0], HasSubstr("gcc 3.4.6"));
  EXPECT_THAT(remarks.warnings, IsEmpty());
}

TEST(ReplayMetadataTest, BuildSaysItsEngineOnceItKnows) {
  const std::string compiler = CurrentBuild();
  SetEngine("2f00a4b31c9d5e77");
  const ReplayMetadata recorded = Recorded();
  SetEngine("");

  EXPECT_EQ(recorded.build, compiler + ", engine 2f00a4b31c9d5e77");
  EXPECT_EQ(Recorded().build, compiler);
}

TEST(ReplayMetadataTest, AnotherEngineIsANoteWhereBothAreKnown) {
  ReplayMetadata recorded = Recorded();
  recorded.build += ", engine 1111";
  EXPECT_THAT(CompareWithRun(recorded, *MakeTiny()).notes, IsEmpty());
  static int finds = 0;
  SetEngineFinder([] {
    ++finds;
    return std::string("2222");
  });
  EXPECT_EQ(finds, 0);
  const ReplayRemarks remarks = CompareWithRun(recorded, *MakeTiny());
  recorded.build = CurrentBuild();
  EXPECT_THAT(CompareWithRun(recorded, *MakeTiny()).notes, IsEmpty());
  EXPECT_EQ(finds, 1);
  SetEngine("");

  ASSERT_THAT(remarks.notes, SizeIs(1));
  EXPECT_THAT(remarks.notes[0], AllOf(HasSubstr("engine 1111, replayed with"),
                                      HasSubstr("engine 2222")));
  EXPECT_THAT(remarks.warnings, IsEmpty());
}

TEST(ReplayMetadataTest, OtherRulesAndOtherMathAreWarnings) {
  ReplayMetadata recorded = Recorded();
  recorded.rules_revision = 0;
  recorded.math_fingerprint = {1};

  const ReplayRemarks remarks = CompareWithRun(recorded, *MakeTiny());

  EXPECT_THAT(remarks.notes, IsEmpty());
  EXPECT_THAT(remarks.warnings, SizeIs(2));
}

}  // namespace
}  // namespace reprise::replays
