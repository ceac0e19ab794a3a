// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no tick waits for a disk that is slow, unless it is recorded
// there: while a disk that a test has stopped doesn't answer the recordings of
// as many sessions as one likes, or a list of the store, others are created,
// stepped, played and deleted.
// Nothing is timed: a disk that doesn't answer at all is slower than any.

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "services/testing/play_client.h"
#include "services/testing/slow_disk.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::SizeIs;

// Of a kind each, so that none waits for the other; what is stopped has one.
void WithTwoWorkers(ServerOptions& options) { options.worker_count = 2; }

// Sessions without a recording, from their beginnings to their ends.
void ExpectOthersGoOn(TestServer& server) {
  const v1::Session session = server.CreateSession();
  StepClient client(server.simulations(), session.name());
  uint64_t tick = 0;
  for (int i = 0; i < 20; ++i) {
    const auto response = client.Exchange(StepRequest(tick, 10));
    ASSERT_EQ(Summarize(response), "OK");
    tick = response.tick();
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  for (int i = 0; i < 20; ++i) {
    tick = server.Step(session.name(), tick, 10).tick();
  }
  EXPECT_EQ(tick, 400u);
  server.DeleteSession(session.name());
}

TEST(ServerSlowDiskTest, ARecordingThatWaitsForItsDiskHoldsUpNoOther) {
  TestServer server(WithTwoWorkers);
  const v1::Session recorded = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), recorded.name());
  std::atomic<bool> is_enough = false;
  uint64_t tick = 0;
  std::thread stepping;
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kWriting);
    // Until a batch is full, at the latest, and the disk doesn't take it.
    stepping = std::thread([&] {
      while (!is_enough) {
        const auto response = client.Exchange(StepRequest(tick, 1000));
        ASSERT_EQ(Summarize(response), "OK");
        tick = response.tick();
      }
    });
    disk.AwaitSomebody();
    ExpectOthersGoOn(server);
    // Meanwhile nothing came of it.
    EXPECT_EQ(disk.waiting_count(), 1);
    is_enough = true;
  }
  stepping.join();
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  // The wait cost it nothing.
  server.DeleteSession(recorded.name());
  const auto replays = server.ListReplays().replays();
  ASSERT_THAT(replays, SizeIs(1));
  EXPECT_EQ(replays.at(0).tick_count(), tick);
}

// One session that is recorded, stepped by a client that waits for it.
class RecordedSession {
 public:
  // In one request each, with an answer for each.
  enum class Way { kStream, kStreamOfMany, kCall };

  RecordedSession(TestServer* server, Way way)
      : server_(*server),
        way_(way),
        name_(server->CreateSession(/*record=*/true).name()) {}

  // Until `is_enough`, by a thread of its own.
  void StartStepping(const std::atomic<bool>* is_enough) {
    thread_ = std::thread([this, is_enough] {
      while (!*is_enough) Step();
    });
  }

  const std::string& name() const { return name_; }

  // How many ticks its replay has, which it has become, and how many it made.
  void ExpectWholeReplay() {
    thread_.join();
    const std::string replay = server_.DeleteSession(name_);
    v1::GetReplayRequest request;
    request.set_name(replay);
    grpc::ClientContext context;
    v1::GetReplayResponse response;
    ASSERT_EQ(
        Summarize(server_.replays().GetReplay(&context, request, &response)),
        "OK");
    EXPECT_GT(tick_, 0u);
    EXPECT_EQ(response.replay().tick_count(), tick_);
  }

 private:
  void Step() {
    v1::StepSessionRequest request = StepRequest(tick_, 1000);
    request.set_session(name_);
    if (way_ == Way::kCall) {
      tick_ = server_.Step(name_, tick_, 1000).tick();
    } else if (way_ == Way::kStream) {
      StepClient client(server_.simulations());
      const auto response = client.Exchange(request);
      EXPECT_EQ(Summarize(response), "OK");
      tick_ = response.tick();
      EXPECT_EQ(Summarize(client.Finish()), "OK");
    } else {
      grpc::ClientContext context;
      const auto stream = server_.simulations().StepSessions(&context);
      v1::StepSessionsRequest all;
      *all.add_orders() = request;
      v1::StepSessionsResponse response;
      ASSERT_TRUE(stream->Write(all));
      ASSERT_TRUE(stream->Read(&response));
      ASSERT_EQ(response.results_size(), 1);
      EXPECT_EQ(Summarize(response.results(0)), "OK");
      tick_ = response.results(0).tick();
      stream->WritesDone();
      EXPECT_EQ(Summarize(stream->Finish()), "OK");
    }
  }

  TestServer& server_;
  const Way way_;
  const std::string name_;
  std::thread thread_;
  uint64_t tick_ = 0;
};

// By each way to step there is. A thread that waited for a disk would be gone
// behind the first of them.
TEST(ServerSlowDiskTest, MoreRecordingsThanWorkersWaitAndHoldUpNoOther) {
  TestServer server([](ServerOptions& options) { options.worker_count = 1; });
  using Way = RecordedSession::Way;
  std::vector<std::unique_ptr<RecordedSession>> recorded;
  for (const Way way : {Way::kStream, Way::kCall, Way::kStreamOfMany,
                        Way::kStream, Way::kCall, Way::kStreamOfMany}) {
    recorded.push_back(std::make_unique<RecordedSession>(&server, way));
  }
  std::atomic<bool> is_enough = false;
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kWriting);
    for (const auto& session : recorded) session->StartStepping(&is_enough);
    disk.Await(static_cast<int>(recorded.size()));
    ExpectOthersGoOn(server);
    // Nor does who asks about one of those.
    for (const auto& session : recorded) {
      EXPECT_EQ(Summarize(server.TryGetSession(session->name())), "OK");
    }
    EXPECT_EQ(disk.waiting_count(), static_cast<int>(recorded.size()));
    is_enough = true;
  }
  for (const auto& session : recorded) session->ExpectWholeReplay();
}

// What a client was told of is in the file by then: a killed server loses none
// of it.
TEST(ServerSlowDiskTest, NoAnswerComesBeforeItsBatchesAreWritten) {
  TestServer server(WithTwoWorkers);
  const v1::Session recorded = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), recorded.name());
  std::atomic<bool> is_answered = false;
  std::thread stepping;
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kWriting);
    // One batch, and its ticks are soon made.
    stepping = std::thread([&] {
      EXPECT_EQ(Summarize(client.Exchange(StepRequest(0, 600))), "OK");
      is_answered = true;
    });
    disk.AwaitSomebody();
    ExpectOthersGoOn(server);
    EXPECT_FALSE(is_answered);
  }
  stepping.join();
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  server.DeleteSession(recorded.name());
}

// Players are told of a tick at once, and the one behind the end of a batch
// waits for the disk; others' don't.
TEST(ServerSlowDiskTest, APlayThatIsRecordedMakesNoTickAheadOfItsDisk) {
  TestServer server([](ServerOptions& options) {
    options.worker_count = 1;
    options.recordings.writer.batch_ticks = 10;
  });
  v1::CreateSessionRequest create;
  create.set_pack("tiny");
  create.set_record(true);
  create.mutable_lockstep()->set_players_to_start(1);
  v1::Session session;
  ASSERT_EQ(Summarize(server.TryCreateSession(create, &session)), "OK");
  PlayClient player(server.simulations(), JoinRequest(session.name(), 0));
  EXPECT_EQ(Summarize(player.ReadJoined()), "OK");
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kWriting);
    player.Send(PushRequest(0, 0, 30));
    disk.AwaitSomebody();
    const uint64_t tick = server.GetSession(session.name()).tick();
    ExpectOthersGoOn(server);
    EXPECT_GE(tick, 1u);
    EXPECT_LE(tick, 10u);
    EXPECT_EQ(server.GetSession(session.name()).tick(), tick);
    EXPECT_EQ(Summarize(player.ReadTo(tick)), "OK");
  }
  EXPECT_EQ(Summarize(player.ReadTo(30)), "OK");
  EXPECT_EQ(Summarize(player.Leave()), "OK");
}

// Who gives up waiting leaves the session free for others, and nothing behind.
TEST(ServerSlowDiskTest, ACallThatGivesUpWaitingFreesItsSession) {
  TestServer server(WithTwoWorkers);
  const v1::Session recorded = server.CreateSession(/*record=*/true);
  uint64_t tick = 0;
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kWriting);
    grpc::ClientContext context;
    std::thread giving_up([&] {
      disk.AwaitSomebody();
      context.TryCancel();
    });
    v1::StepResponse response;
    EXPECT_EQ(
        server.simulations()
            .Step(&context, StepRequest(recorded.name(), 0, 1000), &response)
            .error_code(),
        grpc::StatusCode::CANCELLED);
    giving_up.join();
    v1::Session session = recorded;
    do {
      ASSERT_EQ(Summarize(server.TryGetSession(recorded.name(), &session)),
                "OK");
    } while (session.state() == v1::Session::STATE_IN_USE);
    EXPECT_EQ(session.state(), v1::Session::STATE_FREE);
    tick = session.tick();
  }
  EXPECT_EQ(server.Step(recorded.name(), tick, 10).tick(), tick + 10);
  server.DeleteSession(recorded.name());
}

// However many files there are: it is slower than a list of 100,000.
TEST(ServerSlowDiskTest, AListThatWaitsForItsDiskHoldsUpNobody) {
  TestServer server([](ServerOptions& options) { options.worker_count = 1; });
  server.DeleteSession(server.CreateSession(/*record=*/true).name());
  grpc::Status listed;
  std::atomic<bool> is_listed = false;
  v1::ListReplaysResponse list;
  std::thread listing;
  {
    const SlowDisk disk(server.folders().store(), DiskWork::kListing);
    listing = std::thread([&] {
      grpc::ClientContext context;
      listed = server.replays().ListReplays(&context, {}, &list);
      is_listed = true;
    });
    disk.AwaitSomebody();
    ExpectOthersGoOn(server);
    EXPECT_FALSE(is_listed);
  }
  listing.join();
  EXPECT_EQ(Summarize(listed), "OK");
  EXPECT_THAT(list.replays(), SizeIs(1));
}

// The same with as many: ticks are made while a list of them is.
TEST(ServerSlowDiskTest, AListOfAHundredThousandFilesHoldsUpNobody) {
  constexpr size_t kFiles = 100'000;
  constexpr int kPages = 10;
  TestServer server([](ServerOptions& options) {
    options.worker_count = 1;
    // None of them is a replay, which is said of each.
    options.log = [](const LogEntry&) {};
  });
  // Names of a few files: systems allow some 65,000 each.
  std::string file;
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string name = fmt::format("store/replays/{:032x}.mcap", i + 1);
    const std::string path = server.folders().PathOf(name);
    if (i % 10'000 == 0) {
      server.folders().Write(name, "");
      file = path;
    } else {
      ASSERT_EQ(link(file.c_str(), path.c_str()), 0);
    }
  }
  const v1::Session session = server.CreateSession();
  std::atomic<bool> is_listed = false;
  v1::ListReplaysResponse list;
  grpc::Status status;
  std::thread listing([&] {
    v1::ListReplaysRequest request;
    request.set_page_size(100);
    for (int page = 0; page < kPages && status.ok(); ++page) {
      grpc::ClientContext context;
      status = server.replays().ListReplays(&context, request, &list);
      request.set_page_token(list.next_page_token());
    }
    is_listed = true;
  });
  uint64_t tick = 0;
  while (!is_listed) tick = server.Step(session.name(), tick, 1).tick();
  listing.join();
  EXPECT_EQ(Summarize(status), "OK");
  EXPECT_THAT(list.replays(), SizeIs(100));
  // One that waited for each page would make no more than a tick a page.
  EXPECT_GT(tick, 2u * kPages);
}

}  // namespace
}  // namespace reprise::services
