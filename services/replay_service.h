// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.ReplayService on a store of replays; see simulation_service.h for
// how calls are served.

#ifndef REPRISE_SERVICES_REPLAY_SERVICE_H_
#define REPRISE_SERVICES_REPLAY_SERVICE_H_

#include <cstdint>

#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "services/base/recent_orders.h"
#include "services/calls/file_download.h"
#include "services/calls/order_turn.h"
#include "services/calls/replay_upload_call.h"
#include "services/storage/replay_store.h"

namespace reprise::services {

using ReplayServiceBase = v1::ReplayService::WithRawCallbackMethod_GetReplay<
    v1::ReplayService::WithRawCallbackMethod_ListReplays<
        v1::ReplayService::WithRawCallbackMethod_DeleteReplay<
            v1::ReplayService::WithRawCallbackMethod_UpdateReplayTags<
                v1::ReplayService::WithRawCallbackMethod_GetUpload<
                    v1::ReplayService::WithRawCallbackMethod_UploadReplay<
                        v1::ReplayService::WithRawCallbackMethod_DownloadReplay<
                            v1::ReplayService::Service>>>>>>>;

class ReplayService final : public ReplayServiceBase {
 public:
  // A page of a list has up to `page_bytes_max` bytes. `replays` must remain
  // live.
  ReplayService(const DownloadResources& downloads,
                const ReplayUploadResources& uploads,
                const ReplayStore* replays, uint64_t page_bytes_max)
      : downloads_(downloads),
        uploads_(uploads),
        replays_(*replays),
        page_bytes_max_(page_bytes_max) {}

  grpc::ServerUnaryReactor* GetReplay(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* ListReplays(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* DeleteReplay(grpc::CallbackServerContext* context,
                                         const grpc::ByteBuffer* request,
                                         grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* UpdateReplayTags(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer* request,
      grpc::ByteBuffer* response) override;

  grpc::ServerUnaryReactor* GetUpload(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* request,
                                      grpc::ByteBuffer* response) override;

  grpc::ServerReadReactor<grpc::ByteBuffer>* UploadReplay(
      grpc::CallbackServerContext* context,
      grpc::ByteBuffer* response) override;

  grpc::ServerWriteReactor<grpc::ByteBuffer>* DownloadReplay(
      grpc::CallbackServerContext* context,
      const grpc::ByteBuffer* request) override;

 private:
  OrderBook orders() { return {.orders = &orders_, .clock = downloads_.clock}; }

  const DownloadResources downloads_;
  const ReplayUploadResources uploads_;
  const ReplayStore& replays_;
  const uint64_t page_bytes_max_;
  RecentOrders orders_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_REPLAY_SERVICE_H_
