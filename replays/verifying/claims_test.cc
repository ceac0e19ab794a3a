// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that what a replay says of its events, and of where a branch left its
// parent, is held against the run: recordings that are right tell other events,
// fewer, more, and another past, under right checksums. What part of a run
// needn't have all its events stays right.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/mcap_records.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_topics.h"
#include "replays/format/whole_events.h"
#include "replays/testing/edited_replay.h"
#include "replays/testing/forged_replay.h"
#include "replays/testing/tiny_recording.h"
#include "replays/verifying/verifier.h"
#include "reprise/v1/event_batch.pb.h"
#include "reprise/v1/run_end.pb.h"

namespace reprise::replays {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// With the events of the ticks 99 and 199.
Bytes RecordEventful(const TinyRecordingOptions& options = {
                         .tick_count = 260}) {
  return RecordTiny(options);
}

VerificationReport Verify(const Bytes& file,
                          const VerifyOptions& options = {}) {
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  return *VerifyReplay(*replay, options);
}

// An end that counts so many events.
std::string Counting(const std::string& end, int event_count) {
  v1::RunEnd message;
  EXPECT_TRUE(message.ParseFromString(end));
  message.set_event_count(static_cast<uint64_t>(event_count));
  return message.SerializeAsString();
}

// A copy in which each batch of events is what `edit` leaves of it, and the end
// counts what is left.
Bytes EditEvents(const Bytes& file,
                 const std::function<void(v1::EventBatch&)>& edit,
                 const std::map<std::string, std::string>& metadata = {}) {
  int event_count = 0;
  return EditReplay(
      file,
      [&](std::string_view topic,
          const std::string& data) -> std::optional<std::string> {
        if (topic == kEndTopic) return Counting(data, event_count);
        if (topic != kEventsTopic) return data;
        v1::EventBatch batch;
        EXPECT_TRUE(batch.ParseFromString(data));
        edit(batch);
        event_count += batch.events_size();
        return batch.SerializeAsString();
      },
      metadata);
}

void RenameEventOf199(v1::EventBatch& batch) {
  for (v1::Event& event : *batch.mutable_events()) {
    if (event.tick() == 199) event.set_type("two_hundred");
  }
}

// A way to differ from what happened.
struct Forgery {
  const char* name;
  std::function<void(v1::Event&)> edit;
};

class ForgedEventTest : public ::testing::TestWithParam<Forgery> {};

TEST_P(ForgedEventTest, IsNoVerification) {
  const Bytes file = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    for (v1::Event& event : *batch.mutable_events()) {
      if (event.tick() == 199) GetParam().edit(event);
    }
  });

  const VerificationReport report = Verify(file);

  EXPECT_FALSE(report.passed());
  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->kind, Divergence::Kind::kEvents);
  EXPECT_EQ(report.digests_different, 0u);
  EXPECT_THAT(FormatDivergence(*report.divergence),
              AllOf(HasSubstr("tick 199: the events differ"),
                    HasSubstr("hundred_ticks")));
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ForgedEventTest,
    ::testing::Values(
        Forgery{"Type", [](v1::Event& event) { event.set_type("hundred"); }},
        Forgery{"Object", [](v1::Event& event) { event.set_object(1); }},
        Forgery{"ObjectName",
                [](v1::Event& event) { event.set_object_name("runner"); }},
        Forgery{"Argument",
                [](v1::Event& event) {
                  v1::EventArgument& added = *event.add_arguments();
                  added.set_name("count");
                  added.set_int_value(2);
                }}),
    [](const auto& forgery) { return std::string(forgery.param.name); });

// Builds differ in what they call an object whose name can't be.
TEST(ClaimsTest, ObjectsWithoutANameAreHeldAgainstByNumber) {
  const Bytes file = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    for (v1::Event& event : *batch.mutable_events()) {
      if (event.tick() != 199) continue;
      event.set_object_name("object#0 (its name takes more than 1024 bytes)");
    }
  });

  EXPECT_TRUE(Verify(file).passed());
}

TEST(ClaimsTest, EventsThatAreTheRunsAreVerified) {
  EXPECT_TRUE(Verify(RecordEventful()).passed());
  EXPECT_TRUE(Verify(RecordEventful(), {.threads = 4}).passed());
}

TEST(ClaimsTest, ArgumentsAreHeldAgainstTheRuns) {
  int found = 0;
  const Bytes file =
      EditEvents(RecordEventful({.tick_count = 260, .goal = 2}),
                 [&found](v1::EventBatch& batch) {
                   for (v1::Event& event : *batch.mutable_events()) {
                     if (event.arguments().empty()) continue;
                     ++found;
                     v1::EventArgument& score = *event.mutable_arguments(0);
                     score.set_int_value(score.int_value() + 1);
                   }
                 });
  ASSERT_EQ(found, 1) << "the goal is to be reached once";

  const VerificationReport report = Verify(file);

  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_THAT(report.divergence->remark, HasSubstr("goal_reached runner"));
}

TEST(ClaimsTest, EventThatIsLeftOutIsNamed) {
  const Bytes file = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    if (batch.events(0).tick() == 199) batch.clear_events();
  });

  const VerificationReport report = Verify(file);

  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->last_equal_tick, 199u);
  EXPECT_EQ(report.divergence->remark,
            "event 1 of the tick: recorded is no event, this run has "
            "\"hundred_ticks\"");
}

TEST(ClaimsTest, EventThatNoRunHasIsNamed) {
  const Bytes file = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    v1::Event* const added = batch.add_events();
    added->set_tick(batch.first_tick() + batch.tick_count() - 1);
    added->set_type("cheated");
  });

  const VerificationReport report = Verify(file);

  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_THAT(report.divergence->remark, HasSubstr("\"cheated\""));
}

TEST(ClaimsTest, ReportOfEventsIsTheSameForAnyNumberOfThreads) {
  const Bytes file = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    for (v1::Event& event : *batch.mutable_events()) event.set_type("other");
  });
  for (const OnDivergence on_divergence :
       {OnDivergence::kStop, OnDivergence::kContinue, OnDivergence::kResync}) {
    const VerificationReport one =
        Verify(file, {.on_divergence = on_divergence, .threads = 1});
    const VerificationReport four =
        Verify(file, {.on_divergence = on_divergence, .threads = 4});
    ASSERT_TRUE(one.divergence.has_value() && four.divergence.has_value());
    EXPECT_EQ(one.divergence->last_equal_tick, 99u);
    EXPECT_EQ(FormatDivergence(*one.divergence),
              FormatDivergence(*four.divergence));
    EXPECT_EQ(one.ticks_verified, four.ticks_verified);
    EXPECT_EQ(one.later_divergences.size(), four.later_divergences.size());
  }
}

TEST(ClaimsTest, OtherStateIsToldBeforeItsEvents) {
  const Bytes file =
      EditEvents(RecordTiny({.tick_count = 260,
                             .is_idle = true,
                             .injection = OneUlpMore(*MakeTiny(), "board",
                                                     "pieces", 1, "y", 195)}),
                 &RenameEventOf199);

  const VerificationReport report = Verify(file);

  ASSERT_TRUE(report.divergence.has_value());
  EXPECT_EQ(report.divergence->kind, Divergence::Kind::kState);
  EXPECT_THAT(report.later_divergences, IsEmpty());
}

TEST(ClaimsTest, UnderOtherRulesOtherEventsAreANote) {
  const Bytes file = EditEvents(RecordEventful(), &RenameEventOf199,
                                {{"rules_revision", "77"}});

  const VerificationReport report = Verify(file);

  EXPECT_TRUE(report.passed());
  EXPECT_THAT(
      report.remarks.notes,
      ElementsAre(HasSubstr("other rules make other events: tick 199")));
}

// What was taken out is named by the run, whatever the end says of it.
TEST(ClaimsTest, RecordingWithoutItsEventsIsNoVerification) {
  const Bytes whole = RecordEventful();
  const Bytes taken_out = EditReplay(whole, Without(kEventsTopic));
  const Bytes counted_anew =
      EditEvents(whole, [](v1::EventBatch& batch) { batch.clear_events(); });
  for (const Bytes& file : {taken_out, counted_anew}) {
    for (const uint32_t threads : {1u, 4u}) {
      const VerificationReport report = Verify(file, {.threads = threads});

      EXPECT_FALSE(report.passed());
      ASSERT_TRUE(report.divergence.has_value());
      EXPECT_EQ(FormatDivergence(*report.divergence),
                "tick 99: the events differ\n"
                "  event 1 of the tick: recorded is no event, this run has "
                "\"hundred_ticks\"\n");
    }
  }
}

// Of events under other rules no run says anything; their number is the file's.
TEST(ClaimsTest, NumberOfEventsIsHeldAgainstTheFile) {
  const std::map<std::string, std::string> other_rules = {
      {"rules_revision", "77"}};
  const Bytes whole = RecordEventful();
  const Bytes taken_out = EditReplay(whole, Without(kEventsTopic), other_rules);
  const Bytes counted_wrong =
      EditReplay(whole,
                 [](std::string_view topic,
                    const std::string& data) -> std::optional<std::string> {
                   return topic == kEndTopic ? Counting(data, 3) : data;
                 });

  EXPECT_TRUE(
      Verify(EditEvents(whole, &RenameEventOf199, other_rules)).passed());
  for (const auto& [file, remark] :
       {std::pair(taken_out, "the end counts 2 events, and there are 0"),
        std::pair(counted_wrong, "the end counts 3 events, and there are 2")}) {
    const VerificationReport report = Verify(file);

    EXPECT_FALSE(report.passed());
    ASSERT_TRUE(report.divergence.has_value());
    EXPECT_EQ(report.divergence->kind, Divergence::Kind::kEvents);
    EXPECT_EQ(report.divergence->remark, remark);
  }
}

// Up to revision 4 of the format nobody counted them.
TEST(ClaimsTest, OldRecordingWithoutEventsIsVerified) {
  EXPECT_TRUE(Verify(EditReplay(RecordEventful(), Without(kEventsTopic),
                                {{"format_revision", "4"}}))
                  .passed());
}

TEST(ClaimsTest, CutOffRecordingNeedsNoEventsBehindItsLast) {
  bool is_left_out = false;
  const Bytes file = EditReplay(
      RecordEventful({.tick_count = 260, .is_finished = false}),
      [&is_left_out](std::string_view topic,
                     const std::string& data) -> std::optional<std::string> {
        v1::EventBatch batch;
        if (topic != kEventsTopic) return data;
        EXPECT_TRUE(batch.ParseFromString(data));
        if (batch.events(0).tick() != 199) return data;
        is_left_out = true;
        return std::nullopt;
      });
  ASSERT_TRUE(is_left_out);

  EXPECT_FALSE(Verify(file).divergence.has_value());
}

// The tiny recording as a branch that claims `chain` at `tick`.
Bytes Branched(sim::Tick tick, sim::Digest chain) {
  return AddMetadata(
      RecordEventful(),
      {.name = std::string(kBranchMetadataName),
       .entries = EncodeReplayBranch(
           {.parent = "parent.mcap", .tick = tick, .chain = chain})});
}

// The chain of the recording at `tick`, which has a digest.
sim::Digest ChainAt(sim::Tick tick) {
  const Bytes file = RecordEventful();
  const std::unique_ptr<ReplayReader> replay = *OpenReplay(file);
  return (**replay->ReadDigests(tick)->Next()).chain;
}

TEST(ClaimsTest, BranchOfThisPastIsVerified) {
  for (const sim::Tick tick : {0u, 50u, 80u, 260u}) {
    EXPECT_TRUE(Verify(Branched(tick, ChainAt(tick))).passed()) << tick;
  }
}

TEST(ClaimsTest, BranchOfAnotherPastIsNoVerification) {
  const sim::Digest forged = {0x1111111111111111};
  for (const sim::Tick tick : {0u, 53u, 80u, 260u}) {
    for (const uint32_t threads : {1u, 4u}) {
      const VerificationReport report =
          Verify(Branched(tick, forged), {.threads = threads});
      EXPECT_FALSE(report.passed());
      ASSERT_TRUE(report.divergence.has_value()) << tick;
      EXPECT_EQ(report.divergence->kind, Divergence::Kind::kBranch);
      EXPECT_THAT(FormatDivergence(*report.divergence),
                  AllOf(HasSubstr(fmt::format(
                            "tick {}: the branch is of another past", tick)),
                        HasSubstr("\"parent.mcap\" claims the chain "
                                  "1111111111111111")));
    }
  }
}

TEST(ClaimsTest, BranchBehindTheEndIsNoVerification) {
  const Bytes file = Branched(261, ChainAt(260));
  for (const uint32_t threads : {1u, 4u}) {
    const VerificationReport report = Verify(file, {.threads = threads});
    EXPECT_FALSE(report.passed());
    ASSERT_TRUE(report.divergence.has_value());
    EXPECT_EQ(report.divergence->kind, Divergence::Kind::kBranch);
    EXPECT_THAT(report.divergence->remark,
                HasSubstr("\"parent.mcap\" claims tick 261, behind the end"));
  }
  // A part of a run may have left behind what lies there.
  EXPECT_TRUE(Verify(AddMetadata(file, WholeEventsRecord(260))).passed());
}

TEST(ClaimsTest, PartOfARunSaysWhereItsEventsEnd) {
  const Bytes part = EditEvents(RecordEventful(), [](v1::EventBatch& batch) {
    if (batch.events(0).tick() == 199) batch.clear_events();
  });
  const VerificationReport report =
      Verify(AddMetadata(part, WholeEventsRecord(150)));
  EXPECT_TRUE(report.passed());
  EXPECT_THAT(
      report.remarks.notes,
      testing::Contains(HasSubstr("events are compared up to tick 150 only")));
  EXPECT_FALSE(Verify(AddMetadata(part, WholeEventsRecord(200))).passed());
}

TEST(ClaimsTest, EventsThatAPartHasAreTheRuns) {
  const Bytes part = EditEvents(RecordEventful(), &RenameEventOf199);
  EXPECT_FALSE(Verify(AddMetadata(part, WholeEventsRecord(0))).passed());
}

}  // namespace
}  // namespace reprise::replays
