// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Proves that one stream steps many sessions as streams of their own would, to
// the digest; that the mistake of one is no matter of the others; and how the
// room of a response is shared. All over real connections.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "gtest/gtest.h"
#include "services/testing/test_server.h"

namespace reprise::services {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// One StepSessions call.
class StepAllClient {
 public:
  explicit StepAllClient(v1::SimulationService::Stub& stub) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::minutes(1));
    stream_ = stub.StepSessions(&context_);
  }

  v1::StepSessionsResponse Exchange(const v1::StepSessionsRequest& request) {
    v1::StepSessionsResponse response;
    if (!stream_->Write(request) || !stream_->Read(&response)) response.Clear();
    return response;
  }

  grpc::Status Finish() {
    stream_->WritesDone();
    v1::StepSessionsResponse ignored;
    while (stream_->Read(&ignored)) {
    }
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::StepSessionsRequest,
                                           v1::StepSessionsResponse>>
      stream_;
};

class ServerStepSessionsTest : public testing::Test {
 protected:
  void Create(int count) {
    for (int i = 0; i < count; ++i) {
      v1::CreateSessionRequest request;
      request.set_pack("tiny");
      request.set_seed(static_cast<uint64_t>(i));
      v1::Session session;
      ASSERT_EQ(Summarize(server_.TryCreateSession(request, &session)), "OK");
      names_.push_back(session.name());
    }
  }

  // An order for a session, which does another thing than each other one.
  v1::StepSessionRequest OrderOf(size_t session, uint64_t tick,
                                 uint32_t tick_count) const {
    v1::StepSessionRequest order = StepRequest(tick, tick_count);
    order.set_session(names_[session]);
    v1::TickInputs& inputs = *order.add_inputs();
    inputs.set_tick(tick);
    v1::DeviceState& device = *inputs.add_frames()->mutable_device();
    device.set_buttons(1);
    device.add_axes(static_cast<int>((session * 1000 + tick) % 20'000));
    return order;
  }

  v1::StepSessionsRequest OrdersOf(uint64_t tick, uint32_t tick_count) const {
    v1::StepSessionsRequest request;
    for (size_t i = 0; i < names_.size(); ++i) {
      *request.add_orders() = OrderOf(i, tick, tick_count);
    }
    return request;
  }

  std::string EndOf(const v1::StepSessionsRequest& request) {
    StepAllClient stream(server_.simulations());
    stream.Exchange(request);
    return Summarize(stream.Finish());
  }

  TestServer server_;
  std::vector<std::string> names_;
};

TEST_F(ServerStepSessionsTest, TheyAreSteppedAsByStreamsOfTheirOwn) {
  Create(9);
  StepAllClient stream(server_.simulations());
  std::vector<uint64_t> digests;
  for (uint64_t tick = 0; tick < 300; tick += 100) {
    const auto response = stream.Exchange(OrdersOf(tick, 100));
    ASSERT_THAT(response.results(), SizeIs(9));
    digests.clear();
    for (const v1::StepSessionResponse& result : response.results()) {
      EXPECT_EQ(Summarize(result), "OK");
      EXPECT_EQ(result.tick(), tick + 100);
      ASSERT_THAT(result.events(), SizeIs(1));
      digests.push_back(result.digest());
    }
  }
  EXPECT_EQ(server_.GetSession(names_[3]).state(), v1::Session::STATE_IN_USE);
  EXPECT_EQ(Summarize(stream.Finish()), "OK");

  for (size_t i = 0; i < names_.size(); ++i) {
    server_.ResetSession(names_[i]);
    StepClient alone(server_.simulations(), names_[i]);
    v1::StepSessionResponse result;
    for (uint64_t tick = 0; tick < 300; tick += 100) {
      result = alone.Exchange(OrderOf(i, tick, 100));
    }
    EXPECT_EQ(result.digest(), digests[i]);
    EXPECT_EQ(Summarize(alone.Finish()), "OK");
  }
}

TEST_F(ServerStepSessionsTest, TheMistakeOfOneIsNoneOfTheOthers) {
  Create(4);
  StepClient other(server_.simulations(), names_[2]);
  StepAllClient stream(server_.simulations());
  v1::StepSessionsRequest request = OrdersOf(0, 10);
  request.mutable_orders(1)->set_tick(5);
  request.mutable_orders(1)->clear_inputs();
  *request.add_orders() = StepRequest(0, 1);
  request.mutable_orders(4)->set_session("sessions/none");
  v1::StepSessionRequest& paced = *request.add_orders();
  paced = OrderOf(3, 0, 10);
  request.mutable_orders()->SwapElements(3, 5);
  request.mutable_orders()->RemoveLast();
  request.mutable_orders(3)->set_pace(1);

  const auto response = stream.Exchange(request);

  std::vector<std::string> results;
  for (const auto& result : response.results()) {
    results.push_back(Summarize(result));
  }
  EXPECT_THAT(results, ElementsAre("OK", "FAILED_PRECONDITION TICK_MISMATCH",
                                   "FAILED_PRECONDITION SESSION_IN_USE",
                                   "INVALID_ARGUMENT PACE_REFUSED",
                                   "NOT_FOUND SESSION_NOT_FOUND"));
  EXPECT_EQ(response.results(0).tick(), 10u);
  EXPECT_EQ(response.results(1).tick(), 0u);
  EXPECT_EQ(response.results(4).status().code(), 5);
  // What was free later is stepped then.
  EXPECT_EQ(Summarize(other.Finish()), "OK");
  v1::StepSessionsRequest again;
  *again.add_orders() = OrderOf(2, 0, 3);
  EXPECT_EQ(stream.Exchange(again).results(0).tick(), 3u);
}

TEST_F(ServerStepSessionsTest, ARequestThatIsWrongAsAWholeEndsTheStream) {
  Create(2);
  v1::StepSessionsRequest request;
  EXPECT_EQ(EndOf(request), "INVALID_ARGUMENT ORDERS_REFUSED");
  *request.add_orders() = OrderOf(0, 0, 1);
  *request.add_orders() = OrderOf(0, 0, 1);
  EXPECT_EQ(EndOf(request), "INVALID_ARGUMENT ORDERS_REFUSED");
  request.Clear();
  for (int i = 0; i < 65; ++i) {
    request.add_orders()->set_session("sessions/s" + std::to_string(i));
  }
  EXPECT_EQ(EndOf(request), "INVALID_ARGUMENT ORDERS_REFUSED");

  StepAllClient stream(server_.simulations());
  request.Clear();
  *request.add_orders() = OrderOf(0, 0, 1);
  EXPECT_EQ(stream.Exchange(request).results(0).tick(), 1u);
  stream.Exchange(OrdersOf(1, 1));
  EXPECT_EQ(Summarize(stream.Finish()), "INVALID_ARGUMENT ORDERS_REFUSED");
  EXPECT_EQ(server_.GetSession(names_[0]).state(), v1::Session::STATE_FREE);
}

TEST_F(ServerStepSessionsTest, WhatIsGivenBackIsFree) {
  Create(2);
  StepAllClient stream(server_.simulations());
  const uint64_t digest = stream.Exchange(OrdersOf(0, 9)).results(1).digest();
  v1::StepSessionsRequest release;
  release.add_release(names_[1]);
  release.add_release("sessions/none");

  EXPECT_THAT(stream.Exchange(release).results(), SizeIs(0));
  EXPECT_EQ(server_.ResetSession(names_[1]).session().tick(), 0u);
  v1::StepSessionsRequest again;
  *again.add_orders() = OrderOf(0, 9, 1);
  *again.add_orders() = OrderOf(1, 0, 9);

  const auto response = stream.Exchange(again);
  EXPECT_EQ(response.results(0).tick(), 10u);
  EXPECT_EQ(response.results(1).digest(), digest);
}

TEST_F(ServerStepSessionsTest, TheRoomOfAResponseIsShared) {
  Create(8);
  StepAllClient stream(server_.simulations());
  v1::StepSessionsRequest request = OrdersOf(0, 10'000);
  for (v1::StepSessionRequest& order : *request.mutable_orders()) {
    v1::ObservedGroup& group = *order.mutable_observe()->add_groups();
    group.add_fields("tick");
    group.set_every_ticks(1);
    order.mutable_observe()->set_digest_every_ticks(1);
  }

  const auto response = stream.Exchange(request);

  ASSERT_THAT(response.results(), SizeIs(8));
  for (const auto& result : response.results()) {
    // An eighth of a message, of which a quarter is what is seen.
    EXPECT_EQ(result.stop_reason(), v1::STOP_REASON_MESSAGE_FULL);
    EXPECT_LT(result.tick(), 10'000u);
    EXPECT_LE(result.ByteSizeLong(), size_t{4 << 20} / 8);
    EXPECT_EQ(result.observations().digests_size(),
              static_cast<int>(result.tick()));
  }
}

}  // namespace
}  // namespace reprise::services
