// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one UploadPack call. All of the pack is in memory until
// it is kept, which is claimed as it comes.

#ifndef REPRISE_SERVICES_CALLS_PACK_UPLOAD_CALL_H_
#define REPRISE_SERVICES_CALLS_PACK_UPLOAD_CALL_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "services/base/memory_budget.h"
#include "services/base/server_options.h"
#include "services/calls/call_gate.h"
#include "services/calls/upload_call.h"
#include "services/operations/pack_trial.h"
#include "services/storage/pack_catalog.h"
#include "services/storage/uploaded_packs.h"

namespace reprise::services {

// What uploads work with; all must remain live while any stream is open.
struct PackUploadResources {
  CallGate* gate = nullptr;
  const ServerOptions* options = nullptr;
  const PackCatalog* packs = nullptr;
  UploadedPacks* uploads = nullptr;
  PackTrial* trial = nullptr;
  WorkQueue* trials = nullptr;  // whose threads wait for trials
  MemoryBudget* budget = nullptr;
  UploadResources streams;
};

// Begins to serve the call of `context`. gRPC keeps `response` as long.
UploadCall* StartPackUpload(grpc::CallbackServerContext* context,
                            grpc::ByteBuffer* response,
                            const PackUploadResources& resources);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_PACK_UPLOAD_CALL_H_
