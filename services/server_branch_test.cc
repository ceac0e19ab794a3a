// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that a session goes on with a replay from any of its ticks, live: with
// the same inputs it is the same run, with others a branch whose file says
// where it left its parent; and that a replay which can't be gone on with
// leaves nothing behind.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/sessions/session_loader.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/replay_store.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

constexpr uint64_t kTicks = 1000;

// Steers at every tick from where `session` stands to `end`, in a way that
// `player` has; returns the last digest.
uint64_t Play(TestServer& server, const v1::Session& session, uint64_t end,
              int player) {
  StepClient client(server.simulations());
  v1::StepSessionRequest look = StepRequest(session.tick(), 0);
  look.set_session(session.name());
  uint64_t digest = client.Exchange(look).digest();
  for (uint64_t tick = session.tick(); tick < end; ++tick) {
    v1::StepSessionRequest request = StepRequest(tick, 1);
    v1::TickInputs& inputs = *request.add_inputs();
    inputs.set_tick(tick);
    inputs.add_frames()->mutable_device()->add_axes(
        static_cast<int>(tick * 7919 % 20'000) * player);
    const auto response = client.Exchange(request);
    EXPECT_EQ(Summarize(response), "OK") << tick;
    digest = response.digest();
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  return digest;
}

v1::CreateSessionRequest BranchOf(const std::string& replay, uint64_t tick,
                                  bool record = false) {
  v1::CreateSessionRequest request;
  request.set_record(record);
  request.mutable_branch()->set_replay(replay);
  request.mutable_branch()->set_tick(tick);
  return request;
}

class ServerBranchTest : public testing::Test {
 protected:
  // A batch every 60 ticks, so that branches leave within one, too.
  static void Configure(ServerOptions& options) {
    options.recordings.writer.batch_ticks = 60;
    options.recordings.writer.keyframe_stride = 120;
  }

  // Plays and records kTicks.
  ServerBranchTest() {
    const v1::Session session = server_.CreateSession(/*record=*/true);
    digest_ = Play(server_, session, kTicks, /*player=*/1);
    replay_ = server_.DeleteSession(session.name());
  }

  v1::Session Branch(const v1::CreateSessionRequest& request) {
    v1::Session session;
    EXPECT_EQ(Summarize(server_.TryCreateSession(request, &session)), "OK");
    return session;
  }

  std::string Download(const std::string& replay) {
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    std::string file;
    EXPECT_EQ(Summarize(server_.Download(request, &file)), "OK");
    return file;
  }

  // `file` must remain live.
  static std::unique_ptr<replays::ReplayReader> Open(const std::string& file) {
    return *replays::ReplayReader::Open(std::make_unique<replays::MemorySource>(
        std::as_bytes(std::span(file))));
  }

  // "<id>.mcap", as the store calls it.
  static std::string FileOf(std::string_view replay) {
    return *ParseName(kReplays, replay) + ".mcap";
  }

  TestServer server_{Configure};
  std::string replay_;
  uint64_t digest_ = 0;  // of the last state
};

TEST_F(ServerBranchTest, WithTheSameInputsItIsTheSameRun) {
  for (const uint64_t tick : {0, 1, 59, 60, 500, 999, 1000}) {
    const v1::Session session = Branch(BranchOf(replay_, tick));
    EXPECT_EQ(session.tick(), tick);
    EXPECT_EQ(session.pack(), "tiny");
    EXPECT_EQ(Play(server_, session, kTicks, /*player=*/1), digest_) << tick;
    EXPECT_EQ(server_.DeleteSession(session.name()), "");
  }
}

TEST_F(ServerBranchTest, ItsFileSaysWhereItLeftItsParentAndVerifies) {
  const v1::Session session = Branch(BranchOf(replay_, 333, /*record=*/true));
  const uint64_t digest = Play(server_, session, kTicks, /*player=*/-1);
  EXPECT_NE(digest, digest_);

  const std::string branch = server_.DeleteSession(session.name());

  EXPECT_EQ(branch, session.replay());
  const std::string file = Download(branch);
  const auto replay = Open(file);
  const auto branches = replay->ReadBranches();
  ASSERT_EQ(branches->size(), 1u);
  EXPECT_EQ(branches->front().parent, FileOf(replay_));
  EXPECT_EQ(branches->front().tick, 333u);
  const auto report = replays::VerifyReplay(*replay, {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, kTicks);
  EXPECT_EQ(report->root.value, digest);
}

TEST_F(ServerBranchTest, TheParentStaysAsItIs) {
  const std::string before = Download(replay_);
  const v1::Session session = Branch(BranchOf(replay_, 500, /*record=*/true));
  Play(server_, session, 510, /*player=*/-1);
  server_.DeleteSession(session.name());

  EXPECT_EQ(Download(replay_), before);
}

TEST_F(ServerBranchTest, ARequestIdIsForOneBranch) {
  v1::CreateSessionRequest request = BranchOf(replay_, 500);
  request.set_request_id("id");
  const v1::Session first = Branch(request);

  EXPECT_EQ(Branch(request).name(), first.name());
  request.mutable_branch()->set_tick(501);
  EXPECT_EQ(Summarize(server_.TryCreateSession(request)),
            "INVALID_ARGUMENT REQUEST_ID_REUSED");
}

TEST_F(ServerBranchTest, WhatCannotBeGoneOnWithIsRefusedAndLeavesNothing) {
  const v1::Session unfinished = server_.CreateSession(/*record=*/true);
  const std::string whole = Download(replay_);
  // The batch from tick 900 on.
  const auto replay = Open(whole);
  const auto chunks = replay->file().Chunks();
  const replays::McapChunkIndex& chunk = (*chunks)[chunks->size() - 2];
  std::string damaged = whole;
  damaged[chunk.chunk_start_offset + chunk.chunk_length - 1] ^= 1;
  server_.folders().Write("store/replays/damaged.mcap", damaged);
  server_.folders().Write("store/replays/other.mcap", "not a replay");
  const auto files = server_.folders().StoredFiles();
  v1::CreateSessionRequest with_pack = BranchOf(replay_, 1);
  with_pack.set_pack("tiny");
  v1::CreateSessionRequest with_seed = BranchOf(replay_, 1);
  with_seed.set_seed(1);

  const std::pair<v1::CreateSessionRequest, std::string_view> cases[] = {
      {with_pack, "INVALID_ARGUMENT BRANCH_WITH_PACK_OR_SEED"},
      {with_seed, "INVALID_ARGUMENT BRANCH_WITH_PACK_OR_SEED"},
      {BranchOf("", 1), "INVALID_ARGUMENT NAME_MALFORMED"},
      {BranchOf("replays/../x", 1), "INVALID_ARGUMENT NAME_MALFORMED"},
      {BranchOf("replays/none", 1), "NOT_FOUND REPLAY_NOT_FOUND"},
      {BranchOf(unfinished.replay(), 0),
       "FAILED_PRECONDITION REPLAY_UNFINISHED"},
      {BranchOf(replay_, kTicks + 1), "OUT_OF_RANGE TICK_OUT_OF_RANGE"},
      {BranchOf(replay_, ~uint64_t{0}), "OUT_OF_RANGE TICK_OUT_OF_RANGE"},
      {BranchOf("replays/damaged", 950), "DATA_LOSS REPLAY_DAMAGED"},
      {BranchOf("replays/other", 0), "INVALID_ARGUMENT REPLAY_UNREADABLE"},
  };
  for (auto [request, expected] : cases) {
    for (const bool record : {false, true}) {
      request.set_record(record);
      const grpc::Status status = server_.TryCreateSession(request);
      EXPECT_EQ(Summarize(status), expected) << request.ShortDebugString();
      EXPECT_NE(status.error_message(), "");
    }
  }
  EXPECT_EQ(server_.folders().StoredFiles(), files);
  server_.ExpectGoodService();
}

TEST(ServerBranchPackTest, AReplayWithoutItsPackTakesTheOneOnOffer) {
  TestServer server([](ServerOptions& options) {
    options.recordings.writer.pack_bytes_max = 0;
  });
  const v1::Session session = server.CreateSession(/*record=*/true);
  const uint64_t digest = Play(server, session, 100, /*player=*/1);
  const std::string replay = server.DeleteSession(session.name());

  v1::Session branch;
  EXPECT_EQ(Summarize(server.TryCreateSession(BranchOf(replay, 100), &branch)),
            "OK");
  EXPECT_EQ(branch.digest(), fmt::format("{:016x}", digest));

  server.folders().Write("packs/tiny/more.txt", "another pack");
  EXPECT_EQ(Summarize(server.TryCreateSession(BranchOf(replay, 100))),
            "FAILED_PRECONDITION REPLAY_NOT_RESUMABLE");
}

// The way to a tick far behind the last keyframe is left when nobody waits.
TEST_F(ServerBranchTest, ACancelledOneStopsOnItsWayAndLeavesNothing) {
  const auto packs = *PackCatalog::Open(server_.folders().packs());
  const auto store = *ReplayStore::Open(server_.folders().store(), {});
  const SessionLoader loader({.packs = &packs, .replays = store.get()}, {});
  const auto files = server_.folders().StoredFiles();
  for (const bool record : {false, true}) {
    const SessionSpec spec = {
        .pack = "",
        .seed = 0,
        .record = record,
        .branch = BranchPoint{.replay_id = *ParseName(kReplays, replay_),
                              .tick = 599}};
    int asked = 0;
    const absl::Status status =
        loader.Load(spec, "id", [&asked] { return ++asked == 50; }).status();
    EXPECT_EQ(ReasonOf(status), "CALL_CANCELLED") << status;
    EXPECT_EQ(asked, 50);
    EXPECT_EQ(server_.folders().StoredFiles(), files);
  }
}

}  // namespace
}  // namespace reprise::services
