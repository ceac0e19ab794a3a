// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a track reads as it is written, that a mistake in it is reported
// with its line and column, and that a track plays at the ticks it says.

#include "replays/tracks/input_track.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_recording.h"
#include "sim/input/testing_grammar.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kText[] = R"(pack: "tiny"
tick_count: 20
ticks { tick: 3 frames { device { axes: [100] } } }
ticks { tick: 9 frames { commands { name: "teleport" arguments: [5] } } }
)";

void ExpectRefused(const std::string& text, const std::string& place) {
  const absl::Status status = ParseInputTrack(text, "a.txtpb").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), StartsWith(place));
}

TEST(InputTrackTest, ReadsAsWritten) {
  const absl::StatusOr<InputTrack> track = ParseInputTrack(kText, "a.txtpb");

  ASSERT_TRUE(track.ok()) << track.status();
  EXPECT_EQ(track->pack, "tiny");
  EXPECT_EQ(track->tick_count, 20u);
  ASSERT_EQ(track->ticks.size(), 2u);
  EXPECT_EQ(track->ticks[0].frames[0].device.axes[0], 100);
  EXPECT_EQ(track->ticks[1].frames[0].commands[0].arguments[0],
            sim::InputValue(5));
}

TEST(InputTrackTest, FormattedTextReadsBackToTheSameTrack) {
  const InputTrack track = *ParseInputTrack(kText, "a.txtpb");

  const std::string text = FormatInputTrack(track, MakeTiny()->info().inputs);

  EXPECT_EQ(*ParseInputTrack(text, "b.txtpb"), track) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
}

TEST(InputTrackTest, EverythingReadsBackAsItWasWritten) {
  InputTrack track{.pack = "tiny", .tick_count = 20, .run = {}, .ticks = {}};
  track.ticks = {{.tick = 3, .frames = {sim::EveryInputFrame()}}};

  const std::string text = FormatInputTrack(track, sim::EveryInputGrammar());

  EXPECT_THAT(text, HasSubstr("keys: [KEY_LEFT_CONTROL]"));
  EXPECT_EQ(*ParseInputTrack(text, "b.txtpb"), track) << text;
}

TEST(InputTrackTest, UnknownFieldIsReportedWithItsPlace) {
  ExpectRefused("tick_count: 1\n  speed: 3\n", "a.txtpb:2:8");
}

TEST(InputTrackTest, WrongTypeIsReportedWithItsPlace) {
  ExpectRefused("tick_count: \"many\"\n", "a.txtpb:1:13");
}

TEST(InputTrackTest, TicksOutOfOrderAreReportedWithTheirLine) {
  ExpectRefused("tick_count: 9\nticks { tick: 4 }\nticks { tick: 4 }\n",
                "a.txtpb:3:1: tick 4 follows");
}

TEST(InputTrackTest, TickPastTheEndIsReportedWithItsLine) {
  ExpectRefused("tick_count: 4\nticks { tick: 4 }\n",
                "a.txtpb:2:1: tick 4 is not below");
}

TEST(InputTrackTest, AxisOutOfRangeIsReportedWithItsLine) {
  ExpectRefused(
      "tick_count: 4\n\nticks { tick: 1 frames { device { axes: 40000 } } }\n",
      "a.txtpb:3:1: tick 1 player 0: axis 0");
}

TEST(InputTrackTest, AbsurdTickCountIsRefused) {
  ExpectRefused("tick_count: 18446744073709551615\n", "a.txtpb: tick_count");
}

TEST(InputTrackTest, TextThatIsNotUtf8IsReportedWithItsLine) {
  ExpectRefused(
      "tick_count: 4\n"
      "ticks { frames { activity { text: \"\\377\" } } }\n",
      "a.txtpb:2:1: tick 0 has a text or a name that isn't UTF-8");
  ExpectRefused("pack: \"\\377\"\n", "a.txtpb: pack or run.simulation");
}

TEST(InputTrackTest, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "ticks {";

  EXPECT_EQ(ParseInputTrack(text, "a").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(InputTrackTest, MissingFileIsNotFound) {
  EXPECT_EQ(ReadInputTrack("/nowhere/a.txtpb").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(InputTrackTest, PlaysItsTicksAndNothingElse) {
  const InputTrack track = *ParseInputTrack(kText, "a.txtpb");
  TrackInputSource source(&track);

  EXPECT_EQ(source.tick_count(), 20u);
  EXPECT_TRUE(source.FramesAt(0)->empty());
  EXPECT_EQ(source.FramesAt(3)->size(), 1u);
  EXPECT_TRUE(source.FramesAt(4)->empty());
  EXPECT_EQ(source.FramesAt(9)->size(), 1u);
  EXPECT_TRUE(source.FramesAt(10)->empty());
}

TEST(InputTrackTest, TicksThatWereSkippedAreGone) {
  const InputTrack track = *ParseInputTrack(kText, "a.txtpb");
  TrackInputSource source(&track);

  EXPECT_EQ(source.FramesAt(9)->front().commands.size(), 1u);
}

}  // namespace
}  // namespace reprise::replays
