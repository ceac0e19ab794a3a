// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/operation_service.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/resource_name.h"
#include "services/calls/order_turn.h"
#include "services/calls/unary_call.h"
#include "services/operations/operation_order.h"

namespace reprise::services {

template <typename Request, typename Response>
grpc::ServerUnaryReactor* OperationService::Begin(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<Request, Response>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const Request& request, Response& response,
             const PendingCall& call) -> absl::Status {
        const auto order = ParseOrder(request);
        if (!order.ok()) return order.status();
        auto operation = operations_.Begin(call.caller->tenant, *order);
        if (!operation.ok()) return operation.status();
        *response.mutable_operation() = *std::move(operation);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* OperationService::VerifyReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return Begin<v1::VerifyReplayRequest, v1::VerifyReplayResponse>(
      context, request, response);
}

grpc::ServerUnaryReactor* OperationService::CompareReplays(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return Begin<v1::CompareReplaysRequest, v1::CompareReplaysResponse>(
      context, request, response);
}

grpc::ServerUnaryReactor* OperationService::QueryReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return Begin<v1::QueryReplayRequest, v1::QueryReplayResponse>(
      context, request, response);
}

grpc::ServerUnaryReactor* OperationService::ExportReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return Begin<v1::ExportReplayRequest, v1::ExportReplayResponse>(
      context, request, response);
}

grpc::ServerUnaryReactor* OperationService::RenderReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
    grpc::ByteBuffer* response) {
  return Begin<v1::RenderReplayRequest, v1::RenderReplayResponse>(
      context, request, response);
}

grpc::ServerUnaryReactor* OperationService::GetOperation(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetOperationRequest, v1::GetOperationResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::GetOperationRequest& request,
             v1::GetOperationResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kOperations, request.name());
        if (!id.ok()) return id.status();
        auto operation = operations_.Get(call.caller->tenant, *id);
        if (!operation.ok()) return operation.status();
        *response.mutable_operation() = *std::move(operation);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* OperationService::ListOperations(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ListOperationsRequest, v1::ListOperationsResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::ListOperationsRequest& request,
             v1::ListOperationsResponse& response,
             const PendingCall& call) -> absl::Status {
        auto page = operations_.List(call.caller->tenant, request.page_size(),
                                     request.page_token());
        if (!page.ok()) return page.status();
        for (v1::Operation& operation : page->operations) {
          *response.add_operations() = std::move(operation);
        }
        response.set_next_page_token(std::move(page->next_page_token));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* OperationService::CancelOperation(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::CancelOperationRequest, v1::CancelOperationResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::CancelOperationRequest& request,
             v1::CancelOperationResponse&,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kOperations, request.name());
        if (!id.ok()) return id.status();
        return operations_.Cancel(call.caller->tenant, *id);
      });
}

grpc::ServerUnaryReactor* OperationService::DeleteOperation(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::DeleteOperationRequest, v1::DeleteOperationResponse>(
      {.orders = &orders_, .clock = downloads_.clock}, *downloads_.gate,
      context, downloads_.queue, request_bytes, response_bytes,
      [this](const v1::DeleteOperationRequest& request,
             v1::DeleteOperationResponse&,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kOperations, request.name());
        if (!id.ok()) return id.status();
        return operations_.Delete(call.caller->tenant, *id);
      });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* OperationService::DownloadResult(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  return FileDownload::Start(
      context, request,
      DownloadKindOf<v1::DownloadResultRequest, v1::DownloadResultResponse>(
          [this](const v1::DownloadResultRequest& wanted,
                 const Tenant& tenant) -> absl::StatusOr<DownloadRange> {
            const auto id = ParseName(kOperations, wanted.name());
            if (!id.ok()) return id.status();
            auto source = operations_.OpenResult(tenant, *id, wanted.file());
            if (!source.ok()) return source.status();
            return RangeOf(*std::move(source), wanted.offset(),
                           wanted.length());
          }),
      downloads_);
}

}  // namespace reprise::services
