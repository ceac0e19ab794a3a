// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "replays.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "grpcpp/client_context.h"
#include "grpcpp/support/sync_stream.h"
#include "sha256.h"
#include "unary_call.h"

namespace reprise::client {
namespace {

// Small beside the limit of every message, large enough that its cost vanishes.
constexpr size_t kPieceBytes = size_t{1} << 20;
// How long to wait before the next look at an operation: at first, and at most.
constexpr std::chrono::milliseconds kPauseMin(20);
constexpr std::chrono::milliseconds kPauseMax(500);

using Operations = v1::OperationService::Stub;

template <typename Request, typename Response>
absl::StatusOr<v1::Operation> Begin(
    Client& client,
    grpc::Status (Operations::*method)(grpc::ClientContext*, const Request&,
                                       Response*),
    Request request) {
  if (request.settings().request_id().empty()) {
    request.mutable_settings()->set_request_id(NewRequestId());
  }
  auto response = Call(client, client.operations(), method, request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_operation());
}

}  // namespace

absl::StatusOr<v1::Replay> UploadReplay(Client& client,
                                        std::string_view bytes) {
  v1::GetUploadRequest question;
  question.set_digest(Sha256Of(bytes));
  question.set_size_bytes(bytes.size());
  const auto answer = Call(client, client.replays(),
                           &v1::ReplayService::Stub::GetUpload, question);
  if (!answer.ok()) return answer.status();

  grpc::ClientContext context;
  client.Prepare(context);
  v1::UploadReplayResponse response;
  const auto writer = client.replays().UploadReplay(&context, &response);
  size_t offset = std::min<size_t>(answer->upload().offset(), bytes.size());
  bool goes_on = true;
  // At least one, which asks for the end of what is there as a whole.
  do {
    v1::UploadReplayRequest piece;
    piece.set_digest(question.digest());
    piece.set_size_bytes(question.size_bytes());
    piece.set_offset(offset);
    piece.set_data(std::string(bytes.substr(offset, kPieceBytes)));
    goes_on = writer->Write(piece);
    offset += piece.data().size();
  } while (goes_on && offset < bytes.size());
  writer->WritesDone();
  if (absl::Status ended = Client::ToStatus(writer->Finish()); !ended.ok()) {
    return ended;
  }
  return std::move(*response.mutable_replay());
}

absl::StatusOr<v1::Operation> VerifyReplay(Client& client,
                                           v1::VerifyReplayRequest request) {
  return Begin(client, &Operations::VerifyReplay, std::move(request));
}

absl::StatusOr<v1::Operation> CompareReplays(
    Client& client, v1::CompareReplaysRequest request) {
  return Begin(client, &Operations::CompareReplays, std::move(request));
}

absl::StatusOr<v1::Operation> QueryReplay(Client& client,
                                          v1::QueryReplayRequest request) {
  return Begin(client, &Operations::QueryReplay, std::move(request));
}

absl::StatusOr<v1::Operation> ExportReplay(Client& client,
                                           v1::ExportReplayRequest request) {
  return Begin(client, &Operations::ExportReplay, std::move(request));
}

absl::StatusOr<v1::Operation> RenderReplay(Client& client,
                                           v1::RenderReplayRequest request) {
  return Begin(client, &Operations::RenderReplay, std::move(request));
}

absl::StatusOr<v1::Operation> GetOperation(Client& client,
                                           const std::string& name) {
  v1::GetOperationRequest request;
  request.set_name(name);
  auto response =
      Call(client, client.operations(), &Operations::GetOperation, request);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_operation());
}

absl::StatusOr<v1::Operation> Wait(
    Client& client, v1::Operation operation,
    const std::function<void(const v1::Operation&)>& on_progress) {
  std::chrono::milliseconds pause = kPauseMin;
  while (!operation.has_end_time()) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kPauseMax);
    auto now = GetOperation(client, operation.name());
    if (!now.ok()) return now.status();
    operation = *std::move(now);
    if (on_progress != nullptr) on_progress(operation);
  }
  if (operation.has_error() && !operation.has_verification()) {
    return ToStatus(operation.error());
  }
  return operation;
}

absl::Status CancelOperation(Client& client, const std::string& name) {
  v1::CancelOperationRequest request;
  request.set_name(name);
  return Call(client, client.operations(), &Operations::CancelOperation,
              request)
      .status();
}

absl::Status DeleteOperation(Client& client, const std::string& name) {
  v1::DeleteOperationRequest request;
  request.set_name(name);
  request.set_request_id(NewRequestId());
  return Call(client, client.operations(), &Operations::DeleteOperation,
              request)
      .status();
}

absl::StatusOr<std::string> DownloadResult(Client& client,
                                           const std::string& name,
                                           const std::string& file) {
  grpc::ClientContext context;
  client.Prepare(context);
  v1::DownloadResultRequest request;
  request.set_name(name);
  request.set_file(file);
  const auto reader = client.operations().DownloadResult(&context, request);
  std::string bytes;
  v1::DownloadResultResponse piece;
  while (reader->Read(&piece)) bytes += piece.data();
  if (absl::Status ended = Client::ToStatus(reader->Finish()); !ended.ok()) {
    return ended;
  }
  return bytes;
}

}  // namespace reprise::client
