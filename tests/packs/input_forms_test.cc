// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the inputs of every pack of the battery come back from
// comma-separated values and from lines of JSON as they were recorded: all of
// their actions and commands, drawn at random.

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "replays/tracks/input_csv.h"
#include "replays/tracks/input_json_lines.h"
#include "replays/tracks/input_track.h"
#include "sim/compiler/pack_compiler.h"
#include "sim/input/random_input_source.h"
#include "tests/packs/battery_packs.h"

namespace reprise::sim {
namespace {

constexpr Tick kTicks = 900;

class InputFormsTest : public testing::TestWithParam<const char*> {
 protected:
  // The track of 900 ticks, and its text.
  void SetUp() override {
    const auto world = CreateWorld(BatteryPack(GetParam()), /*seed=*/1);
    ASSERT_TRUE(world.ok()) << world.status();
    const InputGrammar& grammar = (*world)->info().inputs;
    RandomInputSource source(grammar, /*seed=*/5);
    track_.pack = GetParam();
    track_.tick_count = kTicks;
    for (Tick tick = 0; tick < kTicks; ++tick) {
      std::vector<InputFrame> frames = source.Next();
      if (frames.empty()) continue;
      track_.ticks.push_back({.tick = tick, .frames = std::move(frames)});
    }
    text_ = replays::FormatInputTrack(track_, grammar);
  }

  // What came back is the same text, and the same inputs.
  void ExpectSame(const absl::StatusOr<v1::InputTrack>& again) const {
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(replays::FormatTrackMessage(*again), text_);
    const auto track = replays::ToInputTrack(*again, "again");
    ASSERT_TRUE(track.ok()) << track.status();
    EXPECT_EQ(*track, track_);
  }

  replays::InputTrack track_;
  std::string text_;
};

INSTANTIATE_TEST_SUITE_P(Packs, InputFormsTest,
                         testing::ValuesIn(kBatteryPacks));

TEST_P(InputFormsTest, ComeBackFromCsv) {
  const auto message = replays::ParseTrackMessage(text_, "a.txtpb");
  ASSERT_TRUE(message.ok()) << message.status();
  ExpectSame(
      replays::ParseInputCsv(replays::FormatInputCsv(*message), "a.csv"));
}

TEST_P(InputFormsTest, ComeBackFromJsonLines) {
  const auto message = replays::ParseTrackMessage(text_, "a.txtpb");
  ASSERT_TRUE(message.ok()) << message.status();
  ExpectSame(replays::ParseInputJsonLines(
      replays::FormatInputJsonLines(*message), "a.jsonl"));
}

}  // namespace
}  // namespace reprise::sim
