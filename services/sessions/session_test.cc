// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a response stays within its size, whatever happens in the ticks,
// what a session knows of its decision when it goes back, that what it records
// is written by the second, and that one that memory ran out of in the midst of
// a tick refuses all that comes.

#include "services/sessions/session.h"

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "replays/container/partial_file.h"
#include "replays/format/replay_reader.h"
#include "replays/testing/forwarding_simulation.h"
#include "replays/testing/tiny_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "replays/verifying/verifier.h"
#include "services/base/status.h"
#include "services/base/tenant_memory.h"
#include "services/observations/observation.h"
#include "services/stepping/lockstep_options.h"
#include "services/stepping/step_order.h"
#include "services/storage/recording.h"
#include "services/testing/test_folders.h"
#include "sim/base/id.h"
#include "sim/event.h"
#include "sim/pack_archive.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

constexpr uint64_t kResponseBytesMax = uint64_t{1} << 20;

// A tiny run with many events in each tick, and much to say of its outcome.
class LoudSimulation final : public replays::ForwardingSimulation {
 public:
  LoudSimulation(uint64_t events_per_tick, std::string reason)
      : ForwardingSimulation(replays::MakeTiny()),
        events_per_tick_(events_per_tick),
        reason_(std::move(reason)) {}

  std::vector<sim::Event> DrainEvents() override {
    std::vector<sim::Event> events = simulation().DrainEvents();
    for (; told_ < tick(); ++told_) {
      for (uint64_t i = 0; i < events_per_tick_; ++i) {
        events.push_back({.tick = told_,
                          .type = sim::IdOf("hundred_ticks"),
                          .object = sim::kNoObject,
                          .arguments = {}});
      }
    }
    return events;
  }
  sim::Outcome outcome() const override {
    return {.status = simulation().outcome().status, .reason = reason_};
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }

 private:
  const uint64_t events_per_tick_;
  const std::string reason_;
  sim::Tick told_ = 0;
};

// A tiny run with an event in each tick, of a name that it knows until the next
// one.
class ForgetfulSimulation final : public replays::ForwardingSimulation {
 public:
  ForgetfulSimulation() : ForwardingSimulation(replays::MakeTiny()) {}

  std::vector<sim::Event> DrainEvents() override {
    std::vector<sim::Event> events;
    for (; told_ < tick(); ++told_) {
      events.push_back({.tick = told_,
                        .type = TypeAt(told_),
                        .object = sim::kNoObject,
                        .arguments = {}});
    }
    return events;
  }
  std::string IdName(sim::Id id) const override {
    return tick() > 0 && id == TypeAt(tick() - 1) ? "known" : "forgotten";
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }

 private:
  static sim::Id TypeAt(sim::Tick tick) {
    return sim::IdOf(std::to_string(tick));
  }

  sim::Tick told_ = 0;
};

std::unique_ptr<Session> MakeSession(
    std::unique_ptr<sim::Simulation> simulation) {
  return std::make_unique<Session>(
      Session::Options{.id = "loud",
                       .labels = {},
                       .recording_bytes_max = 0,
                       .response_bytes_max = kResponseBytesMax,
                       .snapshots_max = 2,
                       .clock = [] { return absl::UnixEpoch(); }},
      RecordedRun{.simulation = std::move(simulation), .recording = nullptr});
}

std::unique_ptr<Session> MakeSession(uint64_t events_per_tick,
                                     std::string reason = "") {
  return MakeSession(
      std::make_unique<LoudSimulation>(events_per_tick, std::move(reason)));
}

// Steps in slices of 40 ticks, as a server does.
v1::StepSessionResponse Step(Session& session, StepOrder order) {
  v1::StepSessionResponse response;
  std::shared_ptr<Observation> kept;
  EXPECT_TRUE(session.Lease().ok());
  EXPECT_TRUE(session.Check(order).ok());
  EXPECT_TRUE(session.Prepare(kept, order).ok());
  uint64_t ticks = 0;
  const auto pause = [&] { return ++ticks % 40 == 0; };
  bool is_done = false;
  while (!is_done) {
    const auto done = session.Advance(order, pause, response);
    EXPECT_TRUE(done.ok()) << done.status();
    if (!done.ok()) break;
    is_done = *done;
  }
  session.DescribeStep(/*want_frame=*/false, response);
  session.ReleaseLease();
  return response;
}

// Neither takes the other's room, and both are told of what is missing.
TEST(SessionTest, EventsAndWhatIsSeenFitOneMessageTogether) {
  const std::unique_ptr<Session> session = MakeSession(30);
  StepOrder order{.tick_count = 9000};
  v1::ObservedGroup& group = *order.observe.emplace().add_groups();
  for (int i = 0; i < 4; ++i) group.add_fields("pieces.x");
  group.set_every_ticks(1);

  const v1::StepSessionResponse response = Step(*session, std::move(order));

  EXPECT_LE(response.ByteSizeLong(), kResponseBytesMax);
  EXPECT_GT(response.events_size(), 0);
  EXPECT_GT(response.events_omitted(), 0u);
  EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_MESSAGE_FULL);
  uint64_t seen = 0;
  for (const auto& block : response.observations().blocks()) {
    seen += static_cast<uint64_t>(block.ticks_size());
  }
  EXPECT_EQ(seen, response.tick());
}

TEST(SessionTest, WithoutObservationsEventsHaveTheMessage) {
  const std::unique_ptr<Session> session = MakeSession(30);
  const v1::StepSessionResponse response =
      Step(*session, StepOrder{.tick_count = 3000});
  EXPECT_LE(response.ByteSizeLong(), kResponseBytesMax);
  EXPECT_GT(response.ByteSizeLong(), kResponseBytesMax * 9 / 10);
  EXPECT_EQ(response.tick(), 3000u);
  EXPECT_EQ(
      static_cast<uint64_t>(response.events_size()) + response.events_omitted(),
      3000u * 30 + 30);
}

// Texts that players gave are forgotten, and nothing else knows them.
TEST(SessionTest, AnEventHasTheNamesThatItsTickKnew) {
  const std::unique_ptr<Session> session =
      MakeSession(std::make_unique<ForgetfulSimulation>());
  const v1::StepSessionResponse response =
      Step(*session, StepOrder{.tick_count = 100});
  ASSERT_EQ(response.events_size(), 100);
  for (const v1::Event& event : response.events()) {
    EXPECT_EQ(event.type(), "known") << event.tick();
  }
}

TEST(SessionTest, WhatAClientIsToldDifferencesToIsItsTenants) {
  const auto memory = std::make_shared<TenantMemory>(/*bytes_max=*/0);
  Session session({.id = "seen",
                   .labels = {},
                   .response_bytes_max = kResponseBytesMax,
                   .memory = memory,
                   .clock = [] { return absl::UnixEpoch(); }},
                  RecordedRun{.simulation = replays::MakeTiny()});
  const uint64_t before = memory->bytes();
  StepOrder order{.tick_count = 1};
  order.observe.emplace().mutable_frames()->set_differences(true);
  std::shared_ptr<Observation> kept;
  v1::StepSessionResponse response;
  ASSERT_TRUE(session.Lease().ok());
  ASSERT_TRUE(session.Prepare(kept, order).ok());

  const auto done = session.Advance(
      order, [] { return false; }, response);

  ASSERT_TRUE(done.ok()) << done.status();
  EXPECT_GT(memory->bytes(), before);
  order.observation.reset();
  kept.reset();
  EXPECT_EQ(memory->bytes(), before);
  session.ReleaseLease();
}

// A group that sees nothing takes room, too: each of its ticks is told.
TEST(SessionTest, TicksOfGroupsWithoutRowsAreCounted) {
  const std::unique_ptr<Session> session = MakeSession(0);
  StepOrder order{.tick_count = 200000};
  v1::Observe& declaration = order.observe.emplace();
  for (int i = 0; i < kObservedGroupsMax; ++i) {
    v1::ObservedGroup& group = *declaration.add_groups();
    group.add_fields("pieces.x");
    group.set_where("pieces.x < -1000");
    group.set_every_ticks(1);
  }
  const v1::StepSessionResponse response = Step(*session, std::move(order));
  EXPECT_EQ(response.stop_reason(), v1::STOP_REASON_MESSAGE_FULL);
  EXPECT_LE(response.ByteSizeLong(), kResponseBytesMax);
}

TEST(SessionTest, OfALongReasonTheBeginningIsTold) {
  const std::unique_ptr<Session> session =
      MakeSession(0, std::string(1023, 'a') + "\xC3\xA9 and so on");
  const v1::StepSessionResponse response =
      Step(*session, StepOrder{.tick_count = 1});
  EXPECT_EQ(response.outcome_reason(), std::string(1023, 'a'));
}

// What the messages say of `decided_tick`: unset where it was put back.
TEST(SessionTest, WhoGoesBackBehindTheDecisionDoesNotKnowItsTick) {
  const std::unique_ptr<Session> session = MakeSession(0);
  StepOrder order{.tick_count = 5000};
  order.until_outcome = true;
  for (sim::Tick tick = 0; tick < 1; ++tick) {
    sim::InputFrame frame;
    frame.device.axes[0] = 32767;
    frame.device.buttons = 1;
    order.inputs.push_back({.tick = tick, .frames = {frame}});
  }
  const v1::StepSessionResponse decided = Step(*session, std::move(order));
  ASSERT_EQ(decided.stop_reason(), v1::STOP_REASON_OUTCOME);
  EXPECT_EQ(decided.decided_tick(), decided.tick());
  ASSERT_TRUE(session->Lease().ok());
  ASSERT_TRUE(session->TakeSnapshot().ok());
  const auto restored = session->RestoreInPlace(1);
  session->ReleaseLease();
  ASSERT_TRUE(restored.ok()) << restored.status();
  ASSERT_TRUE(*restored);
  const v1::StepSessionResponse later =
      Step(*session, StepOrder{.first_tick = decided.tick(), .tick_count = 1});
  EXPECT_EQ(later.outcome(), v1::RunEnd::OUTCOME_WON);
  EXPECT_FALSE(later.has_decided_tick());
}

// What a killed server leaves of ticks that fill no batch.
TEST(SessionTest, WhatIsRecordedWaitsASecondForItsBatch) {
  const TestFolders folders;
  const std::string path = folders.PathOf("slow.mcap");
  const sim::PackArchive pack = replays::MakeTinyPack();
  auto simulation = replays::MakeTiny(/*seed=*/7, pack);
  auto recording = Recording::Start(path, simulation.get(), pack, {});
  ASSERT_TRUE(recording.ok()) << recording.status();
  absl::Time now = absl::UnixEpoch();
  Session session({.id = "slow",
                   .labels = {},
                   .recording_bytes_max = uint64_t{1} << 30,
                   .response_bytes_max = kResponseBytesMax,
                   .snapshots_max = 2,
                   .clock = [&now] { return now; }},
                  RecordedRun{.simulation = std::move(simulation),
                              .recording = *std::move(recording)});
  const auto left_ticks = [&] {
    const auto replay =
        replays::ReplayReader::OpenFile(replays::PartialPath(path));
    return replay.ok() ? (*replay)->tick_count() : 0;
  };

  Step(session, StepOrder{.first_tick = 0, .tick_count = 300});
  EXPECT_EQ(left_ticks(), 0u);
  now += kFlushPeriod;
  Step(session, StepOrder{.first_tick = 300, .tick_count = 10});
  EXPECT_EQ(left_ticks(), 310u);
  Step(session, StepOrder{.first_tick = 310, .tick_count = 10});
  EXPECT_EQ(left_ticks(), 310u);
  now += kFlushPeriod;
  Step(session, StepOrder{.first_tick = 320, .tick_count = 1});
  EXPECT_EQ(left_ticks(), 321u);
  ASSERT_TRUE(session.Close().ok());
  const auto replay = replays::ReplayReader::OpenFile(path);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_TRUE(replays::VerifyReplay(**replay, {})->passed());
}

// A session for those who play together, of one seat.
Session PlayedTogether(std::unique_ptr<sim::Simulation> simulation) {
  return Session(
      {.id = "together",
       .labels = {},
       .lockstep = LockstepOptions{.players_to_start = 1},
       .recording_bytes_max = 0,
       .response_bytes_max = kResponseBytesMax,
       .snapshots_max = 2,
       .clock = [] { return absl::UnixEpoch(); }},
      RecordedRun{.simulation = std::move(simulation), .recording = nullptr});
}

// A tiny run that counts the frames that are made.
class FramedSimulation final : public replays::ForwardingSimulation {
 public:
  explicit FramedSimulation(int* frames)
      : ForwardingSimulation(replays::MakeTiny()), frames_(*frames) {}
  sim::Frame ProduceFrame() const override {
    ++frames_;
    return simulation().ProduceFrame();
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }

 private:
  int& frames_;
};

TEST(SessionTest, OfATickOneFrameIsMadeForAllWhoWantIt) {
  int frames = 0;
  Session session = PlayedTogether(std::make_unique<FramedSimulation>(&frames));
  ASSERT_TRUE(session.LeaseToPlay().ok());
  std::vector<v1::StepSessionResponse> responses(4);
  std::vector<Viewer> viewers;
  for (v1::StepSessionResponse& response : responses) {
    viewers.push_back({.want_frame = !viewers.empty(), .response = &response});
  }

  ASSERT_TRUE(session.PlayTick({}, viewers).ok());
  EXPECT_EQ(frames, 1);
  EXPECT_FALSE(responses[0].has_frame());
  EXPECT_EQ(responses[1].frame().tick(), 1u);
  EXPECT_EQ(responses[3].SerializeAsString(), responses[1].SerializeAsString());
  viewers.resize(1);
  ASSERT_TRUE(session.PlayTick({}, viewers).ok());
  EXPECT_EQ(frames, 1);
  session.ReleaseLease();
}

// A tiny run in which no tick can be made.
class FullSimulation final : public replays::ForwardingSimulation {
 public:
  FullSimulation() : ForwardingSimulation(replays::MakeTiny()) {}
  void Step(std::span<const sim::InputFrame>, sim::PhaseObserver*) override {
    throw std::bad_alloc();
  }
  std::unique_ptr<sim::Simulation> Fork() const override { return nullptr; }
};

// Before it is ended others come to it, also while it is being played.
TEST(SessionTest, WhoComesToABrokenOneIsRefused) {
  Session session = PlayedTogether(std::make_unique<FullSimulation>());
  ASSERT_TRUE(session.LeaseToPlay().ok());
  EXPECT_EQ(ReasonOf(session.PlayTick({}, {}).status()), "MEMORY_EXHAUSTED");
  ASSERT_TRUE(session.is_broken());

  StepOrder order;
  std::shared_ptr<Observation> kept;
  v1::StepSessionResponse response;
  EXPECT_EQ(ReasonOf(session.Prepare(kept, order)), "SIMULATION_FAILED");
  EXPECT_EQ(ReasonOf(session.CheckInputs({})), "SIMULATION_FAILED");
  EXPECT_EQ(ReasonOf(session
                         .Advance(
                             order, [] { return false; }, response)
                         .status()),
            "SIMULATION_FAILED");
  session.ReleaseLease();
  EXPECT_EQ(ReasonOf(session.Lease()), "SIMULATION_FAILED");
  EXPECT_EQ(ReasonOf(session.LeaseToPlay()), "SIMULATION_FAILED");
}

}  // namespace
}  // namespace reprise::services
