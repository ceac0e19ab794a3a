// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a session plays a replay: from any tick, to any tick, at a pace,
// seen as any other, to the digests that were recorded; and one that is still
// being recorded as far as it has come. And that several clients watch one
// together, to whom ticks are pushed, also those that are yet to be recorded.
// Over real connections.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/testing/play_client.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr uint64_t kTicks = 300;

std::string Format(uint64_t digest) { return fmt::format("{:016x}", digest); }

v1::CreateSessionRequest FollowRequest(const std::string& replay,
                                       uint64_t tick = 0) {
  v1::CreateSessionRequest request;
  request.mutable_branch()->set_replay(replay);
  request.mutable_branch()->set_tick(tick);
  request.mutable_branch()->set_follow(true);
  return request;
}

class ServerFollowTest : public testing::Test {
 protected:
  // A batch every 10 ticks, so that what is being recorded is seen soon.
  static void Configure(ServerOptions& options) {
    options.recordings.writer.batch_ticks = 10;
    options.recordings.writer.keyframe_stride = 70;
  }

  // Plays `session` from `tick` to `end`, another thing at each tick, and notes
  // the digests.
  void Play(const std::string& session, uint64_t tick, uint64_t end) {
    v1::StepRequest request =
        StepRequest(session, tick, static_cast<uint32_t>(end - tick));
    for (; tick < end; ++tick) {
      v1::TickInputs& inputs = *request.add_inputs();
      inputs.set_tick(tick);
      v1::DeviceState& device = *inputs.add_frames()->mutable_device();
      device.set_buttons(1);
      device.add_axes(static_cast<int>(tick * 7919 % 20'000));
    }
    request.mutable_observe()->set_digest_every_ticks(1);
    v1::StepResponse response;
    ASSERT_EQ(Summarize(server_.TryStep(request, &response)), "OK");
    for (const uint64_t digest : response.observations().digests()) {
      digests_.push_back(digest);
    }
  }

  // The name of a replay of kTicks.
  std::string Record() {
    const v1::Session session = server_.CreateSession(/*record=*/true);
    Play(session.name(), 0, kTicks);
    return server_.DeleteSession(session.name());
  }

  v1::Session Follow(const v1::CreateSessionRequest& request) {
    v1::Session session;
    EXPECT_EQ(Summarize(server_.TryCreateSession(request, &session)), "OK");
    return session;
  }

  // The digest of the state behind so many ticks, as it was recorded.
  std::string DigestAt(uint64_t tick) const {
    return Format(digests_.at(tick - 1));
  }

  grpc::Status Seek(const std::string& session, uint64_t tick,
                    v1::Session* there = nullptr) {
    v1::ResetSessionRequest request;
    request.set_name(session);
    request.set_tick(tick);
    v1::ResetSessionResponse response;
    grpc::Status status = server_.TryResetSession(request, &response);
    if (there != nullptr) *there = response.session();
    return status;
  }

  // A session that several watch, at this pace.
  std::string Share(const std::string& replay, double pace = 0) {
    v1::CreateSessionRequest request = FollowRequest(replay);
    request.mutable_lockstep()->set_pace(pace);
    return Follow(request).name();
  }

  std::unique_ptr<PlayClient> Watch(const std::string& session,
                                    uint64_t* tick = nullptr) {
    auto watcher = std::make_unique<PlayClient>(
        server_.simulations(), JoinRequest(session, std::nullopt));
    const v1::PlaySessionResponse joined = watcher->ReadJoined();
    if (tick != nullptr) *tick = joined.result().tick();
    return watcher;
  }

  // Reads the results behind `tick` up to that of `end` or a later one, or of
  // the replay's end. Each is of what was recorded, and none is lost but those
  // that it says. Returns the last one.
  v1::StepSessionResponse ReadResults(PlayClient& watcher, uint64_t tick,
                                      uint64_t end) {
    v1::StepSessionResponse last;
    while (tick < end) {
      const v1::PlaySessionResponse response = watcher.Read();
      if (!response.has_result()) {
        ADD_FAILURE() << "behind tick " << tick << ": "
                      << response.ShortDebugString();
        break;
      }
      last = response.result();
      const bool is_end = last.stop_reason() == v1::STOP_REASON_REPLAY_END;
      EXPECT_EQ(last.tick(),
                tick + response.results_missed() + (is_end ? 0 : 1));
      tick = last.tick();
      EXPECT_EQ(Format(last.digest()), DigestAt(tick));
      if (is_end) break;
    }
    return last;
  }

  TestServer server_{Configure};
  std::vector<uint64_t> digests_;
};

TEST_F(ServerFollowTest, AReplayIsPlayedAsItWasRecordedAndEnds) {
  const std::string replay = Record();
  const v1::Session session = Follow(FollowRequest(replay));
  EXPECT_EQ(session.followed_replay(), replay);
  EXPECT_EQ(session.followed_ticks(), kTicks);
  EXPECT_EQ(session.replay(), "");
  StepClient stream(server_.simulations(), session.name());
  v1::StepSessionRequest request = StepRequest(0, 120);
  request.mutable_observe()->set_digest_every_ticks(1);
  request.mutable_observe()->mutable_frames()->set_every_ticks(50);

  const auto first = stream.Exchange(request);
  const auto rest = stream.Exchange(StepRequest(120, 1000));
  const auto none = stream.Exchange(StepRequest(kTicks, 10));

  EXPECT_EQ(first.stop_reason(), v1::STOP_REASON_TICKS);
  EXPECT_EQ(first.tick(), 120u);
  EXPECT_THAT(first.observations().frames(), SizeIs(2));
  EXPECT_THAT(first.events(), SizeIs(1));
  EXPECT_EQ(rest.stop_reason(), v1::STOP_REASON_REPLAY_END);
  EXPECT_EQ(rest.tick(), kTicks);
  EXPECT_EQ(none.stop_reason(), v1::STOP_REASON_REPLAY_END);
  EXPECT_EQ(none.tick(), kTicks);
  std::vector<uint64_t> seen;
  for (const auto* response : {&first, &rest}) {
    for (const uint64_t digest : response->observations().digests()) {
      seen.push_back(digest);
    }
  }
  EXPECT_EQ(seen, digests_);
  EXPECT_EQ(Summarize(stream.Finish()), "OK");
}

// What is asked for of the last state is seen where the replay ends.
TEST_F(ServerFollowTest, TheEndOfAReplayIsTheEndOfARequest) {
  const std::string session = Follow(FollowRequest(Record(), 290)).name();
  v1::StepRequest request = StepRequest(session, 290, 50);
  request.mutable_observe()->add_groups()->add_fields("tick");
  request.mutable_observe()->mutable_frames();
  v1::StepResponse response;

  ASSERT_EQ(Summarize(server_.TryStep(request, &response)), "OK");

  EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_REPLAY_END);
  ASSERT_THAT(response.observations().blocks(), SizeIs(1));
  EXPECT_THAT(response.observations().blocks(0).ticks(), ElementsAre(kTicks));
  EXPECT_THAT(response.observations().frames(), SizeIs(1));
}

TEST_F(ServerFollowTest, ItGoesToAnyTickForwardAndBack) {
  const std::string session = Follow(FollowRequest(Record(), 200)).name();
  for (const uint64_t tick : {150u, 1u, 69u, 70u, 71u, 299u, 140u, 300u}) {
    v1::Session there;
    ASSERT_EQ(Summarize(Seek(session, tick, &there)), "OK") << tick;
    EXPECT_EQ(there.tick(), tick);
    EXPECT_EQ(there.digest(), DigestAt(tick)) << tick;
    if (tick == kTicks) break;
    EXPECT_EQ(Format(server_.Step(session, tick, 1).digest()),
              DigestAt(tick + 1));
  }
  EXPECT_EQ(Summarize(Seek(session, 0)), "OK");
  EXPECT_EQ(server_.Step(session, 0, kTicks).digest(), digests_.back());

  EXPECT_EQ(Summarize(Seek(session, kTicks + 1)),
            "OUT_OF_RANGE TICK_OUT_OF_RANGE");
  EXPECT_EQ(server_.GetSession(session).tick(), kTicks);
  EXPECT_EQ(server_.Step(session, kTicks, 1).stop_reason(),
            v1::STOP_REASON_REPLAY_END);
}

TEST_F(ServerFollowTest, SnapshotsAreOfTheSameReplay) {
  const std::string session = Follow(FollowRequest(Record(), 100)).name();
  const v1::Snapshot snapshot = server_.SnapshotSession(session);
  server_.Step(session, 100, 100);

  server_.RestoreSession(snapshot.name());

  EXPECT_EQ(Format(server_.Step(session, 100, 50).digest()), DigestAt(150));
}

// How long that takes is tested with other sessions, which wait alike.
TEST_F(ServerFollowTest, ItIsPlayedAtAPace) {
  const std::string session = Follow(FollowRequest(Record())).name();
  StepClient stream(server_.simulations(), session);
  v1::StepSessionRequest request = StepRequest(0, 25);
  request.set_pace(2);

  const v1::StepSessionResponse response = stream.Exchange(request);

  EXPECT_EQ(response.tick(), 25u);
  EXPECT_EQ(Format(response.digest()), DigestAt(25));
}

TEST_F(ServerFollowTest, WhatIsBeingRecordedIsPlayedAsFarAsItHasCome) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  const std::string follower = Follow(FollowRequest(live.replay())).name();
  uint64_t tick = server_.Step(follower, 0, 1000).tick();
  // But for a batch that isn't full.
  EXPECT_GE(tick, 90u);
  EXPECT_LE(tick, 100u);
  EXPECT_EQ(server_.GetSession(follower).digest(), DigestAt(tick));

  Play(live.name(), 100, 155);
  const v1::StepResponse next = server_.Step(follower, tick, 1000);
  EXPECT_EQ(next.stop_reason(), v1::STOP_REASON_REPLAY_END);
  EXPECT_GE(next.tick(), 145u);
  EXPECT_EQ(Format(next.digest()), DigestAt(next.tick()));
  tick = next.tick();
  EXPECT_EQ(Summarize(Seek(follower, 120)), "OK");
  EXPECT_EQ(server_.Step(follower, 120, 1000).tick(), tick);

  // Once it is finished it is whole.
  EXPECT_EQ(server_.DeleteSession(live.name()), live.replay());
  const v1::StepResponse last = server_.Step(follower, tick, 1000);
  EXPECT_EQ(last.tick(), 155u);
  EXPECT_EQ(last.digest(), digests_.back());
  EXPECT_EQ(server_.GetSession(follower).followed_ticks(), 155u);
}

// Whoever of them stops it, it stops for all.
TEST_F(ServerFollowTest, SeveralWatchOneReplay) {
  const std::string session = Share(Record(), /*pace=*/0.001);
  const auto first = Watch(session);
  v1::PlaySessionRequest control;
  control.mutable_pace()->set_paused(true);
  first->Send(control);
  // Ticks that were due before are told before; the first one is, at once.
  v1::PlaySessionResponse response;
  do {
    response = first->Read();
    ASSERT_TRUE(response.has_result() || response.has_pace());
  } while (!response.pace().paused());
  const uint64_t stopped = server_.GetSession(session).tick();
  EXPECT_GE(stopped, 1u);
  std::vector<std::unique_ptr<PlayClient>> watchers;
  for (int i = 0; i < 3; ++i) {
    uint64_t tick = 0;
    watchers.push_back(Watch(session, &tick));
    EXPECT_EQ(tick, stopped);
  }
  EXPECT_EQ(server_.GetSession(session).state(), v1::Session::STATE_PLAYED);

  // No more than each has room for, so all are told all.
  control.mutable_pace()->set_step_ticks(5);
  watchers[1]->Send(control);

  for (uint64_t tick = stopped + 1; tick <= stopped + 5; ++tick) {
    EXPECT_EQ(Format(first->Read().result().digest()), DigestAt(tick));
    for (const auto& watcher : watchers) {
      response = watcher->Read();
      EXPECT_EQ(response.result().tick(), tick);
      EXPECT_EQ(Format(response.result().digest()), DigestAt(tick));
      EXPECT_EQ(response.results_missed(), 0u);
    }
  }
  EXPECT_EQ(server_.GetSession(session).tick(), stopped + 5);
}

TEST_F(ServerFollowTest, AllWhoWatchSeeTheEnd) {
  const std::string session = Share(Record());
  std::vector<std::unique_ptr<PlayClient>> watchers;
  std::vector<uint64_t> ticks(3);
  for (uint64_t& tick : ticks) watchers.push_back(Watch(session, &tick));

  for (size_t i = 0; i < watchers.size(); ++i) {
    const v1::StepSessionResponse last =
        ReadResults(*watchers[i], ticks[i], kTicks + 1);
    EXPECT_EQ(last.stop_reason(), v1::STOP_REASON_REPLAY_END);
    EXPECT_EQ(last.tick(), kTicks);
    EXPECT_EQ(Summarize(watchers[i]->AwaitEnd()), "OK");
  }

  // Then it is a session as any other: it can go back, and be watched again.
  EXPECT_EQ(Summarize(Seek(session, 290)), "OK");
  EXPECT_EQ(ReadResults(*Watch(session), 290, kTicks + 1).tick(), kTicks);
}

// Who watches asks for nothing.
TEST_F(ServerFollowTest, WhatIsBeingRecordedIsPushed) {
  const v1::Session live = server_.CreateSession(/*record=*/true);
  Play(live.name(), 0, 100);
  const std::string session = Share(live.replay());
  uint64_t tick = 0, others_tick = 0;
  const auto watcher = Watch(session, &tick);
  const auto other = Watch(session, &others_tick);

  // But for a batch that isn't full.
  tick = ReadResults(*watcher, tick, 90).tick();
  EXPECT_GE(tick, 90u);
  Play(live.name(), 100, 155);
  tick = ReadResults(*watcher, tick, 145).tick();
  EXPECT_GE(tick, 145u);
  EXPECT_EQ(server_.DeleteSession(live.name()), live.replay());

  const v1::StepSessionResponse last = ReadResults(*watcher, tick, 156);
  EXPECT_EQ(last.stop_reason(), v1::STOP_REASON_REPLAY_END);
  EXPECT_EQ(last.tick(), 155u);
  EXPECT_EQ(Summarize(watcher->AwaitEnd()), "OK");
  EXPECT_EQ(ReadResults(*other, others_tick, 156).tick(), 155u);
  EXPECT_EQ(Summarize(other->AwaitEnd()), "OK");
}

TEST_F(ServerFollowTest, WhoWatchesPlaysNothing) {
  const std::string replay = Record();
  const std::string session = Share(replay, /*pace=*/0.001);
  EXPECT_EQ(Summarize(PlayClient(server_.simulations(), JoinRequest(session, 0))
                          .AwaitEnd()),
            "INVALID_ARGUMENT FOLLOW_REFUSED");
  EXPECT_EQ(server_.GetSession(session).tick(), 0u);
  PlayClient alone(
      server_.simulations(),
      JoinRequest(Follow(FollowRequest(replay)).name(), std::nullopt));
  EXPECT_EQ(Summarize(alone.AwaitEnd()),
            "FAILED_PRECONDITION SESSION_NOT_SHARED");
}

TEST_F(ServerFollowTest, AForkGoesOnByItself) {
  const std::string session = Follow(FollowRequest(Record(), 100)).name();
  const v1::Session fork = server_.ForkSession(ForkRequest(session));

  EXPECT_EQ(fork.followed_replay(), "");
  digests_.clear();
  Play(fork.name(), 100, 400);
  EXPECT_EQ(server_.GetSession(fork.name()).tick(), 400u);
}

TEST_F(ServerFollowTest, WhatMakesNoSenseIsRefused) {
  const std::string refused = "INVALID_ARGUMENT FOLLOW_REFUSED";
  const std::string replay = Record();
  v1::CreateSessionRequest request = FollowRequest(replay);
  request.set_record(true);
  EXPECT_EQ(Summarize(server_.TryCreateSession(request)), refused);
  request = FollowRequest(replay);
  request.mutable_lockstep()->set_input_delay_ticks(1);
  EXPECT_EQ(Summarize(server_.TryCreateSession(request)), refused);
  EXPECT_EQ(
      Summarize(server_.TryCreateSession(FollowRequest(replay, kTicks + 1))),
      "OUT_OF_RANGE TICK_OUT_OF_RANGE");
  EXPECT_EQ(Summarize(server_.TryCreateSession(FollowRequest("replays/x"))),
            "NOT_FOUND REPLAY_NOT_FOUND");

  const std::string session = Follow(FollowRequest(replay)).name();
  v1::StepRequest step = StepRequest(session, 0, 1);
  step.add_inputs()->add_frames()->mutable_device()->add_axes(1);
  EXPECT_EQ(Summarize(server_.TryStep(step)), refused);
  v1::ResetSessionRequest reset;
  reset.set_name(session);
  reset.set_seed(7);
  EXPECT_EQ(Summarize(server_.TryResetSession(reset)), refused);
  EXPECT_EQ(Summarize(Seek(server_.CreateSession().name(), 5)), refused);
  EXPECT_EQ(server_.GetSession(session).tick(), 0u);
}

}  // namespace
}  // namespace reprise::services
