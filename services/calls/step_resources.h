// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What the calls and streams that step sessions work with.

#ifndef REPRISE_SERVICES_CALLS_STEP_RESOURCES_H_
#define REPRISE_SERVICES_CALLS_STEP_RESOURCES_H_

#include "services/base/server_options.h"
#include "services/calls/call_gate.h"
#include "services/calls/shared_play.h"
#include "services/calls/stream_set.h"
#include "services/calls/wake_timer.h"
#include "services/calls/work_queue.h"
#include "services/sessions/session_registry.h"

namespace reprise::services {

// All must remain live while any call is under way.
struct StepResources {
  CallGate* gate = nullptr;
  SessionRegistry* sessions = nullptr;
  StreamSet* streams = nullptr;
  WorkQueue* queue = nullptr;
  WakeTimer* timer = nullptr;
  SharedPlays* plays = nullptr;
  const ServerOptions* options = nullptr;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_STEP_RESOURCES_H_
