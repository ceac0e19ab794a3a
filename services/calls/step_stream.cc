// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/step_stream.h"

#include <string>
#include <utility>

#include "fmt/format.h"
#include "services/base/resource_name.h"
#include "services/base/status.h"
#include "services/calls/message_bytes.h"
#include "services/calls/work_slice.h"

namespace reprise::services {

StepStream* StepStream::Start(grpc::CallbackServerContext* context,
                              const StepStreamResources& resources) {
  std::shared_ptr<StepStream> stream(new StepStream(
      context,
      resources.gate->Enter(CallOfRequest<v1::StepSessionRequest>(), *context),
      resources));
  // Held before others can see the stream, so that none can end it before it
  // has begun.
  const std::scoped_lock lock(stream->mutex_);
  stream->self_ = stream;
  absl::Status begun = stream->pass_.admission();
  if (begun.ok()) {
    begun = resources.streams->Add(stream, stream->last_activity_);
  }
  if (begun.ok()) {
    stream->StartRead(&stream->request_bytes_);
  } else {
    stream->FinishLocked(begun);
  }
  return stream.get();
}

StepStream::StepStream(grpc::CallbackServerContext* context, CallPass pass,
                       const StepStreamResources& resources)
    : context_(context),
      resources_(resources),
      pass_(std::move(pass)),
      last_activity_(resources.options->clock()) {}

absl::Time StepStream::last_activity() const {
  const std::scoped_lock lock(mutex_);
  return last_activity_;
}

bool StepStream::has_begun() const {
  const std::scoped_lock lock(mutex_);
  return has_begun_;
}

void StepStream::Close(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  CloseLocked(status);
}

void StepStream::Abandon(const absl::Status& status) {
  const std::scoped_lock lock(mutex_);
  CloseLocked(status);
  if (phase_ == Phase::kWriting) context_->TryCancel();
}

void StepStream::CloseLocked(const absl::Status& status) {
  switch (phase_) {
    case Phase::kReading:
      FinishLocked(status);
      break;
    case Phase::kWorking:
    case Phase::kWriting:
      closing_ = status;
      break;
    case Phase::kFinished:
    case Phase::kDone:
      break;
  }
}

void StepStream::OnReadDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kReading) return;
  if (!ok) {
    FinishLocked(cancelled_ ? CancelledError() : absl::OkStatus());
    return;
  }
  phase_ = Phase::kWorking;
  has_begun_ = true;
  last_activity_ = resources_.options->clock();
  if (!resources_.queue->Post([self = self_] { return self->Work(); })) {
    FinishLocked(BusyError());
  }
}

void StepStream::OnWriteDone(bool ok) {
  const std::scoped_lock lock(mutex_);
  if (phase_ != Phase::kWriting) return;
  if (!ok) {
    FinishLocked(CancelledError());
  } else if (closing_.has_value()) {
    FinishLocked(*closing_);
  } else {
    phase_ = Phase::kReading;
    last_activity_ = resources_.options->clock();
    response_bytes_.Clear();
    StartRead(&request_bytes_);
  }
}

// What is under way fails by itself: reads and writes with ok = false, work
// between two ticks.
void StepStream::OnCancel() { cancelled_ = true; }

void StepStream::OnDone() {
  std::shared_ptr<StepStream> self;
  {
    const std::scoped_lock lock(mutex_);
    phase_ = Phase::kDone;
    ReleaseSessionLocked();
    self = std::move(self_);
  }
  resources_.streams->Remove(self);
}

WorkQueue::Progress StepStream::Work() {
  if (!order_.has_value()) {
    const auto request = ParseRequest();
    absl::Status opened = request.status();
    if (opened.ok() && session_ == nullptr) opened = OpenSession(*request);
    if (!opened.ok()) {
      const std::scoped_lock lock(mutex_);
      FinishLocked(opened);
      return WorkQueue::Progress::kDone;
    }
    if (const absl::Status accepted = OpenOrder(*request); !accepted.ok()) {
      Respond(accepted);
      return WorkQueue::Progress::kDone;
    }
  }
  const absl::StatusOr<bool> made = [this] {
    WorkSlice slice(&resources_.gate->metrics());
    return session_->Advance(
        *order_, [&] { return slice.EndTick() || cancelled_; }, response_);
  }();
  {
    const std::scoped_lock lock(mutex_);
    last_activity_ = resources_.options->clock();
    if (cancelled_) {
      FinishLocked(CancelledError());
      return WorkQueue::Progress::kDone;
    }
  }
  if (made.ok() && !*made) return WorkQueue::Progress::kUnfinished;
  Respond(made.status());
  return WorkQueue::Progress::kDone;
}

absl::StatusOr<v1::StepSessionRequest> StepStream::ParseRequest() {
  pass_.Receive(request_bytes_);
  if (absl::Status allowed = pass_.Confirm(); !allowed.ok()) return allowed;
  v1::StepSessionRequest request;
  absl::Status parsed = ParseMessage(request_bytes_, request);
  request_bytes_.Clear();
  if (!parsed.ok()) return parsed;
  return request;
}

absl::Status StepStream::OpenSession(const v1::StepSessionRequest& request) {
  if (request.session().empty()) {
    return WithReason(
        absl::InvalidArgumentError(
            "the first request of a stream must name its session"),
        "SESSION_REQUIRED");
  }
  pass_.Concern(request.session(), request.tick());
  const auto id = ParseName(kSessions, request.session());
  if (!id.ok()) return id.status();
  auto session = resources_.sessions->Find(pass_.caller().tenant, *id);
  if (!session.ok()) return session.status();
  if (absl::Status leased = (*session)->Lease(); !leased.ok()) return leased;
  session_ = *std::move(session);
  return absl::OkStatus();
}

absl::Status StepStream::OpenOrder(const v1::StepSessionRequest& request) {
  if (!request.session().empty() &&
      request.session() != MakeName(kSessions, session_->id())) {
    return WithReason(
        absl::InvalidArgumentError(
            fmt::format("this stream steps session '{}' only", session_->id())),
        "SESSION_CHANGED");
  }
  auto order = ParseStepOrder(
      request, resources_.options->sessions.ticks_per_request_max);
  if (!order.ok()) return order.status();
  if (absl::Status fits = session_->Check(*order); !fits.ok()) return fits;
  if (absl::Status ready = session_->Prepare(observation_, *order);
      !ready.ok()) {
    return ready;
  }
  order_ = *std::move(order);
  return absl::OkStatus();
}

void StepStream::Respond(const absl::Status& carried_out) {
  if (!carried_out.ok()) {
    *response_.mutable_error() = ToStepError(carried_out);
    *response_.mutable_status() = ToRpcStatus(carried_out);
  }
  session_->DescribeStep(carried_out.ok() && order_->want_frame, response_);
  order_.reset();
  pass_.Concern(MakeName(kSessions, session_->id()), response_.tick());
  pass_.Answer(carried_out);
  SerializeMessage(response_, response_bytes_);
  pass_.Send(response_bytes_);
  response_ = v1::StepSessionResponse();
  const std::scoped_lock lock(mutex_);
  phase_ = Phase::kWriting;
  last_activity_ = resources_.options->clock();
  StartWrite(&response_bytes_);
}

void StepStream::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  ReleaseSessionLocked();
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

void StepStream::ReleaseSessionLocked() {
  if (session_ == nullptr) return;
  observation_.reset();
  session_->ReleaseLease();
  session_.reset();
}

}  // namespace reprise::services
