// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that no tick waits for a disk that is slow, unless it is recorded
// there: while a disk that a test has stopped doesn't answer one session's
// recording, or a list of the store, others are created, stepped and deleted.
// Nothing is timed: a disk that doesn't answer at all is slower than any.

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
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
