// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that every release of the format still opens, and is gone on with.
// replays/golden keeps a recording of each revision, with what it holds as text
// beside it, pinned by sha256.txt; a file is made once. A revision without a
// golden, or without its pin, fails.
//
// `bazel run //replays:golden_replay_main -- "$PWD/replays/golden"` makes the
// files of the revision that this build writes, where there are none.

#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/golden_replay.h"
#include "replays/testing/tiny_recording.h"
#include "replays/verifying/verifier.h"
#include "sim/base/content_digest.h"
#include "sim/base/id.h"
#include "sim/input/input_frame.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;

std::string GoldenPath(uint32_t revision, const std::string& extension) {
  return fmt::format("replays/golden/format_{}.{}", revision, extension);
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class GoldenReplayTest : public ::testing::TestWithParam<uint32_t> {
 protected:
  static std::unique_ptr<ReplayReader> Open() {
    auto replay = ReplayReader::OpenFile(GoldenPath(GetParam(), "mcap"));
    EXPECT_TRUE(replay.ok()) << replay.status();
    return replay.ok() ? *std::move(replay) : nullptr;
  }
};

TEST_P(GoldenReplayTest, HoldsWhatItHeldWhenItWasMade) {
  const std::unique_ptr<ReplayReader> replay = Open();
  ASSERT_NE(replay, nullptr);

  EXPECT_EQ(*PrintGolden(*replay), ReadText(GoldenPath(GetParam(), "txtpb")));
}

TEST_P(GoldenReplayTest, IsOfItsRevisionAndWholeToTheLastByte) {
  const std::unique_ptr<ReplayReader> replay = Open();
  ASSERT_NE(replay, nullptr);

  EXPECT_EQ(replay->metadata().format_revision, GetParam());
  EXPECT_TRUE(replay->file().VerifyWholeFile().ok());
}

TEST_P(GoldenReplayTest, IsVerified) {
  const std::unique_ptr<ReplayReader> replay = Open();
  ASSERT_NE(replay, nullptr);

  const auto report = VerifyReplay(*replay, {.threads = 2});

  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, replay->tick_count());
}

TEST_P(GoldenReplayTest, ABranchGoesOnInItsRevision) {
  const std::unique_ptr<ReplayReader> parent = Open();
  ASSERT_NE(parent, nullptr);
  Bytes file;
  const auto branch = ResumedRecording::Branch(
      *parent, "golden.mcap", 130, std::make_unique<MemorySink>(&file));
  ASSERT_TRUE(branch.ok()) << branch.status();

  while ((*branch)->simulation().tick() < 200) {
    ASSERT_TRUE((*branch)->recorder().Step({}).ok());
  }
  ASSERT_TRUE((*branch)->recorder().Finish().ok());

  const auto replay = OpenReplay(file);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ((*replay)->metadata().format_revision, GetParam());
  const auto report = VerifyReplay(**replay, {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->digests_compared, 21u);
}

TEST_P(GoldenReplayTest, CommandsAreWrittenAsItsRevisionHoldsThem) {
  const std::unique_ptr<ReplayReader> parent = Open();
  ASSERT_NE(parent, nullptr);
  Bytes file;
  const auto branch = ResumedRecording::Branch(
      *parent, "golden.mcap", 130, std::make_unique<MemorySink>(&file));
  ASSERT_TRUE(branch.ok()) << branch.status();
  sim::InputFrame frame;
  frame.commands = {{.name = sim::IdOf("teleport"), .arguments = {77}}};
  ASSERT_TRUE((*branch)->recorder().Step(std::span(&frame, 1)).ok());
  ASSERT_TRUE((*branch)->recorder().Finish().ok());

  const std::string text = *PrintGolden(**OpenReplay(file));
  constexpr uint32_t kWholeNumbersRevisionMax = 2;
  EXPECT_THAT(text, HasSubstr(GetParam() <= kWholeNumbersRevisionMax
                                  ? "tick: 130 frames { commands { name: "
                                    "\"teleport\" arguments: [77] } }"
                                  : "tick: 130 frames { commands { name: "
                                    "\"teleport\" values { integer: 77 } } }"));
}

TEST_P(GoldenReplayTest, IsTheFileThatWasMadeOnce) {
  const std::string path = GoldenPath(GetParam(), "mcap");
  const std::string bytes = ReadText(path);
  const std::string digest = sim::FormatDigest(sim::ContentDigestOf(
      std::as_bytes(std::span(bytes)), sim::ContentHash::kSha256));
  // As `sha256sum` writes it.
  EXPECT_THAT(
      ReadText("replays/golden/sha256.txt"),
      HasSubstr(fmt::format("{}  format_{}.mcap\n", digest, GetParam())))
      << path;
}

INSTANTIATE_TEST_SUITE_P(Revisions, GoldenReplayTest,
                         ::testing::Range(1u, kReplayFormatRevision + 1));

}  // namespace
}  // namespace reprise::replays
