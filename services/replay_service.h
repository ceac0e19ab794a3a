// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// reprise.v1.ReplayService on a store of replays; see simulation_service.h for
// how calls are served.

#ifndef REPRISE_SERVICES_REPLAY_SERVICE_H_
#define REPRISE_SERVICES_REPLAY_SERVICE_H_

#include "reprise/v1/replay_service.grpc.pb.h"
#include "services/calls/replay_download.h"

namespace reprise::services {

class ReplayService final : public v1::ReplayService::CallbackService {
 public:
  explicit ReplayService(const ReplayDownloadResources& resources)
      : resources_(resources) {}

  grpc::ServerUnaryReactor* ListReplays(
      grpc::CallbackServerContext* context,
      const v1::ListReplaysRequest* request,
      v1::ListReplaysResponse* response) override;

  grpc::ServerWriteReactor<v1::DownloadReplayResponse>* DownloadReplay(
      grpc::CallbackServerContext* context,
      const v1::DownloadReplayRequest* request) override;

 private:
  const ReplayDownloadResources resources_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_REPLAY_SERVICE_H_
