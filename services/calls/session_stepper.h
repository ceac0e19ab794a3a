// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

// One session that a call steps, from when it is leased on, and what comes of
// one order after another.

#ifndef REPRISE_SERVICES_CALLS_SESSION_STEPPER_H_
#define REPRISE_SERVICES_CALLS_SESSION_STEPPER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reprise/v1/simulation_service.pb.h"
#include "services/calls/step_resources.h"
#include "services/calls/work_slice.h"
#include "services/observations/observation.h"
#include "services/sessions/session.h"
#include "services/sessions/session_lease.h"
#include "services/stepping/step_order.h"
#include "services/stepping/tick_pace.h"

namespace reprise::services {

// Used by one thread at a time.
class SessionStepper {
 public:
  // Leases the tenant's session `name`. `resources` must remain live as long.
  // Errors are ParseName's, SessionRegistry::Find's and Session::Lease's.
  static absl::StatusOr<SessionStepper> Open(const StepResources& resources,
                                             const Tenant& tenant,
                                             std::string_view name);

  const std::string& id() const { return lease_.session().id(); }

  // Begins with an order. `bytes_max` is what its response may have of
  // observations, events and frame; 0: as much as a message has. An error is
  // the response. What was declared to be seen stays declared.
  absl::Status Begin(const v1::StepSessionRequest& request,
                     uint64_t bytes_max = 0);

  // When its next tick is due: the infinite past, unless it is paced.
  absl::Time due() const;
  // When the last tick of its order is due, likewise.
  absl::Time end_due() const;

  // Makes ticks of the order until it is carried out (true), the slice is over,
  // the next tick isn't due yet, or it waits for the disk. An error is the
  // response.
  absl::StatusOr<bool> Advance(WorkSlice& slice,
                               const std::function<bool()>& is_cancelled);

  // Whether what is recorded has to be written before it can go on; then has
  // `resume` called once when it is, perhaps at once.
  bool waits_for_disk() const {
    return order_.has_value() && order_->waits_for_disk;
  }
  void AwaitDisk(const std::function<void()>& resume);

  // What has come of the order, which is over; `result` is what Begin or
  // Advance returned.
  v1::StepSessionResponse TakeResponse(const absl::Status& result);

 private:
  SessionStepper(const StepResources* resources, SessionLease lease)
      : resources_(resources), lease_(std::move(lease)) {}

  const StepResources* resources_;
  SessionLease lease_;
  // What was declared last; null: nothing. Its session is leased since.
  std::shared_ptr<Observation> observation_;
  std::optional<StepOrder> order_;
  std::optional<TickPace> pace_;  // of the order; none: it isn't paced
  uint64_t bytes_max_ = 0;
  v1::StepSessionResponse response_;
};

}  // namespace reprise::services

#endif  // REPRISE_SERVICES_CALLS_SESSION_STEPPER_H_
