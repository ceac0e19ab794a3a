// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One PlaySession call, for tests.

#ifndef REPRISE_SERVICES_TESTING_PLAY_CLIENT_H_
#define REPRISE_SERVICES_TESTING_PLAY_CLIENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "grpcpp/support/sync_stream.h"
#include "reprise/v1/simulation_service.grpc.pb.h"

namespace reprise::services {

// "CODE REASON" of a response that says why a request was refused; "OK".
std::string Summarize(const v1::PlaySessionResponse& response);

// What joins `session` as `player`, or as an observer.
v1::PlaySessionRequest JoinRequest(const std::string& session,
                                   std::optional<uint32_t> player,
                                   const std::string& seat_key = "");

// What a player, who does another thing at each tick, does of `tick_count`
// ticks, the frames of which have axis 0 only.
v1::PlaySessionRequest PushRequest(uint32_t player, uint64_t tick,
                                   uint32_t tick_count);
int PushAt(uint32_t player, uint64_t tick);

class PlayClient {
 public:
  // Sends the first request, and waits for nothing.
  PlayClient(v1::SimulationService::Stub& stub,
             const v1::PlaySessionRequest& request);

  // The next response; an empty one when the stream has ended.
  v1::PlaySessionResponse Read();
  // The one that the stream began with.
  v1::PlaySessionResponse ReadJoined();
  // Reads up to the result of `tick`, which is returned.
  v1::PlaySessionResponse ReadTo(uint64_t tick);

  void Send(const v1::PlaySessionRequest& request);
  // Says so, and waits for the end.
  grpc::Status Leave();
  // Reads all there is and waits for the server's side only.
  grpc::Status AwaitEnd();
  // Breaks off.
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<
      grpc::ClientReaderWriter<v1::PlaySessionRequest, v1::PlaySessionResponse>>
      stream_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_PLAY_CLIENT_H_
