// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that the verifier finds what it is there for. It is given recordings
// that are right, and recordings in which the smallest change was made at a
// known tick; it has to call the first ones right and to name tick, room,
// object, field and values of the second ones.

#include "replays/verifying/verifier.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/format/replay_topics.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/digest_batch.pb.h"
#include "reprise/v1/input_batch.pb.h"
#include "reprise/v1/keyframe.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

absl::StatusOr<VerificationReport> Verify(const Bytes& file,
                                          const VerifyOptions& options = {}) {
  const absl::StatusOr<std::unique_ptr<ReplayReader>> replay = OpenReplay(file);
  if (!replay.ok()) return replay.status();
  return VerifyReplay(**replay, options);
}

// The drifter stands still as long as nobody plays, so that a change of its y
// stays what it is.
Injection NudgeDrifter(sim::Tick tick) {
  return OneUlpMore(*MakeTiny(), "board", "pieces", 1, "y", tick);
}

// All differences of a report, as a person reads them.
std::string FormatAll(const VerificationReport& report) {
  std::string text;
  if (report.divergence.has_value()) {
    text += FormatDivergence(*report.divergence);
  }
  for (const Divergence& divergence : report.later_divergences) {
    text += FormatDivergence(divergence);
  }
  return text;
}

TEST(VerifierTest, RightRecordingIsVerifiedToItsLastTick) {
  const absl::StatusOr<VerificationReport> report =
      Verify(RecordTiny({.tick_count = 95}));

  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, 95u);
  EXPECT_EQ(report->tick_count, 95u);
  EXPECT_THAT(report->remarks.notes, IsEmpty());
  EXPECT_THAT(report->remarks.warnings, IsEmpty());
}

TEST(VerifierTest, DigestIsTheOneThatTheRunEndedWith) {
  const Bytes file = RecordTiny();

  const VerificationReport report = *Verify(file);

  EXPECT_EQ(report.root, (*OpenReplay(file))->end()->root);
  EXPECT_EQ(report.chain, (*OpenReplay(file))->end()->chain);
}

TEST(VerifierTest, NothingVerifiedIsNoSuccess) {
  const VerificationReport report = *Verify(RecordTiny({.tick_count = 0}));

  EXPECT_FALSE(report.divergence.has_value());
  EXPECT_EQ(report.ticks_verified, 0u);
  EXPECT_FALSE(report.passed());
}

TEST(VerifierTest, RecordingWithoutDigestsIsNoSuccess) {
  v1::InputBatch inputs;
  inputs.set_tick_count(50);

  const VerificationReport report =
      *Verify(ForgedReplay().Add(kInputsTopic, 0, inputs).Finish());

  EXPECT_EQ(report.tick_count, 50u);
  EXPECT_EQ(report.ticks_verified, 0u);
  EXPECT_FALSE(report.passed());
}

TEST(VerifierTest, SmallestChangeIsReportedAsExactlyThat) {
  const Bytes file =
      RecordTiny({.tick_count = 100,
                  .writer = {.digest_stride = 1, .keyframe_stride = 1},
                  .is_idle = true,
                  .injection = NudgeDrifter(41)});

  const VerificationReport report = *Verify(file);

  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.ticks_verified, 41u);
  const Divergence& divergence = report.divergence.value();
  EXPECT_TRUE(divergence.is_exact());
  EXPECT_EQ(divergence.last_equal_tick, 41u);
  EXPECT_THAT(divergence.rooms, ElementsAre("board"));
  ASSERT_THAT(divergence.fields, SizeIs(1));
  EXPECT_EQ(divergence.fields[0].object, "drifter");
  EXPECT_EQ(divergence.fields[0].field, "y");
  EXPECT_EQ(divergence.fields[0].expected, "1.0000000000000002");
  EXPECT_EQ(divergence.fields[0].actual, "1");
  EXPECT_EQ(divergence.fields[0].ulps, 1u);
}

TEST(VerifierTest, ChangeBetweenDigestsIsBracketedByThem) {
  const Bytes file = RecordTiny(
      {.tick_count = 100, .is_idle = true, .injection = NudgeDrifter(47)});

  const Divergence divergence = Verify(file)->divergence.value();

  EXPECT_EQ(divergence.kind, Divergence::Kind::kState);
  EXPECT_EQ(divergence.last_equal_tick, 40u);
  EXPECT_EQ(divergence.first_different_tick, 50u);
  EXPECT_THAT(divergence.rooms, ElementsAre("board"));
  // The next keyframe knows the field.
  EXPECT_EQ(divergence.fields_tick, 80u);
  ASSERT_THAT(divergence.fields, SizeIs(1));
  EXPECT_EQ(divergence.fields[0].field, "y");
}

TEST(VerifierTest, WithoutAKeyframeTheRoomIsStillNamed) {
  const Bytes file = RecordTiny({.tick_count = 100,
                                 .writer = {.keyframe_stride = 0},
                                 .is_idle = true,
                                 .injection = NudgeDrifter(47)});

  const Divergence divergence = Verify(file)->divergence.value();

  EXPECT_EQ(divergence.first_different_tick, 50u);
  EXPECT_THAT(divergence.rooms, ElementsAre("board"));
  EXPECT_THAT(divergence.fields, IsEmpty());
}

TEST(VerifierTest, ChangeBeforeTheFirstDigestHasNoTickBeforeIt) {
  v1::InputBatch inputs;
  inputs.set_tick_count(10);
  v1::DigestBatch digests;
  digests.set_stride(10);
  digests.add_chains(2);
  digests.add_rooms(3);
  digests.add_rooms(4);

  const VerificationReport report = *Verify(ForgedReplay()
                                                .Add(kInputsTopic, 0, inputs)
                                                .Add(kDigestsTopic, 0, digests)
                                                .Finish());

  EXPECT_EQ(report.divergence.value().last_equal_tick, std::nullopt);
  EXPECT_EQ(report.divergence->first_different_tick, 0u);
  EXPECT_THAT(report.divergence->rooms, ElementsAre("board", "chance"));
}

TEST(VerifierTest, ChangeThatHealedBeforeTheDigestIsFoundByTheChain) {
  // A teleport puts the runner where it would be anyway: the state at tick 50
  // doesn't know of the change at tick 41, the chain does.
  const Injection nudge =
      OneUlpMore(*MakeTiny(), "board", "pieces", 0, "x", 41);
  const Bytes file = RecordTiny(
      {.tick_count = 60, .writer = {.keyframe_stride = 0}, .injection = nudge});

  const VerificationReport report = *Verify(file);

  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->kind, Divergence::Kind::kHistory);
  EXPECT_EQ(report.divergence->last_equal_tick, 40u);
  EXPECT_EQ(report.divergence->first_different_tick, 50u);
}

TEST(VerifierTest, OneFlippedBitOfARecordedInputIsFound) {
  // The canary: a file that is whole in every way, but of another run.
  const Bytes right = RecordTiny({.tick_count = 100, .is_idle = true});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(right);
  v1::InputBatch inputs;
  inputs.set_tick_count(100);
  v1::TickInputs& tick = *inputs.add_ticks();
  tick.set_tick(42);
  tick.add_frames()->mutable_device()->add_axes(1);
  v1::RunEnd end;
  end.set_tick_count(100);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  end.set_root(replay->end()->root.value);
  end.set_chain(replay->end()->chain.value);
  const Bytes canary = ForgedReplay()
                           .Add(kInputsTopic, 0, inputs)
                           .Add(kEndTopic, 100, end)
                           .Finish();

  EXPECT_TRUE(Verify(right)->passed());
  EXPECT_FALSE(Verify(canary)->passed());
}

TEST(VerifierTest, OtherOutcomeOfTheSameStateIsFound) {
  const Bytes right = RecordTiny({.tick_count = 10, .is_idle = true});
  const ReplayEnd recorded = *(*OpenReplay(right))->end();
  v1::InputBatch inputs;
  inputs.set_tick_count(10);
  v1::RunEnd end;
  end.set_tick_count(10);
  end.set_outcome(v1::RunEnd::OUTCOME_WON);
  end.set_reason("luck");
  end.set_root(recorded.root.value);
  end.set_chain(recorded.chain.value);

  const VerificationReport report = *Verify(ForgedReplay()
                                                .Add(kInputsTopic, 0, inputs)
                                                .Add(kEndTopic, 10, end)
                                                .Finish());

  EXPECT_EQ(report.divergence.value().kind, Divergence::Kind::kOutcome);
  EXPECT_THAT(report.divergence->remark, HasSubstr("luck"));
  EXPECT_FALSE(report.passed());
}

TEST(VerifierTest, UnfinishedRecordingIsVerifiedAsFarAsItGoes) {
  const VerificationReport report =
      *Verify(RecordTiny({.tick_count = 99, .is_finished = false}));

  EXPECT_TRUE(report.is_right());
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.ticks_verified, 80u);
  EXPECT_EQ(report.tick_count, 80u);
  EXPECT_THAT(report.remarks.warnings, ElementsAre(HasSubstr("cut off")));
}

TEST(VerifierTest, OtherPackIsANoteAndItsDifferenceIsFound) {
  const sim::PackArchive faster = MakeTinyPack(/*step=*/0.2);

  const VerificationReport report = *Verify(RecordTiny(), {.pack = &faster});

  EXPECT_THAT(report.remarks.notes, ElementsAre(HasSubstr("pack digest")));
  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->last_equal_tick, 0u);
}

TEST(VerifierTest, InputsThatThePackRefusesAreADifference) {
  v1::InputBatch inputs;
  inputs.set_tick_count(10);
  v1::TickInputs& tick = *inputs.add_ticks();
  tick.set_tick(4);
  tick.add_frames()->add_commands()->set_name("fly");

  const VerificationReport report =
      *Verify(ForgedReplay().Add(kInputsTopic, 0, inputs).Finish());

  EXPECT_EQ(report.divergence.value().kind, Divergence::Kind::kRefusedInputs);
  EXPECT_EQ(report.divergence->first_different_tick, 4u);
}

TEST(VerifierTest, UnknownSimulationIsNotFound) {
  EXPECT_EQ(
      Verify(ForgedReplay("simulation", "chess").Finish()).status().code(),
      absl::StatusCode::kNotFound);
}

TEST(VerifierTest, OtherRulesAreAWarningByName) {
  const VerificationReport report =
      *Verify(ForgedReplay("rules_revision", "0").Finish());

  EXPECT_THAT(report.remarks.warnings,
              ElementsAre(HasSubstr("rules revision 0"), HasSubstr("cut off")));
}

TEST(VerifierTest, DamagedKeyframeIsDataLoss) {
  v1::InputBatch inputs;
  inputs.set_tick_count(10);
  v1::Keyframe keyframe;
  keyframe.set_tick(5);
  keyframe.set_state("no state");

  EXPECT_EQ(Verify(ForgedReplay()
                       .Add(kInputsTopic, 0, inputs)
                       .Add(kKeyframesTopic, 5, keyframe)
                       .Finish())
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
}

TEST(VerifierTest, ProgressIsToldAndCanEndTheRun) {
  const VerifyOptions options = {
      .progress = [](sim::Tick tick, sim::Tick tick_count) {
        EXPECT_EQ(tick_count, 1000u);
        return tick < 500 ? absl::OkStatus() : absl::CancelledError("enough");
      }};

  EXPECT_EQ(Verify(RecordTiny({.tick_count = 1000}), options).status().code(),
            absl::StatusCode::kCancelled);
}

// Fails unless `file` gives the same report for any number of threads, and
// returns it.
VerificationReport VerifyOnThreads(const Bytes& file, VerifyOptions options) {
  options.threads = 1;
  const VerificationReport serial = *Verify(file, options);
  for (const uint32_t threads : {2, 3, 8}) {
    options.threads = threads;
    const VerificationReport parallel = *Verify(file, options);
    EXPECT_EQ(parallel.ticks_verified, serial.ticks_verified) << threads;
    EXPECT_EQ(parallel.digests_compared, serial.digests_compared) << threads;
    EXPECT_EQ(parallel.digests_different, serial.digests_different) << threads;
    EXPECT_EQ(parallel.root, serial.root) << threads;
    EXPECT_EQ(parallel.chain, serial.chain) << threads;
    EXPECT_EQ(parallel.outcome, serial.outcome) << threads;
    EXPECT_EQ(FormatAll(parallel), FormatAll(serial)) << threads;
    EXPECT_EQ(parallel.remarks.notes, serial.remarks.notes) << threads;
    EXPECT_EQ(parallel.remarks.warnings, serial.remarks.warnings) << threads;
  }
  return serial;
}

TEST(VerifierTest, AnyNumberOfThreadsVerifiesTheSame) {
  for (const sim::Tick ticks : {1u, 39u, 40u, 41u, 500u}) {
    const VerificationReport report =
        VerifyOnThreads(RecordTiny({.tick_count = ticks}), {});
    EXPECT_TRUE(report.passed()) << ticks;
    EXPECT_EQ(report.ticks_verified, ticks);
  }
  EXPECT_TRUE(
      VerifyOnThreads(RecordTiny({.writer = {.keyframe_stride = 0}}), {})
          .passed());
  EXPECT_TRUE(
      VerifyOnThreads(RecordTiny({.is_finished = false}), {}).is_right());
}

TEST(VerifierTest, AnyNumberOfThreadsFindsTheSameDifference) {
  for (sim::Tick tick = 0; tick < 200; tick += 13) {
    const Bytes file = RecordTiny(
        {.tick_count = 200, .is_idle = true, .injection = NudgeDrifter(tick)});
    for (const OnDivergence on_divergence :
         {OnDivergence::kStop, OnDivergence::kContinue,
          OnDivergence::kResync}) {
      const VerificationReport report =
          VerifyOnThreads(file, {.on_divergence = on_divergence});
      ASSERT_TRUE(report.divergence.has_value()) << tick;
      EXPECT_EQ(report.divergence->last_equal_tick, tick / 10 * 10) << tick;
    }
  }
}

TEST(VerifierTest, ContinueRunsToTheEndAndCountsWhatDiffers) {
  const Bytes file = RecordTiny(
      {.tick_count = 200, .is_idle = true, .injection = NudgeDrifter(47)});

  const VerificationReport report =
      *Verify(file, {.on_divergence = OnDivergence::kContinue});

  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.ticks_verified, 40u);
  EXPECT_EQ(report.digests_compared, 21u);
  EXPECT_EQ(report.digests_different, 16u);
  EXPECT_THAT(report.divergence.value().fields, SizeIs(1));
  EXPECT_THAT(report.later_divergences, IsEmpty());
}

TEST(VerifierTest, ResyncVerifiesWhatLiesBehindADifference) {
  const Bytes file = RecordTiny(
      {.tick_count = 200, .is_idle = true, .injection = NudgeDrifter(47)});

  const VerificationReport report =
      *Verify(file, {.on_divergence = OnDivergence::kResync});

  EXPECT_FALSE(report.passed());
  // Between the digest of tick 40 and the keyframe of tick 80.
  EXPECT_EQ(report.ticks_verified, 160u);
  EXPECT_EQ(report.digests_different, 4u);
  EXPECT_EQ(report.divergence.value().first_different_tick, 50u);
  EXPECT_THAT(report.later_divergences, IsEmpty());
}

TEST(VerifierTest, ResyncFindsEveryDifference) {
  const sim::PackArchive faster = MakeTinyPack(/*step=*/0.2);

  const VerificationReport report =
      *Verify(RecordTiny({.tick_count = 200}),
              {.pack = &faster, .on_divergence = OnDivergence::kResync});

  // One between each two of the keyframes at 0, 40, 80, 120, 160 and 200.
  EXPECT_THAT(report.later_divergences, SizeIs(4));
}

TEST(VerifierTest, ResyncGoesOnBehindInputsThatAreRefused) {
  // The inputs of one run with the states of another.
  const Bytes right = RecordTiny({.tick_count = 200, .is_idle = true});
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(right);
  v1::InputBatch inputs;
  inputs.set_tick_count(200);
  v1::TickInputs& tick = *inputs.add_ticks();
  tick.set_tick(57);
  tick.add_frames()->add_commands()->set_name("fly");
  ForgedReplay forged;
  forged.Add(kInputsTopic, 0, inputs);
  const auto keyframes = replay->ReadKeyframes(/*first_tick=*/80);
  const ReplayKeyframe keyframe = **keyframes->Next();
  v1::Keyframe message;
  message.set_tick(keyframe.tick);
  message.set_state(keyframe.state);
  message.set_chain(keyframe.chain.value);
  forged.Add(kKeyframesTopic, 80, message);
  v1::RunEnd end;
  end.set_tick_count(200);
  end.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  end.set_root(replay->end()->root.value);
  end.set_chain(replay->end()->chain.value);
  forged.Add(kEndTopic, 200, end);

  const VerificationReport report =
      *Verify(forged.Finish(), {.on_divergence = OnDivergence::kResync});

  EXPECT_EQ(report.divergence.value().kind, Divergence::Kind::kRefusedInputs);
  EXPECT_EQ(report.ticks_verified, 120u);
  // Nor has it the event that the run sends in tick 99.
  EXPECT_THAT(report.later_divergences,
              ElementsAre(testing::Field(&Divergence::kind,
                                         Divergence::Kind::kEvents)));
}

TEST(VerifierTest, ProgressCanEndARunOnThreadsToo) {
  const VerifyOptions options = {.threads = 4,
                                 .progress = [](sim::Tick, sim::Tick) {
                                   return absl::CancelledError("enough");
                                 }};

  EXPECT_EQ(Verify(RecordTiny({.tick_count = 3000}), options).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace reprise::replays
