// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// Serves a unary call on the work queue, so that gRPC's threads never wait.

#ifndef REPRISE_SERVICES_UNARY_CALL_H_
#define REPRISE_SERVICES_UNARY_CALL_H_

#include <functional>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "services/calls/work_queue.h"

namespace reprise::services {

// Runs `body` on `queue` and ends the call with its result. A call that is
// cancelled or late before its turn is not run. RESOURCE_EXHAUSTED: the queue
// is full.
grpc::ServerUnaryReactor* RunUnaryCall(grpc::CallbackServerContext* context,
                                       WorkQueue* queue,
                                       std::function<absl::Status()> body);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_UNARY_CALL_H_
