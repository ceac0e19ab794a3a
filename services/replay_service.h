// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.ReplayService on a store of replays; see simulation_service.h for
// how calls are served.

#ifndef REPRISE_SERVICES_REPLAY_SERVICE_H_
#define REPRISE_SERVICES_REPLAY_SERVICE_H_

#include "grpcpp/support/byte_buffer.h"
#include "reprise/v1/replay_service.grpc.pb.h"
#include "services/calls/replay_download.h"

namespace reprise::services {

using ReplayServiceBase = v1::ReplayService::WithRawCallbackMethod_ListReplays<
    v1::ReplayService::WithRawCallbackMethod_DownloadReplay<
        v1::ReplayService::Service>>;

class ReplayService final : public ReplayServiceBase {
 public:
  explicit ReplayService(const ReplayDownloadResources& resources)
      : resources_(resources) {}

  grpc::ServerUnaryReactor* ListReplays(grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request,
                                        grpc::ByteBuffer* response) override;

  grpc::ServerWriteReactor<grpc::ByteBuffer>* DownloadReplay(
      grpc::CallbackServerContext* context,
      const grpc::ByteBuffer* request) override;

 private:
  const ReplayDownloadResources resources_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_REPLAY_SERVICE_H_
