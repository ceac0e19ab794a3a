// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// What an operator's programs and pages read of a running server, all of it
// looked up without waiting for a session.

#ifndef REPRISE_SERVICES_OPERATOR_METRICS_H_
#define REPRISE_SERVICES_OPERATOR_METRICS_H_

#include <functional>
#include <string>

#include "services/base/access.h"
#include "services/base/server_options.h"
#include "services/calls/stream_set.h"
#include "services/calls/work_queue.h"
#include "services/monitoring/audit_log.h"
#include "services/monitoring/server_metrics.h"
#include "services/operations/operation_registry.h"
#include "services/sessions/session_registry.h"
#include "services/storage/replay_store.h"

namespace reprise::services {

// The parts of a server that are looked at. All must remain live meanwhile.
struct OperatorView {
  const ServerOptions* options = nullptr;
  const Access* access = nullptr;
  const ServerMetrics* metrics = nullptr;
  const SessionRegistry* sessions = nullptr;
  const StreamSet* streams = nullptr;
  const ReplayStore* replays = nullptr;
  OperationRegistry* operations = nullptr;  // makes pages of replays
  const WorkQueue* stepping = nullptr;
  const WorkQueue* loading = nullptr;
  const WorkQueue* files = nullptr;
  const AuditLog* audit = nullptr;  // null: none
  // Whether health says SERVING.
  std::function<bool()> is_serving;
};

// Everything, in Prometheus' text format 0.0.4. It names no session, no tenant
// and no token.
std::string FormatMetrics(const OperatorView& view);

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_OPERATOR_METRICS_H_
