// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that tenants can't tell that there are others: clients of three do at
// random what there is to do, with their own and with others' names. What is
// one's own does as a model says; what is another's is not found, as what was
// never there; lists hold what is one's own.

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "services/base/token.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::UnorderedElementsAreArray;

constexpr char kNoSession[] = "NOT_FOUND SESSION_NOT_FOUND";
constexpr char kNoReplay[] = "NOT_FOUND REPLAY_NOT_FOUND";
constexpr int kSteps = 400;
constexpr size_t kSessionsMax = 12;

struct OwnedSession {
  size_t owner = 0;
  bool is_recorded = false;
  uint64_t tick = 0;
  std::vector<std::string> snapshots;
};

// Three tenants of one server, and what each of them has.
class ServerTenantTest : public testing::TestWithParam<uint32_t> {
 protected:
  static constexpr std::array<const char*, 3> kTenants = {"", "red", "blue"};

  ServerTenantTest() : random_(GetParam()) {
    std::string lines;
    for (const char* tenant : kTenants) {
      lines += FormatTokenLine({.name = fmt::format("token-{}", tenant),
                                .digest = DigestOf(TokenOf(tenant)),
                                .scope = Scope::kManage,
                                .tenant = {.name = tenant}}) +
               "\n";
    }
    files_.Write("tokens", lines);
    server_ = std::make_unique<RunningServer>([&](ServerOptions& options) {
      options.tokens = files_.PathOf("tokens");
    });
    for (const char* tenant : kTenants) {
      clients_.push_back(std::make_unique<TestClient>(
          server_->server().address(), TokenOf(tenant),
          grpc::InsecureChannelCredentials()));
    }
  }

  static std::string TokenOf(const std::string& tenant) {
    return "token of " + tenant;
  }

  size_t Pick(size_t count) { return random_() % count; }

  TestClient& client(size_t tenant) { return *clients_[tenant]; }

  // One random act of one tenant.
  void Act() {
    const size_t actor = Pick(kTenants.size());
    if (sessions_.empty() ||
        (sessions_.size() < kSessionsMax && Pick(5) == 0)) {
      Create(actor);
      return;
    }
    if (!replays_.empty() && Pick(6) == 0) {
      TakeReplay(actor);
      return;
    }
    auto target = sessions_.begin();
    std::advance(target, Pick(sessions_.size()));
    const std::string name = target->first;
    OwnedSession& session = target->second;
    if (session.owner == actor) {
      Use(actor, name, session);
    } else {
      ExpectNotFound(actor, name, session);
    }
  }

  // All tenants may think of the same id for their requests.
  void Create(size_t actor) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_record(Pick(2) == 0);
    request.set_request_id(fmt::format("request-{}", Pick(4)));
    v1::Session session;
    const std::string result =
        Summarize(client(actor).TryCreateSession(request, &session));
    if (result == "INVALID_ARGUMENT REQUEST_ID_REUSED") return;
    ASSERT_EQ(result, "OK");
    const auto [known, is_new] = sessions_.emplace(
        session.name(),
        OwnedSession{.owner = actor, .is_recorded = request.record()});
    EXPECT_EQ(known->second.owner, actor);
    if (is_new) {
      EXPECT_EQ(session.tick(), 0u);
    }
  }

  void Use(size_t actor, const std::string& name, OwnedSession& session) {
    switch (Pick(6)) {
      case 0:
        EXPECT_EQ(client(actor).GetSession(name).tick(), session.tick);
        break;
      case 1:
        client(actor).Step(name, session.tick, 3);
        session.tick += 3;
        break;
      case 2:
        if (session.snapshots.size() < 3) {
          session.snapshots.push_back(
              client(actor).SnapshotSession(name).name());
        }
        break;
      case 3: {
        const auto reset = client(actor).ResetSession(name);
        if (session.is_recorded) replays_[reset.replay()] = actor;
        session.tick = 0;
        break;
      }
      case 4:
        if (sessions_.size() < kSessionsMax) {
          sessions_[client(actor).ForkSession(ForkRequest(name)).name()] = {
              .owner = actor, .tick = session.tick};
        }
        break;
      default: {
        const std::string replay = client(actor).DeleteSession(name);
        EXPECT_EQ(replay.empty(), !session.is_recorded);
        if (!replay.empty()) replays_[replay] = actor;
        sessions_.erase(name);
      }
    }
  }

  void ExpectNotFound(size_t actor, const std::string& name,
                      const OwnedSession& session) {
    TestClient& stranger = client(actor);
    const grpc::Status get = stranger.TryGetSession(name);
    EXPECT_EQ(Summarize(get), kNoSession);
    EXPECT_EQ(get.error_message(),
              fmt::format("there is no session '{}'",
                          name.substr(std::string("sessions/").size())));
    EXPECT_EQ(Summarize(stranger.TryStep(StepRequest(name, session.tick, 1))),
              kNoSession);
    StepClient stream(stranger.simulations());
    v1::StepSessionRequest request = StepRequest(session.tick, 1);
    request.set_session(name);
    stream.Send(request);
    EXPECT_EQ(Summarize(stream.AwaitEnd()), kNoSession);
    v1::ResetSessionRequest reset;
    reset.set_name(name);
    EXPECT_EQ(Summarize(stranger.TryResetSession(reset)), kNoSession);
    EXPECT_EQ(Summarize(stranger.TrySnapshotSession(name)), kNoSession);
    EXPECT_EQ(Summarize(stranger.TryForkSession(ForkRequest(name))),
              kNoSession);
    EXPECT_EQ(Summarize(stranger.TryForkSession(ForkRequest(name, true))),
              kNoSession);
    for (const std::string& snapshot : session.snapshots) {
      EXPECT_EQ(Summarize(stranger.TryRestoreSession(snapshot)), kNoSession);
      EXPECT_EQ(Summarize(stranger.TryDeleteSnapshot(snapshot)), kNoSession);
    }
    EXPECT_EQ(Summarize(stranger.TryDeleteSession(name)), kNoSession);
  }

  // Downloads a replay, or branches off from it.
  void TakeReplay(size_t actor) {
    auto target = replays_.begin();
    std::advance(target, Pick(replays_.size()));
    const std::string expected = target->second == actor ? "OK" : kNoReplay;
    v1::DownloadReplayRequest request;
    request.set_name(target->first);
    std::string bytes;
    EXPECT_EQ(Summarize(client(actor).Download(request, &bytes)), expected);
    EXPECT_EQ(bytes.empty(), expected == kNoReplay);
    if (expected == "OK") return;
    v1::CreateSessionRequest branch;
    branch.mutable_branch()->set_replay(target->first);
    EXPECT_EQ(Summarize(client(actor).TryCreateSession(branch)), kNoReplay);
  }

  void ExpectListsHoldWhatIsOwn() {
    for (size_t tenant = 0; tenant < kTenants.size(); ++tenant) {
      std::vector<std::string> expected, listed;
      for (const auto& [name, session] : sessions_) {
        if (session.owner == tenant) expected.push_back(name);
      }
      const v1::ListSessionsResponse sessions = client(tenant).ListSessions({});
      for (const v1::Session& session : sessions.sessions()) {
        listed.push_back(session.name());
      }
      EXPECT_THAT(listed, UnorderedElementsAreArray(expected));
      expected.clear();
      listed.clear();
      for (const auto& [name, owner] : replays_) {
        if (owner == tenant) expected.push_back(name);
      }
      const v1::ListReplaysResponse replays = client(tenant).ListReplays();
      for (const v1::Replay& replay : replays.replays()) {
        listed.push_back(replay.name());
      }
      EXPECT_THAT(listed, UnorderedElementsAreArray(expected));
    }
  }

  const TestFolders files_;
  std::unique_ptr<RunningServer> server_;
  std::vector<std::unique_ptr<TestClient>> clients_;
  std::mt19937 random_;
  std::map<std::string, OwnedSession> sessions_;
  std::map<std::string, size_t> replays_;  // and their owners
};

INSTANTIATE_TEST_SUITE_P(Seeds, ServerTenantTest, testing::Range(1u, 4u));

TEST_P(ServerTenantTest, NobodyFindsWhatIsAnothers) {
  for (int step = 0; step < kSteps && !HasFailure(); ++step) {
    SCOPED_TRACE(step);
    Act();
    if (step % 20 == 0) ExpectListsHoldWhatIsOwn();
  }
  ExpectListsHoldWhatIsOwn();
  EXPECT_FALSE(replays_.empty());
}

TEST_P(ServerTenantTest, NobodyFollowsWhatIsAnothers) {
  v1::DownloadReplayRequest request;
  request.set_name(client(1).CreateSession(/*record=*/true).replay());
  request.set_follow(true);
  request.set_length(1);
  for (size_t tenant = 0; tenant < kTenants.size(); ++tenant) {
    std::string bytes;
    EXPECT_EQ(Summarize(client(tenant).Download(request, &bytes)),
              tenant == 1 ? "OK" : kNoReplay);
    EXPECT_EQ(bytes.size(), tenant == 1 ? 1u : 0u);
  }
}

// Whose a replay is stands on the disk.
TEST_P(ServerTenantTest, WhatIsRecordedStaysItsTenantsBehindARestart) {
  const v1::Session session = client(1).CreateSession(/*record=*/true);
  const std::string replay = client(1).DeleteSession(session.name());
  const std::string store = server_->folders().store();

  RunningServer next([&](ServerOptions& options) {
    options.tokens = files_.PathOf("tokens");
    options.store_folder = store;
  });

  for (size_t tenant = 0; tenant < kTenants.size(); ++tenant) {
    TestClient client(next.server().address(), TokenOf(kTenants[tenant]),
                      grpc::InsecureChannelCredentials());
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    std::string bytes;
    EXPECT_EQ(Summarize(client.Download(request, &bytes)),
              tenant == 1 ? "OK" : kNoReplay);
    EXPECT_EQ(client.ListReplays().replays_size(), tenant == 1 ? 1 : 0);
  }
}

}  // namespace
}  // namespace reprise::services
