// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/unary_call.h"

#include <utility>

#include "services/base/status.h"

namespace reprise::services {

grpc::ServerUnaryReactor* RunUnaryCall(grpc::CallbackServerContext* context,
                                       WorkQueue* queue,
                                       std::function<absl::Status()> body) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  const bool posted = queue->Post([context, reactor, body = std::move(body)] {
    const absl::Status status =
        context->IsCancelled() ? CancelledError() : body();
    reactor->Finish(ToGrpcStatus(status));
    return WorkQueue::Progress::kDone;
  });
  if (!posted) reactor->Finish(ToGrpcStatus(BusyError()));
  return reactor;
}

}  // namespace reprise::services
