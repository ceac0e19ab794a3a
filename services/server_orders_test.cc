// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that an order that changes something is carried out once, however
// often it is repeated with its request_id, one after the other or at the same
// time; that each repetition has the same answer; that an id is of one order;
// and that an order that failed may be given again.

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "gtest/gtest.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "reprise/v1/simulation_service.grpc.pb.h"
#include "services/base/recent_orders.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::Each;
using ::testing::SizeIs;

constexpr char kReused[] = "INVALID_ARGUMENT REQUEST_ID_REUSED";

class ServerOrdersTest : public testing::Test {
 protected:
  // Makes the call, and says what came of it: the answer's bytes, or the error.
  template <typename Stub, typename Request, typename Response>
  std::string Call(Stub& stub,
                   grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                const Request&, Response*),
                   const Request& request, Response* response = nullptr) {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Minutes(1)));
    Response own;
    if (response == nullptr) response = &own;
    const grpc::Status status = (stub.*method)(&context, request, response);
    return status.ok() ? response->SerializeAsString() : Summarize(status);
  }

  // Gives the order twice with its id, once without an id of its own at the
  // end: the first two answers are one, and the third is `third`.
  template <typename Stub, typename Request, typename Response>
  void ExpectOnce(Stub& stub,
                  grpc::Status (Stub::*method)(grpc::ClientContext*,
                                               const Request&, Response*),
                  Request request, const std::string& third) {
    request.set_request_id("order");
    const std::string first = Call(stub, method, request);
    EXPECT_EQ(Call(stub, method, request), first);
    request.clear_request_id();
    EXPECT_EQ(Call(stub, method, request), third);
  }

  v1::SimulationService::Stub& simulations() { return server_.simulations(); }
  using Stub = v1::SimulationService::Stub;

  TestServer server_;
};

TEST_F(ServerOrdersTest, ASnapshotIsTakenOnce) {
  const v1::Session session = server_.CreateSession();
  v1::SnapshotSessionRequest request;
  request.set_name(session.name());
  request.set_request_id("1");
  const std::string first =
      Call(simulations(), &Stub::SnapshotSession, request);
  server_.Step(session.name(), 0, 5);

  EXPECT_EQ(Call(simulations(), &Stub::SnapshotSession, request), first);
  EXPECT_THAT(server_.GetSession(session.name()).snapshots(), SizeIs(1));
}

TEST_F(ServerOrdersTest, OfManyAtATimeOneIsCarriedOut) {
  const v1::Session session = server_.CreateSession();
  v1::SnapshotSessionRequest request;
  request.set_name(session.name());
  request.set_request_id("1");
  std::vector<std::string> answers(8);
  std::vector<std::thread> threads;
  for (std::string& answer : answers) {
    threads.emplace_back(
        [&] { answer = Call(simulations(), &Stub::SnapshotSession, request); });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_THAT(answers, Each(answers.front()));
  EXPECT_THAT(server_.GetSession(session.name()).snapshots(), SizeIs(1));
}

TEST_F(ServerOrdersTest, ASessionIsResetOnce) {
  const v1::Session session = server_.CreateSession(/*record=*/true);
  server_.Step(session.name(), 0, 7);
  v1::ResetSessionRequest request;
  request.set_name(session.name());
  request.set_request_id("1");
  v1::ResetSessionResponse first, again;
  Call(simulations(), &Stub::ResetSession, request, &first);
  server_.Step(session.name(), 0, 3);
  Call(simulations(), &Stub::ResetSession, request, &again);

  EXPECT_EQ(again.SerializeAsString(), first.SerializeAsString());
  EXPECT_EQ(first.replay(), session.replay());
  EXPECT_EQ(server_.GetSession(session.name()).tick(), 3u);
  EXPECT_THAT(server_.ListReplays().replays(), SizeIs(1));
}

TEST_F(ServerOrdersTest, ASessionGoesBackOnce) {
  const v1::Session session = server_.CreateSession();
  const v1::Snapshot snapshot = server_.SnapshotSession(session.name());
  server_.Step(session.name(), 0, 7);
  v1::RestoreSessionRequest request;
  request.set_snapshot(snapshot.name());
  request.set_request_id("1");
  const std::string first = Call(simulations(), &Stub::RestoreSession, request);
  server_.Step(session.name(), 0, 3);

  EXPECT_EQ(Call(simulations(), &Stub::RestoreSession, request), first);
  EXPECT_EQ(server_.GetSession(session.name()).tick(), 3u);
}

TEST_F(ServerOrdersTest, WhatIsDeletedStaysDeletedForWhoRepeats) {
  const v1::Session session = server_.CreateSession(/*record=*/true);
  v1::DeleteSnapshotRequest snapshot;
  snapshot.set_name(server_.SnapshotSession(session.name()).name());
  ExpectOnce(simulations(), &Stub::DeleteSnapshot, snapshot,
             "NOT_FOUND SNAPSHOT_NOT_FOUND");
  v1::DeleteSessionRequest ended;
  ended.set_name(session.name());
  ended.set_request_id("2");
  v1::DeleteSessionResponse first, again;
  Call(simulations(), &Stub::DeleteSession, ended, &first);
  Call(simulations(), &Stub::DeleteSession, ended, &again);
  EXPECT_EQ(first.replay(), session.replay());
  EXPECT_EQ(again.replay(), session.replay());
  v1::DeleteReplayRequest replay;
  replay.set_name(session.replay());
  ExpectOnce(server_.replays(), &v1::ReplayService::Stub::DeleteReplay, replay,
             "NOT_FOUND REPLAY_NOT_FOUND");
}

TEST_F(ServerOrdersTest, TagsAreChangedOnce) {
  const std::string replay =
      server_.DeleteSession(server_.CreateSession(/*record=*/true).name());
  v1::UpdateReplayTagsRequest add, remove;
  add.set_name(replay);
  add.add_add("good");
  add.set_request_id("1");
  remove.set_name(replay);
  remove.add_remove("good");
  const auto method = &v1::ReplayService::Stub::UpdateReplayTags;
  const std::string first = Call(server_.replays(), method, add);
  Call(server_.replays(), method, remove);

  EXPECT_EQ(Call(server_.replays(), method, add), first);
  v1::GetReplayRequest get;
  v1::GetReplayResponse got;
  get.set_name(replay);
  Call(server_.replays(), &v1::ReplayService::Stub::GetReplay, get, &got);
  EXPECT_THAT(got.replay().tags(), SizeIs(0));
}

TEST_F(ServerOrdersTest, AnIdIsOfOneOrder) {
  const v1::Session session = server_.CreateSession();
  v1::ResetSessionRequest reset;
  reset.set_name(session.name());
  reset.set_request_id("1");
  Call(simulations(), &Stub::ResetSession, reset);

  reset.set_seed(5);
  EXPECT_EQ(Call(simulations(), &Stub::ResetSession, reset), kReused);
  v1::SnapshotSessionRequest snapshot;
  snapshot.set_name(session.name());
  snapshot.set_request_id("1");
  EXPECT_EQ(Call(simulations(), &Stub::SnapshotSession, snapshot), kReused);
  snapshot.set_request_id(std::string(kOrderIdBytesMax + 1, 'x'));
  EXPECT_EQ(Call(simulations(), &Stub::SnapshotSession, snapshot),
            "INVALID_ARGUMENT REQUEST_ID_TOO_LONG");
}

TEST_F(ServerOrdersTest, OneThatFailedMayBeGivenAgain) {
  const v1::Session session = server_.CreateSession();
  v1::ResetSessionRequest reset;
  reset.set_name(session.name());
  reset.set_request_id("1");
  {
    StepClient stream(simulations(), session.name());
    EXPECT_EQ(Call(simulations(), &Stub::ResetSession, reset),
              "FAILED_PRECONDITION SESSION_IN_USE");
    EXPECT_TRUE(stream.Finish().ok());
  }
  EXPECT_NE(Call(simulations(), &Stub::ResetSession, reset),
            "FAILED_PRECONDITION SESSION_IN_USE");
}

}  // namespace
}  // namespace reprise::services
