// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// How a session stands or stood, for whoever must not wait for it.

#ifndef REPRISE_SERVICES_SESSIONS_SESSION_GLANCE_H_
#define REPRISE_SERVICES_SESSIONS_SESSION_GLANCE_H_

#include <cstdint>
#include <string>

#include "reprise/v1/simulation_service.pb.h"
#include "services/base/tenant.h"
#include "sim/base/digest.h"
#include "sim/base/tick.h"

namespace reprise::services {

// Where a recorded session stands or stood.
struct RecordedPoint {
  Tenant tenant;
  std::string replay_id;
  sim::Tick tick = 0;
  sim::Digest digest;  // of the state
};

// How a session stood when it was last changed.
struct SessionGlance {
  std::string id;
  Tenant tenant;
  std::string pack;
  v1::Session::State state = v1::Session::STATE_UNSPECIFIED;
  sim::Tick tick = 0;
  uint64_t recording_bytes = 0;  // of the file so far
  uint64_t state_bytes = 0;      // see TenantMemory
  uint64_t loaded_bytes = 0;     // likewise
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_SESSIONS_SESSION_GLANCE_H_
