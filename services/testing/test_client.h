// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Clients that say in one line what a test wants of a server. A call that hangs
// fails after a minute.

#ifndef REPRISE_SERVICES_TESTING_TEST_CLIENT_H_
#define REPRISE_SERVICES_TESTING_TEST_CLIENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/status.h"
#include "grpcpp/support/sync_stream.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "reprise/v1/simulation_service.grpc.pb.h"

namespace reprise::services {

// The reason of the one ErrorInfo that `status` has; empty without one.
std::string ReasonOf(const grpc::Status& status);

// "CODE REASON", for one comparison a test: "NOT_FOUND PACK_NOT_FOUND"; "OK".
std::string Summarize(const grpc::Status& status);
// The same of an item of a stream, where unset is "OK".
std::string Summarize(const v1::StepSessionResponse& response);

// An order for `tick_count` ticks from `tick` on.
v1::StepSessionRequest StepRequest(uint64_t tick, uint32_t tick_count);

// The same as one call.
v1::StepRequest StepRequest(const std::string& session, uint64_t tick,
                            uint32_t tick_count);

// A fork of `session` where it stands.
v1::ForkSessionRequest ForkRequest(const std::string& session,
                                   bool record = false);

// One StepSession call.
class StepClient {
 public:
  explicit StepClient(v1::SimulationService::Stub& stub);
  // As above; the first exchange with the session has been made.
  StepClient(v1::SimulationService::Stub& stub, const std::string& session);

  // Sends and receives; an empty response when the stream has ended.
  v1::StepSessionResponse Exchange(const v1::StepSessionRequest& request);
  // Sends; false when the stream has ended.
  bool Send(const v1::StepSessionRequest& request);
  // The next response; an empty one when the stream has ended.
  v1::StepSessionResponse Receive();

  // Ends our side and waits for the server's.
  grpc::Status Finish();
  // Reads all there is and waits for the server's side only.
  grpc::Status AwaitEnd();
  void Cancel() { context_.TryCancel(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<
      grpc::ClientReaderWriter<v1::StepSessionRequest, v1::StepSessionResponse>>
      stream_;
};

// Calls of the server at an address. Those that return a message add a failure
// to the test when the call fails.
class TestClient {
 public:
  explicit TestClient(const std::string& address);
  // With a token, unless that is empty, and with whatever it believes.
  TestClient(const std::string& address, const std::string& token,
             const std::shared_ptr<grpc::ChannelCredentials>& credentials);

  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  v1::SimulationService::Stub& simulations() { return *simulations_; }
  v1::ReplayService::Stub& replays() { return *replays_; }

  grpc::Status TryDescribePack(const std::string& pack,
                               v1::GameDescription* description = nullptr);
  v1::Session CreateSession(bool record = false);
  grpc::Status TryCreateSession(const v1::CreateSessionRequest& request,
                                v1::Session* session = nullptr);
  v1::Session GetSession(const std::string& name);
  grpc::Status TryGetSession(const std::string& name,
                             v1::Session* session = nullptr);
  // Those of the first page.
  v1::ListSessionsResponse ListSessions(const v1::ListSessionsRequest& request);
  grpc::Status TryListSessions(const v1::ListSessionsRequest& request,
                               v1::ListSessionsResponse* response = nullptr);
  v1::StepResponse Step(const std::string& session, uint64_t tick,
                        uint32_t tick_count);
  grpc::Status TryStep(const v1::StepRequest& request,
                       v1::StepResponse* response = nullptr);
  v1::ResetSessionResponse ResetSession(
      const std::string& name, std::optional<uint64_t> seed = std::nullopt);
  grpc::Status TryResetSession(const v1::ResetSessionRequest& request,
                               v1::ResetSessionResponse* response = nullptr);
  v1::Snapshot SnapshotSession(const std::string& name);
  grpc::Status TrySnapshotSession(const std::string& name,
                                  v1::Snapshot* snapshot = nullptr);
  grpc::Status TryDeleteSnapshot(const std::string& name);
  v1::RestoreSessionResponse RestoreSession(const std::string& snapshot);
  grpc::Status TryRestoreSession(
      const std::string& snapshot,
      v1::RestoreSessionResponse* response = nullptr);
  v1::Session ForkSession(const v1::ForkSessionRequest& request);
  grpc::Status TryForkSession(const v1::ForkSessionRequest& request,
                              v1::Session* session = nullptr);
  // Returns the name of the replay.
  std::string DeleteSession(const std::string& name);
  grpc::Status TryDeleteSession(const std::string& name,
                                std::string* replay = nullptr);
  grpc::Status Download(const v1::DownloadReplayRequest& request,
                        std::string* bytes);

  // The finished replays, as the first page lists them.
  v1::ListReplaysResponse ListReplays();

  // Whether a new session can be made, stepped and ended.
  void ExpectGoodService();

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::SimulationService::Stub> simulations_;
  std::unique_ptr<v1::ReplayService::Stub> replays_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_TESTING_TEST_CLIENT_H_
