// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the text of a replay is the replay: assembled again it gives the
// same file, byte by byte; that a changed input is a changed line; and that
// text which contradicts itself or its pack is refused with its place.

#include "replays/recording/replay_text.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

absl::StatusOr<std::string> Print(const Bytes& file,
                                  const ReplayTextOptions& options = {}) {
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  ReplayTextPrinter printer(replay.get(), options);
  std::string text = printer.Head() + FormatTrackLength(replay->tick_count());
  while (true) {
    const auto batch = printer.NextBatch();
    if (!batch.ok()) return batch.status();
    if (!batch->has_value()) return text;
    text += **batch;
  }
}

absl::StatusOr<Bytes> Assemble(const std::string& text) {
  const absl::StatusOr<InputTrack> track = ParseInputTrack(text, "a.txtpb");
  if (!track.ok()) return track.status();
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation =
      MakeTiny(track->run->seed, pack);
  Bytes file;
  const absl::StatusOr<ReplayEnd> end = AssembleReplay(
      *track, pack, *simulation, std::make_unique<MemorySink>(&file));
  if (!end.ok()) return end.status();
  return file;
}

std::vector<std::string> Lines(const std::string& text) {
  return absl::StrSplit(text, '\n');
}

TEST(ReplayTextTest, AssembledAgainItIsTheSameFile) {
  for (const TinyRecordingOptions& options :
       {TinyRecordingOptions{}, TinyRecordingOptions{.tick_count = 0},
        TinyRecordingOptions{.tick_count = 333,
        .seed = 99,
        .writer = {.digest_stride = 3,
                  .keyframe_stride = 7,
                  .keyframe_bytes_per_tick = 20,
                  .batch_ticks = 50}},
        TinyRecordingOptions{.is_idle = true}}) {
    const Bytes file = RecordTiny(options);
    EXPECT_EQ(*Assemble(*Print(file)), file);
  }
}

TEST(ReplayTextTest, EachTickIsToldBeforeItIsMade) {
  const absl::StatusOr<InputTrack> track =
      ParseInputTrack(*Print(RecordTiny({.tick_count = 30})), "a.txtpb");
  ASSERT_TRUE(track.ok()) << track.status();
  const sim::PackArchive pack = MakeTinyPack();
  const std::unique_ptr<sim::Simulation> simulation =
      MakeTiny(track->run->seed, pack);
  Bytes file;
  sim::Tick told = 0;
  const absl::StatusOr<ReplayEnd> end = AssembleReplay(
      *track, pack, *simulation, std::make_unique<MemorySink>(&file),
      [&] { EXPECT_EQ(simulation->tick(), told++); });
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(told, 30u);
}

TEST(ReplayTextTest, CommentsChangeNothing) {
  const Bytes file = RecordTiny({.tick_count = 250});

  const std::string text =
      *Print(file, {.has_digests = true, .has_events = true});

  EXPECT_THAT(text, HasSubstr("\n# tick 240: digest "));
  EXPECT_THAT(text, HasSubstr(": event "));
  EXPECT_EQ(*Assemble(text), file);
}

TEST(ReplayTextTest, OneChangedInputIsOneChangedLine) {
  const Bytes file = RecordTiny();
  const std::string text = *Print(file);
  const std::string changed = absl::StrReplaceAll(
      text, {{"tick: 24 frames { device { buttons: 1 axes: [32767] }",
              "tick: 24 frames { device { axes: [5] }"}});
  ASSERT_NE(text, changed) << text;

  const std::string again = *Print(*Assemble(changed));

  const std::vector<std::string> before = Lines(text);
  const std::vector<std::string> after = Lines(again);
  ASSERT_EQ(before.size(), after.size());
  int different = 0;
  for (size_t i = 0; i < before.size(); ++i) different += before[i] != after[i];
  EXPECT_EQ(different, 1);
  EXPECT_NE(*Assemble(changed), file);
}

TEST(ReplayTextTest, CutOffReplayPrintsWhatIsLeft) {
  const Bytes file = RecordTiny({.tick_count = 99, .is_finished = false});

  EXPECT_THAT(*Print(file), HasSubstr("tick_count: 80\n"));
}

TEST(ReplayTextTest, InputsThatThePackRefusesAreInvalidByTheirTick) {
  const std::string text = absl::StrReplaceAll(
      *Print(RecordTiny()), {{"name: \"teleport\"", "name: \"fly\""}});

  const absl::Status status = Assemble(text).status();

  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), StartsWith("tick 10: "));
}

TEST(ReplayTextTest, RunThatCannotBeIsRefusedWithItsPlace) {
  for (const std::string run :
       {"digest_stride: 0", "batch_ticks: 0", "pack_digest: \"12\""}) {
    const absl::Status status =
        ParseInputTrack("tick_count: 1\nrun { " + run + " }\n", "a.txtpb")
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << run;
    EXPECT_THAT(std::string(status.message()), StartsWith("a.txtpb:2:1: run: "))
        << run;
  }
}

}  // namespace
}  // namespace reprise::replays
