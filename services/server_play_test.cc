// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that clients on streams of their own play one session as one client
// would that had all their inputs: whatever order and pace they come in. And
// whom the others wait for, who may come back, what watchers see, what comes of
// who is slow, gone, wrong or of another tenant. All over real connections.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "services/base/token.h"
#include "services/testing/crowd_simulation.h"
#include "services/testing/play_client.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// A server with the crowd's pack.
class CrowdServer final : public RunningServer, public TestClient {
 public:
  explicit CrowdServer(
      uint32_t player_count,
      const std::function<void(ServerOptions&)>& change = [](auto&) {})
      : RunningServer([&](ServerOptions& options) {
          options.simulation_factory = &CrowdSimulation::Create;
          change(options);
        }),
        TestClient(server().address()) {
    WriteCrowdPack(folders(), player_count);
  }

  v1::Session Create(const v1::Lockstep& lockstep, bool record = false) {
    v1::CreateSessionRequest request;
    request.set_pack("crowd");
    request.set_record(record);
    *request.mutable_lockstep() = lockstep;
    v1::Session session;
    EXPECT_EQ(Summarize(TryCreateSession(request, &session)), "OK");
    return session;
  }

  // What it comes to when one client has the inputs of all: `push` says the
  // axis of a player at a tick, nullopt none.
  using Push = std::function<std::optional<int>(uint32_t, uint64_t)>;
  uint64_t PlayAlone(uint32_t player_count, uint64_t tick_count,
                     const Push& push) {
    v1::CreateSessionRequest create;
    create.set_pack("crowd");
    v1::Session session;
    EXPECT_EQ(Summarize(TryCreateSession(create, &session)), "OK");
    v1::StepRequest request =
        StepRequest(session.name(), 0, static_cast<uint32_t>(tick_count));
    for (uint64_t tick = 0; tick < tick_count; ++tick) {
      v1::TickInputs inputs;
      inputs.set_tick(tick);
      for (uint32_t player = 0; player < player_count; ++player) {
        const auto axis = push(player, tick);
        if (!axis.has_value()) continue;
        v1::InputFrame& frame = *inputs.add_frames();
        frame.set_player(player);
        frame.mutable_device()->add_axes(*axis);
      }
      if (inputs.frames_size() > 0) *request.add_inputs() = inputs;
    }
    v1::StepResponse response;
    EXPECT_EQ(Summarize(TryStep(request, &response)), "OK");
    DeleteSession(session.name());
    return response.digest();
  }

  // Verifies a replay of so many ticks; returns the digest of its last state.
  uint64_t Verify(const std::string& replay, uint64_t ticks) {
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    std::string file;
    EXPECT_EQ(Summarize(Download(request, &file)), "OK") << replay;
    const auto reader =
        replays::ReplayReader::Open(std::make_unique<replays::MemorySource>(
            std::as_bytes(std::span(file))));
    if (!reader.ok()) {
      ADD_FAILURE() << reader.status();
      return 0;
    }
    const auto report = replays::VerifyReplay(**reader, {});
    EXPECT_TRUE(report->passed()) << replay;
    EXPECT_EQ(report->ticks_verified, ticks) << replay;
    return report->root.value;
  }

  // Clients who have joined as the players 0 and so on.
  std::vector<std::unique_ptr<PlayClient>> Seat(const std::string& session,
                                                uint32_t player_count) {
    std::vector<std::unique_ptr<PlayClient>> players;
    for (uint32_t player = 0; player < player_count; ++player) {
      players.push_back(std::make_unique<PlayClient>(
          simulations(), JoinRequest(session, player)));
      EXPECT_EQ(players.back()->ReadJoined().joined().player(), player);
    }
    return players;
  }
};

// A clock that goes when the test says so.
class StandingClock {
 public:
  std::function<void(ServerOptions&)> change() {
    return [this](ServerOptions& options) {
      options.clock = [this] {
        return absl::UnixEpoch() + absl::Milliseconds(now_ms_.load());
      };
    };
  }
  void GoOnTo(int64_t now_ms) { now_ms_ = now_ms; }

 private:
  std::atomic<int64_t> now_ms_ = 0;
};

// The ticks from `delay` on as PushRequest has them.
CrowdServer::Push PushesFrom(uint64_t delay) {
  return [delay](uint32_t player, uint64_t tick) -> std::optional<int> {
    if (tick < delay) return std::nullopt;
    return PushAt(player, tick);
  };
}

v1::Lockstep MakeLockstep(uint32_t input_delay_ticks = 0) {
  v1::Lockstep lockstep;
  lockstep.set_input_delay_ticks(input_delay_ticks);
  return lockstep;
}

// Has all players give all their inputs up to a tick, in pieces and in an order
// that `seed` says.
void GiveInAnyOrder(const std::vector<std::unique_ptr<PlayClient>>& players,
                    uint64_t first, uint64_t end, uint32_t seed) {
  std::minstd_rand random(seed);
  std::vector<uint64_t> given(players.size(), first);
  while (
      std::ranges::any_of(given, [=](uint64_t tick) { return tick < end; })) {
    const size_t player = random() % players.size();
    const uint64_t count =
        std::min<uint64_t>(1 + random() % 20, end - given[player]);
    if (count == 0) continue;
    players[player]->Send(PushRequest(static_cast<uint32_t>(player),
                                      given[player],
                                      static_cast<uint32_t>(count)));
    given[player] += count;
  }
}

// --- Arrival.

class ServerPlayOrderTest : public testing::TestWithParam<uint32_t> {};

TEST_P(ServerPlayOrderTest, ArrivalDecidesNothing) {
  constexpr uint64_t kTicks = 150;
  const uint32_t player_count = GetParam();
  CrowdServer server(player_count);
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    const uint32_t delay = seed % 3;
    const v1::Session session =
        server.Create(MakeLockstep(delay), /*record=*/true);
    const auto players = server.Seat(session.name(), player_count);

    GiveInAnyOrder(players, delay, kTicks, seed);

    const uint64_t expected =
        server.PlayAlone(player_count, kTicks, PushesFrom(delay));
    for (const auto& player : players) {
      EXPECT_EQ(player->ReadTo(kTicks).result().digest(), expected);
    }
    for (const auto& player : players) {
      EXPECT_EQ(Summarize(player->Leave()), "OK");
    }
    EXPECT_EQ(server.Verify(server.DeleteSession(session.name()), kTicks),
              expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Players, ServerPlayOrderTest,
                         testing::Range(uint32_t{2}, uint32_t{9}));

TEST(ServerPlayTest, SixtyFourPlayOne) {
  constexpr uint32_t kPlayers = 64;
  constexpr uint64_t kTicks = 60;
  CrowdServer server(kPlayers);
  const v1::Session session = server.Create(MakeLockstep(2));
  const auto players = server.Seat(session.name(), kPlayers);

  GiveInAnyOrder(players, 2, kTicks, /*seed=*/5);

  const uint64_t expected = server.PlayAlone(kPlayers, kTicks, PushesFrom(2));
  for (const auto& player : players) {
    EXPECT_EQ(player->ReadTo(kTicks).result().digest(), expected);
  }
}

TEST(ServerPlayTest, EachTickIsToldWithWhatWasDeclared) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep(1));
  v1::PlaySessionRequest join = JoinRequest(session.name(), 1);
  v1::ObservedGroup& group = *join.mutable_observe()->add_groups();
  group.add_fields("walkers.trail");
  group.add_objects("walker_1");
  PlayClient watched(server.simulations(), join);
  const v1::PlaySessionResponse joined = watched.ReadJoined();
  PlayClient other(server.simulations(), JoinRequest(session.name(), 0));

  EXPECT_EQ(joined.joined().input_tick(), 1u);
  EXPECT_EQ(joined.joined().lockstep().input_delay_ticks(), 1u);
  EXPECT_EQ(joined.result().tick(), 0u);
  ASSERT_THAT(joined.result().layout().groups(), SizeIs(1));
  watched.Send(PushRequest(1, 1, 4));
  other.Send(PushRequest(0, 1, 4));
  double trail = 0;
  for (uint64_t tick = 1; tick <= 5; ++tick) {
    // The ticks before the delay have no inputs.
    if (tick > 1) trail = trail * kTrailDecay + PushAt(1, tick - 1);
    const v1::PlaySessionResponse response = watched.Read();
    EXPECT_EQ(response.result().tick(), tick);
    EXPECT_EQ(response.results_missed(), 0u);
    EXPECT_THAT(response.late_players(), IsEmpty());
    ASSERT_THAT(response.result().observations().blocks(), SizeIs(1));
    // The same operations as the simulation's, so the same bits.
    EXPECT_EQ(response.result().observations().blocks(0).columns(0).numbers(0),
              trail);
  }
  EXPECT_EQ(server.GetSession(session.name()).state(),
            v1::Session::STATE_PLAYED);
  EXPECT_THAT(server.GetSession(session.name()).seats(), SizeIs(2));
  EXPECT_EQ(Summarize(watched.Leave()), "OK");
  EXPECT_EQ(Summarize(other.Leave()), "OK");
  EXPECT_EQ(server.GetSession(session.name()).state(), v1::Session::STATE_FREE);
  EXPECT_THAT(server.GetSession(session.name()).seats(), IsEmpty());
}

// --- Who is late.

TEST(ServerPlayTest, AllWaitForWhoIsLate) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep());
  const auto players = server.Seat(session.name(), 2);
  players[0]->Send(PushRequest(0, 0, 100));
  players[1]->Send(PushRequest(1, 0, 3));

  players[0]->ReadTo(3);

  EXPECT_EQ(server.GetSession(session.name()).tick(), 3u);
  players[1]->Send(PushRequest(1, 3, 97));
  EXPECT_EQ(players[1]->ReadTo(100).result().digest(),
            server.PlayAlone(2, 100, PushesFrom(0)));
}

struct LateCase {
  const char* name;
  v1::Lockstep::LatePolicy policy;
  // What player 1, who gave only the first tick, does at another.
  std::optional<int> push;
};

class ServerPlayLateTest : public testing::TestWithParam<LateCase> {};

TEST_P(ServerPlayLateTest, IsPlayedByThePolicy) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_late_policy(GetParam().policy);
  lockstep.set_late_ticks(4);
  const v1::Session session = server.Create(lockstep, /*record=*/true);
  const auto players = server.Seat(session.name(), 2);
  players[1]->Send(PushRequest(1, 0, 1));
  players[0]->Send(PushRequest(0, 0, 1));
  players[0]->ReadTo(1);
  players[0]->Send(PushRequest(0, 1, 23));

  // As long as player 0 is four ticks ahead.
  const v1::PlaySessionResponse last = players[0]->ReadTo(20);

  EXPECT_THAT(last.late_players(), ElementsAre(1u));
  const uint64_t expected = server.PlayAlone(
      2, 20, [](uint32_t player, uint64_t tick) -> std::optional<int> {
        if (player == 0 || tick == 0) return PushAt(player, tick);
        return tick == 1 ? GetParam().push : std::nullopt;
      });
  EXPECT_EQ(last.result().digest(), expected);
  // Its inputs come too late, and later ones don't.
  players[1]->Send(PushRequest(1, 1, 20));
  const v1::PlaySessionResponse back = players[1]->ReadTo(21);
  EXPECT_THAT(back.late_players(), IsEmpty());
  for (const auto& player : players) {
    EXPECT_EQ(Summarize(player->Leave()), "OK");
  }
  // What was decided is recorded as what the players did.
  server.Verify(server.DeleteSession(session.name()), 21);
}

INSTANTIATE_TEST_SUITE_P(
    Each, ServerPlayLateTest,
    testing::Values(LateCase{"Repeat", v1::Lockstep::LATE_POLICY_REPEAT,
                             std::nullopt},
                    LateCase{"Empty", v1::Lockstep::LATE_POLICY_EMPTY, 0}),
    [](const auto& info) { return info.param.name; });

TEST(ServerPlayTest, WhoIsDroppedLosesTheStream) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_late_policy(v1::Lockstep::LATE_POLICY_DROP);
  lockstep.set_late_ticks(1);
  const v1::Session session = server.Create(lockstep);
  const auto players = server.Seat(session.name(), 2);
  players[0]->Send(PushRequest(0, 0, 10));

  EXPECT_EQ(Summarize(players[1]->AwaitEnd()), "ABORTED PLAYER_LATE");

  EXPECT_EQ(
      players[0]->ReadTo(10).result().digest(),
      server.PlayAlone(
          2, 10, [](uint32_t player, uint64_t tick) -> std::optional<int> {
            if (player == 0) return PushAt(player, tick);
            return std::nullopt;
          }));
}

TEST(ServerPlayTest, WhoIsDroppedAndGoesOnSendingIsGone) {
  constexpr uint32_t kTicks = 500;
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_late_policy(v1::Lockstep::LATE_POLICY_DROP);
  lockstep.set_late_ticks(1);
  const v1::Session session = server.Create(lockstep);
  const auto players = server.Seat(session.name(), 2);
  players[0]->Send(PushRequest(0, 0, kTicks));
  players[0]->ReadTo(kTicks);

  players[1]->Send(JoinRequest(session.name(), 1));
  players[1]->Send(PushRequest(1, kTicks, 10));

  EXPECT_EQ(Summarize(players[1]->AwaitEnd()), "ABORTED PLAYER_LATE");
  // The others play on, and the seat can be taken.
  players[0]->Send(PushRequest(0, kTicks, 10));
  players[0]->ReadTo(kTicks + 10);
  PlayClient again(server.simulations(), JoinRequest(session.name(), 1));
  EXPECT_EQ(again.ReadJoined().joined().player(), 1u);
}

TEST(ServerPlayTest, TimeDecidesForWhoDoesNothing) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_late_policy(v1::Lockstep::LATE_POLICY_REPEAT);
  lockstep.mutable_late_after()->set_nanos(1'000'000);
  const v1::Session session = server.Create(lockstep);
  const auto players = server.Seat(session.name(), 2);

  players[0]->Send(PushRequest(0, 0, 10));

  EXPECT_THAT(players[1]->ReadTo(10).late_players(), ElementsAre(1u));
}

// --- Coming and going.

TEST(ServerPlayTest, WhoBreaksOffComesBackToTheSeat) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep(1);
  lockstep.mutable_seat_hold()->set_seconds(3000);
  const v1::Session session = server.Create(lockstep);
  PlayClient stays(server.simulations(), JoinRequest(session.name(), 0));
  stays.ReadJoined();
  std::string key;
  {
    PlayClient leaves(server.simulations(), JoinRequest(session.name(), 1));
    key = leaves.ReadJoined().joined().seat_key();
    leaves.Send(PushRequest(1, 1, 29));
    stays.Send(PushRequest(0, 1, 99));
    stays.ReadTo(30);
    leaves.Cancel();
    EXPECT_EQ(leaves.AwaitEnd().error_code(), grpc::StatusCode::CANCELLED);
  }
  // The server may take the other one for there yet: then it is taken over.
  PlayClient stranger(server.simulations(),
                      JoinRequest(session.name(), 1, "wrong"));
  EXPECT_EQ(Summarize(stranger.AwaitEnd()), "FAILED_PRECONDITION SEAT_TAKEN");

  PlayClient back(server.simulations(), JoinRequest(session.name(), 1, key));
  const v1::PlayJoined joined = back.ReadJoined().joined();
  EXPECT_EQ(joined.input_tick(), 30u);
  EXPECT_EQ(joined.seat_key(), key);
  back.Send(PushRequest(1, 30, 70));

  EXPECT_EQ(stays.ReadTo(100).result().digest(),
            server.PlayAlone(2, 100, PushesFrom(1)));
}

TEST(ServerPlayTest, TheKeyTakesTheSeatFromAStreamThatIsOpen) {
  CrowdServer server(1);
  const v1::Session session = server.Create(MakeLockstep());
  PlayClient first(server.simulations(), JoinRequest(session.name(), 0));
  const std::string key = first.ReadJoined().joined().seat_key();

  PlayClient second(server.simulations(), JoinRequest(session.name(), 0, key));
  second.ReadJoined();

  EXPECT_EQ(Summarize(first.AwaitEnd()), "ABORTED SEAT_TAKEN_OVER");
  second.Send(PushRequest(0, 0, 3));
  second.ReadTo(3);
}

TEST(ServerPlayTest, WhoLeavesIsNotWaitedForAndComesToRest) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep());
  const auto players = server.Seat(session.name(), 2);
  players[0]->Send(PushRequest(0, 0, 50));
  players[1]->Send(PushRequest(1, 0, 20));
  players[0]->ReadTo(20);

  EXPECT_EQ(Summarize(players[1]->Leave()), "OK");

  EXPECT_EQ(
      players[0]->ReadTo(50).result().digest(),
      server.PlayAlone(
          2, 50, [](uint32_t player, uint64_t tick) -> std::optional<int> {
            if (player == 0 || tick < 20) return PushAt(player, tick);
            return tick == 20 ? std::optional(0) : std::nullopt;
          }));
  PlayClient next(server.simulations(), JoinRequest(session.name(), 1));
  EXPECT_EQ(next.ReadJoined().joined().input_tick(), 50u);
}

TEST(ServerPlayTest, WithoutPlayersItIsASessionAsAnyOther) {
  CrowdServer server(1);
  const v1::Session session = server.Create(MakeLockstep());
  {
    PlayClient player(server.simulations(), JoinRequest(session.name(), 0));
    player.Send(PushRequest(0, 0, 5));
    player.ReadTo(5);
    EXPECT_EQ(Summarize(server.TryStep(StepRequest(session.name(), 5, 1))),
              "FAILED_PRECONDITION SESSION_IN_USE");
    EXPECT_EQ(Summarize(player.Leave()), "OK");
  }
  EXPECT_EQ(server.Step(session.name(), 5, 5).tick(), 10u);
  EXPECT_EQ(server.ResetSession(session.name()).session().tick(), 0u);
  PlayClient player(server.simulations(), JoinRequest(session.name(), 0));
  player.Send(PushRequest(0, 0, 5));
  EXPECT_EQ(player.ReadTo(5).result().digest(),
            server.PlayAlone(1, 5, PushesFrom(0)));
}

// --- Watching.

TEST(ServerPlayTest, WatchersSeeAndDoNothing) {
  CrowdServer server(1);
  const v1::Session session = server.Create(MakeLockstep());
  PlayClient watcher(server.simulations(),
                     JoinRequest(session.name(), std::nullopt));
  EXPECT_FALSE(watcher.ReadJoined().joined().has_player());
  const auto players = server.Seat(session.name(), 1);

  watcher.Send(PushRequest(0, 0, 1));
  EXPECT_EQ(Summarize(watcher.Read()), "FAILED_PRECONDITION SEAT_REQUIRED");
  players[0]->Send(PushRequest(0, 0, 3));

  for (uint64_t tick = 1; tick <= 3; ++tick) {
    EXPECT_EQ(watcher.Read().result().tick(), tick);
  }
}

// What is made once for all of them is to each as if it were its own.
TEST(ServerPlayTest, WatchersOfAllKindsSeeTheSameTicks) {
  constexpr uint64_t kTicks = 20;
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_players_to_start(1);
  const v1::Session session = server.Create(lockstep);
  std::vector<std::unique_ptr<PlayClient>> watchers;
  for (int i = 0; i < 6; ++i) {
    v1::PlaySessionRequest join = JoinRequest(session.name(), std::nullopt);
    join.set_want_frames(i >= 2);
    if (i >= 4)
      join.mutable_observe()->add_groups()->add_fields("walkers.trail");
    watchers.push_back(
        std::make_unique<PlayClient>(server.simulations(), join));
    watchers.back()->ReadJoined();
  }
  const auto players = server.Seat(session.name(), 1);

  for (uint64_t tick = 1; tick <= kTicks; ++tick) {
    // No more at a time than each has room for.
    players[0]->Send(PushRequest(0, tick - 1, 1));
    const v1::PlaySessionResponse expected = players[0]->ReadTo(tick);
    std::string frame;
    for (size_t i = 0; i < watchers.size(); ++i) {
      const v1::PlaySessionResponse response = watchers[i]->Read();
      ASSERT_EQ(response.result().tick(), tick);
      EXPECT_EQ(response.result().digest(), expected.result().digest());
      EXPECT_EQ(response.results_missed(), 0u);
      EXPECT_EQ(response.result().has_frame(), i >= 2);
      EXPECT_EQ(response.result().has_observations(), i >= 4);
      if (i == 2) frame = response.result().frame().SerializeAsString();
      if (i >= 2) {
        EXPECT_EQ(response.result().frame().SerializeAsString(), frame);
      }
    }
  }
}

TEST(ServerPlayTest, WhoReadsSlowlyGetsFewerAndStallsNobody) {
  constexpr uint32_t kTicks = 600;
  CrowdServer server(64);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_players_to_start(1);
  const v1::Session session = server.Create(lockstep);
  v1::PlaySessionRequest join = JoinRequest(session.name(), std::nullopt);
  // Several kilobytes a tick.
  join.set_want_frames(true);
  join.mutable_observe()->mutable_frames()->set_every_ticks(2);
  PlayClient watcher(server.simulations(), join);
  watcher.ReadJoined();
  const auto players = server.Seat(session.name(), 1);

  uint64_t told = 0, missed = 0, last = 0, frames = 0;
  // How much is sent before it is read is for the network to say.
  for (uint64_t end = kTicks; missed == 0 && end <= 50 * kTicks;
       end += kTicks) {
    players[0]->Send(PushRequest(0, end - kTicks, kTicks));
    players[0]->ReadTo(end);
    while (last < end) {
      const v1::PlaySessionResponse response = watcher.Read();
      ASSERT_TRUE(response.has_result());
      ++told;
      missed += response.results_missed();
      EXPECT_EQ(response.result().tick(), last + 1 + response.results_missed());
      EXPECT_THAT(response.result().frame().objects(), SizeIs(64));
      last = response.result().tick();
      for (const auto& frame : response.result().observations().frames()) {
        frames += 1 + frame.frames_missed();
        EXPECT_EQ(frame.tick(), last);
        EXPECT_THAT(frame.objects(), SizeIs(64));
      }
    }
  }
  EXPECT_EQ(told + missed, last);
  EXPECT_GT(missed, 0u);
  // The one that it joined with isn't read here.
  EXPECT_EQ(frames, last / 2);
}

// --- What players may see.

// What pushes a player by so much at some ticks.
v1::PlaySessionRequest Push(uint32_t player, uint64_t tick, uint32_t tick_count,
                            int axis) {
  v1::PlaySessionRequest request = PushRequest(player, tick, tick_count);
  for (v1::TickInputs& inputs : *request.mutable_inputs()) {
    inputs.mutable_frames(0)->mutable_device()->set_axes(0, axis);
  }
  return request;
}

TEST(ServerPlayTest, WhatAPlayerMayNotSeeIsInNoByteThatItIsSent) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  v1::PlayerView& view = *lockstep.add_views();
  view.set_player(1);
  // Where player 0 never is.
  view.mutable_interest()->mutable_within()->mutable_least()->set_x(1);
  view.mutable_interest()->mutable_within()->mutable_greatest()->set_x(1e12);
  const v1::Session session = server.Create(lockstep);
  v1::PlaySessionRequest join = JoinRequest(session.name(), 1);
  v1::ObservedFrames frames;
  frames.set_every_ticks(1);
  frames.set_differences(true);
  *join.mutable_observe()->mutable_frames() = frames;
  PlayClient viewer(server.simulations(), join);
  PlayClient other(server.simulations(), JoinRequest(session.name(), 0));
  other.ReadJoined();
  join = JoinRequest(session.name(), std::nullopt);
  *join.mutable_observe()->mutable_frames() = frames;
  PlayClient observer(server.simulations(), join);
  observer.ReadJoined();

  const v1::PlaySessionResponse joined = viewer.ReadJoined();
  EXPECT_EQ(joined.joined().lockstep().views_size(), 1);

  uint64_t number = joined.result().observations().frames(0).number();
  for (uint64_t tick = 1; tick <= 20; ++tick) {
    viewer.Send(Push(1, tick - 1, 1, 100));
    other.Send(Push(0, tick - 1, 1, -100));
    const v1::PlaySessionResponse response = viewer.ReadTo(tick);
    EXPECT_THAT(response.SerializeAsString(), Not(HasSubstr("walker_0")));
    ASSERT_THAT(response.result().observations().frames(), SizeIs(1));
    const v1::ObservedFrame& frame = response.result().observations().frames(0);
    EXPECT_THAT(frame.objects(), ElementsAre(2));
    EXPECT_EQ(frame.number(), ++number);
    v1::PlaySessionRequest acknowledge;
    acknowledge.set_frame_acknowledged(number);
    viewer.Send(acknowledge);
    const v1::PlaySessionResponse all = observer.ReadTo(tick);
    EXPECT_THAT(all.result().observations().frames(0).objects(),
                ElementsAre(1, 2));
  }
  EXPECT_EQ(Summarize(viewer.Leave()), "OK");
}

TEST(ServerPlayTest, WhoMayNotSeeAllDeclaresNothingElse) {
  CrowdServer server(2);
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.add_views()->set_player(1);
  const v1::Session session = server.Create(lockstep);
  v1::PlaySessionRequest join = JoinRequest(session.name(), 1);
  join.set_want_frames(true);
  EXPECT_EQ(Summarize(PlayClient(server.simulations(), join).AwaitEnd()),
            "INVALID_ARGUMENT OBSERVATION_REFUSED");
  join = JoinRequest(session.name(), 1);
  join.mutable_observe()->add_groups()->add_fields("walkers.trail");
  EXPECT_EQ(Summarize(PlayClient(server.simulations(), join).AwaitEnd()),
            "INVALID_ARGUMENT OBSERVATION_REFUSED");
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  create.mutable_lockstep()->add_views()->set_player(2);
  EXPECT_EQ(Summarize(server.TryCreateSession(create)),
            "INVALID_ARGUMENT LOCKSTEP_REFUSED");
}

// --- Mistakes.

TEST(ServerPlayTest, AMistakeIsAnsweredAndChangesNothing) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep());
  const auto players = server.Seat(session.name(), 2);
  const auto refused = [&](const v1::PlaySessionRequest& request) {
    players[0]->Send(request);
    return Summarize(players[0]->Read());
  };
  v1::PlaySessionRequest request;

  EXPECT_EQ(refused(PushRequest(1, 0, 1)), "INVALID_ARGUMENT INPUT_REFUSED");
  EXPECT_EQ(refused(PushRequest(0, 1, 1)), "FAILED_PRECONDITION TICK_MISMATCH");
  EXPECT_EQ(refused(PushRequest(0, 0, 601)),
            "RESOURCE_EXHAUSTED TOO_MANY_TICKS");
  EXPECT_EQ(refused(PushRequest(0, UINT64_MAX - 1, 1)),
            "OUT_OF_RANGE TICK_OUT_OF_RANGE");
  request = PushRequest(0, 0, 2);
  request.mutable_inputs(1)->set_tick(2);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT INPUT_TICK_OUTSIDE_REQUEST");
  request.mutable_inputs(1)->set_tick(0);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT INPUT_TICKS_NOT_ASCENDING");
  request = PushRequest(0, 0, 1);
  request.mutable_inputs(0)->mutable_frames(0)->mutable_device()->set_buttons(
      2);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT INPUT_REFUSED");
  request = PushRequest(0, 0, 1);
  request.set_session("sessions/other");
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT SESSION_CHANGED");
  request = PushRequest(0, 0, 1);
  request.set_player(1);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT SEAT_CHANGED");
  request = PushRequest(0, 0, 1);
  request.set_want_frames(true);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT SEAT_CHANGED");
  request = PushRequest(0, 0, 1);
  request.mutable_pace()->set_step_ticks(601);
  EXPECT_EQ(refused(request), "RESOURCE_EXHAUSTED TOO_MANY_TICKS");
  request = PushRequest(0, 0, 1);
  request.mutable_observe()->add_groups()->add_fields("none.such");
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT OBSERVATION_REFUSED");
  request = PushRequest(0, 0, 1);
  request.mutable_pace()->set_factor(-1);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT PACE_REFUSED");

  players[0]->Send(PushRequest(0, 0, 4));
  players[1]->Send(PushRequest(1, 0, 4));
  EXPECT_EQ(players[0]->ReadTo(4).result().digest(),
            server.PlayAlone(2, 4, PushesFrom(0)));
}

TEST(ServerPlayTest, WhoCantJoinIsToldWhy) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep());
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  v1::Session alone;
  ASSERT_EQ(Summarize(server.TryCreateSession(create, &alone)), "OK");
  const auto refused = [&](const v1::PlaySessionRequest& request) {
    return Summarize(PlayClient(server.simulations(), request).AwaitEnd());
  };
  v1::PlaySessionRequest request;

  EXPECT_EQ(refused(request), "INVALID_ARGUMENT SESSION_REQUIRED");
  EXPECT_EQ(refused(JoinRequest("sessions/none", 0)),
            "NOT_FOUND SESSION_NOT_FOUND");
  EXPECT_EQ(refused(JoinRequest(alone.name(), 0)),
            "FAILED_PRECONDITION SESSION_NOT_SHARED");
  EXPECT_EQ(refused(JoinRequest(session.name(), 2)),
            "OUT_OF_RANGE PLAYER_UNKNOWN");
  request = JoinRequest(session.name(), 0);
  request.mutable_observe()->add_groups()->add_fields("none.such");
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT OBSERVATION_REFUSED");
  request = JoinRequest(session.name(), 0);
  request.set_tick_count(1);
  EXPECT_EQ(refused(request), "INVALID_ARGUMENT SEAT_REQUIRED");
  EXPECT_EQ(refused(JoinRequest(session.name(), std::nullopt, "key")),
            "INVALID_ARGUMENT SEAT_REQUIRED");
  create.mutable_lockstep()->set_players_to_start(3);
  EXPECT_EQ(Summarize(server.TryCreateSession(create)),
            "INVALID_ARGUMENT LOCKSTEP_REFUSED");
  EXPECT_EQ(server.GetSession(session.name()).state(), v1::Session::STATE_FREE);
}

TEST(ServerPlayTest, AnothersSessionIsNotFound) {
  const TestFolders files;
  std::string lines;
  for (const std::string tenant : {"red", "blue"}) {
    lines += FormatTokenLine({.name = tenant,
                              .digest = DigestOf(tenant + "-token"),
                              .scope = Scope::kPlay,
                              .tenant = {.name = tenant}}) +
             "\n";
  }
  files.Write("tokens", lines);
  RunningServer server(
      [&](ServerOptions& options) { options.tokens = files.PathOf("tokens"); });
  const auto client_of = [&](const std::string& tenant) {
    return TestClient(server.server().address(), tenant + "-token",
                      grpc::InsecureChannelCredentials());
  };
  TestClient red = client_of("red"), blue = client_of("blue");
  v1::CreateSessionRequest create;
  create.set_pack("tiny");
  create.mutable_lockstep();
  v1::Session session;
  ASSERT_EQ(Summarize(red.TryCreateSession(create, &session)), "OK");

  PlayClient stranger(blue.simulations(), JoinRequest(session.name(), 0));
  EXPECT_EQ(Summarize(stranger.AwaitEnd()), "NOT_FOUND SESSION_NOT_FOUND");
  PlayClient player(red.simulations(), JoinRequest(session.name(), 0));
  player.ReadJoined();
}

// --- The ends of it.

TEST(ServerPlayTest, AServerThatStopsSaysSo) {
  CrowdServer server(2);
  const v1::Session session = server.Create(MakeLockstep(), /*record=*/true);
  const auto players = server.Seat(session.name(), 2);

  server.server().Shutdown(absl::Minutes(1));

  for (const auto& player : players) {
    EXPECT_EQ(Summarize(player->AwaitEnd()), "UNAVAILABLE SERVER_STOPPING");
  }
}

TEST(ServerPlayTest, APlayThatStandsStillEndsAndSoDoesItsSession) {
  CrowdServer server(2, [](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Milliseconds(100);
  });
  const v1::Session session = server.Create(MakeLockstep());
  const auto players = server.Seat(session.name(), 1);

  EXPECT_EQ(Summarize(players[0]->AwaitEnd()), "ABORTED STREAM_IDLE");
  // A list is no use of them.
  while (server.ListSessions({}).sessions_size() > 0) {
  }
}

TEST(ServerPlayTest, ASessionThatCantGoOnEndsForAll) {
  CrowdServer server(2, [](ServerOptions& options) {
    options.recordings.recording_bytes_max = 1;
  });
  const v1::Session session = server.Create(MakeLockstep(), /*record=*/true);
  const auto players = server.Seat(session.name(), 2);
  for (const uint32_t player : {0u, 1u}) {
    players[player]->Send(PushRequest(player, 0, 1));
  }

  for (const auto& player : players) {
    EXPECT_EQ(Summarize(player->AwaitEnd()),
              "RESOURCE_EXHAUSTED RECORDING_FULL");
  }
  EXPECT_EQ(server.GetSession(session.name()).state(),
            v1::Session::STATE_RECORDING_FULL);
}

// --- Pace.

TEST(ServerPlayTest, PausedItMakesTheTicksThatAreAskedFor) {
  CrowdServer server(1);
  const v1::Session session = server.Create(MakeLockstep());
  PlayClient watcher(server.simulations(),
                     JoinRequest(session.name(), std::nullopt));
  EXPECT_FALSE(watcher.ReadJoined().pace().paused());
  const auto players = server.Seat(session.name(), 1);
  v1::PlaySessionRequest control;
  control.mutable_pace()->set_paused(true);
  players[0]->Send(control);
  EXPECT_TRUE(watcher.Read().pace().paused());
  players[0]->Send(PushRequest(0, 0, 50));
  control.mutable_pace()->set_step_ticks(3);
  players[0]->Send(control);

  watcher.ReadTo(3);
  EXPECT_EQ(server.GetSession(session.name()).tick(), 3u);
  control.mutable_pace()->set_paused(false);
  control.mutable_pace()->set_step_ticks(0);
  control.mutable_pace()->set_factor(100);
  players[0]->Send(control);

  EXPECT_EQ(watcher.ReadTo(50).result().digest(),
            server.PlayAlone(1, 50, PushesFrom(0)));
}

// At a pace of 2 a tick of a sixtieth of a second takes 8 1/3 ms.
TEST(ServerPlayTest, TicksOfAPaceAreThoseThatAreDue) {
  StandingClock clock;
  CrowdServer server(1, clock.change());
  v1::Lockstep lockstep = MakeLockstep();
  lockstep.set_pace(2);
  const v1::Session session = server.Create(lockstep);
  const auto players = server.Seat(session.name(), 1);
  players[0]->Send(PushRequest(0, 0, 25));
  // Whatever is told next is no tick: the play has looked whether one is due
  // before it answers this.
  const auto expect_no_other = [&](uint64_t tick) {
    players[0]->Send(PushRequest(1, 0, 1));
    EXPECT_EQ(Summarize(players[0]->Read()), "INVALID_ARGUMENT INPUT_REFUSED");
    EXPECT_EQ(server.GetSession(session.name()).tick(), tick);
  };

  // The first one is due when the player joins.
  players[0]->ReadTo(1);
  expect_no_other(1);
  clock.GoOnTo(104);
  players[0]->ReadTo(13);
  expect_no_other(13);
  clock.GoOnTo(204);
  players[0]->ReadTo(25);
}

TEST(ServerPlayTest, AStepStreamHasAPace) {
  StandingClock clock;
  CrowdServer server(1, clock.change());
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  v1::Session session;
  ASSERT_EQ(Summarize(server.TryCreateSession(create, &session)), "OK");
  StepClient stream(server.simulations(), session.name());
  v1::StepSessionRequest request = StepRequest(0, 13);
  request.set_pace(1);
  // Returns the first tick at which it is seen that is no earlier.
  const auto await = [&](uint64_t tick) {
    uint64_t seen = 0;
    while (seen < tick) seen = server.GetSession(session.name()).tick();
    return seen;
  };

  ASSERT_TRUE(stream.Send(request));
  EXPECT_EQ(await(1), 1u);
  // Five more are due, each 16 2/3 ms behind the one before.
  clock.GoOnTo(90);
  EXPECT_EQ(await(6), 6u);
  clock.GoOnTo(205);
  const v1::StepSessionResponse response = stream.Receive();

  EXPECT_EQ(response.tick(), 13u);
  EXPECT_EQ(response.digest(),
            server.PlayAlone(1, 13, [](auto, auto) { return std::nullopt; }));
  request = StepRequest(13, 1);
  request.set_pace(-1);
  EXPECT_EQ(Summarize(stream.Exchange(request)),
            "INVALID_ARGUMENT PACE_REFUSED");
}

// It says where it stands, and what happened until then.
TEST(ServerPlayTest, APacedRequestThatCantBeDoneInTimeEndsBetweenTicks) {
  CrowdServer server(1);
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  v1::Session session;
  ASSERT_EQ(Summarize(server.TryCreateSession(create, &session)), "OK");
  StepClient stream(server.simulations(), session.name());
  // An hour and a half.
  v1::StepSessionRequest request = StepRequest(0, 300);
  request.set_pace(0.001);
  request.mutable_observe()->set_digest_every_ticks(1);
  ASSERT_TRUE(stream.Send(request));
  while (server.GetSession(session.name()).tick() == 0) {
  }

  server.server().Shutdown(absl::Minutes(1));

  const v1::StepSessionResponse response = stream.Receive();
  EXPECT_EQ(Summarize(response), "UNAVAILABLE SERVER_STOPPING");
  EXPECT_GE(response.tick(), 1u);
  EXPECT_LT(response.tick(), 300u);
  EXPECT_EQ(response.observations().digest_ticks_size(),
            static_cast<int>(response.tick()));
  EXPECT_EQ(Summarize(stream.AwaitEnd()), "UNAVAILABLE SERVER_STOPPING");
}

TEST(ServerPlayTest, APacedRequestThatIsDoneInTimeIsFinished) {
  CrowdServer server(1);
  v1::CreateSessionRequest create;
  create.set_pack("crowd");
  v1::Session session;
  ASSERT_EQ(Summarize(server.TryCreateSession(create, &session)), "OK");
  StepClient stream(server.simulations(), session.name());
  v1::StepSessionRequest request = StepRequest(0, 30);
  request.set_pace(1);
  ASSERT_TRUE(stream.Send(request));
  while (server.GetSession(session.name()).tick() == 0) {
  }

  server.server().Shutdown(absl::Minutes(1));

  const v1::StepSessionResponse response = stream.Receive();
  EXPECT_EQ(Summarize(response), "OK");
  EXPECT_EQ(response.tick(), 30u);
  EXPECT_EQ(Summarize(stream.AwaitEnd()), "UNAVAILABLE SERVER_STOPPING");
}

}  // namespace
}  // namespace reprise::services
