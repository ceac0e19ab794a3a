// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/session_stepper.h"

#include <utility>

#include "services/base/resource_name.h"
#include "services/base/status.h"

namespace reprise::services {

absl::StatusOr<SessionStepper> SessionStepper::Open(
    const StepResources& resources, const Tenant& tenant,
    std::string_view name) {
  const auto id = ParseName(kSessions, name);
  if (!id.ok()) return id.status();
  auto session = resources.sessions->Find(tenant, *id);
  if (!session.ok()) return session.status();
  auto lease = SessionLease::Take(*std::move(session));
  if (!lease.ok()) return lease.status();
  return SessionStepper(&resources, *std::move(lease));
}

absl::Status SessionStepper::Begin(const v1::StepSessionRequest& request,
                                   uint64_t bytes_max) {
  bytes_max_ = bytes_max;
  auto order = ParseStepOrder(
      request, resources_->options->sessions.ticks_per_request_max);
  if (!order.ok()) return order.status();
  order->bytes_max = bytes_max;
  if (absl::Status fits = lease_.session().Check(*order); !fits.ok()) {
    return fits;
  }
  if (absl::Status ready = lease_.session().Prepare(observation_, *order);
      !ready.ok()) {
    return ready;
  }
  if (order->pace != 0 && order->tick_count > 0) {
    pace_.emplace(order->pace, lease_.session().tick_rate(),
                  resources_->options->clock());
  }
  order_ = *std::move(order);
  return absl::OkStatus();
}

absl::Time SessionStepper::due() const {
  return pace_.has_value() ? pace_->due() : absl::InfinitePast();
}

absl::Time SessionStepper::end_due() const {
  if (!pace_.has_value() || !order_.has_value()) return absl::InfinitePast();
  return pace_->DueOfLast(order_->end_tick() - lease_.session().tick());
}

absl::StatusOr<bool> SessionStepper::Advance(
    WorkSlice& slice, const std::function<bool()>& is_cancelled) {
  const Clock& clock = resources_->options->clock;
  if (pace_.has_value() && !order_->is_over() && pace_->due() > clock()) {
    order_->waits_for_disk = false;
    return false;
  }
  return lease_.session().Advance(
      *order_,
      [&] {
        const bool is_over = slice.EndTick() || is_cancelled();
        if (!pace_.has_value()) return is_over;
        const absl::Time now = clock();
        pace_->EndTick(now);
        return is_over || pace_->due() > now;
      },
      response_);
}

void SessionStepper::AwaitDisk(const std::function<void()>& resume) {
  if (lease_.session().WhenWritten(resume)) resume();
}

v1::StepSessionResponse SessionStepper::TakeResponse(
    const absl::Status& result) {
  if (!result.ok()) {
    *response_.mutable_error() = ToStepError(result);
    *response_.mutable_status() = ToRpcStatus(result);
  }
  lease_.session().DescribeStep(result.ok() && order_->want_frame, response_,
                                bytes_max_);
  order_.reset();
  pace_.reset();
  return std::exchange(response_, v1::StepSessionResponse());
}

}  // namespace reprise::services
