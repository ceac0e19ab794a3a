// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that sessions that have gone leave nothing behind: 500 are created,
// stepped and deleted, round for round, and what the process has in memory then
// doesn't go up. The variable REPRISE_SESSION_ROUNDS says how many rounds; a
// hundred by tools/dev test --heavy. What came of it is printed.

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "reprise/v1/catalog_service.grpc.pb.h"
#include "services/testing/resident_memory.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

constexpr uint32_t kSessions = 500;
constexpr uint32_t kTicks = 10;
constexpr int kRoundsByDefault = 50;
// Until then the allocator, gRPC and threads come to have what they keep: from
// round 10 to 30 that is 3 MB, from 30 to 90 it is half of one.
constexpr int kWarmUpRounds = 30;
// By which memory may go up a round: 131 bytes a session. Whatever is kept of
// one takes more: its id alone is 32 characters on the heap (48 bytes with what
// the allocator adds), in a node of a map (another 80).
constexpr double kGrowthBytesMax = 64 << 10;

int RoundCount() {
  const char* const asked = std::getenv("REPRISE_SESSION_ROUNDS");
  return std::max(kWarmUpRounds + 2,
                  asked == nullptr ? kRoundsByDefault : std::atoi(asked));
}

// By how much values go up from one to the next: the median of the slopes
// between any two of them, which single ones that lie elsewhere don't change.
double SlopeOf(const std::vector<double>& values) {
  std::vector<double> slopes;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = i + 1; j < values.size(); ++j) {
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
    }
  }
  const auto middle =
      slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::ranges::nth_element(slopes, middle);
  return *middle;
}

void PlayRound(TestServer& server) {
  std::vector<std::string> sessions;
  for (uint32_t i = 0; i < kSessions; ++i) {
    v1::CreateSessionRequest create;
    create.set_pack("tiny");
    create.set_seed(i);
    v1::Session session;
    ASSERT_EQ(Summarize(server.TryCreateSession(create, &session)), "OK");
    sessions.push_back(session.name());
  }
  for (const std::string& session : sessions) {
    ASSERT_EQ(server.Step(session, 0, kTicks).tick(), kTicks);
  }
  for (const std::string& session : sessions) server.DeleteSession(session);
}

// A call may hold what it was about until a moment after its answer.
void AwaitNothingLeft(TestServer& server) {
  const auto catalog = v1::CatalogService::NewStub(server.channel());
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::minutes(1);
  v1::TenantUsage usage;
  do {
    grpc::ClientContext context;
    v1::GetServerInfoResponse info;
    ASSERT_TRUE(catalog->GetServerInfo(&context, {}, &info).ok());
    usage = info.usage();
  } while (usage.sessions() + usage.state_bytes() + usage.loaded_bytes() > 0 &&
           std::chrono::steady_clock::now() < deadline);
  EXPECT_EQ(usage.sessions(), 0u);
  EXPECT_EQ(usage.state_bytes(), 0u);
  EXPECT_EQ(usage.loaded_bytes(), 0u);
}

TEST(SlopeTest, SingleValuesThatLieElsewhereChangeNothing) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i) values.push_back(1000.0 + 50.0 * i);
  EXPECT_EQ(SlopeOf(values), 50.0);
  values[3] += 1e9;
  values[17] -= 1e9;
  EXPECT_EQ(SlopeOf(values), 50.0);
}

TEST(ServerManySessionsTest, WhatHasGoneLeavesNothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep what was given back";
#endif
  TestServer server([](ServerOptions& options) {
    options.sessions.sessions_max = kSessions;
  });
  std::vector<double> resident;
  const int rounds = RoundCount();
  for (int round = 0; round < rounds; ++round) {
    ASSERT_NO_FATAL_FAILURE(PlayRound(server));
    ASSERT_NO_FATAL_FAILURE(AwaitNothingLeft(server));
    if (round < kWarmUpRounds) continue;
    // What is free goes back, so that what is left is what is in use.
    malloc_trim(0);
    resident.push_back(static_cast<double>(ResidentBytes()));
  }

  const double slope = SlopeOf(resident);
  fmt::print("{} rounds of {} sessions: {:.0f} bytes more a round, of {:.0f}\n",
             rounds, kSessions, slope, resident.back());
  RecordProperty("growth_bytes_per_round", fmt::format("{:.0f}", slope));
  ASSERT_GT(resident.front(), 0);
  EXPECT_LT(slope, kGrowthBytesMax);
}

}  // namespace
}  // namespace reprise::services
