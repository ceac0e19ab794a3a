// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/step_call.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/call_gate.h"
#include "services/calls/message_bytes.h"
#include "services/calls/unary_call.h"
#include "services/calls/work_slice.h"
#include "services/observations/observation.h"
#include "services/sessions/session_lease.h"
#include "services/stepping/step_order.h"

namespace reprise::services {
namespace {

// What one call has come to, between its slices.
class StepCall {
 public:
  StepCall(const StepResources& resources,
           const grpc::ByteBuffer* request_bytes,
           grpc::ByteBuffer* response_bytes)
      : resources_(resources),
        request_bytes_(*request_bytes),
        response_bytes_(*response_bytes) {}

  // A slice of the work; nullopt when there is more of it.
  std::optional<absl::Status> Work(const PendingCall& call) {
    if (!order_.has_value()) {
      if (absl::Status opened = Open(*call.pass); !opened.ok()) {
        return End(opened);
      }
    }
    const absl::StatusOr<bool> made = [&] {
      WorkSlice slice(&resources_.gate->metrics());
      return lease_.session().Advance(
          *order_, [&] { return slice.EndTick() || call.is_cancelled(); },
          response_);
    }();
    if (!made.ok()) return End(made.status());
    if (!*made) {
      if (call.is_cancelled()) return End(CancelledError());
      if (!order_->waits_for_disk ||
          lease_.session().WhenWritten(call.resume)) {
        call.resume();
      }
      return std::nullopt;
    }
    lease_.session().DescribeStep(order_->want_frame, response_);
    call.pass->Concern(MakeName(kSessions, lease_.session().id()),
                       response_.tick());
    SerializeMessage(ToStepResponse(), response_bytes_);
    return End(absl::OkStatus());
  }

 private:
  absl::Status Open(CallPass& pass) {
    v1::StepRequest request;
    if (absl::Status parsed = ParseMessage(request_bytes_, request);
        !parsed.ok()) {
      return parsed;
    }
    pass.Concern(request.session(), request.tick());
    const auto id = ParseName(kSessions, request.session());
    if (!id.ok()) return id.status();
    auto session = resources_.sessions->Find(pass.caller().tenant, *id);
    if (!session.ok()) return session.status();
    auto order = ParseStepOrder(
        request, resources_.options->sessions.ticks_per_request_max);
    if (!order.ok()) return order.status();
    auto lease = SessionLease::Take(*std::move(session));
    if (!lease.ok()) return lease.status();
    lease_ = *std::move(lease);
    if (absl::Status fits = lease_.session().Check(*order); !fits.ok()) {
      return fits;
    }
    std::shared_ptr<Observation> none_before;
    if (absl::Status ready = lease_.session().Prepare(none_before, *order);
        !ready.ok()) {
      return ready;
    }
    order_ = *std::move(order);
    return absl::OkStatus();
  }

  v1::StepResponse ToStepResponse() {
    v1::StepResponse response;
    response.set_tick(response_.tick());
    response.set_digest(response_.digest());
    response.set_outcome(response_.outcome());
    response.mutable_events()->Swap(response_.mutable_events());
    if (response_.has_frame()) {
      response.mutable_frame()->Swap(response_.mutable_frame());
    }
    response.set_events_omitted(response_.events_omitted());
    response.set_frame_omitted(response_.frame_omitted());
    response.set_stop_reason(response_.stop_reason());
    response.set_outcome_reason(response_.outcome_reason());
    if (response_.has_decided_tick()) {
      response.set_decided_tick(response_.decided_tick());
    }
    if (response_.has_layout()) {
      response.mutable_layout()->Swap(response_.mutable_layout());
    }
    if (response_.has_observations()) {
      response.mutable_observations()->Swap(response_.mutable_observations());
    }
    return response;
  }

  // Gives the session back first: a client that has the response finds it free.
  absl::Status End(const absl::Status& status) {
    lease_.Release();
    return status;
  }

  const StepResources resources_;
  const grpc::ByteBuffer& request_bytes_;
  grpc::ByteBuffer& response_bytes_;
  std::optional<StepOrder> order_;
  v1::StepSessionResponse response_;
  SessionLease lease_;
};

}  // namespace

grpc::ServerUnaryReactor* StartStepCall(const StepResources& resources,
                                        grpc::CallbackServerContext* context,
                                        const grpc::ByteBuffer* request_bytes,
                                        grpc::ByteBuffer* response_bytes) {
  const auto call =
      std::make_shared<StepCall>(resources, request_bytes, response_bytes);
  return UnaryCall::Start(
      resources.gate->Enter(CallOfRequest<v1::StepRequest>(), *context),
      resources.queue, request_bytes, response_bytes,
      [call](const PendingCall& pending) { return call->Work(pending); });
}

}  // namespace reprise::services
