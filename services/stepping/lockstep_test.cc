// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves whom a tick waits for and what is decided for who is late, with
// inputs, ticks and times that the test says; and that the order in which
// inputs come changes nothing.

#include "services/stepping/lockstep.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/status.h"
#include "services/observations/player_view.h"
#include "services/stepping/lockstep_options.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using LatePolicy = LockstepOptions::LatePolicy;

constexpr absl::Time kNow = absl::FromUnixSeconds(1000);

// What a player does at a tick, which no other one does at another.
sim::InputFrame FrameOf(uint32_t player, sim::Tick tick) {
  sim::InputFrame frame = {.player = player};
  frame.device.axes[0] = static_cast<int16_t>(player * 1000 + tick + 1);
  return frame;
}

PlayerInputs InputsOf(uint32_t player, sim::Tick tick, uint32_t tick_count,
                      uint64_t bytes = 10) {
  PlayerInputs inputs = {.first_tick = tick,
                         .tick_count = tick_count,
                         .inputs = {},
                         .bytes = bytes};
  for (uint32_t i = 0; i < tick_count; ++i) {
    inputs.inputs.push_back(
        {.tick = tick + i, .frames = {FrameOf(player, tick + i)}});
  }
  return inputs;
}

// `player_count` players who have joined at tick 0.
class Game {
 public:
  explicit Game(uint32_t player_count, const LockstepOptions& options = {})
      : lockstep(options, player_count) {
    lockstep.Resume(0, kNow);
    for (uint32_t player = 0; player < player_count; ++player) Join(player);
  }

  Lockstep::Joined Join(uint32_t player) {
    auto joined = lockstep.Join(player, "", tick, now);
    EXPECT_TRUE(joined.ok()) << joined.status();
    return joined.value_or(Lockstep::Joined());
  }

  std::string Give(uint32_t player, sim::Tick first, uint32_t tick_count) {
    const auto given =
        lockstep.Give(player, InputsOf(player, first, tick_count), tick);
    return given.ok() ? "OK" : ReasonOf(given.status());
  }

  // Makes ticks while they can be made.
  void Play() {
    while (true) {
      auto decision = lockstep.Decide(tick, due, now);
      again = decision.again;
      if (!decision.is_made) return;
      ++tick;
      decisions.push_back(std::move(decision));
    }
  }

  Lockstep lockstep;
  sim::Tick tick = 0;
  absl::Time now = kNow;
  absl::Time due = kNow;
  absl::Time again;
  std::vector<Lockstep::Decision> decisions;
};

TEST(LockstepTest, ATickHasTheInputsOfAllAndWaitsForThem) {
  Game game(3);
  EXPECT_EQ(game.Give(2, 0, 5), "OK");
  EXPECT_EQ(game.Give(0, 0, 1), "OK");
  game.Play();
  EXPECT_EQ(game.tick, 0u);
  EXPECT_EQ(game.again, absl::InfiniteFuture());
  EXPECT_EQ(game.Give(1, 0, 2), "OK");
  game.Play();

  ASSERT_EQ(game.tick, 1u);
  EXPECT_THAT(game.decisions[0].frames,
              ElementsAre(FrameOf(0, 0), FrameOf(1, 0), FrameOf(2, 0)));
  EXPECT_THAT(game.decisions[0].late_players, IsEmpty());
}

TEST(LockstepTest, TheOrderInWhichInputsComeChangesNothing) {
  constexpr uint32_t kPlayers = 5;
  constexpr sim::Tick kTicks = 40;
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::minstd_rand random(seed);
    Game game(kPlayers, {.input_delay_ticks = seed % 4});
    const sim::Tick delay = seed % 4;
    std::vector<sim::Tick> given(kPlayers, delay);
    while (game.tick < kTicks) {
      const uint32_t player = random() % kPlayers;
      const auto count = static_cast<uint32_t>(
          std::min<sim::Tick>(random() % 6, kTicks - given[player]));
      ASSERT_EQ(game.Give(player, given[player], count), "OK");
      given[player] += count;
      if (random() % 2 == 0) game.Play();
    }
    for (sim::Tick tick = 0; tick < kTicks; ++tick) {
      std::vector<sim::InputFrame> expected;
      for (uint32_t player = 0; player < kPlayers && tick >= delay; ++player) {
        expected.push_back(FrameOf(player, tick));
      }
      EXPECT_EQ(game.decisions[tick].frames, expected) << seed << " " << tick;
    }
  }
}

TEST(LockstepTest, APlayIsBegunByAsManyAsItTakes) {
  Lockstep lockstep({.players_to_start = 2}, /*player_count=*/3);
  lockstep.Resume(0, kNow);
  ASSERT_TRUE(lockstep.Join(0, "", 0, kNow).ok());
  ASSERT_TRUE(lockstep.Give(0, InputsOf(0, 0, 9), 0).ok());
  EXPECT_FALSE(lockstep.Decide(0, kNow, kNow).is_made);
  ASSERT_TRUE(lockstep.Join(2, "", 0, kNow).ok());
  ASSERT_TRUE(lockstep.Give(2, InputsOf(2, 0, 1), 0).ok());
  EXPECT_TRUE(lockstep.Decide(0, kNow, kNow).is_made);
  // Who is left plays on, and nobody is played by nobody.
  lockstep.Leave(2);
  EXPECT_THAT(lockstep.Decide(1, kNow, kNow).frames,
              ElementsAre(FrameOf(0, 1), sim::InputFrame{.player = 2}));
  lockstep.Leave(0);
  EXPECT_FALSE(lockstep.Decide(2, kNow, kNow).is_made);
}

// --- Who is late.

TEST(LockstepTest, LateByTicksIsWhoHoldsUpHalfOfThem) {
  Game game(4, {.late_policy = LatePolicy::kRepeat, .late_ticks = 3});
  for (const uint32_t player : {0u, 1u})
    EXPECT_EQ(game.Give(player, 0, 4), "OK");
  game.Play();
  // Both have given tick 3, three further than tick 0.
  ASSERT_EQ(game.tick, 1u);
  EXPECT_THAT(game.decisions[0].late_players, ElementsAre(2u, 3u));
  EXPECT_THAT(game.decisions[0].frames,
              ElementsAre(FrameOf(0, 0), FrameOf(1, 0)));
  // One alone hurries nobody, however far it is.
  EXPECT_EQ(game.Give(0, 4, 100), "OK");
  game.Play();
  EXPECT_EQ(game.tick, 1u);
  EXPECT_EQ(game.Give(1, 4, 2), "OK");
  game.Play();
  EXPECT_EQ(game.tick, 3u);
}

TEST(LockstepTest, LateByTimeIsWhoHasntComeByThen) {
  Game game(2, {.late_policy = LatePolicy::kEmpty,
                .late_after = absl::Milliseconds(20)});
  EXPECT_EQ(game.Give(0, 0, 9), "OK");
  game.now = kNow + absl::Milliseconds(19);
  game.Play();
  EXPECT_EQ(game.tick, 0u);
  EXPECT_EQ(game.again, kNow + absl::Milliseconds(20));
  game.now = game.again;
  const auto decision = game.lockstep.Decide(0, game.due, game.now);
  ASSERT_TRUE(decision.is_made);
  EXPECT_THAT(decision.late_players, ElementsAre(1u));
  EXPECT_THAT(decision.frames,
              ElementsAre(FrameOf(0, 0), sim::InputFrame{.player = 1}));
}

TEST(LockstepTest, WhoIsLateGoesOnBehindOrSkipsWhatWasMade) {
  Game game(2, {.late_policy = LatePolicy::kRepeat, .late_ticks = 1});
  EXPECT_EQ(game.Give(0, 0, 11), "OK");
  game.Play();
  ASSERT_EQ(game.tick, 10u);
  EXPECT_EQ(game.Give(1, 11, 1), "TICK_MISMATCH");
  EXPECT_EQ(*game.lockstep.Give(1, InputsOf(1, 0, 4), game.tick), 4u);
  EXPECT_EQ(game.Give(1, 3, 1), "TICK_MISMATCH");
  EXPECT_EQ(*game.lockstep.Give(1, InputsOf(1, 10, 1), game.tick), 0u);
  game.Play();
  ASSERT_EQ(game.tick, 11u);
  EXPECT_THAT(game.decisions[10].frames,
              ElementsAre(FrameOf(0, 10), FrameOf(1, 10)));
}

TEST(LockstepTest, WhoIsDroppedLosesTheSeatAndComesToRest) {
  Game game(2, {.late_policy = LatePolicy::kDrop, .late_ticks = 2});
  EXPECT_EQ(game.Give(0, 0, 9), "OK");
  game.Play();
  EXPECT_EQ(game.tick, 9u);
  EXPECT_THAT(game.decisions[0].dropped_players, ElementsAre(1u));
  EXPECT_THAT(game.decisions[0].frames,
              ElementsAre(FrameOf(0, 0), sim::InputFrame{.player = 1}));
  EXPECT_THAT(game.decisions[1].frames, ElementsAre(FrameOf(0, 1)));
}

// --- Seats.

TEST(LockstepTest, AHeldSeatIsForWhoHasItsKey) {
  Game game(
      2, {.late_policy = LatePolicy::kRepeat, .seat_hold = absl::Seconds(30)});
  const std::string key =
      game.lockstep.Join(1, "no key", 0, kNow).status().ToString();
  EXPECT_NE(key.find("played already"), std::string::npos);
  game.lockstep.Leave(1);
  const Lockstep::Joined joined = game.Join(1);
  EXPECT_EQ(game.Give(1, 0, 3), "OK");
  EXPECT_EQ(game.Give(0, 0, 8), "OK");
  game.lockstep.BreakOff(1, game.now);
  game.Play();
  // Who is away is late for every tick.
  EXPECT_EQ(game.tick, 8u);
  EXPECT_THAT(game.decisions[2].late_players, IsEmpty());
  EXPECT_THAT(game.decisions[3].late_players, ElementsAre(1u));
  EXPECT_EQ(ReasonOf(game.lockstep.Join(1, "", 8, kNow).status()),
            "SEAT_TAKEN");
  const auto back = game.lockstep.Join(1, joined.seat_key, 8, kNow);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->input_tick, 8u);
  EXPECT_EQ(back->seat_key, joined.seat_key);
}

TEST(LockstepTest, AHeldSeatGoesWhenItsTimeIsOver) {
  Game game(2, {.seat_hold = absl::Seconds(30)});
  game.lockstep.BreakOff(1, kNow);
  EXPECT_EQ(game.Give(0, 0, 5), "OK");
  game.Play();
  EXPECT_EQ(game.tick, 0u);
  EXPECT_EQ(game.again, kNow + absl::Seconds(30));
  game.now = game.again;
  game.Play();
  EXPECT_EQ(game.tick, 5u);
  google::protobuf::RepeatedPtrField<v1::Seat> seats;
  game.lockstep.DescribeSeats(game.now, seats);
  ASSERT_THAT(seats, SizeIs(1));
  EXPECT_EQ(seats[0].player(), 0u);
}

TEST(LockstepTest, WhoJoinsLaterGivesInputsAfterTheDelay) {
  Game game(2, {.input_delay_ticks = 2});
  EXPECT_EQ(game.Give(0, 2, 9), "OK");
  EXPECT_EQ(game.Give(1, 2, 3), "OK");
  game.Play();
  ASSERT_EQ(game.tick, 5u);
  game.lockstep.Leave(1);
  EXPECT_EQ(game.Join(1).input_tick, 7u);
  game.Play();
  EXPECT_EQ(game.tick, 7u);
}

TEST(LockstepTest, WhatIsTooMuchIsRefused) {
  Game game(1);
  EXPECT_EQ(ReasonOf(game.lockstep.Join(1, "", 0, kNow).status()),
            "PLAYER_UNKNOWN");
  EXPECT_EQ(game.Give(0, 0, kTicksAheadMax + 1), "TOO_MANY_TICKS");
  EXPECT_EQ(
      ReasonOf(
          game.lockstep.Give(0, {.first_tick = 0, .tick_count = UINT32_MAX}, 0)
              .status()),
      "TOO_MANY_TICKS");
  EXPECT_EQ(
      ReasonOf(
          game.lockstep.Give(0, InputsOf(0, 0, 1, kInputsAheadBytesMax + 1), 0)
              .status()),
      "INPUTS_TOO_LARGE");
  EXPECT_EQ(game.Give(0, 0, kTicksAheadMax), "OK");
}

TEST(LockstepTest, AnotherRunOfTheSessionHasNobodysSeats) {
  Game game(1, {.seat_hold = absl::Hours(1)});
  EXPECT_EQ(game.Give(0, 0, 4), "OK");
  game.Play();
  game.lockstep.BreakOff(0, kNow);
  game.lockstep.Resume(4, kNow);
  EXPECT_EQ(ReasonOf(game.lockstep.Join(0, "", 4, kNow).status()),
            "SEAT_TAKEN");
  game.lockstep.Resume(0, kNow);
  EXPECT_TRUE(game.lockstep.Join(0, "", 0, kNow).ok());
}

// --- What is asked for.

TEST(LockstepOptionsTest, WhatIsParsedIsWhatIsTold) {
  v1::Lockstep message;
  message.set_input_delay_ticks(3);
  message.set_late_policy(v1::Lockstep::LATE_POLICY_EMPTY);
  message.set_late_ticks(2);
  message.mutable_late_after()->set_nanos(50'000'000);
  message.set_players_to_start(1);
  message.mutable_seat_hold()->set_seconds(7);
  message.set_pace(0.5);
  v1::PlayerView& view = *message.add_views();
  view.set_player(1);
  view.mutable_interest()->add_types("ball");
  view.add_event_types("goal");

  const auto options = ParseLockstep(message);

  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->late_after, absl::Milliseconds(50));
  EXPECT_EQ(ToProto(*options).SerializeAsString(), message.SerializeAsString());
  // Nobody is told what others may see.
  EXPECT_EQ(ToProtoFor(1, *options).views_size(), 1);
  EXPECT_EQ(ToProtoFor(0, *options).views_size(), 0);
  EXPECT_EQ(ToProtoFor(std::nullopt, *options).views_size(), 0);
  EXPECT_EQ(options->ViewOf(0), nullptr);
  EXPECT_EQ(options->ViewOf(std::nullopt), nullptr);
  ASSERT_NE(options->ViewOf(1), nullptr);
  EXPECT_TRUE(options->ViewOf(1)->event_types.contains("goal"));
}

TEST(LockstepOptionsTest, MistakesAreNamed) {
  const auto reason_of = [](void (*make)(v1::Lockstep&)) {
    v1::Lockstep message;
    make(message);
    return ReasonOf(ParseLockstep(message).status());
  };
  EXPECT_EQ(reason_of([](auto& m) { m.set_input_delay_ticks(121); }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) { m.set_late_ticks(601); }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) {
              m.set_late_policy(static_cast<v1::Lockstep::LatePolicy>(9));
            }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) { m.mutable_late_after()->set_seconds(-1); }),
            "LOCKSTEP_REFUSED");
  // Nothing would hold the ticks of who says nothing back.
  EXPECT_EQ(reason_of([](auto& m) {
              m.set_late_policy(v1::Lockstep::LATE_POLICY_REPEAT);
              m.mutable_late_after();
            }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(
      reason_of([](auto& m) { m.mutable_seat_hold()->set_seconds(INT64_MAX); }),
      "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) { m.set_pace(-1); }), "PACE_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) {
              m.add_views();
              m.add_views();
            }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) {
              m.add_views()->mutable_interest()->mutable_near();
            }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(reason_of([](auto& m) {
              v1::PlayerView& view = *m.add_views();
              for (int i = 0; i <= kViewEventTypesMax; ++i) {
                view.add_event_types("goal");
              }
            }),
            "LOCKSTEP_REFUSED");
  EXPECT_EQ(ReasonOf(CheckPlayers({.players_to_start = 3}, /*player_count=*/2)),
            "LOCKSTEP_REFUSED");
  LockstepOptions options;
  options.views.try_emplace(2);
  EXPECT_EQ(ReasonOf(CheckPlayers(options, /*player_count=*/2)),
            "LOCKSTEP_REFUSED");
  EXPECT_TRUE(CheckPlayers(options, /*player_count=*/3).ok());
}

TEST(LockstepOptionsTest, ViewsAreOfWhatThereIs) {
  const auto simulation =
      *replays::TinySimulation::Create(replays::MakeTinyPack(), /*seed=*/1);
  LockstepOptions options;
  PlayerView& view = options.views[0];
  view.event_types = {"hundred_ticks"};
  EXPECT_TRUE(CheckViews(options, *simulation).ok());
  view.event_types.insert("no_such");
  EXPECT_EQ(ReasonOf(CheckViews(options, *simulation)), "LOCKSTEP_REFUSED");
}

}  // namespace
}  // namespace reprise::services
