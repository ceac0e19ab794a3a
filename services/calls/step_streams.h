// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What StepSession and StepSessions do with their requests.

#ifndef REPRISE_SERVICES_CALLS_STEP_STREAMS_H_
#define REPRISE_SERVICES_CALLS_STEP_STREAMS_H_

#include "grpcpp/server_context.h"
#include "services/calls/exchange_stream.h"
#include "services/calls/step_resources.h"

namespace reprise::services {

// Begin to serve the call of `context`: StepSession, which steps the one
// session that its first request names, and StepSessions, which steps all that
// any of its requests has named.
ExchangeStream* StartStepStream(grpc::CallbackServerContext* context,
                                const StepResources& resources);
ExchangeStream* StartStepAllStream(grpc::CallbackServerContext* context,
                                   const StepResources& resources);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STEP_STREAMS_H_
