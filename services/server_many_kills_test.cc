// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that nothing acknowledged is lost: a server under the load of several
// clients is killed at a random moment, again and again on one store. The next
// one lists each recording up to the last batch that was full when its client
// was answered, and goes on from each tick that it has with the digest that the
// client was told. The variable REPRISE_KILLS says how often, up to a hundred
// times; tools/dev test --heavy does so.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "replays/format/replay_metadata.h"
#include "services/testing/server_process.h"
#include "services/testing/test_client.h"
#include "services/testing/test_folders.h"
#include "sim/base/digest.h"

namespace reprise::services {
namespace {

constexpr int kClients = 4;
constexpr uint32_t kTicksPerRequest = 70;  // no part of a batch
constexpr uint64_t kRequestsMax = 400;     // of all clients, before the kill
constexpr uint32_t kKillsByDefault = 4;
constexpr uint32_t kKillsMax = 100;

// By replay: the digests that clients were told, by tick.
using Acknowledged = std::map<std::string, std::map<uint64_t, uint64_t>>;

uint32_t KillCount() {
  const char* const text = std::getenv("REPRISE_KILLS");
  if (text == nullptr) return kKillsByDefault;
  return std::min(kKillsMax, static_cast<uint32_t>(std::atoi(text)));
}

// One client: sessions are made, stepped, reset and ended, until the server is
// gone.
class Load {
 public:
  Load(const std::string& address, uint64_t requests_max, uint32_t seed)
      : requests_max_(requests_max) {
    for (uint32_t i = 0; i < kClients; ++i) {
      threads_.emplace_back([this, address, i, seed] {
        TestClient client(address);
        std::mt19937 random(seed + i);
        while (Play(client, random)) {
        }
        --playing_;
      });
    }
  }

  // Returns once so many requests have been answered. False: none is left to
  // ask.
  [[nodiscard]] bool AwaitRequests() const {
    while (answered_ < requests_max_) {
      if (playing_ == 0) return false;
      std::this_thread::yield();
    }
    return true;
  }

  Acknowledged Join() {
    for (std::thread& thread : threads_) thread.join();
    return acknowledged_;
  }

 private:
  // False: the server is gone.
  bool Play(TestClient& client, std::mt19937& random) {
    v1::CreateSessionRequest create;
    create.set_pack("tiny");
    create.set_seed(random() % 1000);
    create.set_record(true);
    v1::Session session;
    if (!client.TryCreateSession(create, &session).ok()) return false;
    uint64_t tick = 0;
    for (uint32_t left = 1 + random() % 40; left > 0; --left) {
      v1::StepResponse response;
      if (!client
               .TryStep(StepRequest(session.name(), tick, kTicksPerRequest),
                        &response)
               .ok()) {
        return false;
      }
      tick = response.tick();
      Note(session.replay(), tick, response.digest());
      if (random() % 20 != 0) continue;
      v1::ResetSessionRequest reset;
      v1::ResetSessionResponse again;
      reset.set_name(session.name());
      if (!client.TryResetSession(reset, &again).ok()) return false;
      session = again.session();
      tick = 0;
    }
    return random() % 2 == 0 || client.TryDeleteSession(session.name()).ok();
  }

  void Note(const std::string& replay, uint64_t tick, uint64_t digest) {
    const std::scoped_lock lock(mutex_);
    acknowledged_[replay][tick] = digest;
    ++answered_;
  }

  const uint64_t requests_max_;
  std::atomic<uint64_t> answered_ = 0;
  std::atomic<uint32_t> playing_ = kClients;
  std::mutex mutex_;  // guards what follows
  Acknowledged acknowledged_;
  std::vector<std::thread> threads_;
};

// All replays that the server lists, with their ticks.
std::map<std::string, uint64_t> ListAll(TestClient& client) {
  std::map<std::string, uint64_t> ticks;
  v1::ListReplaysRequest request;
  do {
    grpc::ClientContext context;
    v1::ListReplaysResponse response;
    EXPECT_TRUE(
        client.replays().ListReplays(&context, request, &response).ok());
    for (const v1::Replay& replay : response.replays()) {
      ticks[replay.name()] = replay.tick_count();
    }
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return ticks;
}

// Goes on from `tick`, and says at which digest.
std::string DigestAt(TestClient& client, const std::string& replay,
                     uint64_t tick) {
  v1::CreateSessionRequest request;
  request.set_record(true);
  request.mutable_branch()->set_replay(replay);
  request.mutable_branch()->set_tick(tick);
  v1::Session session;
  const grpc::Status status = client.TryCreateSession(request, &session);
  if (!status.ok()) return Summarize(status);
  EXPECT_EQ(session.tick(), tick);
  EXPECT_EQ(client.Step(session.name(), tick, 30).tick(), tick + 30);
  client.DeleteSession(session.name());
  return session.digest();
}

TEST(ServerManyKillsTest, NothingAcknowledgedIsLost) {
  const TestFolders folders;
  std::mt19937 random(1);
  const uint32_t kills = KillCount();
  for (uint32_t kill = 0; kill < kills; ++kill) {
    SCOPED_TRACE(fmt::format("kill {}", kill));
    Acknowledged acknowledged;
    {
      ServerProcess server(folders);
      Load load(server.address(), 1 + random() % kRequestsMax, kill);
      EXPECT_TRUE(load.AwaitRequests());
      server.Kill();
      acknowledged = load.Join();
    }
    ServerProcess server(folders);
    TestClient client(server.address());
    const auto listed = ListAll(client);
    for (const auto& [replay, digests] : acknowledged) {
      SCOPED_TRACE(replay);
      const uint64_t told = digests.rbegin()->first;
      const uint64_t full = told - told % replays::kBatchTicksDefault;
      const auto found = listed.find(replay);
      if (found == listed.end()) {
        // One of which no batch was full may be none.
        EXPECT_EQ(full, 0u);
        continue;
      }
      EXPECT_GE(found->second, full);
      // The last one that it has, and one in the middle.
      std::vector<uint64_t> ticks;
      for (const auto& [tick, digest] : digests) {
        if (tick <= found->second) ticks.push_back(tick);
      }
      if (ticks.empty()) continue;
      for (const uint64_t tick : {ticks[ticks.size() / 2], ticks.back()}) {
        EXPECT_EQ(DigestAt(client, replay, tick),
                  sim::FormatDigest(sim::Digest{.value = digests.at(tick)}));
      }
    }
    client.ExpectGoodService();
  }
}

}  // namespace
}  // namespace reprise::services
