// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the life of sessions: limits, repeated requests, leases, idle ends and
// finished recordings, with a clock that the test sets. Stepping through a
// registry is proven with the server.

#include "services/sessions/session_registry.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/recording/resumed_recording.h"
#include "replays/testing/tiny_simulation.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/testing/test_folders.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const SessionSpec kSpec = {.pack = "tiny", .seed = 1, .record = false};
const SessionSpec kRecordedSpec = {.pack = "tiny", .seed = 1, .record = true};

class SessionRegistryTest : public testing::Test {
 protected:
  SessionRegistryTest() {
    options_.simulation_factory = &replays::TinySimulation::Create;
    options_.sessions = {.sessions_max = 2, .idle_timeout = absl::Minutes(1)};
    options_.clock = [this] { return now_; };
    options_.log = [this](const LogEntry& entry) {
      reports_.push_back(entry.message);
    };
  }

  // Options are as they are at the first call.
  SessionRegistry& registry() {
    if (registry_ == nullptr) {
      replays_ = *ReplayStore::Open(folders_.store(), options_.recordings);
      registry_ = std::make_unique<SessionRegistry>(
          SessionSources{.packs = &packs_, .replays = replays_.get()},
          options_);
    }
    return *registry_;
  }

  std::shared_ptr<Session> Create(const SessionSpec& spec = kSpec) {
    return *registry().Create(spec, "");
  }

  const TestFolders folders_;
  ServerOptions options_;
  absl::Time now_ = absl::FromUnixSeconds(1'700'000'000);
  std::vector<std::string> reports_;

 private:
  const PackCatalog packs_ = *PackCatalog::Open(folders_.packs());
  std::unique_ptr<ReplayStore> replays_;
  std::unique_ptr<SessionRegistry> registry_;
};

TEST_F(SessionRegistryTest, ACreatedSessionStandsAtTickZeroUntilDeleted) {
  const auto session = Create();

  const v1::Session description = session->Describe();
  EXPECT_EQ(description.name(), MakeName(kSessions, session->id()));
  EXPECT_EQ(description.pack(), "tiny");
  EXPECT_EQ(description.seed(), 1u);
  EXPECT_EQ(description.tick(), 0u);
  EXPECT_EQ(description.tick_rate(), 60u);
  EXPECT_EQ(description.replay(), "");
  EXPECT_EQ(description.outcome(), v1::RunEnd::OUTCOME_RUNNING);
  EXPECT_EQ(description.digest().size(), 16u);
  EXPECT_EQ(*registry().Find(Tenant(), session->id()), session);

  EXPECT_EQ(registry().Delete(Tenant(), session->id()), absl::OkStatus());
  EXPECT_EQ(registry().Find(Tenant(), session->id()).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(registry().Delete(Tenant(), session->id()).code(),
            absl::StatusCode::kNotFound);
}

TEST_F(SessionRegistryTest, SessionsPastTheLimitAreRefusedUntilOneEnds) {
  const auto first = Create();
  Create();

  const absl::Status refused = registry().Create(kSpec, "").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(refused), "TOO_MANY_SESSIONS");

  ASSERT_EQ(registry().Delete(Tenant(), first->id()), absl::OkStatus());
  EXPECT_TRUE(registry().Create(kSpec, "").ok());
}

// A call whose client has gone while it was made, past its deadline for one.
TEST_F(SessionRegistryTest, ASessionThatNobodyWaitsForLeavesNothingBehind) {
  bool has_gone = false;
  options_.simulation_factory = [&](const sim::PackArchive& pack,
                                    uint64_t seed) {
    has_gone = true;
    return replays::TinySimulation::Create(pack, seed);
  };
  const auto is_cancelled = [&] { return has_gone; };

  for (const SessionSpec& spec : {kSpec, kRecordedSpec}) {
    for (const char* const request_id : {"", "1"}) {
      has_gone = false;
      EXPECT_EQ(
          ReasonOf(registry().Create(spec, request_id, is_cancelled).status()),
          "CALL_CANCELLED");
    }
  }

  EXPECT_EQ(registry().size(), 0u);
  EXPECT_EQ(registry().UsageOf(Tenant()).sessions, 0u);
  EXPECT_THAT(folders_.StoredFiles(), IsEmpty());
  EXPECT_TRUE(registry().Create(kSpec, "1").ok());
}

TEST_F(SessionRegistryTest, ASessionIsKeptForWhoRepeatedTheRequest) {
  bool has_gone = false;
  int resumed = 0;
  options_.simulation_factory = [&](const sim::PackArchive& pack,
                                    uint64_t seed) {
    // The same request comes while this one is carried out.
    EXPECT_EQ(*registry().Create(kSpec, "1", replays::NeverCancelled,
                                 [&] { ++resumed; }),
              nullptr);
    has_gone = true;
    return replays::TinySimulation::Create(pack, seed);
  };

  const auto first = registry().Create(kSpec, "1", [&] { return has_gone; });

  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(resumed, 1);
  EXPECT_EQ(*registry().Create(kSpec, "1"), *first);
}

TEST_F(SessionRegistryTest, AFailedCreationLeavesNothingBehind) {
  options_.simulation_factory = [](const sim::PackArchive&, uint64_t) {
    return absl::InvalidArgumentError("pack.txtpb:3:1: wrong");
  };

  for (int i = 0; i < 3; ++i) {
    const absl::Status status = registry().Create(kRecordedSpec, "id").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), "PACK_INVALID");
    EXPECT_EQ(status.message(), "pack.txtpb:3:1: wrong");
  }
  EXPECT_EQ(registry().size(), 0u);
  EXPECT_THAT(folders_.StoredFiles(), IsEmpty());
}

TEST_F(SessionRegistryTest, ARepeatedRequestReturnsTheFirstOnesSession) {
  const auto first = registry().Create(kSpec, "id");
  const auto second = registry().Create(kSpec, "id");

  EXPECT_EQ(*first, *second);
  EXPECT_EQ(registry().size(), 1u);
}

TEST_F(SessionRegistryTest, ARequestRepeatedWhileItIsCarriedOutIsResumed) {
  std::shared_ptr<Session> repeated;
  int resumed = 0;
  options_.simulation_factory = [&](const sim::PackArchive& pack,
                                    uint64_t seed) {
    repeated = *registry().Create(kSpec, "id", replays::NeverCancelled,
                                  [&resumed] { ++resumed; });
    EXPECT_EQ(ReasonOf(registry().Create(kRecordedSpec, "id").status()),
              "REQUEST_ID_REUSED");
    return replays::TinySimulation::Create(pack, seed);
  };

  const auto first = *registry().Create(kSpec, "id");

  EXPECT_EQ(repeated, nullptr);
  EXPECT_EQ(resumed, 1);
  EXPECT_EQ(*registry().Create(kSpec, "id"), first);
}

TEST_F(SessionRegistryTest, ARequestThatWaitedForOneThatFailedIsTheFirst) {
  bool fails = true;
  int resumed = 0;
  options_.simulation_factory =
      [&](const sim::PackArchive& pack,
          uint64_t seed) -> absl::StatusOr<std::unique_ptr<sim::Simulation>> {
    if (!std::exchange(fails, false)) {
      return replays::TinySimulation::Create(pack, seed);
    }
    EXPECT_EQ(*registry().Create(kSpec, "id", replays::NeverCancelled,
                                 [&resumed] { ++resumed; }),
              nullptr);
    return absl::InvalidArgumentError("wrong");
  };

  EXPECT_FALSE(registry().Create(kSpec, "id").ok());
  EXPECT_EQ(resumed, 1);
  EXPECT_NE(*registry().Create(kSpec, "id"), nullptr);
}

TEST_F(SessionRegistryTest, ARequestIdIsForOneRequestWhileItsSessionLives) {
  const auto first = *registry().Create(kSpec, "id");

  const absl::Status reused = registry().Create(kRecordedSpec, "id").status();
  EXPECT_EQ(reused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(reused), "REQUEST_ID_REUSED");

  ASSERT_EQ(registry().Delete(Tenant(), first->id()), absl::OkStatus());
  EXPECT_TRUE(registry().Create(kRecordedSpec, "id").ok());
}

TEST_F(SessionRegistryTest, ATooLongRequestIdIsRefused) {
  EXPECT_EQ(registry().Create(kSpec, std::string(65, 'x')).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(SessionRegistryTest, OnlyOneAtATimeMayStepASession) {
  const auto session = Create();
  ASSERT_EQ(session->Lease(), absl::OkStatus());

  EXPECT_EQ(session->Lease().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(registry().Delete(Tenant(), session->id()).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(registry().Find(Tenant(), session->id()).ok());

  session->ReleaseLease();
  EXPECT_EQ(registry().Delete(Tenant(), session->id()), absl::OkStatus());
  EXPECT_EQ(session->Lease().code(), absl::StatusCode::kNotFound);
}

TEST_F(SessionRegistryTest, AnIdleSessionEndsWithItsRecordingFinished) {
  const auto session = Create(kRecordedSpec);
  EXPECT_THAT(folders_.StoredFiles(),
              ElementsAre(session->id() + ".mcap.partial"));

  now_ += absl::Minutes(1);
  registry().EndIdle();

  EXPECT_EQ(registry().size(), 0u);
  EXPECT_THAT(folders_.StoredFiles(), ElementsAre(session->id() + ".mcap"));
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(SessionRegistryTest, ASessionThatIsAskedForOrSteppedIsNotIdle) {
  const auto asked_for = Create();
  const auto leased = Create();
  ASSERT_EQ(leased->Lease(), absl::OkStatus());

  now_ += absl::Seconds(59);
  asked_for->Describe();
  now_ += absl::Seconds(59);
  registry().EndIdle();
  EXPECT_EQ(registry().size(), 2u);

  leased->ReleaseLease();
  now_ += absl::Seconds(1);
  registry().EndIdle();
  EXPECT_EQ(registry().size(), 1u);
  EXPECT_TRUE(registry().Find(Tenant(), leased->id()).ok());
}

TEST_F(SessionRegistryTest, ARecordingThatCannotBeFinishedIsReported) {
  const auto session = Create(kRecordedSpec);
  std::filesystem::remove_all(folders_.store());

  registry().EndAll();

  EXPECT_EQ(registry().size(), 0u);
  EXPECT_THAT(reports_, ElementsAre(testing::HasSubstr(session->id())));
}

TEST_F(SessionRegistryTest, AFullRecordingTakesNoMoreTicks) {
  options_.recordings.recording_bytes_max = 1;
  const auto session = Create(kRecordedSpec);
  ASSERT_EQ(session->Lease(), absl::OkStatus());
  StepOrder order;
  order.tick_count = 1;

  const absl::Status status = session->Check(order);

  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(status), "RECORDING_FULL");
  order.tick_count = 0;
  EXPECT_EQ(session->Check(order), absl::OkStatus());
  session->ReleaseLease();
}

TEST_F(SessionRegistryTest, EventsPastTheMessageAreCountedNotSent) {
  // Room for some of a hundred events.
  options_.message_bytes_max = 4096 + 1000;
  const auto session = Create();
  ASSERT_EQ(session->Lease(), absl::OkStatus());
  StepOrder order;
  order.tick_count = 10'000;
  v1::StepSessionResponse response;

  EXPECT_TRUE(*session->Advance(
      order, [] { return false; }, response));

  EXPECT_LE(response.ByteSizeLong(), 1000u + 10);
  EXPECT_GT(response.events_size(), 0);
  EXPECT_EQ(response.events_size() + response.events_omitted(), 100u);
  session->ReleaseLease();
}

// Neither its ids nor the ids of its requests.
TEST_F(SessionRegistryTest, TenantsDoNotFindEachOthersSessions) {
  SessionSpec red = kSpec;
  red.tenant.name = "red";
  const auto session = *registry().Create(red, "id");
  const auto nobodys = *registry().Create(kSpec, "id");

  EXPECT_NE(session, nobodys);
  EXPECT_EQ(*registry().Create(red, "id"), session);
  EXPECT_TRUE(registry().Find(red.tenant, session->id()).ok());
  EXPECT_EQ(ReasonOf(registry().Find(Tenant(), session->id()).status()),
            "SESSION_NOT_FOUND");
  EXPECT_EQ(ReasonOf(registry().Delete(Tenant(), session->id())),
            "SESSION_NOT_FOUND");
  EXPECT_THAT(registry().List(Tenant(), {}, 0, "")->sessions,
              ElementsAre(nobodys));
  EXPECT_THAT(registry().List(red.tenant, {}, 0, "")->sessions,
              ElementsAre(session));
}

}  // namespace
}  // namespace reprise::services
