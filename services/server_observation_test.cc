// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a client sees and where it stops, over a real connection, on a
// stream and by single calls: declared once, refused as a whole, bounded by the
// message. In the tiny pack the runner walks 0.1 m a tick and wins at 100 m.

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The runner steers to the right from the request's first tick on.
template <typename Request>
Request Walking(Request request) {
  v1::TickInputs& inputs = *request.add_inputs();
  inputs.set_tick(request.tick());
  inputs.add_frames()->mutable_device()->add_axes(32767);
  return request;
}

// Sees the runner at each tick.
void WatchRunner(v1::Observe& declaration, uint32_t every_ticks = 1) {
  v1::ObservedGroup& group = *declaration.add_groups();
  group.add_fields("runner.pieces.x");
  group.set_every_ticks(every_ticks);
}

class ServerObservationTest : public testing::Test {
 protected:
  static void Configure(ServerOptions& options) {
    options.message_bytes_max = 1 << 20;
  }

  TestServer server_{&Configure};
  const std::string session_ = server_.CreateSession(/*record=*/true).name();
};

TEST_F(ServerObservationTest, WhatIsDeclaredGoesOnForTheStream) {
  StepClient stream(server_.simulations(), session_);
  v1::StepSessionRequest request = Walking(StepRequest(0, 4));
  WatchRunner(*request.mutable_observe(), /*every_ticks=*/2);

  const auto first = stream.Exchange(request);
  const auto second = stream.Exchange(StepRequest(4, 4));

  EXPECT_EQ(Summarize(first), "OK");
  EXPECT_EQ(first.stop_reason(), v1::STOP_REASON_TICKS);
  ASSERT_THAT(first.layout().groups(), SizeIs(1));
  EXPECT_EQ(first.layout().groups(0).columns(0).unit(), "m");
  ASSERT_THAT(first.observations().blocks(), SizeIs(1));
  EXPECT_THAT(first.observations().blocks(0).ticks(), ElementsAre(2, 4));
  EXPECT_THAT(first.observations().blocks(0).columns(0).numbers(),
              ElementsAre(0.1 + 0.1, 0.1 + 0.1 + 0.1 + 0.1));
  EXPECT_FALSE(second.has_layout());
  ASSERT_THAT(second.observations().blocks(), SizeIs(1));
  EXPECT_FALSE(second.observations().blocks(0).has_rows());
  EXPECT_THAT(second.observations().blocks(0).ticks(), ElementsAre(6, 8));
}

TEST_F(ServerObservationTest, FramesAreDifferencesToWhatWasAcknowledged) {
  StepClient stream(server_.simulations(), session_);
  v1::StepSessionRequest request = Walking(StepRequest(0, 4));
  v1::ObservedFrames& frames = *request.mutable_observe()->mutable_frames();
  frames.set_every_ticks(2);
  frames.set_differences(true);

  const auto first = stream.Exchange(request);
  v1::StepSessionRequest next = StepRequest(4, 2);
  next.set_frame_acknowledged(2);
  const auto second = stream.Exchange(next);

  ASSERT_EQ(Summarize(second), "OK");
  ASSERT_THAT(first.observations().frames(), SizeIs(2));
  EXPECT_THAT(first.observations().frames(0).introduced(), SizeIs(2));
  EXPECT_THAT(first.observations().frames(1).introduced(), IsEmpty());
  EXPECT_EQ(first.observations().frames(1).base(), 0u);
  ASSERT_THAT(second.observations().frames(), SizeIs(1));
  const v1::ObservedFrame& frame = second.observations().frames(0);
  EXPECT_EQ(frame.tick(), 6u);
  EXPECT_EQ(frame.base(), 2u);
  // The runner moves, the drifter stays.
  EXPECT_THAT(frame.objects(), ElementsAre(1));
  EXPECT_FALSE(second.has_frame());
  EXPECT_LT(frame.ByteSizeLong(),
            first.observations().frames(0).ByteSizeLong() / 2);
}

// Fewer bytes than a frame as it was, and as many ticks as fit.
TEST_F(ServerObservationTest, FramesOfManyTicksFillAMessageAndTheNextGoesOn) {
  StepClient stream(server_.simulations(), session_);
  v1::StepSessionRequest request = Walking(StepRequest(0, 9000));
  request.mutable_observe()->mutable_frames()->set_every_ticks(1);
  uint64_t tick = 0;
  while (tick < 9000) {
    const auto response = stream.Exchange(request);
    ASSERT_EQ(Summarize(response), "OK");
    EXPECT_LE(response.ByteSizeLong(), 1u << 20);
    for (const auto& frame : response.observations().frames()) {
      EXPECT_EQ(frame.tick(), ++tick);
      EXPECT_EQ(frame.objects_omitted(), 0u);
    }
    ASSERT_EQ(response.tick(), tick);
    request = StepRequest(tick, static_cast<uint32_t>(9000 - tick));
  }
}

TEST_F(ServerObservationTest, ARefusedDeclarationLeavesTheOneBefore) {
  StepClient stream(server_.simulations(), session_);
  v1::StepSessionRequest request = StepRequest(0, 2);
  WatchRunner(*request.mutable_observe());
  EXPECT_EQ(Summarize(stream.Exchange(request)), "OK");

  v1::StepSessionRequest wrong = StepRequest(2, 2);
  wrong.mutable_observe()->add_groups()->add_fields("walker.pieces.x");
  const auto refused = stream.Exchange(wrong);
  const auto after = stream.Exchange(StepRequest(2, 2));

  EXPECT_EQ(Summarize(refused), "INVALID_ARGUMENT OBSERVATION_REFUSED");
  EXPECT_EQ(refused.tick(), 2u);
  EXPECT_FALSE(refused.has_observations());
  EXPECT_THAT(after.observations().blocks(0).ticks(), ElementsAre(3, 4));
}

TEST_F(ServerObservationTest, ARequestOfNoTicksSeesHowItStands) {
  v1::StepRequest request = StepRequest(session_, 0, 0);
  WatchRunner(*request.mutable_observe(), /*every_ticks=*/100);

  v1::StepResponse response;
  EXPECT_EQ(Summarize(server_.TryStep(request, &response)), "OK");

  ASSERT_THAT(response.observations().blocks(), SizeIs(1));
  EXPECT_THAT(response.observations().blocks(0).ticks(), ElementsAre(0));
  EXPECT_TRUE(response.has_layout());
}

TEST_F(ServerObservationTest, TicksEndWhereTheGameIsDecided) {
  v1::StepRequest request = Walking(StepRequest(session_, 0, 5000));
  request.mutable_until()->set_outcome(true);

  v1::StepResponse response;
  EXPECT_EQ(Summarize(server_.TryStep(request, &response)), "OK");

  EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_OUTCOME);
  EXPECT_EQ(response.outcome(), v1::RunEnd::OUTCOME_WON);
  EXPECT_EQ(response.outcome_reason(), "goal reached");
  // Sums of 0.1 lie below 100 once more than whole numbers of it would.
  EXPECT_EQ(response.tick(), 1001u);
  EXPECT_EQ(response.decided_tick(), 1001u);
  // One that was decided before goes on.
  v1::StepRequest next = StepRequest(session_, response.tick(), 10);
  next.mutable_until()->set_outcome(true);
  EXPECT_EQ(Summarize(server_.TryStep(next, &response)), "OK");
  EXPECT_EQ(response.tick(), 1011u);
  EXPECT_EQ(response.decided_tick(), 1001u);
}

TEST_F(ServerObservationTest, TicksEndWhereAConditionHolds) {
  v1::StepRequest request = Walking(StepRequest(session_, 0, 5000));
  request.mutable_until()->set_condition("runner.pieces.x > 0.45");
  v1::ObservedGroup& group = *request.mutable_observe()->add_groups();
  group.add_fields("tick");

  v1::StepResponse response;
  EXPECT_EQ(Summarize(server_.TryStep(request, &response)), "OK");

  EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_CONDITION);
  EXPECT_EQ(response.tick(), 5u);
  // What is seen at the end is seen there.
  EXPECT_THAT(response.observations().blocks(0).ticks(), ElementsAre(5));
}

TEST_F(ServerObservationTest, AConditionThatIsNoneIsRefused) {
  for (const char* condition : {"runner.pieces.x", "runner.pieces.x >", "1"}) {
    v1::StepRequest request = StepRequest(session_, 0, 1);
    request.mutable_until()->set_condition(condition);

    EXPECT_EQ(Summarize(server_.TryStep(request)),
              "INVALID_ARGUMENT CONDITION_REFUSED");
  }
  EXPECT_EQ(server_.GetSession(session_).tick(), 0u);
}

TEST_F(ServerObservationTest, AFullMessageEndsARequestAndTheNextGoesOn) {
  StepClient stream(server_.simulations(), session_);
  v1::StepSessionRequest request = Walking(StepRequest(0, 9000));
  v1::ObservedGroup& group = *request.mutable_observe()->add_groups();
  for (int i = 0; i < 8; ++i) group.add_fields("pieces.x");
  group.set_every_ticks(1);
  uint64_t tick = 0;
  uint64_t seen = 0;
  uint32_t responses = 0;
  while (tick < 9000) {
    const auto response = stream.Exchange(request);
    ASSERT_EQ(Summarize(response), "OK");
    ASSERT_GT(response.tick(), tick);
    EXPECT_LE(response.ByteSizeLong(), 1u << 20);
    EXPECT_EQ(response.stop_reason(), response.tick() < 9000
                                          ? v1::STOP_REASON_MESSAGE_FULL
                                          : v1::STOP_REASON_TICKS);
    for (const auto& block : response.observations().blocks()) {
      EXPECT_EQ(block.columns(0).numbers_size(), 2 * block.ticks_size());
      for (const uint64_t at : block.ticks()) EXPECT_EQ(at, ++seen);
    }
    tick = response.tick();
    request = StepRequest(tick, static_cast<uint32_t>(9000 - tick));
    ++responses;
  }
  EXPECT_EQ(seen, 9000u);
  EXPECT_GT(responses, 3u);
}

TEST_F(ServerObservationTest, OnlyTheEventsThatAreAskedForAreSent) {
  const auto events_of = [&](uint64_t tick, const char* type) {
    v1::StepRequest request = StepRequest(session_, tick, 200);
    v1::EventFilter& filter = *request.mutable_observe()->mutable_events();
    if (type != nullptr) filter.add_types(type);
    v1::StepResponse response;
    EXPECT_EQ(Summarize(server_.TryStep(request, &response)), "OK");
    return response.events();
  };
  EXPECT_THAT(events_of(0, "hundred_ticks"), SizeIs(2));
  EXPECT_THAT(events_of(200, "goal_reached"), IsEmpty());
  EXPECT_THAT(events_of(400, nullptr), IsEmpty());
  EXPECT_THAT(server_.Step(session_, 600, 200).events(), SizeIs(2));
}

TEST_F(ServerObservationTest, WatchingChangesNothing) {
  const std::string other = server_.CreateSession().name();
  v1::StepRequest request = Walking(StepRequest(session_, 0, 300));
  WatchRunner(*request.mutable_observe());
  request.mutable_observe()->set_digest_every_ticks(100);
  v1::StepResponse watched;
  EXPECT_EQ(Summarize(server_.TryStep(request, &watched)), "OK");
  v1::StepResponse unwatched;
  EXPECT_EQ(Summarize(server_.TryStep(Walking(StepRequest(other, 0, 300)),
                                      &unwatched)),
            "OK");

  EXPECT_EQ(watched.digest(), unwatched.digest());
  EXPECT_THAT(watched.observations().digest_ticks(),
              ElementsAre(100, 200, 300));
  EXPECT_EQ(watched.observations().digests(2), unwatched.digest());
}

}  // namespace
}  // namespace reprise::services
