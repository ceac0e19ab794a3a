// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/replay_service.h"

#include "absl/status/status.h"
#include "services/base/resource_name.h"
#include "services/calls/unary_call.h"

namespace reprise::services {

grpc::ServerUnaryReactor* ReplayService::ListReplays(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request_bytes,
    grpc::ByteBuffer* response_bytes) {
  return RunUnaryCall<v1::ListReplaysRequest, v1::ListReplaysResponse>(
      *resources_.gate, context, resources_.queue, request_bytes,
      response_bytes,
      [this](const v1::ListReplaysRequest& request,
             v1::ListReplaysResponse& response,
             const PendingCall& call) -> absl::Status {
        auto page = resources_.replays->List(
            call.caller->tenant, request.page_size(), request.page_token());
        if (!page.ok()) return page.status();
        for (const ReplayStore::Entry& entry : page->replays) {
          v1::Replay& replay = *response.add_replays();
          replay.set_name(MakeName(kReplays, entry.id));
          replay.set_size_bytes(entry.size_bytes);
        }
        response.set_next_page_token(page->next_page_token);
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* ReplayService::DownloadReplay(
    grpc::CallbackServerContext* context, const grpc::ByteBuffer* request) {
  return ReplayDownload::Start(context, request, resources_);
}

}  // namespace reprise::services
