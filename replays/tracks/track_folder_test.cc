// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a branch reads as the whole run that it was made of, and that one
// whose beginning isn't there, or isn't what it was, is told and never played
// as something else.

#include "replays/tracks/track_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/tracks/input_track.h"
#include "sim/base/tick.h"
#include "sim/input/input_frame.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {
namespace {

using testing::HasSubstr;

// A run with inputs at every tenth tick, which tell `who` made them from
// `begin` on.
InputTrack MakeTrack(sim::Tick begin, sim::Tick tick_count, uint64_t who) {
  InputTrack track{.pack = "tested", .tick_count = tick_count, .ticks = {}};
  for (sim::Tick tick = begin; tick < tick_count; tick += 10) {
    sim::InputFrame frame{.player = 0};
    frame.device.buttons = who;
    track.ticks.push_back({.tick = tick, .frames = {frame}});
  }
  return track;
}

class TrackFolderTest : public ::testing::Test {
 protected:
  TrackFolderTest()
      : folder_(testing::TempDir() + "/tracks_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  // Returns the name.
  std::string Write(const std::optional<TrackBeginning>& beginning,
                    const InputTrack& track) {
    const std::string text =
        FormatStoredTrack(beginning, track, sim::EveryInputGrammar());
    std::string name = TrackFileNameOf(text);
    WriteText(name, text);
    return name;
  }

  void WriteText(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }

  absl::Status StatusOf(const std::string& name) const {
    return TrackFolder(folder_).Read(name).status();
  }

  const std::string folder_;
};

TEST_F(TrackFolderTest, BranchOfABranchIsAWholeRun) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 40}, MakeTrack(40, 90, 1));
  const std::string third =
      Write(TrackBeginning{.file = second, .tick = 60}, MakeTrack(60, 120, 1));
  TrackFolder folder(folder_);
  const auto stored = folder.Read(third);
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ((*stored)->track.ticks.size(), 6u);
  EXPECT_EQ(WholeTrackOf(**stored), MakeTrack(0, 120, 1));
  EXPECT_EQ(*ReadWholeTrack(folder_ + "/" + third), MakeTrack(0, 120, 1));
}

TEST_F(TrackFolderTest, BranchTakesNoMoreOfWhatItGoesOnFromThanItSays) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  // Nothing of its own before tick 20 of the first, on which others went on.
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 50}, MakeTrack(50, 60, 2));
  const std::string third =
      Write(TrackBeginning{.file = second, .tick = 20}, MakeTrack(20, 30, 4));
  const auto track = ReadWholeTrack(folder_ + "/" + third);
  ASSERT_TRUE(track.ok()) << track.status();
  ASSERT_EQ(track->ticks.size(), 3u);
  EXPECT_EQ(track->ticks[1].frames[0].device.buttons, 1u);
  EXPECT_EQ(track->ticks[2].frames[0].device.buttons, 4u);
}

TEST_F(TrackFolderTest, WholeTrackIsReadAsEver) {
  const std::string name = Write(std::nullopt, MakeTrack(0, 100, 1));
  EXPECT_EQ(*ReadWholeTrack(folder_ + "/" + name), MakeTrack(0, 100, 1));
  EXPECT_EQ(ReadWholeTrack(folder_ + "/none.txtpb").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(TrackFolderTest, BranchOfWhatIsNotThereIsTold) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 40}, MakeTrack(40, 90, 1));
  const std::string third =
      Write(TrackBeginning{.file = second, .tick = 60}, MakeTrack(60, 120, 1));
  std::filesystem::remove(folder_ + "/" + first);
  EXPECT_EQ(StatusOf(second).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(StatusOf(second).message()),
              HasSubstr("which isn't there"));
  EXPECT_THAT(std::string(StatusOf(third).message()),
              HasSubstr("which can't be read"));
}

TEST_F(TrackFolderTest, BranchOfWhatWasChangedIsTold) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 40}, MakeTrack(40, 90, 1));
  WriteText(first, "pack: \"tested\"\ntick_count: 100\n");
  EXPECT_THAT(std::string(StatusOf(second).message()),
              HasSubstr("which was changed"));
  // It is a track of its own all the same.
  EXPECT_TRUE(StatusOf(first).ok());
}

TEST_F(TrackFolderTest, BranchBehindTheEndOfWhatItGoesOnFromIsTold) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 101}, MakeTrack(101, 120, 1));
  EXPECT_THAT(std::string(StatusOf(second).message()),
              HasSubstr("which is shorter"));
  const std::string early =
      Write(TrackBeginning{.file = first, .tick = 60}, MakeTrack(40, 120, 1));
  EXPECT_EQ(StatusOf(early).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(TrackFolderTest, TracksThatGoOnFromEachOtherEnd) {
  WriteText("a.txtpb", "goes_on_from: \"b.txtpb\" at_tick: 1\ntick_count: 5\n");
  WriteText("b.txtpb", "goes_on_from: \"a.txtpb\" at_tick: 1\ntick_count: 5\n");
  EXPECT_FALSE(StatusOf("a.txtpb").ok());
  WriteText("c.txtpb", "goes_on_from: \"c.txtpb\" at_tick: 1\ntick_count: 5\n");
  EXPECT_THAT(std::string(StatusOf("c.txtpb").message()),
              HasSubstr("it goes on from itself"));
}

TEST_F(TrackFolderTest, FirstLineThatIsNoBeginningIsRefusedWithItsPlace) {
  for (const std::string line :
       {"goes_on_from: b.txtpb", "goes_on_from: \"b.txtpb\"",
        "goes_on_from: \"b.txtpb\" at_tick: x",
        "goes_on_from: \"b.txtpb\" at_tick: 99999999999999999999",
        "goes_on_from: \"../b.txtpb\" at_tick: 1",
        "goes_on_from: \"b.mcap\" at_tick: 1"}) {
    const auto beginning = ParseTrackBeginning(line + "\n", "a.txtpb");
    EXPECT_EQ(beginning.status().code(), absl::StatusCode::kInvalidArgument)
        << line;
    EXPECT_THAT(std::string(beginning.status().message()),
                HasSubstr("a.txtpb:1:1: "));
  }
  EXPECT_EQ(*ParseTrackBeginning("pack: \"a\"", "a.txtpb"), std::nullopt);
}

TEST_F(TrackFolderTest, MistakeBehindTheFirstLineKeepsItsNumber) {
  WriteText("a.txtpb", "goes_on_from: \"b.txtpb\" at_tick: 1\nticks {\n");
  EXPECT_THAT(std::string(StatusOf("a.txtpb").message()),
              HasSubstr("a.txtpb:3:1"));
}

// Nobody takes a branch for a run of its own who doesn't know of branches.
TEST_F(TrackFolderTest, BranchIsNoTrackByItself) {
  const std::string first = Write(std::nullopt, MakeTrack(0, 100, 1));
  const std::string second =
      Write(TrackBeginning{.file = first, .tick = 40}, MakeTrack(40, 90, 1));
  EXPECT_EQ(ReadInputTrack(folder_ + "/" + second).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(TrackFolderTest, DeepBranchIsReadAndGoesWithoutRecursion) {
  constexpr size_t kDeep = 2000;
  std::string last = Write(std::nullopt, MakeTrack(0, 1, 1));
  for (size_t i = 1; i <= kDeep; ++i) {
    last =
        Write(TrackBeginning{.file = last, .tick = i}, MakeTrack(i, i + 1, 1));
  }
  const auto track = ReadWholeTrack(folder_ + "/" + last);
  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(track->ticks.size(), kDeep + 1);
}

}  // namespace
}  // namespace reprise::replays
