// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves what a well-behaved client gets, over a real loopback connection:
// sessions, stepping, recordings that verify after their download, and an end
// that loses nothing. Nothing here waits for time; what must not hang fails by
// a call's own deadline of a minute.

#include "services/server.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "replays/container/byte_file.h"
#include "replays/format/replay_reader.h"
#include "replays/verifying/verifier.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// `request` with an input at its first tick: the axis that steers at `value`.
v1::StepSessionRequest Steering(v1::StepSessionRequest request, int value) {
  v1::TickInputs& inputs = *request.add_inputs();
  inputs.set_tick(request.tick());
  inputs.add_frames()->mutable_device()->add_axes(value);
  return request;
}

TEST(ServerTest, ASessionLivesFromItsCreationToItsDeletion) {
  TestServer server;
  const v1::Session session = server.CreateSession();
  EXPECT_THAT(session.name(), StartsWith("sessions/"));
  EXPECT_EQ(session.pack(), "tiny");

  StepClient client(server.simulations(), session.name());
  client.Exchange(StepRequest(0, 5));
  EXPECT_EQ(server.GetSession(session.name()).tick(), 5u);
  EXPECT_EQ(Summarize(client.Finish()), "OK");

  EXPECT_EQ(server.DeleteSession(session.name()), "");
  EXPECT_EQ(Summarize(server.TryGetSession(session.name())),
            "NOT_FOUND SESSION_NOT_FOUND");
}

TEST(ServerTest, AClientLearnsOfAPackWithoutItsFiles) {
  TestServer server;
  v1::GameDescription tiny;
  ASSERT_EQ(Summarize(server.TryDescribePack("tiny", &tiny)), "OK");

  EXPECT_EQ(tiny.pack(), "tiny");
  EXPECT_EQ(tiny.players().actions(0).name(), "steer");
  EXPECT_EQ(tiny.events(0).name(), "goal_reached");
  EXPECT_EQ(tiny.pack_digest(), server.CreateSession().pack_digest());
}

TEST(ServerTest, EveryRequestIsAnsweredInOrder) {
  TestServer server;
  const v1::Session session = server.CreateSession();
  StepClient client(server.simulations(), session.name());

  for (uint64_t tick = 0; tick < 500; tick += 5) {
    const auto response = client.Exchange(StepRequest(tick, 5));
    ASSERT_EQ(Summarize(response), "OK");
    ASSERT_EQ(response.tick(), tick + 5);
    ASSERT_EQ(response.outcome(), v1::RunEnd::OUTCOME_RUNNING);
    ASSERT_NE(response.digest(), 0u);
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
}

TEST(ServerTest, HowTicksAreAskedForChangesNothing) {
  TestServer server;
  const v1::Session at_once = server.CreateSession();
  const v1::Session one_by_one = server.CreateSession(/*record=*/true);
  StepClient first(server.simulations(), at_once.name());
  StepClient second(server.simulations(), one_by_one.name());

  const auto expected = first.Exchange(Steering(StepRequest(0, 200), 1000));
  v1::StepSessionResponse actual =
      second.Exchange(Steering(StepRequest(0, 1), 1000));
  for (uint64_t tick = 1; tick < 200; ++tick) {
    actual = second.Exchange(StepRequest(tick, 1));
  }

  EXPECT_EQ(actual.tick(), 200u);
  EXPECT_EQ(actual.digest(), expected.digest());
}

TEST(ServerTest, LookingStepsNothingAndShowsTheFrame) {
  TestServer server;
  const v1::Session session = server.CreateSession();
  StepClient client(server.simulations(), session.name());
  auto request = StepRequest(0, 0);
  request.set_want_frame(true);

  const auto response = client.Exchange(request);

  EXPECT_EQ(response.tick(), 0u);
  ASSERT_EQ(response.frame().objects_size(), 2);
  EXPECT_EQ(response.frame().objects(0).name(), "runner");
}

TEST(ServerTest, EventsComeWithTheTicksTheyHappenedIn) {
  TestServer server;
  const v1::Session session = server.CreateSession();
  StepClient client(server.simulations(), session.name());

  EXPECT_EQ(client.Exchange(StepRequest(0, 99)).events_size(), 0);
  const auto response = client.Exchange(StepRequest(99, 1));

  ASSERT_EQ(response.events_size(), 1);
  EXPECT_EQ(response.events(0).type(), "hundred_ticks");
  EXPECT_EQ(response.events(0).tick(), 99u);
}

TEST(ServerTest, ARecordingVerifiesAfterItsDownload) {
  TestServer server;
  const v1::Session session = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), session.name());
  uint64_t digest = 0;
  for (uint64_t tick = 0; tick < 1000; tick += 100) {
    digest = client.Exchange(Steering(StepRequest(tick, 100), tick)).digest();
  }
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  v1::DownloadReplayRequest request;
  request.set_name(server.DeleteSession(session.name()));

  std::string file;
  ASSERT_EQ(Summarize(server.Download(request, &file)), "OK");

  auto source =
      std::make_unique<replays::MemorySource>(std::as_bytes(std::span(file)));
  const auto replay = replays::ReplayReader::Open(std::move(source));
  ASSERT_TRUE(replay.ok()) << replay.status();
  const auto report = replays::VerifyReplay(**replay, {});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->passed());
  EXPECT_EQ(report->ticks_verified, 1000u);
  EXPECT_EQ(report->root.value, digest);
}

TEST(ServerTest, FinishedReplaysAreListedAndDownloadedFromAnyOffset) {
  TestServer server;
  const v1::Session session = server.CreateSession(/*record=*/true);
  EXPECT_THAT(server.ListReplays().replays(), IsEmpty());

  v1::DownloadReplayRequest request;
  request.set_name(server.DeleteSession(session.name()));
  const v1::ListReplaysResponse list = server.ListReplays();
  ASSERT_EQ(list.replays_size(), 1);
  EXPECT_EQ(list.replays(0).name(), request.name());
  EXPECT_EQ(session.replay(), request.name());

  std::string whole, rest, nothing;
  EXPECT_EQ(Summarize(server.Download(request, &whole)), "OK");
  EXPECT_EQ(whole.size(), list.replays(0).size_bytes());
  request.set_offset(10);
  EXPECT_EQ(Summarize(server.Download(request, &rest)), "OK");
  EXPECT_EQ(rest, whole.substr(10));
  request.set_offset(whole.size());
  EXPECT_EQ(Summarize(server.Download(request, &nothing)), "OK");
  EXPECT_EQ(nothing, "");
  std::string part, end;
  request.set_offset(10);
  request.set_length(100);
  EXPECT_EQ(Summarize(server.Download(request, &part)), "OK");
  EXPECT_EQ(part, whole.substr(10, 100));
  request.set_length(uint64_t{1} << 63);
  EXPECT_EQ(Summarize(server.Download(request, &end)), "OK");
  EXPECT_EQ(end, rest);
}

TEST(ServerTest, ALongRequestLetsOtherClientsHaveTheirTurn) {
  TestServer server([](ServerOptions& options) {
    options.worker_count = 1;
    options.sessions.ticks_per_request_max = ~0u;
  });
  const v1::Session endless = server.CreateSession();
  StepClient client(server.simulations(), endless.name());
  ASSERT_TRUE(client.Send(StepRequest(0, ~0u)));

  server.ExpectGoodService();

  client.Cancel();
  EXPECT_EQ(client.AwaitEnd().error_code(), grpc::StatusCode::CANCELLED);
}

TEST(ServerTest, ADeadlineEndsARequestBetweenTwoTicks) {
  TestServer server([](ServerOptions& options) {
    options.sessions.ticks_per_request_max = ~0u;
  });
  const v1::Session session = server.CreateSession();
  grpc::ClientContext context;
  context.set_deadline(
      absl::ToChronoTime(absl::Now() + absl::Milliseconds(100)));
  const auto stream = server.simulations().StepSession(&context);
  auto request = StepRequest(0, ~0u);
  request.set_session(session.name());
  stream->Write(request);

  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  // The server's side ends by itself too, and the session is free again.
  while (Summarize(server.TryDeleteSession(session.name())) ==
         "FAILED_PRECONDITION SESSION_IN_USE") {
  }
  EXPECT_EQ(server.TryGetSession(session.name()).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST(ServerTest, ShuttingDownEndsStreamsAndFinishesRecordings) {
  TestServer server;
  const v1::Session session = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), session.name());
  client.Exchange(StepRequest(0, 10));

  server.server().Shutdown(absl::Minutes(1));
  server.server().Wait();

  EXPECT_EQ(Summarize(client.AwaitEnd()), "UNAVAILABLE SERVER_STOPPING");
  EXPECT_THAT(server.folders().StoredFiles(), ElementsAre(EndsWith(".mcap")));
  EXPECT_EQ(server.TryGetSession(session.name()).error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST(ServerTest, ShuttingDownCancelsWhatIsLeftAtTheDeadline) {
  TestServer server([](ServerOptions& options) {
    options.sessions.ticks_per_request_max = ~0u;
  });
  const v1::Session session = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), session.name());
  ASSERT_TRUE(client.Send(StepRequest(0, ~0u)));

  server.server().Shutdown(absl::Milliseconds(10));

  EXPECT_FALSE(client.AwaitEnd().ok());
  EXPECT_THAT(server.folders().StoredFiles(), ElementsAre(EndsWith(".mcap")));
}

TEST(ServerTest, AnIdleStreamIsClosedAndItsSessionEnds) {
  std::atomic<int64_t> now_s = 0;
  TestServer server([&now_s](ServerOptions& options) {
    options.sessions.idle_timeout = absl::Milliseconds(50);
    options.clock = [&now_s] { return absl::FromUnixSeconds(now_s); };
  });
  const v1::Session session = server.CreateSession(/*record=*/true);
  StepClient client(server.simulations(), session.name());

  // Time passes only once the stream has its session.
  std::atomic<bool> is_over = false;
  std::thread time([&] {
    while (!is_over) {
      ++now_s;
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(Summarize(client.AwaitEnd()), "ABORTED STREAM_IDLE");

  // Asking for it would keep it alive, so the file tells.
  while (!server.folders().StoredFiles().front().ends_with(".mcap")) {
    std::this_thread::yield();
  }
  is_over = true;
  time.join();
  EXPECT_EQ(Summarize(server.TryGetSession(session.name())),
            "NOT_FOUND SESSION_NOT_FOUND");
}

TEST(ServerTest, ASecondServerOnTheAddressIsRefused) {
  TestServer server;
  ServerOptions options;
  options.address = server.server().address();
  options.packs_folder = server.folders().packs();
  options.store_folder = server.folders().store();

  EXPECT_EQ(Server::Start(options).status().code(),
            absl::StatusCode::kUnavailable);
  server.ExpectGoodService();
}

TEST(ServerTest, OptionsOutOfRangeAreRefused) {
  const TestFolders folders;
  ServerOptions sound;
  sound.address = "127.0.0.1:0";
  sound.packs_folder = folders.packs();
  sound.store_folder = folders.store();
  const auto code_with = [&](auto change) {
    ServerOptions options = sound;
    change(options);
    return Server::Start(options).status().code();
  };

  EXPECT_EQ(code_with([](auto& o) { o.address = "0.0.0.0:0"; }),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_with([](auto& o) { o.message_bytes_max = 10; }),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_with([](auto& o) { o.sessions.sessions_max = 0; }),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_with([](auto& o) { o.sessions.idle_timeout = {}; }),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_with([](auto& o) { o.recordings.writer.digest_stride = 0; }),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_with([](auto& o) { o.packs_folder += "/none"; }),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace reprise::services
