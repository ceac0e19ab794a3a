// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a replay whose checksums are right and whose contents contradict
// themselves is never read as something else: forged files do so in every way
// that the format knows.

#include "replays/format/replay_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_stream.h"
#include "replays/format/keyframe_message.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/replay_contents.h"
#include "replays/testing/tiny_recording.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

using ::testing::HasSubstr;

v1::InputBatch Inputs(sim::Tick first_tick, uint64_t tick_count) {
  v1::InputBatch batch;
  batch.set_first_tick(first_tick);
  batch.set_tick_count(tick_count);
  return batch;
}

v1::DigestBatch Digests(sim::Tick first_tick, int count) {
  v1::DigestBatch batch;
  batch.set_first_tick(first_tick);
  batch.set_stride(10);
  for (int i = 0; i < count; ++i) {
    batch.add_chains(2);
    batch.add_rooms(3);
    batch.add_rooms(4);
  }
  return batch;
}

v1::EventBatch Events(sim::Tick first_tick, uint64_t tick_count,
                      const std::vector<sim::Tick>& ticks) {
  v1::EventBatch batch;
  batch.set_first_tick(first_tick);
  batch.set_tick_count(tick_count);
  for (const sim::Tick tick : ticks) batch.add_events()->set_tick(tick);
  return batch;
}

v1::RunEnd End(sim::Tick tick_count) {
  v1::RunEnd end;
  end.set_tick_count(tick_count);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  return end;
}

void ExpectDataLoss(ForgedReplay& forged, std::string_view place) {
  const Bytes file = forged.Finish();
  const auto replay = OpenReplay(file);
  const absl::Status status =
      replay.ok() ? ReadContents(**replay).status() : replay.status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(place)));
}

TEST(ReplayCursorsTest, GapBetweenInputBatchesIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 10))
                     .Add(kInputsTopic, 11, Inputs(11, 10)),
                 "/inputs, message 1");
}

TEST(ReplayCursorsTest, OverlappingInputBatchesAreDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 10))
                     .Add(kInputsTopic, 9, Inputs(9, 10)),
                 "/inputs, message 1");
}

TEST(ReplayCursorsTest, InputsThatBeginLateAreDataLoss) {
  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 5, Inputs(5, 10)),
                 "/inputs, message 0");
}

TEST(ReplayCursorsTest, EmptyInputBatchIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 0))
                     .Add(kInputsTopic, 0, Inputs(0, 10)),
                 "/inputs, message 0");
}

TEST(ReplayCursorsTest, BatchAtAWrongTimeIsDataLoss) {
  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 1, Inputs(0, 10)),
                 "its time");
}

TEST(ReplayCursorsTest, TickCountBeyondAllTicksIsDataLoss) {
  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 0, Inputs(0, ~uint64_t{0})),
                 "/inputs");
  ExpectDataLoss(
      ForgedReplay().Add(kInputsTopic, 0, Inputs(~uint64_t{0} - 5, 10)),
      "/inputs");
}

TEST(ReplayCursorsTest, InputsOutsideTheirBatchAreDataLoss) {
  v1::InputBatch batch = Inputs(0, 10);
  batch.add_ticks()->set_tick(10);

  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 0, batch), "tick 10");
}

TEST(ReplayCursorsTest, InputsOutOfOrderAreDataLoss) {
  v1::InputBatch batch = Inputs(0, 10);
  batch.add_ticks()->set_tick(4);
  batch.add_ticks()->set_tick(4);

  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 0, batch), "tick 4");
}

TEST(ReplayCursorsTest, FrameThatNoClientMaySendIsDataLoss) {
  v1::InputBatch batch = Inputs(0, 10);
  batch.add_ticks()->add_frames()->mutable_device()->add_axes(40000);

  ExpectDataLoss(ForgedReplay().Add(kInputsTopic, 0, batch), "axis 0");
}

TEST(ReplayCursorsTest, BytesThatAreNoMessageAreDataLoss) {
  ExpectDataLoss(ForgedReplay().AddBytes(kInputsTopic, 0, "\xff\xff\xff"),
                 "/inputs, message 0");
}

TEST(ReplayCursorsTest, DigestEntryLeftOutIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kDigestsTopic, 0, Digests(0, 2))
                     .Add(kDigestsTopic, 30, Digests(30, 2)),
                 "/digests, message 1");
}

TEST(ReplayCursorsTest, DigestsOfOtherRoomsAreDataLoss) {
  v1::DigestBatch batch = Digests(0, 2);
  batch.add_rooms(5);

  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kDigestsTopic, 0, batch),
                 "5 digests of 2 rooms");
}

TEST(ReplayCursorsTest, DigestsPastTheLastTickAreDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 9))
                     .Add(kDigestsTopic, 0, Digests(0, 2)),
                 "past the last tick 9");
}

TEST(ReplayCursorsTest, DigestsOfAnotherStrideAreDataLoss) {
  v1::DigestBatch batch = Digests(0, 2);
  batch.set_stride(0);

  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kDigestsTopic, 0, batch),
                 "every 0");
}

TEST(ReplayCursorsTest, OverlappingEventBatchesAreDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEventsTopic, 0, Events(0, 10, {3}))
                     .Add(kEventsTopic, 9, Events(9, 10, {9})),
                 "/events, message 1");
}

TEST(ReplayCursorsTest, EventOutsideItsBatchIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEventsTopic, 0, Events(0, 10, {10})),
                 "tick 10");
}

TEST(ReplayCursorsTest, EventsPastTheLastTickAreDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 5))
                     .Add(kEventsTopic, 0, Events(0, 10, {3})),
                 "the replay has 5");
}

TEST(ReplayCursorsTest, KeyframesOutOfOrderAreDataLoss) {
  v1::Keyframe keyframe;
  keyframe.set_tick(10);

  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kKeyframesTopic, 10, keyframe)
                     .Add(kKeyframesTopic, 10, keyframe),
                 "/keyframes, message 1");
}

TEST(ReplayCursorsTest, KeyframePastTheLastTickIsDataLoss) {
  v1::Keyframe keyframe;
  keyframe.set_tick(101);

  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kKeyframesTopic, 101, keyframe),
                 "tick 101");
}

TEST(ReplayCursorsTest, EndBeforeTheInputsEndIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEndTopic, 99, End(99)),
                 "100 ticks from tick 0 on; the replay has 99");
}

TEST(ReplayCursorsTest, EndBetweenTwoInputBatchesIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 50))
                     .Add(kInputsTopic, 50, Inputs(50, 8))
                     .Add(kEndTopic, 50, End(50)),
                 "/inputs, message 1 (in chunk 0): a batch behind the run's "
                 "end, tick 50");
}

TEST(ReplayCursorsTest, EndAtTheStartOfARunWithInputsIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 50))
                     .Add(kEndTopic, 0, End(0)),
                 "/end: the run ended at tick 0, and there are inputs");
}

TEST(ReplayCursorsTest, EndBehindTheInputsEndIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEndTopic, 101, End(101)),
                 "/inputs: no batch covers tick 100 of 101");
}

TEST(ReplayCursorsTest, EndPastTheLastTickThereCanBeIsDataLoss) {
  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEndTopic, 100, End(sim::kTickMax + 1)),
                 "/end: it passes tick");
}

TEST(ReplayCursorsTest, EndWithoutAnOutcomeIsDataLoss) {
  v1::RunEnd end = End(100);
  end.clear_outcome();

  ExpectDataLoss(ForgedReplay()
                     .Add(kInputsTopic, 0, Inputs(0, 100))
                     .Add(kEndTopic, 100, end),
                 "/end");
}

// A part of a state at tick 10, behind `offset` bytes and before `left`.
v1::Keyframe Part(uint64_t offset, const std::string& bytes, uint64_t left) {
  v1::Keyframe part;
  part.set_tick(10);
  part.set_chain(5);
  part.set_state(bytes);
  part.set_state_offset(offset);
  part.set_state_bytes_left(left);
  return part;
}

// Adds 50 ticks, and these parts, each in a chunk of its own.
ForgedReplay& AddParts(const std::vector<v1::Keyframe>& parts,
                       ForgedReplay& replay) {
  replay.Add(kInputsTopic, 0, Inputs(0, 50));
  for (const v1::Keyframe& part : parts) {
    replay.Add(kKeyframesTopic, 10, part).EndChunk();
  }
  return replay;
}

void ExpectDataLossOfParts(const std::vector<v1::Keyframe>& parts,
                           std::string_view place) {
  ForgedReplay replay;
  ExpectDataLoss(AddParts(parts, replay), place);
}

TEST(ReplayCursorsTest, PartsOfAStateArePutTogether) {
  ForgedReplay forged;
  AddParts({Part(0, "abc", 3), Part(3, "d", 2), Part(4, "ef", 0)}, forged);
  const Bytes file = forged.Add(kEndTopic, 50, End(50)).Finish();
  const auto replay = *OpenReplay(file);
  const auto keyframes = replay->ReadKeyframes();
  const auto keyframe = keyframes->Next();

  ASSERT_TRUE(keyframe.ok() && keyframe->has_value()) << keyframe.status();
  EXPECT_EQ((*keyframe)->state, "abcdef");
  EXPECT_EQ(*keyframes->Next(), std::nullopt);
  EXPECT_EQ((*replay->FindKeyframe(50))->state, "abcdef");
}

// Else who seeks a state would read all behind it once for each of its chunks.
TEST(ReplayCursorsTest, WhatIsBehindAStateIsNotReadToFindIt) {
  v1::Keyframe wrong = Part(0, "", 3);
  wrong.set_tick(20);
  ForgedReplay forged;
  AddParts({Part(0, "abc", 3), Part(3, "d", 2), Part(4, "ef", 0)}, forged);
  forged.Add(kKeyframesTopic, 20, wrong).EndChunk();
  const Bytes file = forged.Add(kEndTopic, 50, End(50)).Finish();
  const auto replay = *OpenReplay(file);

  const auto keyframe = replay->FindKeyframe(10);

  ASSERT_TRUE(keyframe.ok() && keyframe->has_value()) << keyframe.status();
  EXPECT_EQ((*keyframe)->state, "abcdef");
  EXPECT_TRUE(absl::IsDataLoss(replay->FindKeyframe(20).status()));
}

TEST(ReplayCursorsTest, PartsThatDontFollowEachOtherAreDataLoss) {
  const v1::Keyframe first = Part(0, "abc", 3);
  v1::Keyframe other_tick = Part(3, "def", 0);
  other_tick.set_tick(11);
  v1::Keyframe other_chain = Part(3, "def", 0);
  other_chain.set_chain(6);
  v1::Keyframe with_schema = Part(3, "def", 0);
  with_schema.set_schema("tables");
  for (const v1::Keyframe& second :
       {Part(2, "def", 0), Part(3, "de", 0), Part(3, "defg", 0), Part(3, "", 3),
        Part(3, "de", 2), Part(0, "abc", 3), other_tick, other_chain,
        with_schema}) {
    ExpectDataLossOfParts(
        {first, second},
        "/keyframes, message 1 (in chunk 1): it isn't the next part of the "
        "state of tick 10, of which 3 bytes are missing");
  }
}

TEST(ReplayCursorsTest, PartWithoutItsFrontIsDataLoss) {
  ExpectDataLossOfParts({Part(3, "def", 0)},
                        "/keyframes, message 0 (in chunk 0): a part of a "
                        "state, and nothing of it stands before");
}

TEST(ReplayCursorsTest, StateThatIsTooLargeIsDataLoss) {
  ExpectDataLossOfParts({Part(0, "abc", kReadStateBytesMax - 2)},
                        "a part of 3 bytes of a state, with 536870910 more "
                        "behind it; at most 536870912 are read");
  ExpectDataLossOfParts({Part(0, "", 3)}, "a part of 0 bytes");
}

// Of a finished recording that is damage; of one that was cut off, the end.
TEST(ReplayCursorsTest, StateWithoutItsLastPartsIsNone) {
  const std::vector<v1::Keyframe> parts = {Part(0, "abc", 3), Part(3, "d", 2)};
  ForgedReplay finished;
  ExpectDataLoss(AddParts(parts, finished).Add(kEndTopic, 50, End(50)),
                 "/keyframes: the last 2 bytes of the state of tick 10 are "
                 "missing");
  ForgedReplay cut_off;
  const Bytes file = AddParts(parts, cut_off).Finish();
  const auto replay = *OpenReplay(file);
  EXPECT_EQ(*replay->ReadKeyframes()->Next(), std::nullopt);
  EXPECT_EQ(*replay->FindKeyframe(50), std::nullopt);
}

TEST(ReplayCursorsTest, WhatWasDroppedIsToldOfTheBatchsLastTick) {
  v1::InputBatch inputs;
  inputs.set_tick_count(7);
  v1::EventBatch events;
  events.set_tick_count(7);
  events.add_events()->set_tick(6);
  v1::Event& dropped = *events.add_events();
  dropped.set_tick(7);
  dropped.set_type("events_dropped");
  const Bytes file = ForgedReplay()
                         .Add(kInputsTopic, 0, inputs)
                         .Add(kEventsTopic, 0, events)
                         .Finish();
  const auto replay = *OpenReplay(file);
  const auto cursor = replay->ReadEvents();

  EXPECT_EQ((*cursor->Next())->tick(), 6u);
  EXPECT_EQ((*cursor->Next())->tick(), 6u);
  EXPECT_EQ(*cursor->Next(), std::nullopt);
}

TEST(ReplayCursorsTest, NoNumberIsToldThatCantBeATick) {
  v1::InputBatch inputs;
  inputs.set_tick_count(7);
  inputs.add_ticks()->set_tick(~uint64_t{0});
  const Bytes file = ForgedReplay().Add(kInputsTopic, 0, inputs).Finish();
  const auto replay = *OpenReplay(file);

  const absl::Status status = replay->ReadInputs()->FramesAt(0).status();

  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr(
                  "tick beyond 9007199254740992 is out of order or range"));
}

TEST(ReplayCursorsTest, TicksWithInputsAreFoundWithoutTheOthers) {
  v1::InputBatch inputs;
  inputs.set_tick_count(4'000'000);
  v1::TickInputs& tick = *inputs.add_ticks();
  tick.set_tick(3'999'999);
  tick.add_frames()->mutable_device()->set_buttons(1);
  const Bytes file = ForgedReplay().Add(kInputsTopic, 0, inputs).Finish();
  const auto replay = *OpenReplay(file);
  const auto cursor = replay->ReadTickInputs();

  EXPECT_EQ((*cursor->Next())->tick, 3'999'999u);
  EXPECT_EQ(*cursor->Next(), std::nullopt);
}

}  // namespace
}  // namespace reprise::replays
