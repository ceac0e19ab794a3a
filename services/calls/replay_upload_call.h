// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one UploadReplay call.

#ifndef REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_
#define REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "services/calls/call_gate.h"
#include "services/calls/upload_call.h"
#include "services/storage/replay_catalogue.h"
#include "services/storage/replay_upload.h"

namespace reprise::services {

// What uploads work with; all must remain live while any stream is open.
struct ReplayUploadResources {
  CallGate* gate = nullptr;
  const ReplayCatalogue* catalogue = nullptr;
  UploadSet* uploads = nullptr;
  UploadResources streams;
};

// Begins to serve the call of `context`. gRPC keeps `response` as long.
UploadCall* StartReplayUpload(grpc::CallbackServerContext* context,
                              grpc::ByteBuffer* response,
                              const ReplayUploadResources& resources);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_REPLAY_UPLOAD_CALL_H_
