// Copyright 2026 The Reprise Authors.
// SPDX-License-Identifier: Apache-2.0

#include "services/calls/unary_call.h"

#include <new>

#include "services/base/memory_budget.h"
#include "services/base/status.h"

namespace reprise::services {

UnaryCall* UnaryCall::Start(CallPass pass, WorkQueue* queue,
                            const grpc::ByteBuffer* request_bytes,
                            const grpc::ByteBuffer* response_bytes, Body body) {
  const absl::Status admission = pass.admission();
  pass.Receive(*request_bytes);
  const std::shared_ptr<UnaryCall> call(
      new UnaryCall(std::move(pass), queue, response_bytes, std::move(body)));
  // Held before others can see the call, so that none can end it before it has
  // begun.
  const std::scoped_lock lock(call->mutex_);
  call->self_ = call;
  if (admission.ok()) {
    call->PostLocked(call, /*goes_on=*/false);
  } else {
    call->FinishLocked(admission);
  }
  return call.get();
}

void UnaryCall::OnCancel() {
  // Goes behind the lock, with what it has. Who was to resume the call keeps no
  // more than its shell.
  Body body;
  const std::scoped_lock lock(mutex_);
  cancelled_ = true;
  if (phase_ != Phase::kWaiting) return;
  body.swap(body_);
  FinishLocked(CancelledError());
}

void UnaryCall::OnDone() {
  std::shared_ptr<UnaryCall> self;  // goes when the lock has
  const std::scoped_lock lock(mutex_);
  self.swap(self_);
}

WorkQueue::Progress UnaryCall::Run() {
  std::shared_ptr<UnaryCall> self;
  WorkQueue* queue = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    self = self_;
    queue = queue_;
    if (cancelled_) {
      FinishLocked(CancelledError());
      return WorkQueue::Progress::kDone;
    }
    phase_ = Phase::kRunning;
    resumed_ = false;
  }
  std::optional<absl::Status> result;
  try {
    result = body_(
        {.caller = &pass_.caller(),
         .pass = &pass_,
         .resume = [self, queue] { self->ResumeOn(queue); },
         .is_cancelled = [self] { return self->is_cancelled(); },
         .queue = queue,
         .resume_on = [self](WorkQueue* other) { self->ResumeOn(other); }});
  } catch (const std::bad_alloc&) {
    // What was to be answered, or made, is gone; the call alone ends.
    result = MemoryExhaustedError();
  }

  Body ended;  // goes behind the lock, as above
  const std::scoped_lock lock(mutex_);
  if (result.has_value()) {
    FinishLocked(*result);
  } else if (cancelled_) {
    FinishLocked(CancelledError());
  } else if (resumed_ && queue_ == queue) {
    phase_ = Phase::kQueued;
    return WorkQueue::Progress::kUnfinished;
  } else if (resumed_) {
    PostLocked(self, /*goes_on=*/false);
  } else {
    phase_ = Phase::kWaiting;
  }
  if (phase_ == Phase::kFinished) ended.swap(body_);
  return WorkQueue::Progress::kDone;
}

void UnaryCall::ResumeOn(WorkQueue* queue) {
  Body ended;  // goes behind the lock, as above
  const std::scoped_lock lock(mutex_);
  const bool goes_on = queue == queue_;
  resumed_ = true;
  queue_ = queue;
  if (phase_ != Phase::kWaiting) return;
  PostLocked(self_, goes_on);
  if (phase_ == Phase::kFinished) ended.swap(body_);
}

bool UnaryCall::is_cancelled() const {
  const std::scoped_lock lock(mutex_);
  return cancelled_;
}

void UnaryCall::PostLocked(const std::shared_ptr<UnaryCall>& self,
                           bool goes_on) {
  phase_ = Phase::kQueued;
  WorkQueue::Task run = [self] { return self->Run(); };
  const Tenant& tenant = pass_.caller().tenant;
  if (goes_on) return queue_->PostAgain(tenant, std::move(run));
  if (!queue_->Post(tenant, std::move(run))) FinishLocked(BusyError());
}

void UnaryCall::FinishLocked(const absl::Status& status) {
  phase_ = Phase::kFinished;
  if (status.ok()) pass_.Send(response_bytes_);
  pass_.End(status);
  Finish(ToGrpcStatus(status));
}

}  // namespace reprise::services
