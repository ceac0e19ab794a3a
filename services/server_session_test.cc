// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what can be done with sessions beside stepping them on a stream, over
// a real connection: single steps, resets, snapshots, forks, lists. What is
// recorded meanwhile is always a run from its beginning that verifies.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "services/base/resource_name.h"
#include "services/storage/recording_room.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ServerSessionTest : public testing::Test {
 protected:
  // Batches that no tick below is a multiple of.
  static void Configure(ServerOptions& options) {
    options.recordings.writer.batch_ticks = 70;
    options.recordings.writer.keyframe_stride = 140;
    options.sessions.snapshots_max = 2;
    options.sessions.sessions_max = 4;
  }

  v1::Session Create(bool record = false, uint64_t seed = 1) {
    v1::CreateSessionRequest request;
    request.set_pack("tiny");
    request.set_seed(seed);
    request.set_record(record);
    v1::Session session;
    EXPECT_EQ(Summarize(server_.TryCreateSession(request, &session)), "OK");
    return session;
  }

  // Has the die rolled at each tick, so that every tick counts, and steers as
  // `player` does; returns the digest.
  uint64_t Play(const std::string& session, uint64_t tick, uint64_t end,
                int player = 1) {
    v1::StepRequest request =
        StepRequest(session, tick, static_cast<uint32_t>(end - tick));
    for (; tick < end; ++tick) {
      v1::TickInputs& inputs = *request.add_inputs();
      inputs.set_tick(tick);
      v1::DeviceState& device = *inputs.add_frames()->mutable_device();
      device.set_buttons(1);
      device.add_axes(static_cast<int>(tick * 7919 % 20'000) * player);
    }
    v1::StepResponse response;
    EXPECT_EQ(Summarize(server_.TryStep(request, &response)), "OK");
    EXPECT_EQ(response.tick(), end);
    return response.digest();
  }

  // Downloads and verifies a replay of so many ticks; returns the digest of
  // its last state.
  uint64_t Verify(const std::string& replay, uint64_t ticks,
                  std::vector<replays::ReplayBranch>* branches = nullptr) {
    v1::DownloadReplayRequest request;
    request.set_name(replay);
    std::string file;
    EXPECT_EQ(Summarize(server_.Download(request, &file)), "OK") << replay;
    const auto reader =
        replays::ReplayReader::Open(std::make_unique<replays::MemorySource>(
            std::as_bytes(std::span(file))));
    if (!reader.ok()) {
      ADD_FAILURE() << reader.status();
      return 0;
    }
    const auto report = replays::VerifyReplay(**reader, {});
    EXPECT_TRUE(report->passed()) << replay;
    EXPECT_EQ(report->ticks_verified, ticks) << replay;
    if (branches != nullptr) *branches = *(*reader)->ReadBranches();
    return report->root.value;
  }

  static std::string FileOf(std::string_view replay) {
    return *ParseName(kReplays, replay) + ".mcap";
  }

  TestServer server_{Configure};
};

std::string Format(uint64_t digest) { return fmt::format("{:016x}", digest); }

// --- Single steps.

TEST_F(ServerSessionTest, ASingleStepIsTheStepOfAStream) {
  const v1::Session session = Create();
  const v1::Session other = Create();
  StepClient stream(server_.simulations(), other.name());
  v1::StepRequest request = StepRequest(session.name(), 0, 150);
  request.set_want_frame(true);
  v1::StepSessionRequest expected_request = StepRequest(0, 150);
  expected_request.set_want_frame(true);

  v1::StepResponse response;
  ASSERT_EQ(Summarize(server_.TryStep(request, &response)), "OK");

  const auto expected = stream.Exchange(expected_request);
  EXPECT_EQ(response.tick(), 150u);
  EXPECT_EQ(response.digest(), expected.digest());
  EXPECT_EQ(response.outcome(), v1::RunEnd::OUTCOME_RUNNING);
  ASSERT_THAT(response.events(), SizeIs(1));
  EXPECT_EQ(response.events(0).type(), "hundred_ticks");
  EXPECT_EQ(response.frame().SerializeAsString(),
            expected.frame().SerializeAsString());
  EXPECT_EQ(server_.GetSession(session.name()).tick(), 150u);
  EXPECT_EQ(Summarize(stream.Finish()), "OK");
}

TEST_F(ServerSessionTest, ASingleStepThatIsRepeatedStepsNothingTwice) {
  const v1::Session session = Create();
  const v1::StepRequest request = StepRequest(session.name(), 0, 5);
  server_.Step(session.name(), 0, 5);

  EXPECT_EQ(Summarize(server_.TryStep(request)),
            "FAILED_PRECONDITION TICK_MISMATCH");
  EXPECT_EQ(server_.GetSession(session.name()).tick(), 5u);
}

TEST_F(ServerSessionTest, AnItemsErrorIsACallsError) {
  const v1::Session session = Create();
  StepClient stream(server_.simulations(), session.name());
  v1::StepSessionRequest request = StepRequest(7, 1);

  const auto refused = stream.Exchange(request);
  EXPECT_EQ(Summarize(stream.Finish()), "OK");
  const grpc::Status status =
      server_.TryStep(StepRequest(session.name(), 7, 1));

  EXPECT_EQ(Summarize(refused), "FAILED_PRECONDITION TICK_MISMATCH");
  EXPECT_EQ(refused.status().SerializeAsString(), status.error_details());
  EXPECT_EQ(refused.status().message(), refused.error().message());
  EXPECT_EQ(refused.status().code(), refused.error().code());
}

// --- Resets.

TEST_F(ServerSessionTest, AResetIsANewRunInItsPlace) {
  const v1::Session session = Create();
  const uint64_t digest = Play(session.name(), 0, 300);

  const v1::ResetSessionResponse reset = server_.ResetSession(session.name());

  EXPECT_EQ(reset.session().tick(), 0u);
  EXPECT_EQ(reset.session().digest(), session.digest());
  EXPECT_EQ(reset.session().state(), v1::Session::STATE_FREE);
  EXPECT_EQ(reset.replay(), "");
  EXPECT_EQ(Play(session.name(), 0, 300), digest);
}

TEST_F(ServerSessionTest, AResetWithASeedIsTheRunOfThatSeed) {
  const v1::Session session = Create(/*record=*/false, /*seed=*/1);
  const v1::Session other = Create(/*record=*/false, /*seed=*/2);
  const uint64_t digest = Play(session.name(), 0, 300);
  const uint64_t other_digest = Play(other.name(), 0, 300);
  ASSERT_NE(digest, other_digest);
  server_.SnapshotSession(session.name());

  const v1::Session reset = server_.ResetSession(session.name(), 2).session();

  EXPECT_EQ(reset.seed(), 2u);
  EXPECT_THAT(reset.snapshots(), IsEmpty());
  EXPECT_EQ(Play(session.name(), 0, 300), other_digest);
  EXPECT_EQ(server_.ResetSession(session.name(), 1).session().digest(),
            session.digest());
  EXPECT_EQ(Play(session.name(), 0, 300), digest);
}

TEST_F(ServerSessionTest, AResetOfARecordingBeginsAnother) {
  const v1::Session session = Create(/*record=*/true);
  const uint64_t first_digest = Play(session.name(), 0, 333);

  const auto reset = server_.ResetSession(session.name());
  EXPECT_EQ(reset.replay(), session.replay());
  EXPECT_NE(reset.session().replay(), session.replay());
  EXPECT_EQ(Verify(reset.replay(), 333), first_digest);
  const uint64_t second_digest = Play(session.name(), 0, 99, /*player=*/-1);
  const auto again = server_.ResetSession(session.name(), 5);
  EXPECT_EQ(again.replay(), reset.session().replay());
  const uint64_t third_digest = Play(session.name(), 0, 10);
  const std::string last = server_.DeleteSession(session.name());

  EXPECT_EQ(last, again.session().replay());
  EXPECT_EQ(Verify(again.replay(), 99), second_digest);
  EXPECT_EQ(Verify(last, 10), third_digest);
  EXPECT_THAT(server_.ListReplays().replays(), SizeIs(3));
}

TEST_F(ServerSessionTest, AResetWithoutRoomForARecordingChangesNothing) {
  TestServer server([](ServerOptions& options) {
    Configure(options);
    // Of one recording under way.
    options.recordings.store_bytes_max = kRoomAheadBytes * 3 / 2;
  });
  const v1::Session session = server.CreateSession(/*record=*/true);
  server.Step(session.name(), 0, 200);
  v1::ResetSessionRequest request;
  request.set_name(session.name());

  EXPECT_EQ(Summarize(server.TryResetSession(request)),
            "RESOURCE_EXHAUSTED STORE_FULL");

  EXPECT_EQ(server.GetSession(session.name()).tick(), 200u);
  EXPECT_EQ(server.Step(session.name(), 200, 10).tick(), 210u);
  EXPECT_EQ(server.DeleteSession(session.name()), session.replay());
  EXPECT_THAT(server.folders().StoredFiles(),
              ElementsAre(FileOf(session.replay())));
}

// --- Snapshots.

TEST_F(ServerSessionTest, WhatIsRestoredGoesOnAsItDid) {
  const v1::Session session = Create();
  const uint64_t middle = Play(session.name(), 0, 123);
  const v1::Snapshot snapshot = server_.SnapshotSession(session.name());
  EXPECT_EQ(snapshot.tick(), 123u);
  EXPECT_EQ(snapshot.digest(), Format(middle));
  const uint64_t end = Play(session.name(), 123, 300);

  const auto restored = server_.RestoreSession(snapshot.name());

  EXPECT_EQ(restored.session().tick(), 123u);
  EXPECT_EQ(restored.session().digest(), snapshot.digest());
  EXPECT_EQ(restored.replay(), "");
  EXPECT_EQ(Play(session.name(), 123, 300), end);
  // It is there for another time.
  server_.RestoreSession(snapshot.name());
  EXPECT_NE(Play(session.name(), 123, 300, /*player=*/-1), end);
}

TEST_F(ServerSessionTest, SnapshotsAreFewAndForgotten) {
  const v1::Session session = Create();
  const v1::Snapshot first = server_.SnapshotSession(session.name());
  server_.Step(session.name(), 0, 1);
  server_.SnapshotSession(session.name());
  EXPECT_EQ(Summarize(server_.TrySnapshotSession(session.name())),
            "RESOURCE_EXHAUSTED TOO_MANY_SNAPSHOTS");
  EXPECT_THAT(server_.GetSession(session.name()).snapshots(), SizeIs(2));

  EXPECT_EQ(Summarize(server_.TryDeleteSnapshot(first.name())), "OK");

  EXPECT_EQ(Summarize(server_.TryDeleteSnapshot(first.name())),
            "NOT_FOUND SNAPSHOT_NOT_FOUND");
  EXPECT_EQ(Summarize(server_.TryRestoreSession(first.name())),
            "NOT_FOUND SNAPSHOT_NOT_FOUND");
  // No other one gets its name.
  EXPECT_NE(server_.SnapshotSession(session.name()).name(), first.name());
}

TEST_F(ServerSessionTest, RestoringARecordingBeginsABranch) {
  const v1::Session session = Create(/*record=*/true);
  Play(session.name(), 0, 123);
  const v1::Snapshot snapshot = server_.SnapshotSession(session.name());
  const uint64_t first_end = Play(session.name(), 123, 300);

  const auto restored = server_.RestoreSession(snapshot.name());
  EXPECT_EQ(restored.replay(), session.replay());
  EXPECT_EQ(restored.session().tick(), 123u);
  EXPECT_EQ(restored.session().digest(), snapshot.digest());
  EXPECT_EQ(Verify(restored.replay(), 300), first_end);
  const uint64_t second_end = Play(session.name(), 123, 200, /*player=*/-1);
  // The snapshot is of the first recording, which is finished now.
  const auto again = server_.RestoreSession(snapshot.name());
  const uint64_t third_end = Play(session.name(), 123, 300);
  const std::string last = server_.DeleteSession(session.name());

  std::vector<replays::ReplayBranch> branches;
  EXPECT_EQ(Verify(again.replay(), 200, &branches), second_end);
  ASSERT_THAT(branches, SizeIs(1));
  EXPECT_EQ(branches[0].parent, FileOf(session.replay()));
  EXPECT_EQ(branches[0].tick, 123u);
  EXPECT_EQ(Verify(last, 300, &branches), third_end);
  EXPECT_EQ(third_end, first_end);
  EXPECT_EQ(branches[0].parent, FileOf(session.replay()));
  EXPECT_THAT(server_.folders().StoredFiles(), SizeIs(3));
}

TEST_F(ServerSessionTest, ASnapshotOutlivesAResetOfItsRun) {
  const v1::Session session = Create(/*record=*/true);
  const uint64_t middle = Play(session.name(), 0, 71);
  const v1::Snapshot snapshot = server_.SnapshotSession(session.name());
  server_.ResetSession(session.name());
  Play(session.name(), 0, 5, /*player=*/-1);

  const auto restored = server_.RestoreSession(snapshot.name());

  EXPECT_EQ(restored.session().digest(), Format(middle));
  Verify(restored.replay(), 5);
  const uint64_t end = Play(session.name(), 71, 80);
  EXPECT_EQ(Verify(server_.DeleteSession(session.name()), 80), end);
}

// --- Forks.

TEST_F(ServerSessionTest, AForkAndItsParentGoOnIndependently) {
  const v1::Session session = Create();
  Play(session.name(), 0, 123);
  const v1::Snapshot snapshot = server_.SnapshotSession(session.name());
  const uint64_t middle = Play(session.name(), 123, 200);

  const v1::Session fork = server_.ForkSession(ForkRequest(session.name()));
  EXPECT_EQ(fork.tick(), 200u);
  EXPECT_EQ(fork.digest(), Format(middle));
  const uint64_t forks_end = Play(fork.name(), 200, 300, /*player=*/-1);
  EXPECT_EQ(server_.GetSession(session.name()).tick(), 200u);
  const uint64_t end = Play(session.name(), 200, 300);
  EXPECT_NE(forks_end, end);
  // From where its parent stood before; and back to tick 0.
  v1::ForkSessionRequest request = ForkRequest(session.name());
  request.set_snapshot(snapshot.name());
  const v1::Session early = server_.ForkSession(request);
  EXPECT_EQ(early.tick(), 123u);
  server_.DeleteSession(session.name());
  EXPECT_EQ(Play(early.name(), 123, 300), end);
  EXPECT_EQ(server_.ResetSession(early.name()).session().digest(),
            session.digest());
}

TEST_F(ServerSessionTest, AForkIsMadeWhileAStreamStepsItsParent) {
  const v1::Session session = Create();
  StepClient stream(server_.simulations(), session.name());
  const auto response = stream.Exchange(StepRequest(0, 10));

  const v1::Session fork = server_.ForkSession(ForkRequest(session.name()));

  EXPECT_EQ(fork.digest(), Format(response.digest()));
  EXPECT_EQ(server_.SnapshotSession(session.name()).tick(), 10u);
  EXPECT_EQ(Summarize(stream.Exchange(StepRequest(10, 1))), "OK");
  EXPECT_EQ(Summarize(stream.Finish()), "OK");
}

TEST_F(ServerSessionTest, ARecordedForkIsABranchOfARunThatGoesOn) {
  const v1::Session session = Create(/*record=*/true);
  Play(session.name(), 0, 123);

  const v1::Session fork =
      server_.ForkSession(ForkRequest(session.name(), /*record=*/true));
  const uint64_t forks_end = Play(fork.name(), 123, 200, /*player=*/-1);
  const uint64_t end = Play(session.name(), 123, 300);

  std::vector<replays::ReplayBranch> branches;
  EXPECT_EQ(Verify(server_.DeleteSession(fork.name()), 200, &branches),
            forks_end);
  ASSERT_THAT(branches, SizeIs(1));
  EXPECT_EQ(branches[0].parent, FileOf(session.replay()));
  EXPECT_EQ(branches[0].tick, 123u);
  EXPECT_EQ(Verify(server_.DeleteSession(session.name()), 300, &branches), end);
  EXPECT_THAT(branches, IsEmpty());
}

TEST_F(ServerSessionTest, WhatIsNotRecordedHasNoRecordedFork) {
  const v1::Session session = Create();

  EXPECT_EQ(Summarize(server_.TryForkSession(
                ForkRequest(session.name(), /*record=*/true))),
            "FAILED_PRECONDITION SESSION_NOT_RECORDED");
}

TEST_F(ServerSessionTest, ForksCountAsSessionsAndAreRepeatedHarmlessly) {
  const v1::Session session = Create();
  v1::ForkSessionRequest request = ForkRequest(session.name());
  request.set_request_id("id");
  const v1::Session fork = server_.ForkSession(request);

  EXPECT_EQ(server_.ForkSession(request).name(), fork.name());
  (*request.mutable_labels())["a"] = "b";
  EXPECT_EQ(Summarize(server_.TryForkSession(request)),
            "INVALID_ARGUMENT REQUEST_ID_REUSED");
  server_.ForkSession(ForkRequest(session.name()));
  server_.ForkSession(ForkRequest(session.name()));
  EXPECT_EQ(Summarize(server_.TryForkSession(ForkRequest(session.name()))),
            "RESOURCE_EXHAUSTED TOO_MANY_SESSIONS");
}

TEST_F(ServerSessionTest, ASnapshotOfAnotherSessionIsRefused) {
  const v1::Session session = Create();
  const v1::Session other = Create();
  v1::ForkSessionRequest request = ForkRequest(session.name());
  request.set_snapshot(server_.SnapshotSession(other.name()).name());

  EXPECT_EQ(Summarize(server_.TryForkSession(request)),
            "INVALID_ARGUMENT NAME_MALFORMED");
}

// --- Lists.

TEST_F(ServerSessionTest, SessionsAreFoundByPackLabelsAndOutcome) {
  v1::CreateSessionRequest create;
  create.set_pack("tiny");
  (*create.mutable_labels())["job"] = "a";
  v1::Session labelled;
  ASSERT_EQ(Summarize(server_.TryCreateSession(create, &labelled)), "OK");
  const v1::Session plain = Create();
  const auto names = [&](const v1::ListSessionsRequest& request) {
    const v1::ListSessionsResponse page = server_.ListSessions(request);
    std::vector<std::string> listed;
    for (const v1::Session& session : page.sessions()) {
      listed.push_back(session.name());
    }
    return listed;
  };

  v1::ListSessionsRequest request;
  EXPECT_THAT(names(request), ElementsAre(labelled.name(), plain.name()));
  request.set_pack("tiny");
  (*request.mutable_labels())["job"] = "a";
  EXPECT_THAT(names(request), ElementsAre(labelled.name()));
  request.set_outcome(v1::RunEnd::OUTCOME_WON);
  EXPECT_THAT(names(request), IsEmpty());
  request.clear_labels();
  request.set_outcome(v1::RunEnd::OUTCOME_RUNNING);
  EXPECT_THAT(names(request), SizeIs(2));
  request.set_pack("golf");
  EXPECT_THAT(names(request), IsEmpty());
}

TEST_F(ServerSessionTest, ListsComeInPages) {
  const v1::Session first = Create();
  const v1::Session second = Create();
  const v1::Session third = Create();
  v1::ListSessionsRequest request;
  request.set_page_size(2);

  const v1::ListSessionsResponse page = server_.ListSessions(request);
  ASSERT_THAT(page.sessions(), SizeIs(2));
  EXPECT_EQ(page.sessions(0).name(), first.name());
  EXPECT_EQ(page.sessions(1).digest(), second.digest());
  request.set_page_token(page.next_page_token());
  // Whatever ended in between.
  server_.DeleteSession(second.name());
  const v1::ListSessionsResponse last = server_.ListSessions(request);
  ASSERT_THAT(last.sessions(), SizeIs(1));
  EXPECT_EQ(last.sessions(0).name(), third.name());
  EXPECT_EQ(last.next_page_token(), "");

  for (const char* const token : {"no such", "x"}) {
    request.set_page_token(token);
    EXPECT_EQ(Summarize(server_.TryListSessions(request)),
              "INVALID_ARGUMENT PAGE_TOKEN_MALFORMED");
  }
  request.set_page_size(-1);
  EXPECT_EQ(Summarize(server_.TryListSessions(request)),
            "INVALID_ARGUMENT PAGE_SIZE_NEGATIVE");
}

}  // namespace
}  // namespace reprise::services
