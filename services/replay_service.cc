// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/replay_service.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/resource_name.h"
#include "services/calls/order_turn.h"
#include "services/calls/unary_call.h"
#include "services/storage/replay_catalogue.h"
#include "services/storage/replay_message.h"
#include "services/storage/replay_upload.h"

namespace reprise::services {

grpc::ServerUnaryReactor* ReplayService::GetReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetReplayRequest, v1::GetReplayResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::GetReplayRequest& request,
             v1::GetReplayResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kReplays, request.name());
        if (!id.ok()) return id.status();
        const auto known = uploads_.catalogue->Get(call.caller->tenant, *id);
        if (!known.ok()) return known.status();
        *response.mutable_replay() = ToMessage(*known);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ReplayService::ListReplays(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ListReplaysRequest, v1::ListReplaysResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::ListReplaysRequest& request,
             v1::ListReplaysResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto query = ParseReplayQuery(request);
        if (!query.ok()) return query.status();
        uint64_t bytes = 0;
        auto token = uploads_.catalogue->List(
            call.caller->tenant, *query, request.page_size(),
            request.page_token(), [&](const KnownReplay& known) {
              v1::Replay replay = ToMessage(known);
              bytes += replay.ByteSizeLong();
              const bool fits =
                  bytes <= page_bytes_max_ || response.replays().empty();
              if (fits) *response.add_replays() = std::move(replay);
              return fits && !call.is_cancelled();
            });
        if (!token.ok()) return token.status();
        response.set_next_page_token(*std::move(token));
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ReplayService::DeleteReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::DeleteReplayRequest, v1::DeleteReplayResponse>(
      orders(), *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::DeleteReplayRequest& request, v1::DeleteReplayResponse&,
             const PendingCall& call) -> absl::Status {
        const auto id = ParseName(kReplays, request.name());
        if (!id.ok()) return id.status();
        return uploads_.catalogue->Delete(call.caller->tenant, *id);
      });
}

grpc::ServerUnaryReactor* ReplayService::UpdateReplayTags(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunOrder<v1::UpdateReplayTagsRequest, v1::UpdateReplayTagsResponse>(
      orders(), *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::UpdateReplayTagsRequest& request,
             v1::UpdateReplayTagsResponse& response,
             const PendingCall& call) -> std::optional<absl::Status> {
        const auto id = ParseName(kReplays, request.name());
        if (!id.ok()) return id.status();
        const Tenant& tenant = call.caller->tenant;
        if (replays_.OpenReplay(tenant, *id).ok() &&
            !uploads_.catalogue->IsCatalogued(tenant, *id)) {
          // All of its file is read first: not where lists wait.
          WorkQueue* const loaders = uploads_.streams.loaders;
          if (call.queue != loaders) {
            call.resume_on(loaders);
            return std::nullopt;
          }
          uploads_.catalogue->TakeIn(tenant, *id);
        }
        const std::vector<std::string> added(request.add().begin(),
                                             request.add().end());
        const std::vector<std::string> removed(request.remove().begin(),
                                               request.remove().end());
        const auto known =
            uploads_.catalogue->ChangeTags(tenant, *id, added, removed);
        if (!known.ok()) return known.status();
        *response.mutable_replay() = ToMessage(*known);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* ReplayService::GetUpload(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::GetUploadRequest, v1::GetUploadResponse>(
      *downloads_.gate, context, downloads_.queue, request_bytes,
      response_bytes,
      [this](const v1::GetUploadRequest& request,
             v1::GetUploadResponse& response,
             const PendingCall& call) -> absl::Status {
        const auto key = ParseUploadKey(call.caller->tenant, request.digest(),
                                        request.size_bytes());
        if (!key.ok()) return key.status();
        v1::Upload& upload = *response.mutable_upload();
        upload.set_digest(request.digest());
        upload.set_size_bytes(request.size_bytes());
        upload.set_offset(uploads_.uploads->OffsetOf(*key));
        return absl::OkStatus();
      });
}

grpc::ServerReadReactor<grpc::ByteBuffer>* ReplayService::UploadReplay(
    grpc::CallbackServerContext* context, grpc::ByteBuffer* response) {
  return StartReplayUpload(context, response, uploads_);
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* ReplayService::DownloadReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  return FileDownload::Start(
      context, request,
      DownloadKindOf<v1::DownloadReplayRequest, v1::DownloadReplayResponse>(
          [this](const v1::DownloadReplayRequest& wanted,
                 const Tenant& tenant) -> absl::StatusOr<DownloadRange> {
            const auto id = ParseName(kReplays, wanted.name());
            if (!id.ok()) return id.status();
            if (wanted.follow()) {
              return FollowedRangeOf(
                  [this, tenant, id = *id] {
                    return replays_.Look(tenant, id);
                  },
                  wanted.offset(), wanted.length());
            }
            auto source = replays_.OpenReplay(tenant, *id);
            if (!source.ok()) return source.status();
            return RangeOf(*std::move(source), wanted.offset(),
                           wanted.length());
          }),
      downloads_);
}

}  // namespace reprise::services
