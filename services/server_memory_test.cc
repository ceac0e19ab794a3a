// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a server refuses what is new before its memory is used up, that
// sessions that don't grow go on meanwhile, that room that is given back may be
// had again, and that an allocation that fails in the midst of one session's
// work ends that session alone. Sessions here hold as much as they are told to.

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "replays/testing/tiny_simulation.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/base/memory_budget.h"
#include "services/testing/test_server.h"
#include "sim/simulation.h"

namespace reprise::services {
namespace {

constexpr char kFull[] = "RESOURCE_EXHAUSTED MEMORY_FULL";
constexpr uint64_t kMebibyte = uint64_t{1} << 20;

// The seed of which a simulation fails to allocate: when it is made, and at its
// tick 5.
constexpr uint64_t kFailsToBeMade = 1001;
constexpr uint64_t kFailsToStep = 1002;
constexpr uint64_t kFailsToRestore = 1003;

// The tiny simulation with so many bytes that belong to it.
class HungrySimulation final : public sim::Simulation {
 public:
  HungrySimulation(std::unique_ptr<sim::Simulation> inner, size_t bytes)
      : inner_(std::move(inner)), ballast_(bytes, 'x') {}

  const sim::SimulationInfo& info() const override { return inner_->info(); }
  const sim::GameDescription& description() const override {
    return inner_->description();
  }
  sim::Tick tick() const override { return inner_->tick(); }
  const sim::State& state() const override { return inner_->state(); }
  absl::Status Validate(
      std::span<const sim::InputFrame> frames) const override {
    return inner_->Validate(frames);
  }
  void Step(std::span<const sim::InputFrame> frames,
            sim::PhaseObserver* observer) override {
    if (info().seed == kFailsToStep && tick() == 5) throw std::bad_alloc();
    inner_->Step(frames, observer);
  }
  absl::Status Restore(const sim::State& snapshot) override {
    if (info().seed == kFailsToRestore) throw std::bad_alloc();
    return inner_->Restore(snapshot);
  }
  std::unique_ptr<sim::Simulation> Fork() const override {
    return std::make_unique<HungrySimulation>(inner_->Fork(), ballast_.size());
  }
  std::vector<sim::Event> DrainEvents() override {
    return inner_->DrainEvents();
  }
  sim::Outcome outcome() const override { return inner_->outcome(); }
  sim::Frame ProduceFrame() const override { return inner_->ProduceFrame(); }
  std::string ObjectName(sim::ObjectId object) const override {
    return inner_->ObjectName(object);
  }
  std::string IdName(sim::Id id) const override { return inner_->IdName(id); }
  absl::Status Inject(const sim::FieldAddress& address,
                      sim::FieldValue value) override {
    return inner_->Inject(address, value);
  }

 private:
  const std::unique_ptr<sim::Simulation> inner_;
  const std::string ballast_;
};

class ServerMemoryTest : public testing::Test {
 protected:
  // Each simulation holds `ballast` bytes.
  void Start(const std::function<void(ServerOptions&)>& change,
             size_t ballast = 0) {
    server_ = std::make_unique<TestServer>([&](ServerOptions& options) {
      options.simulation_factory = [ballast](const sim::PackArchive& pack,
                                             uint64_t seed)
          -> absl::StatusOr<std::unique_ptr<sim::Simulation>> {
        if (seed == kFailsToBeMade) throw std::bad_alloc();
        auto tiny = replays::TinySimulation::Create(pack, seed);
        if (!tiny.ok()) return tiny.status();
        return std::make_unique<HungrySimulation>(*std::move(tiny), ballast);
      };
      change(options);
    });
  }
  // With a meter that says what the test wants.
  void StartMetered(uint64_t bytes_max) {
    Start([&](ServerOptions& options) {
      options.memory_bytes_max = bytes_max;
      options.memory_meter = [this] { return in_use_.load(); };
    });
  }

  static v1::CreateSessionRequest Order(uint64_t seed, bool record = false) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_seed(seed);
    request.set_record(record);
    return request;
  }
  std::string Create(uint64_t seed = 1, v1::Session* session = nullptr) {
    return Summarize(server_->TryCreateSession(Order(seed), session));
  }

  std::atomic<uint64_t> in_use_ = 0;
  std::unique_ptr<TestServer> server_;
};

// Sanitizers keep what is freed, and say nothing of what is allocated.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(ServerMemoryTest, SessionsAreRefusedBeforeMemoryIsUsedUp) {
  constexpr size_t kBallast = 32 * kMebibyte;
  const uint64_t before = AllocatedBytes();
  Start(
      [&](ServerOptions& options) {
        options.memory_bytes_max = before + 8 * kBallast;
        options.sessions.sessions_max = 64;
      },
      kBallast);
  std::vector<v1::Session> sessions;
  v1::Session session;
  std::string last;
  while (sessions.size() < 20 && (last = Create(1, &session)) == "OK") {
    sessions.push_back(session);
  }
  ASSERT_EQ(last, kFull);
  EXPECT_GE(sessions.size(), 4u);
  EXPECT_LT(sessions.size(), 9u);
  EXPECT_LT(AllocatedBytes(), before + 8 * kBallast);

  // They go on, and what one gives back another may have.
  for (const v1::Session& living : sessions) {
    EXPECT_EQ(server_->Step(living.name(), 0, 10).tick(), 10u);
  }
  server_->DeleteSession(sessions.back().name());
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  do {
    last = Create();
  } while (last == kFull && absl::Now() < deadline);
  EXPECT_EQ(last, "OK");
}
#endif

TEST_F(ServerMemoryTest, WhatIsNewIsRefusedAndWhatGoesOnIsNot) {
  StartMetered(100 * kMebibyte);
  const v1::Session session = server_->CreateSession();
  const v1::Snapshot snapshot = server_->SnapshotSession(session.name());
  in_use_ = 100 * kMebibyte;

  // Whoever claims measures, so what follows knows it, too.
  EXPECT_EQ(Create(), kFull);
  EXPECT_EQ(Summarize(server_->TryForkSession(ForkRequest(session.name()))),
            kFull);
  EXPECT_EQ(Summarize(server_->TrySnapshotSession(session.name())), kFull);
  EXPECT_EQ(Summarize(server_->TryRestoreSession(snapshot.name())), kFull);
  EXPECT_EQ(server_->Step(session.name(), 0, 10).tick(), 10u);
  server_->ResetSession(session.name());

  in_use_ = 0;
  EXPECT_EQ(Create(), "OK");
}

// For as long as it takes there are two states.
TEST_F(ServerMemoryTest, WhatHasASecondStateOnTheWayIsRefused) {
  StartMetered(100 * kMebibyte);
  const v1::Session finished = server_->CreateSession(/*record=*/true);
  server_->Step(finished.name(), 0, 100);
  v1::CreateSessionRequest request;
  request.mutable_branch()->set_replay(server_->DeleteSession(finished.name()));
  request.mutable_branch()->set_follow(true);
  v1::Session follower;
  ASSERT_EQ(Summarize(server_->TryCreateSession(request, &follower)), "OK");
  const v1::Session recorded = server_->CreateSession(/*record=*/true);
  server_->Step(recorded.name(), 0, 3);
  v1::ResetSessionRequest reset;
  reset.set_name(recorded.name());
  v1::ResetSessionRequest seek;
  seek.set_name(follower.name());
  seek.set_tick(50);
  in_use_ = 100 * kMebibyte;

  EXPECT_EQ(Summarize(server_->TryResetSession(seek)), kFull);
  EXPECT_EQ(Summarize(server_->TryResetSession(reset)), kFull);

  EXPECT_EQ(server_->GetSession(follower.name()).tick(), 0u);
  EXPECT_EQ(server_->GetSession(recorded.name()).tick(), 3u);
  in_use_ = 0;
  EXPECT_EQ(Summarize(server_->TryResetSession(seek)), "OK");
  EXPECT_EQ(Summarize(server_->TryResetSession(reset)), "OK");
}

TEST_F(ServerMemoryTest, APackIsClaimedForBeforeItIsMade) {
  // One of which nothing is known takes 1 MiB and a bit.
  StartMetered(kMebibyte + 100'000);
  EXPECT_EQ(Create(), "OK");
  in_use_ = 200'000;
  EXPECT_EQ(Create(), kFull);
}

TEST_F(ServerMemoryTest, AnAllocationThatFailsOnTheWayIsAnError) {
  Start([](ServerOptions&) {});
  EXPECT_EQ(Create(kFailsToBeMade), "RESOURCE_EXHAUSTED MEMORY_EXHAUSTED");
  EXPECT_EQ(Create(), "OK");
}

TEST_F(ServerMemoryTest, AnAllocationThatFailsInATickEndsThatSession) {
  Start([](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Minutes(10);
  });
  v1::Session broken;
  ASSERT_TRUE(
      server_->TryCreateSession(Order(kFailsToStep, /*record=*/true), &broken)
          .ok());
  const v1::Session other = server_->CreateSession();

  EXPECT_EQ(Summarize(server_->TryStep(StepRequest(broken.name(), 0, 10))),
            "RESOURCE_EXHAUSTED MEMORY_EXHAUSTED");
  // Until it has ended, nothing can be made of it.
  std::string last;
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  do {
    last = Summarize(server_->TryStep(StepRequest(broken.name(), 5, 1)));
  } while (last == "FAILED_PRECONDITION SIMULATION_FAILED" &&
           absl::Now() < deadline);
  EXPECT_EQ(last, "NOT_FOUND SESSION_NOT_FOUND");
  EXPECT_EQ(server_->Step(other.name(), 0, 10).tick(), 10u);
  server_->ExpectGoodService();
}

TEST_F(ServerMemoryTest, AStreamIsToldAndEndsWithItsSession) {
  Start([](ServerOptions&) {});
  v1::Session broken;
  ASSERT_EQ(Create(kFailsToStep, &broken), "OK");
  StepClient stream(server_->simulations(), broken.name());

  EXPECT_EQ(Summarize(stream.Exchange(StepRequest(0, 10))),
            "RESOURCE_EXHAUSTED MEMORY_EXHAUSTED");
  EXPECT_EQ(Summarize(stream.Exchange(StepRequest(5, 1))),
            "FAILED_PRECONDITION SIMULATION_FAILED");
  EXPECT_TRUE(stream.Finish().ok());
  server_->ExpectGoodService();
}

TEST_F(ServerMemoryTest, AnAllocationThatFailsWhileGoingBackEndsThatSession) {
  Start([](ServerOptions&) {});
  v1::Session broken;
  ASSERT_EQ(Create(kFailsToRestore, &broken), "OK");
  const v1::Snapshot snapshot = server_->SnapshotSession(broken.name());

  EXPECT_EQ(Summarize(server_->TryRestoreSession(snapshot.name())),
            "RESOURCE_EXHAUSTED MEMORY_EXHAUSTED");
  v1::Session shown;
  const grpc::Status got = server_->TryGetSession(broken.name(), &shown);
  if (got.ok()) {
    EXPECT_EQ(shown.state(), v1::Session::STATE_SIMULATION_FAILED);
  }
  server_->ExpectGoodService();
}

TEST_F(ServerMemoryTest, ATenantIsToldWhatItsSessionsTook) {
  constexpr size_t kBallast = 32 * kMebibyte;
  Start(
      [](ServerOptions& options) {
        options.memory_bytes_max = AllocatedBytes() + (uint64_t{1} << 30);
      },
      kBallast);
  server_->CreateSession();
  grpc::ClientContext context;
  v1::GetServerInfoResponse response;
  ASSERT_TRUE(v1::CatalogService::NewStub(server_->channel())
                  ->GetServerInfo(&context, {}, &response)
                  .ok());
  EXPECT_GE(response.usage().loaded_bytes(), kBallast / 2);
  EXPECT_GT(response.server().limits().memory_bytes_max(), uint64_t{1} << 30);
}

}  // namespace
}  // namespace reprise::services
