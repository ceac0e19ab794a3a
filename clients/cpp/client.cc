// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "client.h"

#include <random>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "google/rpc/error_details.pb.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"
#include "unary_call.h"

namespace reprise::client {
namespace {

// As the server's: meshes and observations may be large.
constexpr int kMessageBytesMax = 64 << 20;

// Only what can be repeated without harm, and only what UNAVAILABLE says.
constexpr char kServiceConfig[] = R"json({
  "methodConfig": [{
    "name": [
      {"service": "reprise.v1.CatalogService"},
      {"service": "reprise.v1.SimulationService", "method": "CreateSession"},
      {"service": "reprise.v1.SimulationService", "method": "GetSession"},
      {"service": "reprise.v1.SimulationService", "method": "ListSessions"},
      {"service": "reprise.v1.ReplayService", "method": "ListReplays"},
      {"service": "reprise.v1.ReplayService", "method": "GetUpload"},
      {"service": "reprise.v1.OperationService"}
    ],
    "retryPolicy": {
      "maxAttempts": 4,
      "initialBackoff": "0.1s",
      "maxBackoff": "2s",
      "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
})json";

// Where a status keeps its details.
constexpr std::string_view kInfoUrl =
    "type.googleapis.com/google.rpc.ErrorInfo";
constexpr std::string_view kMistakesUrl =
    "type.googleapis.com/google.rpc.BadRequest";

// The detail that a status has under a URL; an empty one where it has none.
template <typename Message>
Message DetailOf(const absl::Status& status, std::string_view url) {
  Message message;
  const absl::optional<absl::Cord> payload =
      status.GetPayload(absl::string_view(url.data(), url.size()));
  if (!payload || !message.ParseFromString(std::string(*payload))) {
    message.Clear();
  }
  return message;
}

bool IsLocal(std::string_view address) {
  if (address.starts_with("unix:")) return true;
  const std::string_view host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

}  // namespace

ErrorInfo ErrorInfoOf(const absl::Status& status) {
  const auto message = DetailOf<google::rpc::ErrorInfo>(status, kInfoUrl);
  ErrorInfo info;
  info.reason = message.reason();
  info.metadata.insert(message.metadata().begin(), message.metadata().end());
  const auto request = DetailOf<google::rpc::BadRequest>(status, kMistakesUrl);
  for (const auto& violation : request.field_violations()) {
    info.mistakes.push_back(
        {.place = violation.field(), .message = violation.description()});
  }
  return info;
}

std::string NewRequestId() {
  std::random_device random;
  return absl::StrFormat("%08x%08x%08x%08x", random(), random(), random(),
                         random());
}

absl::Status ToStatus(const google::rpc::Status& status) {
  absl::Status result(static_cast<absl::StatusCode>(status.code()),
                      status.message());
  for (const google::protobuf::Any& detail : status.details()) {
    for (const std::string_view url : {kInfoUrl, kMistakesUrl}) {
      if (detail.type_url() != url) continue;
      result.SetPayload(absl::string_view(url.data(), url.size()),
                        absl::Cord(detail.value()));
    }
  }
  return result;
}

absl::StatusOr<std::unique_ptr<Client>> Client::Create(
    const std::string& address, const ClientOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMessageBytesMax);
  arguments.SetServiceConfigJSON(kServiceConfig);
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  if (!options.root_certificates.empty()) {
    credentials =
        grpc::SslCredentials({.pem_root_certs = options.root_certificates,
                              .pem_private_key = options.key,
                              .pem_cert_chain = options.certificate});
  } else if (!options.certificate.empty() || !options.key.empty()) {
    return absl::InvalidArgumentError(
        "a certificate takes root_certificates, too");
  } else if (!options.token.empty() && !IsLocal(address)) {
    return absl::InvalidArgumentError(
        "a token is sent to another machine only by TLS: give "
        "root_certificates");
  } else {
    credentials = grpc::InsecureChannelCredentials();
  }
  return std::unique_ptr<Client>(new Client(
      grpc::CreateCustomChannel(address, credentials, arguments), options));
}

Client::Client(std::shared_ptr<grpc::Channel> channel,
               const ClientOptions& options)
    : timeout_(options.timeout),
      token_(options.token),
      catalog_(v1::CatalogService::NewStub(channel)),
      simulations_(v1::SimulationService::NewStub(channel)),
      replays_(v1::ReplayService::NewStub(channel)),
      operations_(v1::OperationService::NewStub(channel)) {}

void Client::Prepare(grpc::ClientContext& context) const {
  PrepareStream(context);
  context.set_deadline(std::chrono::system_clock::now() + timeout_);
}

void Client::PrepareStream(grpc::ClientContext& context) const {
  if (token_.empty()) return;
  context.AddMetadata("authorization", "Bearer " + token_);
}

absl::Status Client::ToStatus(const grpc::Status& status) {
  if (status.ok()) return absl::OkStatus();
  google::rpc::Status details;
  if (!details.ParseFromString(status.error_details())) details.Clear();
  details.set_code(status.error_code());
  details.set_message(status.error_message());
  return client::ToStatus(details);
}

absl::StatusOr<v1::ServerInfo> Client::GetServerInfo() {
  auto response =
      Call(*this, *catalog_, &v1::CatalogService::Stub::GetServerInfo,
           v1::GetServerInfoRequest());
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_server());
}

absl::StatusOr<std::vector<v1::OfferedPack>> Client::ListPacks() {
  std::vector<v1::OfferedPack> packs;
  v1::ListPacksRequest request;
  do {
    auto page =
        Call(*this, *catalog_, &v1::CatalogService::Stub::ListPacks, request);
    if (!page.ok()) return page.status();
    for (v1::OfferedPack& pack : *page->mutable_packs()) {
      packs.push_back(std::move(pack));
    }
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty());
  return packs;
}

absl::StatusOr<v1::OfferedPack> Client::GetPack(const std::string& pack,
                                                bool want_meshes) {
  v1::GetPackRequest request;
  request.set_pack(pack);
  request.set_want_meshes(want_meshes);
  auto response =
      Call(*this, *catalog_, &v1::CatalogService::Stub::GetPack, request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_pack());
}

absl::StatusOr<Session> Client::CreateSession(
    v1::CreateSessionRequest request) {
  if (request.request_id().empty()) request.set_request_id(NewRequestId());
  auto response = Call(*this, *simulations_,
                       &v1::SimulationService::Stub::CreateSession, request);
  if (!response.ok()) return response.status();
  return Session(this, std::move(*response->mutable_session()));
}

absl::StatusOr<Session> Client::Follow(const std::string& replay,
                                       uint64_t tick) {
  v1::CreateSessionRequest request;
  request.mutable_branch()->set_replay(replay);
  request.mutable_branch()->set_tick(tick);
  request.mutable_branch()->set_follow(true);
  return CreateSession(std::move(request));
}

absl::StatusOr<std::vector<v1::Session>> Client::ListSessions(
    v1::ListSessionsRequest filter) {
  std::vector<v1::Session> sessions;
  filter.clear_page_token();
  do {
    auto page = Call(*this, *simulations_,
                     &v1::SimulationService::Stub::ListSessions, filter);
    if (!page.ok()) return page.status();
    for (v1::Session& session : *page->mutable_sessions()) {
      sessions.push_back(std::move(session));
    }
    filter.set_page_token(page->next_page_token());
  } while (!filter.page_token().empty());
  return sessions;
}

absl::StatusOr<Session> Client::GetSession(const std::string& name) {
  v1::GetSessionRequest request;
  request.set_name(name);
  auto response = Call(*this, *simulations_,
                       &v1::SimulationService::Stub::GetSession, request);
  if (!response.ok()) return response.status();
  return Session(this, std::move(*response->mutable_session()));
}

absl::StatusOr<std::vector<v1::Replay>> Client::ListReplays(
    v1::ListReplaysRequest filter) {
  std::vector<v1::Replay> replays;
  filter.clear_page_token();
  do {
    auto page =
        Call(*this, *replays_, &v1::ReplayService::Stub::ListReplays, filter);
    if (!page.ok()) return page.status();
    for (v1::Replay& replay : *page->mutable_replays()) {
      replays.push_back(std::move(replay));
    }
    filter.set_page_token(page->next_page_token());
  } while (!filter.page_token().empty());
  return replays;
}

absl::StatusOr<std::string> Client::Download(const std::string& replay) {
  grpc::ClientContext context;
  Prepare(context);
  v1::DownloadReplayRequest request;
  request.set_name(replay);
  const auto reader = replays_->DownloadReplay(&context, request);
  std::string bytes;
  v1::DownloadReplayResponse piece;
  while (reader->Read(&piece)) bytes += piece.data();
  absl::Status status = ToStatus(reader->Finish());
  if (!status.ok()) return status;
  return bytes;
}

absl::Status Client::DownloadLive(
    const std::string& replay,
    const std::function<bool(std::string_view)>& take, uint64_t offset) {
  grpc::ClientContext context;
  PrepareStream(context);
  v1::DownloadReplayRequest request;
  request.set_name(replay);
  request.set_offset(offset);
  request.set_follow(true);
  const auto reader = replays_->DownloadReplay(&context, request);
  v1::DownloadReplayResponse piece;
  while (reader->Read(&piece)) {
    if (take(piece.data())) continue;
    context.TryCancel();
    static_cast<void>(reader->Finish());
    return absl::OkStatus();
  }
  return ToStatus(reader->Finish());
}

absl::StatusOr<v1::StepResponse> Session::Step(v1::StepRequest request) {
  request.set_session(name());
  request.set_tick(tick());
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::Step, request);
  if (!response.ok()) return response;
  description_.set_tick(response->tick());
  description_.set_digest(absl::StrFormat("%016x", response->digest()));
  return response;
}

absl::StatusOr<v1::StepResponse> Session::Step(uint32_t tick_count) {
  v1::StepRequest request;
  request.set_tick_count(tick_count);
  return Step(std::move(request));
}

absl::StatusOr<std::string> Session::Reset(std::optional<uint64_t> seed) {
  v1::ResetSessionRequest request;
  request.set_name(name());
  if (seed) request.set_seed(*seed);
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::ResetSession, request);
  if (!response.ok()) return response.status();
  description_ = std::move(*response->mutable_session());
  return response->replay();
}

absl::Status Session::Seek(uint64_t tick) {
  v1::ResetSessionRequest request;
  request.set_name(name());
  request.set_tick(tick);
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::ResetSession, request);
  if (!response.ok()) return response.status();
  description_ = std::move(*response->mutable_session());
  return absl::OkStatus();
}

absl::StatusOr<std::string> Session::Snapshot() {
  v1::SnapshotSessionRequest request;
  request.set_name(name());
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::SnapshotSession, request);
  if (!response.ok()) return response.status();
  return response->snapshot().name();
}

absl::StatusOr<std::string> Session::Restore(const std::string& snapshot) {
  v1::RestoreSessionRequest request;
  request.set_snapshot(snapshot);
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::RestoreSession, request);
  if (!response.ok()) return response.status();
  description_ = std::move(*response->mutable_session());
  return response->replay();
}

absl::Status Session::Refresh() {
  auto found = client_->GetSession(name());
  if (!found.ok()) return found.status();
  description_ = found->description();
  return absl::OkStatus();
}

absl::StatusOr<Session> Session::Fork(bool record) {
  v1::ForkSessionRequest request;
  request.set_name(name());
  request.set_record(record);
  request.set_request_id(NewRequestId());
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::ForkSession, request);
  if (!response.ok()) return response.status();
  return Session(client_, std::move(*response->mutable_session()));
}

absl::StatusOr<std::string> Session::Delete() {
  v1::DeleteSessionRequest request;
  request.set_name(name());
  auto response = Call(*client_, client_->simulations(),
                       &v1::SimulationService::Stub::DeleteSession, request);
  if (!response.ok()) return response.status();
  return response->replay();
}

}  // namespace reprise::client
