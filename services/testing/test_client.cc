// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/testing/test_client.h"

#include <chrono>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/client_interceptor.h"
#include "gtest/gtest.h"

namespace reprise::services {
namespace {

void SetTimeout(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
}

// Makes one call of `stub` by `method`.
template <typename Request, typename Response>
grpc::Status Call(v1::SimulationService::Stub& stub,
                  grpc::Status (v1::SimulationService::Stub::*method)(
                      grpc::ClientContext*, const Request&, Response*),
                  const Request& request, Response* response) {
  grpc::ClientContext context;
  SetTimeout(context);
  Response ignored;
  return (stub.*method)(&context, request,
                        response == nullptr ? &ignored : response);
}

std::string CodeName(int code) {
  return absl::StatusCodeToString(static_cast<absl::StatusCode>(code));
}

// Sends a token with each call. gRPC's own way wants TLS, and not all tests do.
class TokenInterceptor final : public grpc::experimental::Interceptor {
 public:
  explicit TokenInterceptor(std::string token) : token_(std::move(token)) {}

  void Intercept(
      grpc::experimental::InterceptorBatchMethods* methods) override {
    using Point = grpc::experimental::InterceptionHookPoints;
    if (methods->QueryInterceptionHookPoint(Point::PRE_SEND_INITIAL_METADATA)) {
      methods->GetSendInitialMetadata()->insert(
          {"authorization", fmt::format("Bearer {}", token_)});
    }
    methods->Proceed();
  }

 private:
  const std::string token_;
};

class TokenInterceptorFactory final
    : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit TokenInterceptorFactory(std::string token)
      : token_(std::move(token)) {}

  grpc::experimental::Interceptor* CreateClientInterceptor(
      grpc::experimental::ClientRpcInfo*) override {
    return new TokenInterceptor(token_);
  }

 private:
  const std::string token_;
};

std::shared_ptr<grpc::Channel> CreateChannel(
    const std::string& address, const std::string& token,
    const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  std::vector<
      std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>>
      interceptors;
  if (!token.empty()) {
    interceptors.push_back(std::make_unique<TokenInterceptorFactory>(token));
  }
  grpc::ChannelArguments arguments;
  // Each client has a connection of its own, which it makes itself.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      address, credentials, arguments, std::move(interceptors));
}

}  // namespace

std::string ReasonOf(const grpc::Status& status) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  if (!details.ParseFromString(status.error_details()) ||
      details.details().empty() || !details.details(0).UnpackTo(&info)) {
    return "";
  }
  return info.reason();
}

std::string Summarize(const grpc::Status& status) {
  if (status.ok()) return "OK";
  return fmt::format("{} {}", CodeName(status.error_code()), ReasonOf(status));
}

std::string Summarize(const v1::StepSessionResponse& response) {
  if (!response.has_error()) return "OK";
  return fmt::format("{} {}", CodeName(response.error().code()),
                     response.error().reason());
}

v1::StepSessionRequest StepRequest(uint64_t tick, uint32_t tick_count) {
  v1::StepSessionRequest request;
  request.set_tick(tick);
  request.set_tick_count(tick_count);
  return request;
}

v1::StepRequest StepRequest(const std::string& session, uint64_t tick,
                            uint32_t tick_count) {
  v1::StepRequest request;
  request.set_session(session);
  request.set_tick(tick);
  request.set_tick_count(tick_count);
  return request;
}

v1::ForkSessionRequest ForkRequest(const std::string& session, bool record) {
  v1::ForkSessionRequest request;
  request.set_name(session);
  request.set_record(record);
  return request;
}

StepClient::StepClient(v1::SimulationService::Stub& stub) {
  SetTimeout(context_);
  stream_ = stub.StepSession(&context_);
}

StepClient::StepClient(v1::SimulationService::Stub& stub,
                       const std::string& session)
    : StepClient(stub) {
  v1::StepSessionRequest request;
  request.set_session(session);
  EXPECT_EQ(Summarize(Exchange(request)), "OK");
}

v1::StepSessionResponse StepClient::Exchange(
    const v1::StepSessionRequest& request) {
  return Send(request) ? Receive() : v1::StepSessionResponse();
}

v1::StepSessionResponse StepClient::Receive() {
  v1::StepSessionResponse response;
  if (!stream_->Read(&response)) response.Clear();
  return response;
}

bool StepClient::Send(const v1::StepSessionRequest& request) {
  return stream_->Write(request);
}

grpc::Status StepClient::Finish() {
  stream_->WritesDone();
  return AwaitEnd();
}

grpc::Status StepClient::AwaitEnd() {
  // gRPC withholds the status while there are messages to be read.
  v1::StepSessionResponse ignored;
  while (stream_->Read(&ignored)) {
  }
  return stream_->Finish();
}

TestClient::TestClient(const std::string& address)
    : TestClient(address, "", grpc::InsecureChannelCredentials()) {}

TestClient::TestClient(
    const std::string& address, const std::string& token,
    const std::shared_ptr<grpc::ChannelCredentials>& credentials)
    : channel_(CreateChannel(address, token, credentials)),
      simulations_(v1::SimulationService::NewStub(channel_)),
      replays_(v1::ReplayService::NewStub(channel_)) {}

grpc::Status TestClient::TryDescribePack(const std::string& pack,
                                         v1::GameDescription* description) {
  grpc::ClientContext context;
  v1::DescribePackRequest request;
  request.set_pack(pack);
  v1::DescribePackResponse response;
  const grpc::Status status =
      simulations_->DescribePack(&context, request, &response);
  if (description != nullptr) *description = response.description();
  return status;
}

v1::Session TestClient::CreateSession(bool record) {
  v1::CreateSessionRequest request;
  request.set_pack("tiny");
  request.set_record(record);
  v1::Session session;
  EXPECT_EQ(Summarize(TryCreateSession(request, &session)), "OK");
  return session;
}

grpc::Status TestClient::TryCreateSession(
    const v1::CreateSessionRequest& request, v1::Session* session) {
  grpc::ClientContext context;
  SetTimeout(context);
  v1::CreateSessionResponse response;
  const grpc::Status status =
      simulations_->CreateSession(&context, request, &response);
  if (session != nullptr) *session = response.session();
  return status;
}

v1::Session TestClient::GetSession(const std::string& name) {
  v1::Session session;
  EXPECT_EQ(Summarize(TryGetSession(name, &session)), "OK");
  return session;
}

grpc::Status TestClient::TryGetSession(const std::string& name,
                                       v1::Session* session) {
  grpc::ClientContext context;
  SetTimeout(context);
  v1::GetSessionRequest request;
  request.set_name(name);
  v1::GetSessionResponse response;
  const grpc::Status status =
      simulations_->GetSession(&context, request, &response);
  if (session != nullptr) *session = response.session();
  return status;
}

v1::ListSessionsResponse TestClient::ListSessions(
    const v1::ListSessionsRequest& request) {
  v1::ListSessionsResponse response;
  EXPECT_EQ(Summarize(TryListSessions(request, &response)), "OK");
  return response;
}

grpc::Status TestClient::TryListSessions(const v1::ListSessionsRequest& request,
                                         v1::ListSessionsResponse* response) {
  return Call(*simulations_, &v1::SimulationService::Stub::ListSessions,
              request, response);
}

v1::StepResponse TestClient::Step(const std::string& session, uint64_t tick,
                                  uint32_t tick_count) {
  v1::StepResponse response;
  EXPECT_EQ(
      Summarize(TryStep(StepRequest(session, tick, tick_count), &response)),
      "OK");
  return response;
}

grpc::Status TestClient::TryStep(const v1::StepRequest& request,
                                 v1::StepResponse* response) {
  return Call(*simulations_, &v1::SimulationService::Stub::Step, request,
              response);
}

v1::ResetSessionResponse TestClient::ResetSession(
    const std::string& name, std::optional<uint64_t> seed) {
  v1::ResetSessionRequest request;
  request.set_name(name);
  if (seed.has_value()) request.set_seed(*seed);
  v1::ResetSessionResponse response;
  EXPECT_EQ(Summarize(TryResetSession(request, &response)), "OK");
  return response;
}

grpc::Status TestClient::TryResetSession(const v1::ResetSessionRequest& request,
                                         v1::ResetSessionResponse* response) {
  return Call(*simulations_, &v1::SimulationService::Stub::ResetSession,
              request, response);
}

v1::Snapshot TestClient::SnapshotSession(const std::string& name) {
  v1::Snapshot snapshot;
  EXPECT_EQ(Summarize(TrySnapshotSession(name, &snapshot)), "OK");
  return snapshot;
}

grpc::Status TestClient::TrySnapshotSession(const std::string& name,
                                            v1::Snapshot* snapshot) {
  v1::SnapshotSessionRequest request;
  request.set_name(name);
  v1::SnapshotSessionResponse response;
  const grpc::Status status =
      Call(*simulations_, &v1::SimulationService::Stub::SnapshotSession,
           request, &response);
  if (snapshot != nullptr) *snapshot = response.snapshot();
  return status;
}

grpc::Status TestClient::TryDeleteSnapshot(const std::string& name) {
  v1::DeleteSnapshotRequest request;
  request.set_name(name);
  v1::DeleteSnapshotResponse response;
  return Call(*simulations_, &v1::SimulationService::Stub::DeleteSnapshot,
              request, &response);
}

v1::RestoreSessionResponse TestClient::RestoreSession(
    const std::string& snapshot) {
  v1::RestoreSessionResponse response;
  EXPECT_EQ(Summarize(TryRestoreSession(snapshot, &response)), "OK");
  return response;
}

grpc::Status TestClient::TryRestoreSession(
    const std::string& snapshot, v1::RestoreSessionResponse* response) {
  v1::RestoreSessionRequest request;
  request.set_snapshot(snapshot);
  return Call(*simulations_, &v1::SimulationService::Stub::RestoreSession,
              request, response);
}

v1::Session TestClient::ForkSession(const v1::ForkSessionRequest& request) {
  v1::Session session;
  EXPECT_EQ(Summarize(TryForkSession(request, &session)), "OK");
  return session;
}

grpc::Status TestClient::TryForkSession(const v1::ForkSessionRequest& request,
                                        v1::Session* session) {
  v1::ForkSessionResponse response;
  const grpc::Status status =
      Call(*simulations_, &v1::SimulationService::Stub::ForkSession, request,
           &response);
  if (session != nullptr) *session = response.session();
  return status;
}

std::string TestClient::DeleteSession(const std::string& name) {
  std::string replay;
  EXPECT_EQ(Summarize(TryDeleteSession(name, &replay)), "OK");
  return replay;
}

grpc::Status TestClient::TryDeleteSession(const std::string& name,
                                          std::string* replay) {
  grpc::ClientContext context;
  SetTimeout(context);
  v1::DeleteSessionRequest request;
  request.set_name(name);
  v1::DeleteSessionResponse response;
  const grpc::Status status =
      simulations_->DeleteSession(&context, request, &response);
  if (replay != nullptr) *replay = response.replay();
  return status;
}

grpc::Status TestClient::Download(const v1::DownloadReplayRequest& request,
                                  std::string* bytes) {
  grpc::ClientContext context;
  SetTimeout(context);
  const auto reader = replays_->DownloadReplay(&context, request);
  v1::DownloadReplayResponse response;
  while (reader->Read(&response)) {
    EXPECT_EQ(response.offset(), request.offset() + bytes->size());
    *bytes += response.data();
  }
  return reader->Finish();
}

v1::ListReplaysResponse TestClient::ListReplays() {
  grpc::ClientContext context;
  SetTimeout(context);
  v1::ListReplaysResponse response;
  EXPECT_EQ(Summarize(replays_->ListReplays(&context, v1::ListReplaysRequest(),
                                            &response)),
            "OK");
  return response;
}

void TestClient::ExpectGoodService() {
  const v1::Session session = CreateSession();
  StepClient client(*simulations_, session.name());
  EXPECT_EQ(client.Exchange(StepRequest(0, 3)).tick(), 3u);
  EXPECT_EQ(Summarize(client.Finish()), "OK");
  DeleteSession(session.name());
}

}  // namespace reprise::services
