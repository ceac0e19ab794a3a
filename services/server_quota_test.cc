// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no tenant has more than its quota, that the error says which one
// and how much it is, that what is given back may be had again, and that others
// notice nothing.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/base/token.h"
#include "services/storage/recording_room.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kReached[] = "RESOURCE_EXHAUSTED QUOTA_REACHED";

// What a tenant has and may have.
v1::TenantUsage UsageOf(TestClient& client) {
  grpc::ClientContext context;
  v1::GetServerInfoResponse response;
  EXPECT_TRUE(v1::CatalogService::NewStub(client.channel())
                  ->GetServerInfo(&context, {}, &response)
                  .ok());
  return response.usage();
}

// A server with the tenants "red" and "blue", and quotas for each.
class ServerQuotaTest : public testing::Test {
 protected:
  void Start(const std::function<void(ServerOptions&)>& change) {
    std::string lines;
    for (const std::string tenant : {"red", "blue"}) {
      lines += FormatTokenLine({.name = tenant,
                                .digest = DigestOf(tenant + "-token"),
                                .scope = Scope::kPlay,
                                .tenant = {.name = tenant}}) +
               "\n";
    }
    files_.Write("tokens", lines);
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.tokens = files_.PathOf("tokens");
      change(options);
    });
    red_ = MakeClient("red");
    blue_ = MakeClient("blue");
  }

  std::unique_ptr<TestClient> MakeClient(const std::string& tenant) {
    return std::make_unique<TestClient>(server_->server().address(),
                                        tenant + "-token",
                                        grpc::InsecureChannelCredentials());
  }

  static grpc::Status Create(TestClient& client, bool record = false) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_record(record);
    return client.TryCreateSession(request);
  }

  // The quota that `status` names, as "WHAT LIMIT".
  static std::string QuotaOf(const grpc::Status& status) {
    google::rpc::Status details;
    google::rpc::ErrorInfo info;
    EXPECT_TRUE(details.ParseFromString(status.error_details()));
    EXPECT_TRUE(details.details(0).UnpackTo(&info));
    return info.metadata().at("quota") + " " + info.metadata().at("limit");
  }

  TestFolders files_;
  std::unique_ptr<RunningServer> server_;
  std::unique_ptr<TestClient> red_;
  std::unique_ptr<TestClient> blue_;
};

TEST_F(ServerQuotaTest, ATenantIsToldWhatItHasAndMayHave) {
  Start([](ServerOptions& options) {
    options.quotas = {
        .sessions_max = 7, .streams_max = 5, .state_bytes_max = 1 << 20};
  });
  const v1::Session session = red_->CreateSession();
  red_->CreateSession();
  StepClient stream(red_->simulations(), session.name());

  const v1::TenantUsage red = UsageOf(*red_);
  const v1::TenantUsage blue = UsageOf(*blue_);

  EXPECT_EQ(red.sessions(), 2u);
  EXPECT_EQ(red.sessions_max(), 7u);
  EXPECT_EQ(red.streams(), 1u);
  EXPECT_EQ(red.streams_max(), 5u);
  EXPECT_GT(red.state_bytes(), 0u);
  EXPECT_EQ(red.state_bytes_max(), uint64_t{1} << 20);
  EXPECT_EQ(blue.sessions(), 0u);
  EXPECT_EQ(blue.streams(), 0u);
  EXPECT_EQ(blue.state_bytes(), 0u);
  EXPECT_EQ(blue.sessions_max(), 7u);
}

TEST_F(ServerQuotaTest, SessionsOfATenantHaveALimit) {
  Start([](ServerOptions& options) { options.quotas.sessions_max = 2; });
  const v1::Session first = red_->CreateSession();
  red_->CreateSession();

  const grpc::Status refused = Create(*red_);
  EXPECT_EQ(Summarize(refused), kReached);
  EXPECT_EQ(QuotaOf(refused), "sessions 2");
  EXPECT_EQ(Summarize(red_->TryForkSession(ForkRequest(first.name()))),
            kReached);
  EXPECT_EQ(Summarize(Create(*blue_)), "OK");

  red_->DeleteSession(first.name());
  EXPECT_EQ(Summarize(Create(*red_)), "OK");
  EXPECT_EQ(Summarize(Create(*red_)), kReached);
}

TEST_F(ServerQuotaTest, ASessionThatCannotBeMadeCountsAsNone) {
  Start([](ServerOptions& options) { options.quotas.sessions_max = 1; });
  v1::CreateSessionRequest request;
  request.set_pack("none");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Summarize(red_->TryCreateSession(request)),
              "NOT_FOUND PACK_NOT_FOUND");
  }
  EXPECT_EQ(Summarize(Create(*red_)), "OK");
}

TEST_F(ServerQuotaTest, StreamsOfATenantHaveALimit) {
  Start([](ServerOptions& options) { options.quotas.streams_max = 1; });
  StepClient stream(red_->simulations(), red_->CreateSession().name());
  StepClient second(red_->simulations());
  const grpc::Status refused = second.AwaitEnd();

  EXPECT_EQ(Summarize(refused), kReached);
  EXPECT_EQ(QuotaOf(refused), "streams 1");
  StepClient others(blue_->simulations(), blue_->CreateSession().name());
  EXPECT_TRUE(others.Finish().ok());

  // The stream leaves the set when gRPC is done with it, a moment after its
  // client has seen its end.
  EXPECT_TRUE(stream.Finish().ok());
  const absl::Time deadline = absl::Now() + absl::Minutes(1);
  std::string last;
  do {
    last = Summarize(StepClient(red_->simulations()).Finish());
  } while (last == kReached && absl::Now() < deadline);
  EXPECT_EQ(last, "OK");
}

TEST_F(ServerQuotaTest, StatesOfATenantHaveALimit) {
  // Any state is larger.
  Start([](ServerOptions& options) { options.quotas.state_bytes_max = 1; });
  const v1::Session session = red_->CreateSession();

  EXPECT_EQ(Summarize(red_->TryStep(StepRequest(session.name(), 0, 1))),
            kReached);
  EXPECT_EQ(Summarize(red_->TryStep(StepRequest(session.name(), 0, 0))), "OK");
  EXPECT_EQ(Summarize(red_->TrySnapshotSession(session.name())), kReached);
  EXPECT_EQ(QuotaOf(Create(*red_)), "bytes of states 1");
  EXPECT_EQ(Summarize(Create(*blue_)), "OK");

  red_->DeleteSession(session.name());
  EXPECT_EQ(Summarize(Create(*red_)), "OK");
}

TEST_F(ServerQuotaTest, SnapshotsAreCounted) {
  Start([](ServerOptions& options) { options.quotas.state_bytes_max = 1500; });
  const v1::Session session = red_->CreateSession();
  std::vector<std::string> snapshots;
  v1::Snapshot snapshot;
  grpc::Status taken;
  while ((taken = red_->TrySnapshotSession(session.name(), &snapshot)).ok()) {
    snapshots.push_back(snapshot.name());
  }
  ASSERT_EQ(Summarize(taken), kReached);
  ASSERT_FALSE(snapshots.empty());

  EXPECT_TRUE(red_->TryDeleteSnapshot(snapshots.back()).ok());
  EXPECT_EQ(Summarize(red_->TrySnapshotSession(session.name())), "OK");
}

// Room for one recording under way, and for no other's first tick.
constexpr uint64_t kRoomForOne = kRoomAheadBytes * 3 / 2;

TEST_F(ServerQuotaTest, ReplaysOfATenantHaveALimit) {
  Start([](ServerOptions& options) {
    options.recordings.tenant_bytes_max = kRoomForOne;
  });
  red_->CreateSession(/*record=*/true);

  const grpc::Status refused = Create(*red_, /*record=*/true);
  EXPECT_EQ(Summarize(refused), kReached);
  EXPECT_EQ(QuotaOf(refused), fmt::format("bytes of replays {}", kRoomForOne));
  EXPECT_THAT(refused.error_message(),
              HasSubstr(fmt::format("{} bytes of replays", kRoomForOne)));
  EXPECT_EQ(Summarize(Create(*red_)), "OK");
  EXPECT_EQ(Summarize(Create(*blue_, /*record=*/true)), "OK");
}

// Its recording takes no tick that has no room, and is whole up to there.
TEST_F(ServerQuotaTest, RoomIsReservedWhileASessionIsRecorded) {
  Start([](ServerOptions& options) {
    options.recordings.tenant_bytes_max = kRoomForOne;
  });
  const v1::Session session = red_->CreateSession(/*record=*/true);
  EXPECT_EQ(red_->Step(session.name(), 0, 700).tick(), 700u);
  // What others put there takes what was left, as is seen when somebody looks.
  const std::string other = "store/replays/red/other";
  server_->folders().Write(other, std::string(kRoomAheadBytes, 'x'));
  EXPECT_EQ(Summarize(Create(*red_, /*record=*/true)), kReached);

  grpc::Status refused;
  uint64_t tick = 700;
  while (refused.ok() && tick < 10'000) {
    v1::StepResponse response;
    refused = red_->TryStep(StepRequest(session.name(), tick, 600), &response);
    if (refused.ok()) tick = response.tick();
  }
  EXPECT_EQ(Summarize(refused), kReached);
  const v1::Session full = red_->GetSession(session.name());
  EXPECT_EQ(full.state(), v1::Session::STATE_RECORDING_FULL);
  EXPECT_EQ(Summarize(red_->TryStep(StepRequest(full.name(), full.tick(), 1))),
            kReached);
  EXPECT_EQ(
      blue_->Step(blue_->CreateSession(/*record=*/true).name(), 0, 700).tick(),
      700u);

  // It goes on when there is room again.
  std::filesystem::remove(server_->folders().PathOf(other));
  tick = full.tick();
  EXPECT_EQ(red_->Step(full.name(), tick, 700).tick(), tick + 700);
  red_->DeleteSession(full.name());
  const auto replays = red_->ListReplays().replays();
  ASSERT_THAT(replays, SizeIs(1));
  EXPECT_EQ(replays.at(0).tick_count(), tick + 700);
}

}  // namespace
}  // namespace reprise::services
