// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a killed server loses no batch that it recorded. Again and again
// a server in a process of its own is killed, with no chance to clean up, while
// it works on a request. The next one on the same store hands out a replay that
// verifies, and holds every batch that was full when a response was seen.

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_metadata.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "services/testing/server_process.h"
#include "services/testing/test_client.h"
#include "services/testing/test_folders.h"

namespace reprise::services {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr uint64_t kKills = 5;
constexpr uint32_t kTicksPerRequest = 450;  // no number of batches

// Has `ticks` ticks recorded and answered, and kills the server while it makes
// others. Returns the name of the replay.
std::string RecordAndKill(const TestFolders& folders, uint64_t ticks) {
  ServerProcess server(folders);
  TestClient client(server.address());
  const v1::Session session = client.CreateSession(/*record=*/true);
  StepClient stepping(client.simulations(), session.name());
  for (uint64_t tick = 0; tick < ticks; tick += kTicksPerRequest) {
    EXPECT_EQ(Summarize(stepping.Exchange(StepRequest(tick, kTicksPerRequest))),
              "OK");
  }
  EXPECT_TRUE(stepping.Send(StepRequest(ticks, 10'000)));
  server.Kill();
  EXPECT_EQ(stepping.AwaitEnd().error_code(), grpc::StatusCode::UNAVAILABLE);
  return session.replay();
}

replays::VerificationReport DownloadAndVerify(TestClient& client,
                                              const std::string& name) {
  v1::DownloadReplayRequest request;
  request.set_name(name);
  std::string file;
  EXPECT_EQ(Summarize(client.Download(request, &file)), "OK");
  const auto replay = replays::ReplayReader::Open(
      std::make_unique<replays::MemorySource>(std::as_bytes(std::span(file))));
  if (!replay.ok()) {
    ADD_FAILURE() << replay.status();
    return {};
  }
  return *replays::VerifyReplay(**replay, {});
}

TEST(ServerKillTest, WhatWasRecordedIsHandedOutByTheNextServer) {
  const TestFolders folders;
  for (uint64_t i = 1; i <= kKills; ++i) {
    const uint64_t ticks = i * 3 * kTicksPerRequest;
    const std::string name = RecordAndKill(folders, ticks);

    ServerProcess server(folders);
    TestClient client(server.address());

    const auto report = DownloadAndVerify(client, name);
    EXPECT_TRUE(report.passed());
    EXPECT_GE(report.ticks_verified,
              ticks - ticks % replays::kBatchTicksDefault);
    EXPECT_EQ(report.ticks_verified, report.tick_count);
    EXPECT_THAT(client.ListReplays().replays(), SizeIs(i));
    EXPECT_THAT(folders.StoredFiles(), Each(Not(EndsWith(".partial"))));
    EXPECT_THAT(server.ReadLog(),
                HasSubstr(fmt::format("{}: recovered, {} ticks",
                                      name.substr(name.find('/') + 1),
                                      report.tick_count)));
    client.ExpectGoodService();
  }
}

// What a reset, or going back to a snapshot, has finished is whole at once.
TEST(ServerKillTest, WhatGoingBackFinishedIsNeverCut) {
  const TestFolders folders;
  std::string first, second, third;
  {
    ServerProcess server(folders);
    TestClient client(server.address());
    const v1::Session session = client.CreateSession(/*record=*/true);
    client.Step(session.name(), 0, 777);
    const auto reset = client.ResetSession(session.name());
    first = reset.replay();
    second = reset.session().replay();
    client.Step(session.name(), 0, 100);
    const v1::Snapshot snapshot = client.SnapshotSession(session.name());
    client.Step(session.name(), 100, 55);
    const auto restored = client.RestoreSession(snapshot.name());
    EXPECT_EQ(restored.replay(), second);
    third = restored.session().replay();
    StepClient stepping(client.simulations());
    v1::StepSessionRequest request = StepRequest(100, 700);
    request.set_session(session.name());
    EXPECT_EQ(Summarize(stepping.Exchange(request)), "OK");
    EXPECT_TRUE(stepping.Send(StepRequest(800, 10'000)));
    server.Kill();
  }

  ServerProcess server(folders);
  TestClient client(server.address());

  for (const auto& [replay, ticks] :
       {std::pair(first, 777u), std::pair(second, 155u)}) {
    const auto report = DownloadAndVerify(client, replay);
    EXPECT_TRUE(report.passed());
    EXPECT_EQ(report.ticks_verified, ticks);
  }
  const auto report = DownloadAndVerify(client, third);
  EXPECT_TRUE(report.passed());
  EXPECT_GE(report.ticks_verified, replays::kBatchTicksDefault);
  EXPECT_EQ(report.ticks_verified, report.tick_count);
  EXPECT_THAT(client.ListReplays().replays(), SizeIs(3));
}

}  // namespace
}  // namespace reprise::services
