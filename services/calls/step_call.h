// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// The server's side of one Step call: it is worked off in slices, as a request
// of a stream is, and ends between two ticks when nobody waits for it.

#ifndef REPRISE_SERVICES_CALLS_STEP_CALL_H_
#define REPRISE_SERVICES_CALLS_STEP_CALL_H_

#include "grpcpp/server_context.h"
#include "grpcpp/support/byte_buffer.h"
#include "grpcpp/support/server_callback.h"
#include "services/calls/step_resources.h"

namespace reprise::services {

// Begins to serve a call. gRPC keeps both buffers as long as the call.
grpc::ServerUnaryReactor* StartStepCall(const StepResources& resources,
                                        grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request_bytes,
                                        grpc::ByteBuffer* response_bytes);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STEP_CALL_H_
