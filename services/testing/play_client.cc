// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/play_client.h"

#include <chrono>

#include "gtest/gtest.h"
#include "services/testing/test_client.h"

namespace reprise::services {

std::string Summarize(const v1::PlaySessionResponse& response) {
  if (!response.has_status()) return "OK";
  return Summarize(grpc::Status(
      static_cast<grpc::StatusCode>(response.status().code()),
      response.status().message(), response.status().SerializeAsString()));
}

v1::PlaySessionRequest JoinRequest(const std::string& session,
                                   std::optional<uint32_t> player,
                                   const std::string& seat_key) {
  v1::PlaySessionRequest request;
  request.set_session(session);
  if (player.has_value()) request.set_player(*player);
  request.set_seat_key(seat_key);
  return request;
}

int PushAt(uint32_t player, uint64_t tick) {
  return static_cast<int>((tick * 7919 + player * 104'729) % 60'001) - 30'000;
}

v1::PlaySessionRequest PushRequest(uint32_t player, uint64_t tick,
                                   uint32_t tick_count) {
  v1::PlaySessionRequest request;
  request.set_tick(tick);
  request.set_tick_count(tick_count);
  for (uint64_t end = tick + tick_count; tick < end; ++tick) {
    v1::TickInputs& inputs = *request.add_inputs();
    inputs.set_tick(tick);
    v1::InputFrame& frame = *inputs.add_frames();
    frame.set_player(player);
    frame.mutable_device()->add_axes(PushAt(player, tick));
  }
  return request;
}

PlayClient::PlayClient(v1::SimulationService::Stub& stub,
                       const v1::PlaySessionRequest& request) {
  context_.set_deadline(std::chrono::system_clock::now() +
                        std::chrono::minutes(1));
  stream_ = stub.PlaySession(&context_);
  stream_->Write(request);
}

v1::PlaySessionResponse PlayClient::Read() {
  v1::PlaySessionResponse response;
  if (!stream_->Read(&response)) response.Clear();
  return response;
}

v1::PlaySessionResponse PlayClient::ReadJoined() {
  v1::PlaySessionResponse response = Read();
  EXPECT_TRUE(response.has_joined()) << response.ShortDebugString();
  return response;
}

v1::PlaySessionResponse PlayClient::ReadTo(uint64_t tick) {
  v1::PlaySessionResponse response;
  uint64_t read = 0;
  while (stream_->Read(&response)) {
    if (response.has_result()) read = response.result().tick();
    EXPECT_FALSE(response.has_status()) << response.ShortDebugString();
    if (response.has_result() && response.result().tick() >= tick) {
      EXPECT_EQ(response.result().tick(), tick);
      return response;
    }
  }
  ADD_FAILURE() << "the stream ended at tick " << read << ", before " << tick;
  return {};
}

void PlayClient::Send(const v1::PlaySessionRequest& request) {
  stream_->Write(request);
}

grpc::Status PlayClient::Leave() {
  v1::PlaySessionRequest request;
  request.set_leave(true);
  Send(request);
  return AwaitEnd();
}

grpc::Status PlayClient::AwaitEnd() {
  v1::PlaySessionResponse ignored;
  while (stream_->Read(&ignored)) {
  }
  return stream_->Finish();
}

}  // namespace reprise::services
