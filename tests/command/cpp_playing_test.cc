// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that players of the C++ client play one session, each on a stream of
// its own, against `reprise serve`: it is the run of one client that has all
// inputs, whoever gives first; who breaks off comes back to the seat, who
// leaves frees it, and whoever watches a session or a replay is told each tick.

#include "clients/cpp/playing.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "clients/cpp/client.h"
#include "clients/cpp/scene.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/command/serve_process.h"

namespace reprise::client {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

using Streams = std::vector<std::unique_ptr<PlayStream>>;

constexpr uint32_t kTicks = 60;
constexpr uint32_t kDelay = 2;
constexpr std::chrono::minutes kPatience(1);

// What a player, who does another thing at each tick, does.
v1::TickInputs PushAt(uint32_t player, uint64_t tick) {
  v1::TickInputs inputs;
  inputs.set_tick(tick);
  v1::InputFrame& frame = *inputs.add_frames();
  frame.mutable_device()->add_axes(
      static_cast<int>((tick * 7919 + player * 104'729) % 60'001) - 30'000);
  return inputs;
}

std::vector<v1::TickInputs> Pushes(uint32_t player, uint64_t first,
                                   uint64_t end) {
  std::vector<v1::TickInputs> inputs;
  for (; first < end; ++first) inputs.push_back(PushAt(player, first));
  return inputs;
}

std::string ReasonOf(const absl::Status& status) {
  return ErrorInfoOf(status).reason;
}

class CppPlayingTest : public testing::Test {
 protected:
  CppPlayingTest() { client_ = *Client::Create(server_.address()); }

  Session Create(const v1::Lockstep& lockstep) {
    v1::CreateSessionRequest request;
    request.set_pack("pong");
    request.set_seed(3);
    *request.mutable_lockstep() = lockstep;
    auto session = client_->CreateSession(request);
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }

  absl::StatusOr<std::unique_ptr<PlayStream>> TryJoin(
      const Session& session, std::optional<uint32_t> player,
      const std::string& seat_key = "") {
    v1::PlaySessionRequest request;
    request.set_session(session.name());
    if (player.has_value()) request.set_player(*player);
    request.set_seat_key(seat_key);
    return PlayStream::Join(*client_, request);
  }

  std::unique_ptr<PlayStream> Join(const Session& session,
                                   std::optional<uint32_t> player) {
    auto stream = TryJoin(session, player);
    EXPECT_TRUE(stream.ok()) << stream.status();
    return *std::move(stream);
  }

  // Both players.
  Streams Seat(const Session& session) {
    Streams streams;
    for (const uint32_t player : {0u, 1u}) {
      streams.push_back(Join(session, player));
    }
    return streams;
  }

  // The digest of a run of one client, who has the inputs of both from `first`
  // on.
  uint64_t PlayAlone(uint32_t tick_count, uint64_t first) {
    v1::CreateSessionRequest create;
    create.set_pack("pong");
    create.set_seed(3);
    auto session = client_->CreateSession(create);
    v1::StepRequest request;
    request.set_tick_count(tick_count);
    for (; first < tick_count; ++first) {
      v1::TickInputs& inputs = *request.add_inputs() = PushAt(0, first);
      v1::InputFrame& other = *inputs.add_frames() = PushAt(1, first).frames(0);
      other.set_player(1);
    }
    const auto response = session->Step(request);
    EXPECT_TRUE(response.ok()) << response.status();
    EXPECT_TRUE(session->Delete().ok());
    return response->digest();
  }

  static void ReceiveTo(PlayStream& stream, uint64_t tick) {
    while (stream.tick() < tick) {
      const auto told = stream.Receive(kPatience);
      ASSERT_TRUE(told.ok()) << told.status();
    }
    EXPECT_EQ(stream.tick(), tick);
  }

  // The refusal or the end that comes next.
  static absl::Status ReceiveError(PlayStream& stream) {
    while (true) {
      const auto told = stream.Receive(kPatience);
      if (!told.ok()) return told.status();
    }
  }

  static v1::Lockstep Delayed() {
    v1::Lockstep lockstep;
    lockstep.set_input_delay_ticks(kDelay);
    lockstep.mutable_seat_hold()->set_seconds(3000);
    return lockstep;
  }

  const tests::ServeProcess server_{"sim/packs"};
  std::unique_ptr<Client> client_;
};

TEST_F(CppPlayingTest, PlayersMakeTheRunOfOneWhoHasAllInputs) {
  const Session session = Create(Delayed());
  const Streams streams = Seat(session);
  EXPECT_EQ(streams[1]->player(), 1u);
  EXPECT_EQ(streams[1]->input_tick(), kDelay);
  EXPECT_EQ(streams[1]->first().joined().lockstep().input_delay_ticks(),
            kDelay);
  // The first one is far ahead; the second one's come one by one.
  ASSERT_TRUE(
      streams[0]->Give(kTicks - kDelay, Pushes(0, kDelay, kTicks)).ok());
  for (uint64_t tick = kDelay; tick < kTicks; ++tick) {
    ASSERT_TRUE(streams[1]->Give(1, {PushAt(1, tick)}).ok());
  }

  const uint64_t expected = PlayAlone(kTicks, kDelay);
  for (const auto& stream : streams) {
    ReceiveTo(*stream, kTicks);
    EXPECT_EQ(stream->digest(), expected);
  }
  for (const auto& stream : streams) {
    const absl::Status left = stream->Leave();
    EXPECT_TRUE(left.ok()) << left;
    EXPECT_TRUE(stream->has_ended());
    EXPECT_EQ(stream->Give(1).code(), absl::StatusCode::kOutOfRange);
  }
}

TEST_F(CppPlayingTest, PlayersOfThreadsOfTheirOwnAnswerWhatTheySee) {
  const Session session = Create({});
  Streams streams = Seat(session);
  std::vector<std::thread> players;
  for (uint32_t player = 0; player < streams.size(); ++player) {
    players.emplace_back([player, stream = streams[player].get()] {
      while (stream->tick() < kTicks) {
        ASSERT_TRUE(stream->Give(1, {PushAt(player, stream->tick())}).ok());
        const auto told = stream->Receive(kPatience);
        ASSERT_TRUE(told.ok()) << told.status();
      }
    });
  }
  for (std::thread& player : players) player.join();

  const uint64_t expected = PlayAlone(kTicks, 0);
  EXPECT_EQ(streams[0]->digest(), expected);
  EXPECT_EQ(streams[1]->digest(), expected);
}

TEST_F(CppPlayingTest, WhatIsRefusedIsToldAndGivenAgain) {
  const Session session = Create(Delayed());
  const Streams streams = Seat(session);
  ASSERT_TRUE(
      streams[1]->Give(kTicks - kDelay, Pushes(1, kDelay, kTicks)).ok());
  // The ticks of the delay are made.
  ReceiveTo(*streams[0], kDelay);
  v1::TickInputs wrong;
  wrong.set_tick(5);
  wrong.add_frames()->add_commands()->set_name("fly");
  ASSERT_TRUE(streams[0]->Give(10, {wrong}).ok());

  EXPECT_EQ(ReasonOf(ReceiveError(*streams[0])), "INPUT_REFUSED");
  EXPECT_EQ(streams[0]->tick(), kDelay);
  EXPECT_FALSE(streams[0]->has_ended());
  ASSERT_TRUE(
      streams[0]
          ->Give(kTicks - kDelay, Pushes(0, kDelay, kTicks), /*tick=*/kDelay)
          .ok());
  ReceiveTo(*streams[0], kTicks);
  EXPECT_EQ(streams[0]->digest(), PlayAlone(kTicks, kDelay));
  const absl::Status outside = streams[0]->Give(1, {wrong});
  EXPECT_EQ(outside.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(outside.message()),
              HasSubstr("tick 5, of 1 ticks from 60 on"));
}

TEST_F(CppPlayingTest, WhoBreaksOffComesBackToTheSeat) {
  const Session session = Create(Delayed());
  const Streams streams = Seat(session);
  PlayStream& goes = *streams[1];
  ASSERT_TRUE(
      streams[0]->Give(kTicks - kDelay, Pushes(0, kDelay, kTicks)).ok());
  ASSERT_TRUE(goes.Give(20 - kDelay, Pushes(1, kDelay, 20)).ok());
  ReceiveTo(goes, 20);
  const std::string key = goes.seat_key();
  EXPECT_EQ(ReasonOf(TryJoin(session, 1, "guessed").status()), "SEAT_TAKEN");

  ASSERT_TRUE(goes.ComeBack().ok());

  EXPECT_EQ(goes.input_tick(), 20u);
  EXPECT_EQ(goes.seat_key(), key);
  ASSERT_TRUE(goes.Give(kTicks - 20, Pushes(1, 20, kTicks)).ok());
  ReceiveTo(goes, kTicks);
  EXPECT_EQ(goes.digest(), PlayAlone(kTicks, kDelay));
  // From elsewhere, too.
  const auto elsewhere = TryJoin(session, 1, key);
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_EQ(ReasonOf(ReceiveError(goes)), "SEAT_TAKEN_OVER");
  EXPECT_TRUE(goes.has_ended());
}

TEST_F(CppPlayingTest, WhoLeavesFreesTheSeat) {
  const Session session = Create({});
  const Streams streams = Seat(session);
  ASSERT_TRUE(streams[0]->Give(20, Pushes(0, 0, 20)).ok());
  ASSERT_TRUE(streams[1]->Give(5, Pushes(1, 0, 5)).ok());
  ReceiveTo(*streams[0], 5);

  ASSERT_TRUE(streams[1]->Leave().ok());

  ReceiveTo(*streams[0], 20);
  EXPECT_EQ(Join(session, 1)->input_tick(), 20u);
}

TEST_F(CppPlayingTest, ObserversAreToldOfTicksAndThePace) {
  const Session session = Create({});
  const auto watcher = Join(session, std::nullopt);
  EXPECT_FALSE(watcher->player().has_value());
  EXPECT_EQ(watcher->Give(1).code(), absl::StatusCode::kFailedPrecondition);
  const Streams streams = Seat(session);
  v1::PlaySessionRequest control;
  control.mutable_pace()->set_paused(true);
  ASSERT_TRUE(streams[0]->Send(control).ok());
  ASSERT_TRUE(watcher->Receive(kPatience).ok());
  EXPECT_TRUE(watcher->pace().paused());
  for (const uint32_t player : {0u, 1u}) {
    ASSERT_TRUE(streams[player]->Give(20, Pushes(player, 0, 20)).ok());
  }
  EXPECT_EQ(watcher->Receive(std::chrono::milliseconds(50)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_FALSE(watcher->has_ended());

  control.mutable_pace()->set_step_ticks(3);
  ASSERT_TRUE(streams[1]->Send(control).ok());
  ReceiveTo(*watcher, 3);
  control.mutable_pace()->set_step_ticks(0);
  control.mutable_pace()->set_paused(false);
  ASSERT_TRUE(streams[0]->Send(control).ok());
  ReceiveTo(*watcher, 20);
  EXPECT_EQ(watcher->digest(), PlayAlone(20, 0));
}

TEST_F(CppPlayingTest, AReplayIsWatchedToItsEnd) {
  v1::CreateSessionRequest create;
  create.set_pack("pong");
  create.set_record(true);
  auto recorded = client_->CreateSession(create);
  ASSERT_TRUE(recorded.ok()) << recorded.status();
  std::vector<std::string> digests = {recorded->description().digest()};
  for (uint32_t tick = 0; tick < kTicks; ++tick) {
    ASSERT_TRUE(recorded->Step(1).ok());
    digests.push_back(recorded->description().digest());
  }
  v1::CreateSessionRequest follow;
  follow.mutable_branch()->set_replay(*recorded->Delete());
  follow.mutable_branch()->set_follow(true);
  follow.mutable_lockstep()->set_pace(50);
  const auto shared = client_->CreateSession(follow);
  ASSERT_TRUE(shared.ok()) << shared.status();
  v1::PlaySessionRequest join;
  join.set_session(shared->name());
  v1::ObservedFrames& frames = *join.mutable_observe()->mutable_frames();
  frames.set_every_ticks(1);
  frames.set_differences(true);
  const auto watcher = PlayStream::Join(*client_, join);
  ASSERT_TRUE(watcher.ok()) << watcher.status();

  Scene scene;
  ASSERT_TRUE(scene.Take((*watcher)->first().result().observations()).ok());
  absl::StatusOr<v1::PlaySessionResponse> told;
  v1::StopReason stop_reason = v1::STOP_REASON_UNSPECIFIED;
  while ((told = (*watcher)->Receive(kPatience)).ok()) {
    if (!told->has_result()) continue;
    EXPECT_EQ(absl::StrFormat("%016x", (*watcher)->digest()),
              digests[(*watcher)->tick()]);
    ASSERT_TRUE(scene.Take(told->result().observations()).ok());
    EXPECT_THAT(scene.objects(), testing::Not(SizeIs(0)));
    stop_reason = told->result().stop_reason();
    // The stream may have ended, while there is more to take.
    v1::PlaySessionRequest acknowledge;
    acknowledge.set_frame_acknowledged(scene.acknowledged());
    static_cast<void>((*watcher)->Send(acknowledge));
  }
  EXPECT_EQ(told.status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE((*watcher)->has_ended());
  EXPECT_EQ(stop_reason, v1::STOP_REASON_REPLAY_END);
  EXPECT_EQ((*watcher)->tick(), kTicks);
}

TEST_F(CppPlayingTest, WhatCannotBeJoinedSaysWhy) {
  v1::CreateSessionRequest create;
  create.set_pack("pong");
  const auto alone = client_->CreateSession(create);
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_EQ(ReasonOf(TryJoin(*alone, 0).status()), "SESSION_NOT_SHARED");
  v1::Session nobodys;
  nobodys.set_name("sessions/none");
  EXPECT_EQ(ReasonOf(TryJoin(Session(client_.get(), nobodys), 0).status()),
            "SESSION_NOT_FOUND");
}

}  // namespace
}  // namespace reprise::client
