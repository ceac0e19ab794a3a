// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves the C++ client against a real server: what is played, gone back to and
// downloaded, what refusals say, and that calls are tried again, or end in
// time.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "clients/cpp/client.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"
#include "gtest/gtest.h"
#include "services/testing/test_server.h"

namespace reprise::client {
namespace {

using testing::HasSubstr;

class CppClientTest : public testing::Test {
 protected:
  std::unique_ptr<Client> Connect(const ClientOptions& options = {}) {
    auto client = Client::Create(server_.server().address(), options);
    EXPECT_TRUE(client.ok()) << client.status();
    return *std::move(client);
  }

  Session CreateTiny(Client& client, bool record = false) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_seed(5);
    request.set_record(record);
    auto session = client.CreateSession(request);
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }

  services::RunningServer server_{[](auto&) {}};
};

TEST_F(CppClientTest, SaysWhatThereIs) {
  const auto client = Connect();
  const auto server = client->GetServerInfo();
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_GT(server->limits().sessions_max(), 0u);
  const auto packs = client->ListPacks();
  ASSERT_TRUE(packs.ok()) << packs.status();
  ASSERT_FALSE(packs->empty());
  const auto pack = client->GetPack("tiny");
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_FALSE(pack->description().players().actions().empty());
}

TEST_F(CppClientTest, EqualInputsGiveEqualDigests) {
  const auto client = Connect();
  std::string digests[2];
  for (std::string& digest : digests) {
    Session session = CreateTiny(*client);
    ASSERT_TRUE(session.Step(60).ok());
    EXPECT_EQ(session.tick(), 60u);
    digest = session.description().digest();
    EXPECT_TRUE(session.Delete().ok());
  }
  EXPECT_EQ(digests[0], digests[1]);
  EXPECT_EQ(digests[0].size(), 16u);
}

TEST_F(CppClientTest, GoesBackAndApart) {
  const auto client = Connect();
  Session session = CreateTiny(*client);
  ASSERT_TRUE(session.Step(10).ok());
  const std::string there = session.description().digest();
  const auto kept = session.Snapshot();
  ASSERT_TRUE(kept.ok()) << kept.status();
  ASSERT_TRUE(session.Step(10).ok());
  const std::string end = session.description().digest();
  ASSERT_TRUE(session.Restore(*kept).ok());
  EXPECT_EQ(session.description().digest(), there);
  auto fork = session.Fork();
  ASSERT_TRUE(fork.ok()) << fork.status();
  ASSERT_TRUE(fork->Step(10).ok());
  EXPECT_EQ(fork->description().digest(), end);
  EXPECT_EQ(session.tick(), 10u);
  ASSERT_TRUE(session.Reset(6).ok());
  EXPECT_EQ(session.tick(), 0u);
  EXPECT_EQ(session.description().seed(), 6u);
  const auto found = client->GetSession(fork->name());
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->tick(), 20u);
}

TEST_F(CppClientTest, ReplaysAreListedAndDownloaded) {
  const auto client = Connect();
  Session session = CreateTiny(*client, /*record=*/true);
  ASSERT_TRUE(session.Step(30).ok());
  const auto replay = session.Delete();
  ASSERT_TRUE(replay.ok()) << replay.status();
  const auto replays = client->ListReplays();
  ASSERT_TRUE(replays.ok()) << replays.status();
  ASSERT_EQ(replays->size(), 1u);
  EXPECT_EQ(replays->front().name(), *replay);
  const auto bytes = client->Download(*replay);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(bytes->size(), replays->front().size_bytes());
  EXPECT_THAT(*bytes, testing::StartsWith("\x89MCAP"));
}

TEST_F(CppClientTest, AReplayIsFollowedToAnyTick) {
  const auto client = Connect();
  Session recorded = CreateTiny(*client, /*record=*/true);
  std::vector<std::string> digests = {recorded.description().digest()};
  for (int tick = 0; tick < 30; ++tick) {
    ASSERT_TRUE(recorded.Step(1).ok());
    digests.push_back(recorded.description().digest());
  }
  const auto replay = recorded.Delete();
  ASSERT_TRUE(replay.ok()) << replay.status();

  auto session = client->Follow(*replay, /*tick=*/20);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ(session->description().digest(), digests[20]);
  const auto end = session->Step(50);
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->stop_reason(), v1::STOP_REASON_REPLAY_END);
  EXPECT_EQ(session->tick(), 30u);
  EXPECT_EQ(session->description().digest(), digests[30]);
  ASSERT_TRUE(session->Seek(7).ok());
  EXPECT_EQ(session->tick(), 7u);
  EXPECT_EQ(session->description().digest(), digests[7]);
  EXPECT_EQ(ErrorInfoOf(session->Seek(31)).reason, "TICK_OUT_OF_RANGE");

  const auto sessions = client->ListSessions();
  ASSERT_TRUE(sessions.ok()) << sessions.status();
  ASSERT_EQ(sessions->size(), 1u);
  EXPECT_EQ(sessions->front().followed_replay(), *replay);
}

TEST_F(CppClientTest, RefusalsSayWhy) {
  const auto client = Connect();
  v1::CreateSessionRequest unknown;
  unknown.set_pack("golf");
  const absl::Status refused = client->CreateSession(unknown).status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kNotFound);
  const ErrorInfo info = ErrorInfoOf(refused);
  EXPECT_EQ(info.reason, "PACK_NOT_FOUND");
  EXPECT_EQ(info.metadata.at("pack"), "golf");

  Session session = CreateTiny(*client);
  auto other = client->GetSession(session.name());
  ASSERT_TRUE(session.Step(1).ok());
  const absl::Status mismatch = other->Step(1).status();
  EXPECT_EQ(mismatch.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ErrorInfoOf(mismatch).reason, "TICK_MISMATCH");
  EXPECT_TRUE(session.Step(1).ok());
}

// Nobody accepts what is connected to there.
TEST(CppClientTimeTest, CallsEndInTime) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listener, plain, size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, plain, &size), 0);
  const auto client =
      Client::Create(fmt::format("127.0.0.1:{}", ntohs(address.sin_port)),
                     {.timeout = std::chrono::milliseconds(20)});
  ASSERT_TRUE(client.ok()) << client.status();
  EXPECT_EQ((*client)->GetServerInfo().status().code(),
            absl::StatusCode::kDeadlineExceeded);
  close(listener);
}

// Says that it isn't ready, some times.
class UnreadyServer final : public v1::CatalogService::Service {
 public:
  explicit UnreadyServer(int refusals) : refusals_(refusals) {}

  grpc::Status GetServerInfo(grpc::ServerContext*,
                             const v1::GetServerInfoRequest*,
                             v1::GetServerInfoResponse* response) override {
    if (++calls <= refusals_) return {grpc::StatusCode::UNAVAILABLE, "not yet"};
    response->mutable_server()->set_version("ready");
    return grpc::Status::OK;
  }

  int calls = 0;

 private:
  const int refusals_;
};

TEST(CppClientRetryTest, WhatCanBeRepeatedIsThreeTimes) {
  for (const int refusals : {3, 4}) {
    UnreadyServer service(refusals);
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.RegisterService(&service);
    const auto server = builder.BuildAndStart();
    const auto client = Client::Create("127.0.0.1:" + std::to_string(port));
    const auto info = (*client)->GetServerInfo();
    EXPECT_EQ(service.calls, 4);
    if (refusals == 3) {
      ASSERT_TRUE(info.ok()) << info.status();
      EXPECT_EQ(info->version(), "ready");
    } else {
      EXPECT_EQ(info.status().code(), absl::StatusCode::kUnavailable);
    }
  }
}

TEST(CppClientAccessTest, ATokenGoesToAnotherMachineByTlsOnly) {
  const auto far = Client::Create("games.example:7171", {.token = "secret"});
  EXPECT_EQ(far.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(far.status().message()), HasSubstr("only by TLS"));
  EXPECT_TRUE(Client::Create("127.0.0.1:7171", {.token = "secret"}).ok());
  EXPECT_TRUE(Client::Create("[::1]:7171", {.token = "secret"}).ok());
  EXPECT_TRUE(Client::Create("unix:/run/reprise", {.token = "secret"}).ok());
  EXPECT_FALSE(Client::Create("127.0.0.1:7171", {.key = "key"}).ok());
}

}  // namespace
}  // namespace reprise::client
